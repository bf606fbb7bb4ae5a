/// Draws bars with block characters, which fill a terminal cell in steps of one eighth.
enum Bar {
    /// The blocks that fill 0 to 8 eighths of a cell from the left.
    private static let leftBlocks = Array(" ▏▎▍▌▋▊▉█")
    /// The blocks that fill 0 to 8 eighths of a cell from the bottom.
    private static let lowerBlocks = Array(" ▁▂▃▄▅▆▇█")

    /// The length of the bar for `value`, in eighths of a cell. A bar for `total` has `length` cells, and a value greater than 0 has a bar
    /// of at least one eighth.
    static func eighths(_ value: Int, of total: Int, length: Int) -> Int {
        guard value > 0, total > 0, length > 0 else { return 0 }
        return max(1, min(length * 8, Int((Double(value) / Double(total) * Double(length * 8)).rounded())))
    }

    static func horizontal(_ value: Int, of total: Int, length: Int) -> String {
        let eighths = eighths(value, of: total, length: length)
        return String(repeating: "█", count: eighths / 8) + (eighths % 8 > 0 ? String(leftBlocks[eighths % 8]) : "")
    }

    /// The lines of text, from the top, that show these values as adjacent vertical bars. Each bar is `width` cells wide.
    static func vertical(_ values: [Int], height: Int, width: Int = 1) -> [String] {
        let largest = values.max() ?? 0
        let tops = values.map { eighths($0, of: largest, length: height) }
        return (0..<max(0, height)).map { line in
            let floor = (height - 1 - line) * 8
            return tops.map { String(repeating: String(lowerBlocks[min(8, max(0, $0 - floor))]), count: width) }.joined()
        }
    }

    static func sparkline(_ counts: [Int], width: Int) -> String {
        guard width > 0, !counts.isEmpty else { return "" }
        let step = (counts.count + width - 1) / width
        let merged = stride(from: 0, to: counts.count, by: step).map { counts[$0..<min(counts.count, $0 + step)].reduce(0, +) }
        return vertical(merged, height: 1)[0]
    }
}
