import CCodecs

/// The libsqlite3 functions that this target calls, loaded on first use.
///
/// Sendable because the addresses never change. The library must be thread-safe, as `sqlite3_threadsafe` reports.
struct SQLiteLibrary: @unchecked Sendable {
    typealias Database = OpaquePointer
    typealias Statement = OpaquePointer
    typealias Value = OpaquePointer
    typealias Text = UnsafePointer<CChar>

    let open: @convention(c) (Text, UnsafeMutablePointer<Database?>, Int32, Text?) -> Int32
    let close: @convention(c) (Database?) -> Int32
    let message: @convention(c) (Database?) -> Text?
    let extendedCode: @convention(c) (Database?) -> Int32
    let limit: @convention(c) (Database?, Int32, Int32) -> Int32
    let busyTimeout: @convention(c) (Database?, Int32) -> Int32
    let progressHandler:
        @convention(c) (
            Database?, Int32, (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?, UnsafeMutableRawPointer?
        ) -> Void
    let interrupt: @convention(c) (Database?) -> Void
    let prepare: @convention(c) (Database?, Text, Int32, UnsafeMutablePointer<Statement?>, UnsafeMutablePointer<Text?>?) -> Int32
    let step: @convention(c) (Statement?) -> Int32
    let reset: @convention(c) (Statement?) -> Int32
    let finalize: @convention(c) (Statement?) -> Int32
    let bindInteger: @convention(c) (Statement?, Int32, Int64) -> Int32
    let bindValue: @convention(c) (Statement?, Int32, Value?) -> Int32
    let bindDouble: @convention(c) (Statement?, Int32, Double) -> Int32
    /// The last argument is a function that releases the bytes; -1 makes SQLite copy the bytes.
    let bindText: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, Int) -> Int32
    let columnCount: @convention(c) (Statement?) -> Int32
    let columnValue: @convention(c) (Statement?, Int32) -> Value?
    let valueType: @convention(c) (Value?) -> Int32
    let valueInteger: @convention(c) (Value?) -> Int64
    let valueDouble: @convention(c) (Value?) -> Double
    let valueText: @convention(c) (Value?) -> UnsafePointer<UInt8>?
    let valueBlob: @convention(c) (Value?) -> UnsafeRawPointer?
    let valueBytes: @convention(c) (Value?) -> Int32
    let copyValue: @convention(c) (Value?) -> Value?
    let freeValue: @convention(c) (Value?) -> Void
    /// The name of the VFS that reads ahead; `nil` stands for the default VFS. Tests change it.
    var readAhead: Text?
    /// `sqlite3_db_config`, which is variadic: call it through `gv_sqlite_configure`.
    let configure: UnsafeMutableRawPointer

    /// The file names of the library. It is part of macOS.
    static let names = "libsqlite3.so.0 libsqlite3.so libsqlite3.dylib"
    /// The library with its usual names; `nil` if it is missing.
    static let system = SQLiteLibrary(names: names)

