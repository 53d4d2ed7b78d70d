import Glibc

/// Lets this process have 4,096 descriptors, or as many as it may, for a test with many connections.
public func raiseDescriptorLimit() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4_096))
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
