import Testing

@testable import TerminalSurface

@Suite struct FrameEncoderTests {
    /// Whatever the frames, the terminal shows them, and gets nothing that it is not known to understand (SPEC E: no data as control
    /// sequence).
    @Test(arguments: 0..<60)
    func terminalShowsEveryFrame(seed: Int) {
        var frames = RandomFrames(seed: UInt64(seed))
        let depths: [ColorDepth] = [.none, .ansi16, .indexed256, .trueColor]
        let capabilities = TerminalCapabilities(
            colorDepth: depths[seed % 4], erasesWithBackground: frames.number(0...1) == 0, erasesCharacters: frames.number(0...1) == 0,
            repeatsCharacters: frames.number(0...1) == 0, scrollsRegions: frames.number(0...3) > 0,
            scrollsManyRows: frames.number(0...1) == 0)
        var encoder = FrameEncoder(capabilities: capabilities)
        var terminal = TerminalModel(size: frames.frame.size)
        terminal.erasesWithBackground = capabilities.erasesWithBackground
        terminal.disputesWidths = frames.number(0...2) == 0
        for step in 0..<80 {
            if terminal.size != frames.frame.size { terminal.resize(to: frames.frame.size) }
            let cursor = frames.number(0...2) == 0 ? (x: frames.number(-1...30), y: frames.number(0...9)) : nil
            terminal.feed(encoder.encode(frames.frame, cursor: cursor))
            let difference = terminal.firstDifference(from: frames.frame, depth: capabilities.colorDepth)
            #expect(difference == nil, "seed \(seed), step \(step)")
            #expect(terminal.complaints.isEmpty, "seed \(seed), step \(step)")
            #expect(terminal.isCursorVisible == (cursor != nil))
            if let cursor {
                #expect(terminal.x == min(max(0, cursor.x), frames.frame.size.columns - 1), "seed \(seed), step \(step)")
                #expect(terminal.y == min(max(0, cursor.y), frames.frame.size.rows - 1), "seed \(seed), step \(step)")
            }
            #expect(encoder.encode(frames.frame, cursor: cursor).isEmpty, "the same again, seed \(seed), step \(step)")
            if difference != nil || !terminal.complaints.isEmpty { return }
            frames.step()
        }
    }
}
