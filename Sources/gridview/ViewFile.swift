import DataGrid
import GridviewApp

/// Reads files of saved views.
///
/// These files are not trusted: at most `ViewCoding.byteLimit` bytes are read, and messages about them contain no control characters.
enum ViewFile {
    static let coding = ViewCoding(encode: { try Platform.json($0) }, read: { try read($0) })

    /// Reads a saved view.
    /// - Throws: `RequestError` with the file, the line and the key, if known.
    static func read(_ path: String) throws -> ViewCoding.DecodedView {
        let bytes: [UInt8]
        switch UserFile.read(path, limit: ViewCoding.byteLimit) {
        case .bytes(let read): bytes = read
        case .missing: throw RequestError("Cannot read view \(path): no such file or directory.")
        case .failed(let reason): throw RequestError("Cannot read view \(path): \(reason).")
        case .tooLong: throw RequestError("\(path) is not a view: it is larger than 4 MiB.")
        }
        let names = try decode(SavedView.FieldNames.self, bytes, path)
        guard names.hasColumns else { throw RequestError("\(path) is not a view: it has no columns.") }
        return ViewCoding.DecodedView(try decode(SavedView.self, bytes, path), unknownFields: names.unknown)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8], _ path: String) throws -> Value {
        switch Platform.decode(type, json: bytes) {
        case .success(let value): return value
        case .failure(let error):
            let line = error.line ?? JSONLineFinder.line(of: error.keys, in: bytes)
            let location = [path, line.map { "line \($0)" }, error.keys.isEmpty ? nil : error.keys.joined(separator: ".")]
            throw RequestError("Cannot read view \(location.compactMap { $0 }.joined(separator: ", ")): \(error.reason).")
        }
    }
}
