// swift-tools-version: 6.2
import PackageDescription

/// Programs that embed the grid, each in a folder of its own under Sources; the tests drive them on a recording terminal.
let examples = ["Contacts", "Embedded", "FinancialGrid", "LogTail", "Orders", "Spreadsheet", "Squares", "Themes"]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "gridview", path: "..")],
    targets: examples.flatMap { example -> [Target] in
        [
            .executableTarget(
                name: example,
                dependencies: [
                    .product(name: "DataGrid", package: "gridview"), .product(name: "CursesTerminal", package: "gridview"),
                ],
                resources: example == "Themes" ? [.copy("ember.json")] : []),
            .testTarget(
                name: "\(example)Tests",
                dependencies: [.target(name: example), .product(name: "DataGrid", package: "gridview")]),
        ]
    },
    swiftLanguageModes: [.v6]
)
