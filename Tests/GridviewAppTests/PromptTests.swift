import DataGrid
import Testing
import TerminalSurface

@testable import GridviewApp

/// Long strings in prompts. A key costs at most one pass over the text, and a paste is one edit.
@MainActor
@Suite struct PromptTests {
    nonisolated static let table = "name,price\n" + (1...60).map { "name \($0),\($0).5\n" }.joined()

    /// The keys that open a prompt, and a string that is slow to evaluate.
    nonisolated static let prompts = [
        ("/", "x"), ("/ C-r", "x|"), ("&", "x"), ("&", "name = 'x' or "), ("&", "A. "), ("c", "x"), (":", "x"),
    ]

    /// The minimum time for a few keys typed after a string of this length.
    private func keyTime(_ keys: String, _ piece: String, length: Int) throws -> Duration {
        let pilot = try Pilot(Self.table, size: (80, 24))
        pilot.press(keys)
        pilot.send(.paste(String(String(repeating: piece, count: length / piece.count + 1).prefix(length))))
        let clock = ContinuousClock()
        return (0..<5).map { _ in clock.measure { pilot.send(.key(KeyPress(.character("y")))) } }.min()!
    }

    @Test(arguments: prompts)
    func `D2, D7: the time for a key in a prompt is at most proportional to the length of the text`(keys: String, piece: String) throws {
        let short = try keyTime(keys, piece, length: 1_000)
        let long = try keyTime(keys, piece, length: 20_000)
        // For 20 times the text, linear work takes 20 times as long, and quadratic work 400 times.
        #expect(long < short * 60, "\(keys) \(piece): \(short) for 1,000 characters, \(long) for 20,000")
    }

    @Test func `D2, D7: characters that arrive together in a prompt are handled as one edit`() throws {
        let text = String(repeating: "ab ", count: 500)
        let stepped = SteppedRunner()
        let pilot = try Pilot(Self.table, size: (80, 24), runner: stepped.runner)
        stepped.runAll(pilot)
        pilot.press("/")
        pilot.backend.type(text + "é")
        pilot.backend.events += [.key(KeyPress(.left)), .key(KeyPress(.character("z")))]
        pilot.session.turn()
        #expect(stepped.count == 3, "one search each for the burst, the arrow and the letter after it")
        guard let prompt = pilot.state.overlay as? SearchPrompt else {
            Issue.record("The prompt is closed.")
            return
        }
        #expect(prompt.field.string == text + "zé")
    }

    @Test func `D7: a prompt line shows the text around its cursor and marks where it is truncated`() throws {
        let pilot = try Pilot(Self.table, size: (60, 14))
        pilot.press("/")
        pilot.type((0..<200).map { String($0 % 10) }.joined())
        #expect(pilot.line(13).hasPrefix(" /…") && pilot.line(13).contains("56789"))
        pilot.press("Home")
        #expect(pilot.line(13).hasPrefix(" /0123456789") && pilot.line(13).contains("…"))
        #expect(pilot.backend.frames.last?.cursor?.x == 2)
    }

    /// A message shows as many whole sentences as fit, otherwise its short form, otherwise its first sentence.
    @Test(
        arguments: [(40, "One two. Three four. Five."), (22, "One two. Three four."), (12, "One two."), (5, "1")])
    func `D3: a message shows as many sentences as fit`(width: Int, text: String) {
        #expect(Message(.jobFailed, "One two. Three four. Five.", short: "1").text(width: width) == text)
        #expect(Message(.jobFailed, "One two. Three.").text(width: 3) == "One two.")
        #expect(Message(.jobFailed, "One two").text(width: 3) == "One two")
    }
}
