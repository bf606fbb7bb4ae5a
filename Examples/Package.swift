// swift-tools-version: 6.2
import PackageDescription

/// Programs that embed the grid, one for each folder in Sources. Their tests use a recording terminal.
let examples = [
    "Commodities", "Contacts", "Embedded", "FinancialGrid", "LogTail", "Orders", "Quotes", "Spreadsheet", "Squares", "Themes",
]
/// Programs of one top-level file. They cannot be imported, so their tests use a pseudo-terminal.
let scripts = ["Commodities", "Quotes", "Squares"]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "gridview", path: "..")],
    targets: [.target(name: "ProgramOnTerminal", path: "Tests/ProgramOnTerminal")]
        + examples.flatMap { example -> [Target] in
            [
                .executableTarget(
                    name: example,
                    dependencies: ["TerminalGrid", "DataGrid", "CursesTerminal"].map { .product(name: $0, package: "gridview") },
                    resources: example == "Themes" ? [.copy("ember.json")] : []),
                .testTarget(
                    name: "\(example)Tests",
                    dependencies: [.target(name: example), .product(name: "DataGrid", package: "gridview")]
                        + (scripts.contains(example) ? ["ProgramOnTerminal"] : [])),
            ]
        },
    swiftLanguageModes: [.v6]
)
