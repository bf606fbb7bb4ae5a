// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "FinancialGrid",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "gridview", path: "../..")],
    targets: [
        .executableTarget(
            name: "FinancialGrid",
            dependencies: [.product(name: "DataGrid", package: "gridview"), .product(name: "CursesTerminal", package: "gridview")]),
        .testTarget(name: "FinancialGridTests", dependencies: ["FinancialGrid", .product(name: "DataGrid", package: "gridview")]),
    ],
    swiftLanguageModes: [.v6]
)