    /// Loads the first library of `names` that has all functions.
    init?(names: String) {
        guard let library = gv_load_library(names) else { return nil }
        func function<Function>(_ name: String) -> Function? {
            gv_library_function(library, "sqlite3_\(name)").map { unsafeBitCast($0, to: Function.self) }
        }
        guard let threadSafe: @convention(c) () -> Int32 = function("threadsafe"), threadSafe() != 0 else { return nil }
        guard let open: @convention(c) (Text, UnsafeMutablePointer<Database?>, Int32, Text?) -> Int32 = function("open_v2"),
            let close: @convention(c) (Database?) -> Int32 = function("close_v2"),
            let message: @convention(c) (Database?) -> Text? = function("errmsg"),
            let extendedCode: @convention(c) (Database?) -> Int32 = function("extended_errcode"),
            let limit: @convention(c) (Database?, Int32, Int32) -> Int32 = function("limit"),
            let busyTimeout: @convention(c) (Database?, Int32) -> Int32 = function("busy_timeout"),
            let progressHandler:
                @convention(c) (
                    Database?, Int32, (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?, UnsafeMutableRawPointer?
                ) -> Void = function("progress_handler"),
            let interrupt: @convention(c) (Database?) -> Void = function("interrupt"),
            let prepare: @convention(c) (Database?, Text, Int32, UnsafeMutablePointer<Statement?>, UnsafeMutablePointer<Text?>?) -> Int32 =
                function("prepare_v2"),
            let step: @convention(c) (Statement?) -> Int32 = function("step"),
            let reset: @convention(c) (Statement?) -> Int32 = function("reset"),
            let finalize: @convention(c) (Statement?) -> Int32 = function("finalize"),
            let bindInteger: @convention(c) (Statement?, Int32, Int64) -> Int32 = function("bind_int64"),
            let bindValue: @convention(c) (Statement?, Int32, Value?) -> Int32 = function("bind_value"),
            let bindDouble: @convention(c) (Statement?, Int32, Double) -> Int32 = function("bind_double"),
            let bindText: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int32, Int) -> Int32 = function("bind_text"),
            let columnCount: @convention(c) (Statement?) -> Int32 = function("column_count"),
            let columnValue: @convention(c) (Statement?, Int32) -> Value? = function("column_value"),
            let valueType: @convention(c) (Value?) -> Int32 = function("value_type"),
            let valueInteger: @convention(c) (Value?) -> Int64 = function("value_int64"),
            let valueDouble: @convention(c) (Value?) -> Double = function("value_double"),
            let valueText: @convention(c) (Value?) -> UnsafePointer<UInt8>? = function("value_text"),
            let valueBlob: @convention(c) (Value?) -> UnsafeRawPointer? = function("value_blob"),
            let valueBytes: @convention(c) (Value?) -> Int32 = function("value_bytes"),
            let copyValue: @convention(c) (Value?) -> Value? = function("value_dup"),
            let freeValue: @convention(c) (Value?) -> Void = function("value_free"),
            let configure = gv_library_function(library, "sqlite3_db_config")
        else { return nil }
        (self.open, self.close, self.message, self.extendedCode) = (open, close, message, extendedCode)
        (self.limit, self.busyTimeout, self.progressHandler, self.interrupt) = (limit, busyTimeout, progressHandler, interrupt)
        (self.prepare, self.step, self.reset, self.finalize) = (prepare, step, reset, finalize)
        (self.bindInteger, self.bindValue, self.bindDouble, self.bindText) = (bindInteger, bindValue, bindDouble, bindText)
        (self.columnCount, self.columnValue, self.valueType) = (columnCount, columnValue, valueType)
        (self.valueInteger, self.valueDouble, self.valueText) = (valueInteger, valueDouble, valueText)
        (self.valueBlob, self.valueBytes) = (valueBlob, valueBytes)
        (self.copyValue, self.freeValue, self.configure) = (copyValue, freeValue, configure)
        readAhead = gv_sqlite_add_read_ahead(
            gv_library_function(library, "sqlite3_vfs_find"), gv_library_function(library, "sqlite3_vfs_register"))
    }
}

/// An error of the library.
struct SQLiteFailure: Error {
    /// The extended result code.
    let code: Int32
    /// The description in English, without a full stop.
    let message: String

    /// The primary result code.
    var kind: Int32 { code & 0xFF }

    static let locked: Set<Int32> = [5, 6]
    static let noMemory: Int32 = 7
    static let readOnly: Int32 = 8
    static let interrupted: Int32 = 9
    static let damaged: Int32 = 11
    static let cannotOpen: Int32 = 14
    static let tooLong: Int32 = 18
    static let notADatabase: Int32 = 26
    /// The code for an unfinished transaction. A program with write access must roll the transaction back before the database can be read.
    static let unfinished: Int32 = 8 | 3 << 8
}
