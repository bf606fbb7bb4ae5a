import GridTestSupport
import Testing

@testable import TerminalSurface

@Suite struct FrameEncoderTests {
    @Test(arguments: 0..<60) func `E: the terminal shows every random frame, and receives only sequences that it understands`(seed: Int) {
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
            #expect(terminal.violations.isEmpty, "seed \(seed), step \(step)")
            #expect(terminal.isCursorVisible == (cursor != nil))
            if let cursor {
                #expect(terminal.x == min(max(0, cursor.x), frames.frame.size.columns - 1), "seed \(seed), step \(step)")
                #expect(terminal.y == min(max(0, cursor.y), frames.frame.size.rows - 1), "seed \(seed), step \(step)")
            }
            #expect(encoder.encode(frames.frame, cursor: cursor).isEmpty, "unchanged frame, seed \(seed), step \(step)")
            if difference != nil || !terminal.violations.isEmpty { return }
            frames.step()
        }
    }

    @Test(arguments: 0..<40) func `D16: a scrolled frame is shown correctly, and its encoding is never longer than a redraw`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let size = TerminalSize(columns: Int.random(in: 1...30, using: &random), rows: Int.random(in: 1...20, using: &random))
        let lines = (0..<60).map { _ in String((0..<8).map { _ in "ab c".randomElement(using: &random)! }) }
        func frame(top: Int, cursor: Int) -> CellBuffer {
            var frame = CellBuffer(size: size)
            for y in 0..<size.rows {
                let style = y == cursor ? TextStyle(attributes: .reverse) : .plain
                frame.write(lines[(top + y) % lines.count], x: 0, y: y, style: style)
            }
            return frame
        }
        var scrolled = 0
        for _ in 0..<20 {
            let top = Int.random(in: 0..<20, using: &random)
            let (before, after) = (frame(top: top, cursor: 3), frame(top: top + Int.random(in: 0...4, using: &random), cursor: 4))
            func bytes(scrollsRegions: Bool) -> [UInt8] {
                let capabilities = TerminalCapabilities(colorDepth: .trueColor, scrollsRegions: scrollsRegions)
                var encoder = FrameEncoder(capabilities: capabilities)
                var terminal = TerminalModel(size: size)
                terminal.erasesWithBackground = capabilities.erasesWithBackground
                terminal.feed(encoder.encode(before))
                let bytes = encoder.encode(after)
                terminal.feed(bytes)
                #expect(terminal.firstDifference(from: after, depth: .trueColor) == nil && terminal.violations.isEmpty, "seed \(seed)")
                return bytes
            }
            let (short, long) = (bytes(scrollsRegions: true).count, bytes(scrollsRegions: false).count)
            #expect(short <= long, "seed \(seed), rows from \(top)")
            if short < long { scrolled += 1 }
        }
        #expect(scrolled > 0 || size.rows < 8, "seed \(seed): nothing scrolled")
    }

    @Test(arguments: 0..<40) func `A20: only changed cells are written`(seed: Int) {
        var frames = RandomFrames(seed: UInt64(seed))
        let capabilities = TerminalCapabilities(
            colorDepth: .trueColor, erasesWithBackground: seed % 2 == 0, erasesCharacters: seed % 3 != 0, repeatsCharacters: seed % 5 != 0,
            scrollsRegions: false)
        var encoder = FrameEncoder(capabilities: capabilities)
        var terminal = TerminalModel(size: frames.frame.size)
        terminal.erasesWithBackground = capabilities.erasesWithBackground
        terminal.feed(encoder.encode(frames.frame))
        for step in 0..<80 {
            let before = ScreenSnapshot(frames.frame, depth: .trueColor)
            frames.step()
            let after = ScreenSnapshot(frames.frame, depth: .trueColor)
            if before.size != after.size { terminal.resize(to: after.size) }
            terminal.written = []
            terminal.feed(encoder.encode(frames.frame))
            guard before.size == after.size else { continue }
            // The right half of a wide character is written with its left half.
            let unchanged = terminal.written.filter { before.cells[$0] == after.cells[$0] && after.cells[$0].width > 0 }
            #expect(unchanged.isEmpty, "seed \(seed), step \(step): \(unchanged.sorted())")
        }
    }
}
