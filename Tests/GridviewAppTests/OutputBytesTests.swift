import Testing
import Foundation
import TerminalSurface

/// What a key costs on the line: the promise is counted, not timed.
@MainActor
@Suite struct OutputBytesTests {
    /// Rows like those of a real table of trades, ten columns.
    static let trades: String = {
        var text = "id,timestamp,symbol,sector,side,quantity,price,venue,trader,note\n"
        let sectors = ["Technology", "Financials", "Health Care", "Consumer Discretionary"]
        for n in 0..<400 {
            text += "\(n),2024-01-01T\(10 + n / 60 % 10):\(10 + n % 50):00.\(100 + n % 900),SY\(n % 90),\(sectors[n % 4]),"
            text +=
                "\(n % 3 == 0 ? "BUY" : "SELL"),\(n * 37 % 9999),\(n * 13 % 999).\(10 + n % 90),XNYS,kim.moreau,\(n % 7 == 0 ? "manual" : "")\n"
        }
        return text
    }()

    @Test func aLineDownWithinThePage() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("Down")
        for _ in 0..<20 {
            pilot.press("Down")
            #expect(pilot.lastBytes > 0 && pilot.lastBytes <= 200, "\(pilot.lastBytes) bytes")
        }
        print("a line down within the page: \(pilot.lastBytes) bytes")
    }

    @Test func aLineDownThatScrolls() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        for _ in 0..<60 { pilot.press("Down") }
        var most = 0
        for _ in 0..<60 {
            pilot.press("Down")
            most = max(most, pilot.lastBytes)
        }
        print("a line down that scrolls: at most \(most) bytes")
        #expect(
            most <= 200,
            "\(most) bytes: \(String(decoding: pilot.backend.lastBytes, as: UTF8.self).replacing("\u{1b}", with: "␛").replacing("\n", with: "␊").replacing("\r", with: "␍"))"
        )
    }

    @Test func aKeyThatChangesNothing() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("Left")
        let frames = pilot.backend.frames.count
        pilot.press("Left")
        pilot.press("Up")
        #expect(pilot.backend.frames.count == frames || pilot.lastBytes == 0)
    }

    @Test func tmpReal() throws {
        let text = try String(contentsOfFile: "/tmp/gvdata/trades-10m-head.csv", encoding: .utf8)
        let pilot = try Pilot(text, size: (120, 40))
        for _ in 0..<40 { pilot.press("Down") }
        var all: [Int] = []
        for _ in 0..<160 { pilot.press("Down"); all.append(pilot.lastBytes) }
        all.sort()
        print("real: median \(all[80]) max \(all.last!) p90 \(all[144])")
        print(String(decoding: pilot.backend.lastBytes, as: UTF8.self).replacing("\u{1b}", with: "␛"))
    }

    @Test func aPageDown() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("PageDown PageDown")
        print("a page down: \(pilot.lastBytes) bytes")
        #expect(pilot.lastBytes <= 5_000)
    }
}
