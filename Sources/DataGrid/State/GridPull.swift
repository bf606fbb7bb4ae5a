/// A strip under the lowest frozen row that pulling at the top uncovers, and that triggers an event when it is released.
///
/// A `GridController` pulls by the wheel and by ↑, and releases the pull after a quarter of a second. A ``GridState`` alone is pulled by
/// ``GridAction/pull(by:)`` and ``GridAction/releasePull``.
public struct GridPull: Hashable, Sendable, Codable {
    /// Lines of the whole strip: as far it has to be pulled.
    public let lines: Int
    /// What the strip says before it has been pulled far enough.
    public var text: String
    /// What it says from then on.
    public var armedText: String
    /// Lines that are uncovered, in `0 ... lines`.
    public internal(set) var uncovered = 0

    /// Lines that are seen in a pane of so many lines: half of it stays, however far the strip is pulled.
    func lines(in pane: Int) -> Int { min(uncovered, max(0, pane) / 2) }

    /// Whether letting go does something now.
    public var isArmed: Bool { uncovered >= lines }

    /// A strip of `lines` lines, one at least.
    public init(lines: Int = 3, text: String = "pull to reload", armedText: String = "release to reload") {
        self.lines = max(1, lines)
        self.text = text
        self.armedText = armedText
    }
}

extension GridPull {
    /// Reads a strip of 1 to 10,000 lines.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lines = try values.decode(.lines, within: 1...DecodingLimits.cells.upperBound)
        text = try values.decode(String.self, forKey: .text)
        armedText = try values.decode(String.self, forKey: .armedText)
        uncovered = try values.decode(.uncovered, within: 0...lines)
    }
}

extension GridState {
    /// Turns pulling on or off; a strip that is uncovered stays so as far as the new one goes.
    mutating func set(pull new: GridPull?) {
        let uncovered = pull?.uncovered ?? 0
        pull = new
        pull?.uncovered = min(uncovered, new?.lines ?? 0)
    }

    mutating func pull(by count: Int) {
        guard let pull else { return }
        self.pull?.uncovered = (pull.uncovered + count.clamped(to: -pull.lines...pull.lines)).clamped(to: 0...pull.lines)
    }

    mutating func releasePull() -> [GridEvent] {
        guard let pull else { return [] }
        self.pull?.uncovered = 0
        return pull.isArmed ? [.pullTriggered] : []
    }
}
