/// How many terminal cells text takes.
public enum DisplayWidth {
    /// The terminal cells of `text` when written by ``CellBuffer/write(_:x:y:width:style:markStyle:ellipsis:)``; counting stops at `limit`.
    public static func of(_ text: String, limit: Int = .max) -> Int { fatalError("to be written") }
}
