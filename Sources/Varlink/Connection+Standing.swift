/// Who is served at once, and who in time to spare.
///
/// At once is served who has called before, whose calls took no time, and who waits for the reply before the next one.
/// All else, and be it a thousand peers, is put off until there is time to spare (`SpareTime`): peers that have not
/// called yet, calls sent ahead, large messages, calls that take long, streams.
extension Connection {
  /// The best and, below 0, the worst standing: how many calls that took no time make up for one that did.
  private static let most = 8

  /// Whether it is served at once.
  var isQuick: Bool { standing >= 0 }

  /// Whether its last calls took long.
  private var isHeavy: Bool { standing < -1 }

  /// Bytes of a first call that is small.
  private static let smallBytes = 4 << 10

  var line: TurnLine { isNewcomer ? .newcomers : isHeavy ? .heavy : .light }

  /// What it may take of the room that its user has.
  var claim: RoomClaim { isQuick ? .quick : isNewcomer ? .newcomer : isHeavy ? .heavy : .light }

  /// Looks at what a newcomer has sent.
  ///
  /// - Returns: false where it asks for more than little: it waits with all who do.
  func staysNewcomer() -> Bool {
    guard isNewcomer, input.count > 0 else { return true }
    isNewcomer = input.count <= Self.smallBytes && input.isOneMessage()
    return isNewcomer
  }

  func ready(_ events: EventSet) {
    guard isQuick else {
      putOff.formUnion(events)
      isSuspended = true
      server.loop.suspend(descriptor)
      return scheduleResume()
    }
    look(at: events)
    server.loop.noteQuick(awaitingAnswer: isBusy)
  }

  /// Does what there was no time for when it happened.
  func lookAtWhatWasPutOff() {
    guard !isClosed else { return }
    let events = putOff
    putOff = []
    if isSuspended {
      isSuspended = false
      server.loop.goOn(descriptor, interest)
    }
    if !events.isEmpty { look(at: events) }
  }

  /// Judges by the calls that were just begun.
  ///
  /// - Parameter wereLong: whether the thread worked on them for long. One that only waited for a processor, which other
  ///   processes or the writer's thread had, is not held against its caller: whoever was put off for that would wait behind
  ///   all who are.
  func rate(wereLong: Bool) {
    isNewcomer = false
    if wereLong {
      standing = max(-Self.most, standing - Self.most)
    } else if input.count == 0 && held == nil {
      standing = min(Self.most, standing + 1)
    } else {
      standing = min(standing, -1)
    }
  }
}
