public import DataGrid

/// The file format of saved views. The program sets it, so that the module does not depend on a JSON library.
public struct ViewCoding: Sendable {
    /// The maximum size of a file in bytes.
    public static let byteLimit = 4 << 20

    /// A view from a file.
    public struct DecodedView: Sendable {
        /// The view with the values that this version knows.
        public var view: SavedView
        /// The names of the values that this version does not know.
        public var unknownFields: [String]

        /// Creates a decoded view.
        public init(_ view: SavedView, unknownFields: [String] = []) { (self.view, self.unknownFields) = (view, unknownFields) }
    }

    /// Encodes a view.
    public var encode: @Sendable (SavedView) throws -> [UInt8]
    /// Reads the file of a view, with at most ``byteLimit`` bytes. Throws a `RequestError` with the name of the file.
    public var read: @Sendable (_ path: String) throws -> DecodedView

    /// Creates a format.
    public init(
        encode: @escaping @Sendable (SavedView) throws -> [UInt8], read: @escaping @Sendable (_ path: String) throws -> DecodedView
    ) {
        (self.encode, self.read) = (encode, read)
    }
}
