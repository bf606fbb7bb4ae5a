import GridTestSupport

extension TemporaryFolder {
    /// A table of numbered rows: `n,name,value`, the value being unlike its neighbours'.
    func numbered(_ name: String = "numbered.csv", rows: Int) throws -> String {
        var text = "n,name,value\n"
        text.reserveCapacity(rows * 28)
        for row in 1...max(rows, 1) where row <= rows { text += "\(row),name \(row),\(row * 7919 % 10_007)\n" }
        return try file(name, text)
    }
}
