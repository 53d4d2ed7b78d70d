import RestoredService

DaemonProgram.run()
