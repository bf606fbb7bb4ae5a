import DatabaseDrivers

EngineMain.run(CommandLine.arguments)
