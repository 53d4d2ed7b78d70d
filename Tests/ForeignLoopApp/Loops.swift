import Glibc
import SceneRouting
import TestSupport

/// The recipes of the documentation, run: `MainQueueTests` finds each of its lines here.
///
/// Libraries are looked up when the app runs, so that nothing needs them to be built. What an app would import is
/// declared before its recipe, by its name in C.
@MainActor enum Loops {
  static func poll() -> Never {
    MainQueue.runWaiting()
    while true {
      var wait = pollfd(fd: MainQueue.descriptor, events: Int16(POLLIN), revents: 0)
      if Glibc.poll(&wait, 1, -1) > 0 { MainQueue.runWaiting() }
    }
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  static func glib() {
    let g_main_loop_new: NewLoop = GLib.function("g_main_loop_new")
    let g_main_loop_run: RunLoop = GLib.function("g_main_loop_run")
    addMainQueue()
    g_main_loop_run(g_main_loop_new(nil, 0))
  }

  /// What `main` of a GTK app is: a `GtkApplication` has no loop of its own, but that of the `GApplication` it is.
  ///
  /// So neither GTK nor a display is needed.
  ///
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static func gtk() {
    let g_application_new: NewApplication = GLib.function("g_application_new")
    let g_application_hold: HoldApplication = GLib.function("g_application_hold")
    let g_application_run: RunApplication = GLib.function("g_application_run")
    addMainQueue()
    let application = g_application_new(nil, 0)
    // As an open window does.
    g_application_hold(application)
    _ = g_application_run(application, 0, nil)
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  private static func addMainQueue() {
    let g_unix_fd_add: AddDescriptor = GLib.function("g_unix_fd_add")
    let G_IO_IN: UInt32 = 1
    MainQueue.runWaiting()
    _ = g_unix_fd_add(
      MainQueue.descriptor,
      G_IO_IN,
      { _, _, _ in
        MainActor.assumeIsolated { MainQueue.runWaiting() }
        return 1
      },
      nil
    )
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  static func qt(_ path: String) {
    let run_qt: RunQt = function("run_qt", in: path)
    MainQueue.runWaiting()
    _ = run_qt(MainQueue.descriptor) {
      MainActor.assumeIsolated { MainQueue.runWaiting() }
    }
  }
}

// MARK: - What an app would import

private typealias Callback = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Int32
private typealias AddDescriptor = @convention(c) (Int32, UInt32, Callback, UnsafeMutableRawPointer?) -> UInt32
private typealias NewLoop = @convention(c) (OpaquePointer?, Int32) -> OpaquePointer
private typealias RunLoop = @convention(c) (OpaquePointer) -> Void
private typealias NewApplication = @convention(c) (UnsafePointer<CChar>?, UInt32) -> OpaquePointer
private typealias HoldApplication = @convention(c) (OpaquePointer) -> Void
private typealias RunApplication = @convention(c) (OpaquePointer, Int32, OpaquePointer?) -> Int32
private typealias RunQt = @convention(c) (Int32, @convention(c) () -> Void) -> Int32

private enum GLib {
  /// A function of GLib's or GIO's.
  static func function<Function>(_ name: String) -> Function { Loops.function(name, in: "libgio-2.0.so.0") }
}

extension Loops {
  /// A function of a library; `Function` is its type in C.
  ///
  /// Ends the app where it is not there.
  nonisolated static func function<Function>(_ name: String, in library: String) -> Function {
    guard let loaded = dlopen(library, RTLD_NOW), let function = dlsym(loaded, name) else {
      TestedApp.say("no \(name) in \(library): \(dlerror().map { String(cString: $0) } ?? "")")
      exit(77)
    }
    return unsafeBitCast(function, to: Function.self)
  }
}
