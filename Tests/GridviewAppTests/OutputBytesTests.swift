import GridTestSupport
import Testing
import Foundation
import TerminalSurface

/// Bytes written to the terminal for each key. The limits are byte counts, so they do not depend on timing.
@MainActor
@Suite struct OutputBytesTests {
    /// Ten columns of a trade table: numbers, times in milliseconds, codes, names and mostly empty notes.
    static let trades: String = {
        let sectors = [
            "Technology", "Financials", "Health Care", "Energy", "Industrials", "Utilities", "Materials", "Real Estate", "Consumer Staples",
            "Consumer Discretionary", "Communications",
        ]
        let first = ["ana", "bo", "carl", "dee", "eli", "fay", "gus", "hal", "ida", "jon"]
        let last = ["stone", "reyes", "okafor", "lind", "hughes", "patel", "nguyen", "silva", "moreau"]
        let notes = ["", "ok", "manual", "auto fill", "late print", "crossed", "", "\"partial fill, rest cancelled\""]
        var random = SplitMix64(seed: 7)
        func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
        func digits(_ number: Int, _ count: Int) -> String { String(String(number + 1_000_000).suffix(count)) }
        var text = "id,timestamp,symbol,sector,side,quantity,price,venue,trader,note\n"
        for n in 0..<12_000 {
            let quantity = Int(random.next() % 100) * Int(random.next() % 100) + 1
            let cents = Int(random.next() % 999) * Int(random.next() % 99)
            text += "\(n),2024-01-\(digits(1 + n / 1440 % 28, 2))T\(digits(n / 60 % 24, 2)):\(digits(n % 60, 2)):00.\(digits(n * 7, 3)),"
            text += "\(pick(["XQQ", "WKZ", "CXBL", "FLTK", "YQAL", "DRI"])),\(pick(sectors)),\(pick(["BUY", "SELL"])),\(quantity),"
            text += "\(1 + cents / 100).\(digits(cents, 2)),\(pick(["XNYS", "XNAS", "BATS"])),\(pick(first)).\(pick(last)),\(pick(notes))\n"
        }
        return text
    }()

    @Test func `moving down one line within the page writes at most 200 bytes`() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("Down")
        for _ in 0..<20 {
            pilot.press("Down")
            #expect(pilot.lastByteCount > 0 && pilot.lastByteCount <= 200, "\(pilot.lastByteCount) bytes")
        }
        print("a line down within the page: \(pilot.lastByteCount) bytes")
    }

    @Test func `scrolling down by one line writes at most 200 bytes`() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        for _ in 0..<60 { pilot.press("Down") }
        var highest = 0
        for _ in 0..<60 {
            pilot.press("Down")
            highest = max(highest, pilot.lastByteCount)
        }
        print("a line down that scrolls: at most \(highest) bytes")
        #expect(
            highest <= 200,
            "\(highest) bytes: \(String(decoding: pilot.backend.lastBytes, as: UTF8.self).replacing("\u{1b}", with: "␛").replacing("\n", with: "␊").replacing("\r", with: "␍"))"
        )
    }

    @Test func `a key without effect writes nothing`() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("Left")
        let frames = pilot.backend.frames.count
        pilot.press("Left")
        pilot.press("Up")
        #expect(pilot.backend.frames.count == frames || pilot.lastByteCount == 0)
    }

    @Test func `200 presses of Down that arrive together write at most 10,000 bytes`() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        let before = pilot.backend.frames.count
        for _ in 0..<200 { pilot.backend.events.append(.key(KeyPress(.down))) }
        pilot.session.turn()
        let bytes = pilot.backend.frames[before...].reduce(0) { $0 + $1.bytes.count }
        print("200 lines down at once: \(bytes) bytes")
        #expect(bytes <= 10_000)
        #expect(pilot.state.grid.cursor.row == 200)
    }

    @Test func `a page down writes at most 5,000 bytes`() throws {
        let pilot = try Pilot(Self.trades, size: (120, 40))
        pilot.press("PageDown PageDown")
        print("a page down: \(pilot.lastByteCount) bytes")
        #expect(pilot.lastByteCount <= 5_000)
    }
}
