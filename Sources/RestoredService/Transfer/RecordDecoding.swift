import JSONText
import RestoreInterface
import RestoreStore
import SceneModel

/// Checks the records of one `ImportRecords`, each when its turn comes.
///
/// What is wrong with one is said of its index, limits too, so that whoever sent many knows which.
struct RecordDecoding: Sendable {
  let records: [JSONObjectText]
  let maximumStateBytes: Int

  /// A record that is wrong, and why.
  private struct Fault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// The records, for the writer.
  var source: RecordSource {
    RecordSource(count: records.count) { index in
      do throws(Fault) {
        return .success(try record(index))
      } catch {
        return .failure(.invalidRecord(index, error.reason))
      }
    }
  }

  private func record(_ index: Int) throws(Fault) -> ImportedRecord {
    let record: TransferRecord
    do throws(WireFault) {
      record = try TransferRecord(strictly: records[index].bytes)
    } catch {
      throw Fault(Self.words(error))
    }
    switch record {
    case .state(let state): return .state(try self.state(state))
    case .entities(let entities): return try self.entities(entities)
    case .routes(let routes): return .routes(app: try name(routes.app, "app"), try table(routes.table))
    }
  }

  private func state(_ record: StateRecord) throws(Fault) -> ImportedState {
    let bytes = record.state.bytes
    guard bytes.count <= maximumStateBytes else {
      throw Fault("its state has \(bytes.count) bytes, at most \(maximumStateBytes) are taken (restored --max-state)")
    }
    let state: SceneState
    do throws(StateFault) { state = try SceneState(validating: Array(bytes)) } catch { throw Fault(Self.words(error)) }
    return ImportedState(
      app: try name(record.app, "app"),
      scene: try name(record.scene, "scene"),
      isFirst: record.first,
      savedAt: try time(record.savedAt, "savedAt"),
      closedAt: try time(record.closedAt, "closedAt"),
      isConfirmed: record.confirmed,
      content: StateContent(state)
    )
  }

  private func entities(_ record: EntitiesRecord) throws(Fault) -> ImportedRecord {
    var ids: [EntityID] = []
    ids.reserveCapacity(record.ids.count)
    for text in record.ids {
      var text = text
      guard !text.withUTF8({ Names.hasControlCharacter($0) }), let id = EntityID(text) else {
        throw Fault("an id must have 1 to \(EntityID.maximumBytes) bytes of UTF-8, and no control character")
      }
      ids.append(id)
    }
    if let bytes = record.version?.utf8.count, bytes > EntityID.maximumBytes {
      throw Fault("its version has \(bytes) bytes, at most \(EntityID.maximumBytes)")
    }
    return .entities(
      app: try name(record.app, "app"),
      kind: try name(record.kind, "kind"),
      version: record.version,
      ids: ids
    )
  }

  private func table(_ text: JSONObjectText) throws(Fault) -> RouteTable {
    do throws(RouteTableFaults) { return try RouteTable(validating: Array(text.bytes)) } catch {
      let fault = error.first
      throw Fault("its table, \(Self.place(fault.path)): \(fault.reason)")
    }
  }

  private func name(_ name: String, _ member: String) throws(Fault) -> String {
    if let fault = Names.fault(name) { throw Fault("its \(member) \(fault.sentence)") }
    return name
  }

  private func time(_ text: String?, _ member: String) throws(Fault) -> Int? {
    guard let text else { return nil }
    guard let milliseconds = Timestamp.milliseconds(text) else {
      throw Fault("its \(member) must be a time in UTC like 2026-11-30T02:58:54.123Z")
    }
    return Int(milliseconds)
  }

  // MARK: Words

  private static func words(_ fault: WireFault) -> String {
    switch fault {
    case .invalidParameter("type"): "its type must be state, entities or routes"
    case .invalidParameter(let name): "its member \(name) is missing, of a wrong type, or unknown"
    case .limitExceeded(let limit, let maximum, let actual): "it has \(actual) \(limit), at most \(maximum)"
    }
  }

  private static func words(_ fault: StateFault) -> String {
    switch fault {
    case .invalid(let path, let reason): "its state, \(place(path)): \(reason)"
    case .limit(let name, let maximum, let actual): "its state has \(actual) as \(name), at most \(maximum)"
    }
  }

  private static func place(_ path: String) -> String { path.isEmpty ? "as a whole" : "at \(path)" }
}
