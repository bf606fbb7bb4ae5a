// swift-tools-version: 6.1
import PackageDescription

// A separate package, so applications that embed the grid never download the benchmarks.
let package = Package(
    name: "gridview-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "gridview", path: ".."),
        // The traits are turned off: they count allocations, which is not useful here, and add dependencies.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Kernels",
            dependencies: [
                .product(name: "DataGrid", package: "gridview"),
                .product(name: "DataGridQuery", package: "gridview"),
                .product(name: "DataGridSources", package: "gridview"),
                .product(name: "DelimitedText", package: "gridview"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Kernels",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    ],
    swiftLanguageModes: [.v6]
)
