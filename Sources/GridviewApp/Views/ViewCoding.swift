public import DataGrid

/// Reads and writes files of saved views. The main program sets it, so that this module does not depend on a JSON library.
public struct ViewCoding: Sendable {
    /// The maximum size of a saved view in bytes.
    public static let byteLimit = 4 << 20

    /// A view read from a file.
    public struct DecodedView: Sendable {
        /// The settings that this version of the program knows.
        public var view: SavedView
        /// The names of the settings in the file that this version of the program does not know.
        public var unknownFields: [String]

        /// Creates a decoded view.
        public init(_ view: SavedView, unknownFields: [String] = []) { (self.view, self.unknownFields) = (view, unknownFields) }
    }

    /// Converts a view to the bytes of a file.
    public var encode: @Sendable (SavedView) throws -> [UInt8]
    /// Reads a view from a file of at most ``byteLimit`` bytes. Throws a `RequestError` with the name of the file.
    public var read: @Sendable (_ path: String) throws -> DecodedView

    /// Creates a coding from its two functions.
    public init(
        encode: @escaping @Sendable (SavedView) throws -> [UInt8], read: @escaping @Sendable (_ path: String) throws -> DecodedView
    ) {
        (self.encode, self.read) = (encode, read)
    }
}
