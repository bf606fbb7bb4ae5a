// swift-tools-version: 6.2
import PackageDescription

/// Programs that embed the grid, one for each folder in Sources. Their tests use a recording terminal. A program that consists of one
/// `main.swift` cannot be imported, so its tests use a pseudo-terminal.
let examples = [
    "Commodities", "Contacts", "Embedded", "FinancialGrid", "LogTail", "Orders", "Pages", "Quotes", "Spreadsheet", "Squares", "Stocks",
    "Themes", "Timetable",
]
let grid = Target.Dependency.product(name: "DataGrid", package: "gridview")

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "gridview", path: "..")],
    targets: [.target(name: "ProgramOnTerminal", dependencies: [grid], path: "Tests/ProgramOnTerminal")]
        + examples.flatMap { example -> [Target] in
            [
                .executableTarget(
                    name: example,
                    dependencies: ["TerminalGrid", "DataGrid", "CursesTerminal"].map { .product(name: $0, package: "gridview") },
                    resources: example == "Themes" ? [.copy("ember.json")] : []),
                .testTarget(name: "\(example)Tests", dependencies: [.target(name: example), grid, "ProgramOnTerminal"]),
            ]
        },
    swiftLanguageModes: [.v6]
)
