// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// With `GRIDVIEW_OPTIMIZE` in the environment, debug builds are optimized, too: the tests then run in a third of the time. Assertions and
/// overflow checks stay. Only `make` sets it, because SwiftPM refuses to build a package that depends on a package with such flags. SwiftPM
/// expects an object file for each source file. For a whole module, the compiler writes these files only if it uses several threads.
let isOptimized = Context.environment["GRIDVIEW_OPTIMIZE"] != nil
let optimized: [SwiftSetting] =
    isOptimized
    ? [
        .unsafeFlags(
            ["-O", "-assert-config", "Debug", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))
    ] : []
let optimizedC: [CSetting] = isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []

/// With `GRIDVIEW_FUZZ` in the environment, there is a program that runs the parsers on random input. `.make/fuzz` builds it with
/// libFuzzer.
let fuzzing: [Target] =
    Context.environment["GRIDVIEW_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CCodecs", "DataGrid", "DataGridQuery", "DelimitedText", "EngineProtocol", "FieldValues", "TableFormats", "Tables",
            ],
            path: "Tests/Fuzz", exclude: ["make-seeds.py", "seeds"], swiftSettings: settings + optimized)
    ]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings + optimized)
}

/// Tests of a target, with the dependency that all of them share: `Tests/TestSupport`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies + ["GridTestSupport"], swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "gridview",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "gridview", targets: ["gridview"]),
        .executable(name: "gridview-engine", targets: ["gridview-engine"]),
        // A module named after the package would collide with the executable where file names ignore case.
        .library(name: "TerminalGrid", targets: ["TerminalGrid"]),
        .library(name: "DataGrid", targets: ["DataGrid", "DataGridTerminal", "TerminalSurface", "FieldValues"]),
        .library(name: "DataGridFoundation", targets: ["DataGridFoundation"]),
        .library(name: "DataGridQuery", targets: ["DataGridQuery", "Tables"]),
        .library(name: "DataGridSources", targets: ["DataGridSources"]),
        .library(name: "CursesTerminal", targets: ["CursesTerminal"]),
        .library(name: "DelimitedText", targets: ["DelimitedText", "Tables"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        // Targets that depend only on each other, and not on Foundation.
        .target(name: "CBuildInfo"),
        .target(name: "CByteScan", cSettings: optimizedC),
        .target(name: "CCodecs", cSettings: optimizedC),
        .target(name: "CPattern", linkerSettings: [.linkedLibrary("re2")]),
        .systemLibrary(name: "CNcursesw", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
        library("Locks"),
        library("TerminalSurface", ["Locks"]),

        // Values and tables.
        library("FieldValues", ["CByteScan"]),
        library("Tables", ["FieldValues", "Locks"]),

        // Bytes to records.
        library("DelimitedText", ["CByteScan", "FieldValues", "Locks", "Tables"]),

        // Files to tables.
        library("TableFormats", ["CByteScan", "CCodecs", "DelimitedText", "FieldValues", "Locks", "Tables"]),

        // Databases. The program talks to the helper, and only the helper loads the libraries.
        .target(name: "CDrivers", cSettings: optimizedC),
        library("EngineProtocol"),
        library("EngineClient", ["EngineProtocol", "Locks"]),
        library("DatabaseDrivers", ["CCodecs", "CDrivers", "CPattern", "EngineProtocol", "FieldValues", "Locks"]),
        .executableTarget(name: "gridview-engine", dependencies: ["DatabaseDrivers"], swiftSettings: settings),

        // The grid.
        library("DataGrid", ["FieldValues"]),
        library("DataGridTerminal", ["DataGrid", "TerminalSurface", "FieldValues", "Locks"]),
        library("DataGridQuery", ["CByteScan", "Tables", "FieldValues", "Locks", "CPattern"]),
        // A separate target, because the program starts without Foundation.
        library("DataGridFoundation", ["DataGrid", "FieldValues"]),
        library("DataGridSources", ["DataGrid", "DataGridQuery", "Tables", "FieldValues"]),

        // Queries as SQL text, without drivers.
        library("SQLTables", ["FieldValues", "Tables"]),

        // Tables on servers: queries as SQL, run by the helper.
        library("ServerTables", ["DataGridQuery", "EngineClient", "EngineProtocol", "FieldValues", "Locks", "SQLTables", "Tables"]),

        // The terminal.
        .target(name: "CTerminalSignals"),
        library("CursesTerminal", ["TerminalSurface", "CNcursesw", "CTerminalSignals"]),

        // Everything for a program with a grid, in one import.
        library(
            "TerminalGrid",
            ["CursesTerminal", "DataGrid", "DataGridFoundation", "DataGridSources", "DataGridTerminal", "FieldValues", "TerminalSurface"]),

        // The program.
        library(
            "GridviewApp",
            [
                "DataGrid", "DataGridTerminal", "DataGridQuery", "DataGridSources", "FieldValues", "Locks", "Tables", "TerminalSurface",
            ]),
        .executableTarget(
            name: "gridview",
            dependencies: [
                "GridviewApp", "TableFormats", "DelimitedText", "DataGridQuery", "Tables", "DataGrid", "DataGridTerminal", "FieldValues",
                "Locks", "CursesTerminal", "ServerTables", "TerminalSurface", "CBuildInfo",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        // Not part of a product, so packages that depend on this one never build it.
        .target(
            name: "GridTestSupport", dependencies: ["DelimitedText", "FieldValues", "Tables"], path: "Tests/TestSupport",
            swiftSettings: settings + optimized),
        tests("FieldValues", ["FieldValues"]),
        tests("TerminalSurface", ["TerminalSurface"]),
        tests("DelimitedText", ["DelimitedText", "CByteScan", "FieldValues", "Locks", "Tables"]),
        tests("TableFormats", ["TableFormats", "CCodecs", "DataGridQuery", "DelimitedText", "FieldValues", "Tables"]),
        tests("DatabaseDrivers", ["CDrivers", "DatabaseDrivers", "EngineClient", "EngineProtocol", "gridview-engine"]),
        tests("DataGrid", ["DataGrid", "FieldValues"]),
        tests("DataGridTerminal", ["DataGridTerminal", "DataGrid", "TerminalSurface", "FieldValues"]),
        tests("DataGridQuery", ["DataGridQuery", "DataGridSources", "DataGrid", "Tables", "FieldValues", "Locks"]),
        tests(
            "SQLTables",
            ["SQLTables", "DataGridQuery", "EngineClient", "FieldValues", "ServerTables", "Tables", "gridview-engine"]),
        tests(
            "ServerTables",
            [
                "ServerTables", "DataGridQuery", "EngineClient", "EngineProtocol", "FieldValues", "Locks", "SQLTables", "Tables",
                "gridview-engine",
            ]),
        tests(
            "DataGridSources",
            [
                "DataGridSources", "DataGrid", "DataGridFoundation", "DataGridQuery", "DataGridTerminal", "DelimitedText", "FieldValues",
                "Tables", "TerminalSurface",
            ]),
        .executableTarget(
            name: "TerminalProbe", dependencies: ["CursesTerminal", "TerminalSurface"], path: "Tests/TerminalProbe", swiftSettings: settings
        ),
        tests("CursesTerminal", ["CursesTerminal", "TerminalSurface", "CNcursesw", "CTerminalSignals", "TerminalProbe"]),
        tests(
            "GridviewApp",
            [
                "GridviewApp", "DataGrid", "DataGridTerminal", "DataGridQuery", "DataGridSources", "DelimitedText", "FieldValues", "Locks",
                "TableFormats", "Tables", "TerminalSurface",
            ]),
        tests("Program", ["gridview", "gridview-engine", "GridviewApp", "Locks"]),
        // The code blocks of README.md and the articles.
        tests("Document", ["TerminalGrid", "DataGrid", "DataGridTerminal", "TerminalSurface", "CursesTerminal"]),
    ] + fuzzing,
    swiftLanguageModes: [.v6]
)
