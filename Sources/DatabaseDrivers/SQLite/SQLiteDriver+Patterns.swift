import CDrivers
import CPattern

/// The SQL function `regexp(pattern, text)`, which the operator `REGEXP` calls.
///
/// The function uses RE2, like gridview's own filters, so both find the same rows. Matching takes time linear in the length of the text.
extension SQLiteDriver {
    /// The maximum number of patterns that stay compiled until their statement ends. A pattern takes up to about 8 MiB. Further patterns
    /// are compiled for each row.
    static let keptPatternLimit = 32
    /// The maximum length of a pattern in bytes. RE2 limits the compiled pattern, but not the memory for compiling: up to 51 MB at this
    /// length, and 1.3 GB for 120,000 bytes.
    static let patternByteLimit = 1_000

    /// A compiled pattern. SQLite keeps it until the end of the statement if the pattern is the same for all rows.
    private final class CompiledPattern {
        private let compiled: OpaquePointer
        private unowned let driver: SQLiteDriver

        /// Creates the object, and increases ``SQLiteDriver/patternCount`` by one.
        init(_ compiled: OpaquePointer, driver: SQLiteDriver) {
            (self.compiled, self.driver) = (compiled, driver)
            driver.patternCount += 1
        }

        deinit {
            driver.patternCount -= 1
            gv_pattern_free(compiled)
        }

        func matches(_ text: UnsafeRawBufferPointer) -> Bool {
            gv_pattern_matches(compiled, text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count) != 0
        }
    }

    /// `sqlite3_user_data`, which returns the driver inside a call of the SQL function. It is static because a C callback cannot capture
    /// values.
    static let userData = (try? SQLiteDriverLibrary.system.get())?.functions.sqlite3_user_data

    /// Adds the function `regexp` to the open database. Returns the status of SQLite; 0 means success.
    ///
    /// Views, constraints and indexes of the file may call the function, with any number of arguments. If SQLite refused these calls, it
    /// could not read the schema. The calls can do little harm: the length of a pattern is limited, and the statement can be cancelled.
    func addPatternFunction() -> Int32 {
        // SQLITE_UTF8, _DETERMINISTIC and _INNOCUOUS.
        let flags: Int32 = 0x1 | 0x800 | 0x20_0000
        return sqlite.sqlite3_create_function_v2(
            database, "regexp", -1, flags, Unmanaged.passUnretained(self).toOpaque(),
            { context, count, values in
                guard let context, let driver = SQLiteDriver.userData?(context) else { return }
                Unmanaged<SQLiteDriver>.fromOpaque(driver)._withUnsafeGuaranteedRef {
                    $0.match(context, UnsafeBufferPointer(start: values, count: Int(count)))
                }
            }, nil, nil, nil)
    }

    /// Sets the result of a call. It is NULL if an argument is NULL.
    private func match(_ context: OpaquePointer, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
        guard arguments.count == 2 else {
            return sqlite.sqlite3_result_error(context, "wrong number of arguments to function regexp()", -1)
        }
        let (pattern, text) = (arguments[0], arguments[1])
        guard sqlite.sqlite3_value_type(pattern) != StorageClass.null, sqlite.sqlite3_value_type(text) != StorageClass.null else { return }
        guard let text = bytes(of: text) else { return sqlite.sqlite3_result_error_nomem(context) }
        if let cached = sqlite.sqlite3_get_auxdata(context, 0) {
            let isMatch = Unmanaged<CompiledPattern>.fromOpaque(cached)._withUnsafeGuaranteedRef { $0.matches(text) }
            return sqlite.sqlite3_result_int(context, isMatch ? 1 : 0)
        }
        guard let source = bytes(of: pattern) else { return sqlite.sqlite3_result_error_nomem(context) }
        guard source.count <= Self.patternByteLimit else {
            let message = "The regular expression is too long. Use one of at most 1,000 bytes, or combine several conditions."
            return sqlite.sqlite3_result_error(context, message, -1)
        }
        var error = [CChar](repeating: 0, count: 512)
        let compiled = gv_pattern_make(
            source.baseAddress?.assumingMemoryBound(to: UInt8.self), source.count, 0, &error, error.count, nil, 0)
        guard let compiled else {
            let reason = String(decoding: error.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return sqlite.sqlite3_result_error(context, "Invalid regular expression: \(reason)", -1)
        }
        let made = CompiledPattern(compiled, driver: self)
        sqlite.sqlite3_result_int(context, made.matches(text) ? 1 : 0)
        guard patternCount <= Self.keptPatternLimit else { return }
        // If the pattern in the SQL can differ from row to row, SQLite releases the compiled pattern at once. It must not be used later.
        sqlite.sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(made).toOpaque()) { pattern in
            if let pattern { Unmanaged<CompiledPattern>.fromOpaque(pattern).release() }
        }
    }

    /// The bytes of a text or blob, or a number as text; `nil` if out of memory. They are valid until the end of the call.
    func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        let isBlob = sqlite.sqlite3_value_type(value) == StorageClass.blob
        let start = isBlob ? sqlite.sqlite3_value_blob(value) : UnsafeRawPointer(sqlite.sqlite3_value_text(value))
        let count = Int(max(0, sqlite.sqlite3_value_bytes(value)))
        guard start != nil || isBlob && count == 0 else { return nil }
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}
