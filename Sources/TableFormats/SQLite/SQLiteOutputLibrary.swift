import CCodecs

/// The functions of libsqlite3 that only the writer calls, loaded on first use.
///
/// Sendable because the addresses never change.
struct SQLiteOutputLibrary: @unchecked Sendable {
    typealias Statement = OpaquePointer

    let bindNull: @convention(c) (Statement?, Int32) -> Int32
    let bindDouble: @convention(c) (Statement?, Int32, Double) -> Int32
    /// The last argument is a function that releases the bytes. `nil` means that the bytes stay valid.
    let bindText: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32
    let bindBlob: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32

    /// The library with its usual names; `nil` if it is missing.
    static let system = SQLiteOutputLibrary()

    private init?() {
        guard let library = gv_load_library(SQLiteLibrary.names) else { return nil }
        func function<Type>(_ name: String) -> Type? {
            gv_library_function(library, "sqlite3_\(name)").map { unsafeBitCast($0, to: Type.self) }
        }
        guard let bindNull: @convention(c) (Statement?, Int32) -> Int32 = function("bind_null"),
            let bindDouble: @convention(c) (Statement?, Int32, Double) -> Int32 = function("bind_double"),
            let bindText: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32 = function("bind_text"),
            let bindBlob: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32 = function("bind_blob")
        else { return nil }
        (self.bindNull, self.bindDouble, self.bindText, self.bindBlob) = (bindNull, bindDouble, bindText, bindBlob)
    }
}
