import Foundation
import TableFormats
import Testing

/// The first screen of each file in `Examples/data/samples` at 80×24, compared with a text in `Tests/SampleScreens`.
@MainActor
@Suite struct SampleScreenTests {
    /// A path relative to the top of the project.
    private nonisolated static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../\(name)").standardizedFileURL.path
    }

    private nonisolated static let samples = path("Examples/data/samples")
    private nonisolated static let screens = path("Tests/SampleScreens")

    private nonisolated static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { !$0.hasPrefix(".") }.sorted() ?? []
    }

    /// The expected screen. A sample without its own text has the screen of the CSV file, except for the name in the title line.
    private func expected(_ name: String) throws -> String {
        let hasOwn = FileManager.default.fileExists(atPath: "\(Self.screens)/\(name).txt")
        let text = try String(contentsOfFile: "\(Self.screens)/\(hasOwn ? name : "trades.csv").txt", encoding: .utf8)
        return hasOwn ? text : text.replacing(" trades.csv ", with: " \(name) ")
    }

    @Test(arguments: names(samples)) func `G1: the first screen of a sample shows its rows and types`(name: String) throws {
        let pilot = try Pilot(source: FileOpener().open(path: "\(Self.samples)/\(name)"), size: (80, 24))
        #expect(try pilot.screen + "\n" == expected(name), "\(name):\n\(pilot.screen)")
    }

    @Test func `G1: each expected screen belongs to a sample`() {
        let (samples, screens) = (Self.names(Self.samples), Self.names(Self.screens))
        #expect(samples.count == 35 && screens.count == 14 && Set(screens).isSubset(of: samples.map { "\($0).txt" }))
    }
}
