import GridTestSupport

extension TemporaryFolder {
    /// Writes a table of numbered rows, `n,name,value`. Adjacent rows have distinct values.
    func numbered(_ name: String = "numbered.csv", rows: Int) throws -> String {
        var text = "n,name,value\n"
        text.reserveCapacity(rows * 28)
        for row in 1...max(rows, 1) where row <= rows { text += "\(row),name \(row),\(row * 7919 % 10_007)\n" }
        return try file(name, text)
    }
}
