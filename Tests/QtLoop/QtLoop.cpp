// The recipe for Qt, as the documentation of `MainQueue` shows it; `MainQueueTests` builds it against the Qt that is
// installed, and `ForeignLoopApp` runs it.

#include <QCoreApplication>
#include <QSocketNotifier>

extern "C" int run_qt(int descriptor, void (*run_waiting)()) {
  int count = 1;
  char name[] = "app", *arguments[] = {name, nullptr};
  QCoreApplication app(count, arguments);
  QSocketNotifier notifier(descriptor, QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, run_waiting);
  return app.exec();
}
