/// A strip with a message at the top of the grid, below frozen rows, which users uncover by pulling. Releasing the fully uncovered strip
/// sends ``GridEvent/pullTriggered``, for example to reload.
///
/// With a `GridController`, users pull with the wheel or ↑, and the pull is released after a quarter of a second. Code that uses a
/// ``GridState`` alone performs ``GridAction/pull(by:)`` and ``GridAction/releasePull``.
public struct GridPull: Hashable, Sendable, Codable {
    /// The height of the strip in lines, which is also the distance that users must pull.
    public let lines: Int
    /// The text shown until the strip is fully uncovered.
    public var text: String
    /// The text shown when the strip is fully uncovered.
    public var armedText: String
    /// The number of uncovered lines, in `0 ... lines`.
    public internal(set) var uncovered = 0

    /// The number of visible lines of the strip: the uncovered lines, but at most half of the pane, which has `pane` lines.
    func lines(in pane: Int) -> Int { min(uncovered, max(0, pane) / 2) }

    /// True if the strip is fully uncovered, so that releasing it sends ``GridEvent/pullTriggered``.
    public var isArmed: Bool { uncovered >= lines }

    /// Creates a strip of `lines` lines, at least one.
    public init(lines: Int = 3, text: String = "pull to reload", armedText: String = "release to reload") {
        self.lines = max(1, lines)
        self.text = text
        self.armedText = armedText
    }
}

extension GridPull {
    /// Decodes a strip, which must have 1 to 10,000 lines.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lines = try values.decode(.lines, within: 1...DecodingLimits.cells.upperBound)
        text = try values.decode(String.self, forKey: .text)
        armedText = try values.decode(String.self, forKey: .armedText)
        uncovered = try values.decode(.uncovered, within: 0...lines)
    }
}

extension GridState {
    /// Sets the strip that users can pull; `nil` disables pulling. A new strip keeps the number of uncovered lines, up to its height.
    mutating func set(pull newPull: GridPull?) {
        let uncovered = pull?.uncovered ?? 0
        pull = newPull
        pull?.uncovered = min(uncovered, newPull?.lines ?? 0)
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
