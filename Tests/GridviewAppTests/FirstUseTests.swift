import Foundation
import GridTestSupport
import Testing

@testable import GridviewApp

/// The message of the first day, and its record.
@MainActor
@Suite struct FirstUseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(_ now: Int? = nil) throws -> FirstUse {
        var record = try #require(FirstUse(stateHome: nil, home: folder.path))
        if let now { record.currentTime = { now } }
        return record
    }

    private func open(
        _ record: FirstUse?, _ content: String = "a,b\n1,2\n", _ change: (inout LaunchOptions) -> Void = { _ in }
    ) throws -> Pilot {
        var options = LaunchOptions()
        options.firstUse = record
        change(&options)
        return try Pilot(content, size: (80, 12), options: options)
    }

    @Test func `17.4, 17.8: on the first day, a suggestion of reading options replaces the list of five keys`() throws {
        let content = "Report\n\nby us\n" + "a,b,c\n" + (1...9).map { "\($0),x,\($0 * 2)\n" }.joined()
        let plain = try open(nil, content)
        try #require(plain.state.message?.id == .readingSuggested, "\(plain.screen)")
        #expect(try open(record(), content).state.message?.id == .readingSuggested)
    }

    @Test func `17.8: the first start shows five keys until a key is pressed, and is recorded when the program ends`() throws {
        let record = try record()
        let pilot = try open(record)
        #expect(pilot.line(11).hasPrefix(" Five keys to start: / search · & filter · s sort · ? all keys · q quit"))
        #expect(!FileManager.default.fileExists(atPath: record.path), "nothing is written before the end")
        pilot.press("j")
        #expect(pilot.state.message == nil && pilot.line(11).contains("s sort"))
        pilot.session.finish()
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/.local/state/gridview/first-use")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600 && (attributes[.size] as? NSNumber)?.intValue == 0)
        #expect(record.state == .recent)
    }

    @Test(arguments: [(40, true), (79, true), (37, false)])
    func `17.8: a narrow terminal shows the five keys of the first start, too`(width: Int, showsFiveKeys: Bool) throws {
        var options = LaunchOptions()
        options.firstUse = try record()
        let pilot = try Pilot("a,b\n1,2\n", size: (width, 12), options: options)
        let words = ["/ ", "& filter", "s sort", "? ", "q quit"]
        #expect(words.allSatisfy { pilot.line(11).contains($0) } == showsFiveKeys, "\(pilot.line(11))")
        #expect(pilot.line(11).contains("? ") && !pilot.line(11).contains("…"))
    }

    @Test func `17.8: the message of the first start never comes back after a day`() throws {
        let start = Int(Date().timeIntervalSince1970)
        try record().record()
        #expect(try open(record(start + 3_600)).state.message?.id == .firstSteps)
        let later = try open(record(start + FirstUse.durationSeconds + 60))
        #expect(later.state.message == nil)
        later.session.finish()
        #expect(try record(start + FirstUse.durationSeconds + 60).state == .expired, "the record is not written again")
        #expect(try record(start - 30).state == .recent, "the clock of the file may be a little ahead")
        #expect(try record(start - 3_600).state == .expired, "a wrong clock does not bring it back")
    }

    @Test func `17.8: the message of the first start is not shown if the start cannot be recorded`() throws {
        #expect(FirstUse(stateHome: nil, home: nil) == nil && FirstUse(stateHome: "state", home: "home") == nil)
        let record = try #require(FirstUse(stateHome: "\(folder.path)/missing/state", home: folder.path))
        #expect(record.state == .expired)
        record.record()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/.local"))
        #expect(try self.record().state == .expired, "a file is in the way")
        #expect(FirstUse(stateHome: "/dev/null", home: nil)?.state == .expired)
        #expect(try open(self.record()).state.message == nil && open(nil).state.message == nil)
    }

    @Test func `17.8: the state folder is created if it does not exist`() throws {
        let record = try #require(FirstUse(stateHome: "\(folder.path)/state/", home: nil))
        #expect(record.path == "\(folder.path)/state/gridview/first-use" && record.state == .new)
        record.record()
        #expect(record.state == .recent)
    }

    @Test func `17.8: the record of the first start is in the state folder set in the environment`() throws {
        let record = try #require(FirstUse(stateHome: folder.path, home: "/nonexistent"))
        #expect(record.path == "\(folder.path)/gridview/first-use" && record.state == .new)
        let silent = try open(record) { $0.showsHints = false }
        #expect(silent.state.message == nil && !silent.state.showsHints && !silent.screen.contains("sort"))
        silent.press("z?")
        #expect(silent.line(11).contains("s sort"))
    }
}
