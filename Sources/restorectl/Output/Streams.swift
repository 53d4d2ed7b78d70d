import Glibc

/// Reading and writing descriptors by hand.
enum Streams {
  /// Writes all bytes; nil: done, else the errno that stopped it.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let written = Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        if written >= 0 {
          offset += written
        } else if errno == EAGAIN {
          // Someone else made our terminal or pipe non-blocking.
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&entry, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// What an errno means, in the system's words.
  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Makes sure that descriptors 0 to 2 are taken, so that no socket or file ever becomes standard output.
  ///
  /// A missing one is opened the wrong way round, so that using it fails.
  static func reserveStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
