import CDrivers
import FieldValues

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The SQL function `gridview_value(value, 'kind notation')`, which reads a stored value as gridview reads the text of a field.
///
/// SQLite stores any value in any column. A column without a type, the result of an expression and a column of dates can contain text that
/// gridview reads as numbers or dates. With this function, SQLite sorts and compares them by the same values as gridview.
///
/// The result is an integer or a real number. Dates and times are microseconds, and flags are 0 and 1. The result is NULL for NULL, for
/// blobs, for NaN, and for values that are not of the kind. With the kind `text`, it is the text that gridview shows, or NULL for NULL.
///
/// With the kind `text`, a very large blob is an error. With the kind `text cut`, it is the text of the first bytes of the blob.
///
/// The function `gridview_nan(value, 'kind notation')` returns 1 for text that gridview reads as NaN, otherwise 0.
extension SQLiteDriver {
    /// The maximum number of bytes of a blob whose text is computed, because the text takes twice as many bytes. Larger blobs are an error:
    /// if their texts were cut, texts of different blobs could be equal. The kind `text cut` allows this for comparisons with short
    /// constants.
    static let blobByteLimit = 64 << 20

    /// The kind and the notation of the values to read, from the second argument. SQLite keeps the object until the end of the statement.
    private final class ValueNotation {
        let kind: ValueKind
        let decimals: DecimalStyle
        let dates: DateNotation
        /// True if the text of a very large blob is cut instead of refused.
        let cutsBlobs: Bool

        /// Reads a kind and the code of a notation, such as `decimal 0`, `decimal 1 €#` or `date dmy`.
        init?(_ text: String) {
            let parts = text.split(separator: " ", maxSplits: 1)
            guard let name = parts.first, let kind = ValueKind(rawValue: String(name)) else { return nil }
            self.kind = kind
            cutsBlobs = kind == .text && parts.count == 2 && parts[1] == "cut"
            guard kind != .text else {
                guard parts.count == 1 || cutsBlobs else { return nil }
                (decimals, dates) = (.point, .iso)
                return
            }
            guard parts.count == 2 else { return nil }
            guard kind.isNumber else {
                guard let dates = DateNotation(rawValue: String(parts[1])) else { return nil }
                (decimals, self.dates) = (.point, dates)
                return
            }
            guard let decimals = DecimalStyle(code: String(parts[1])) else { return nil }
            (self.decimals, dates) = (decimals, .iso)
        }
    }

    /// An SQL function whose arguments are a stored value and a value notation. SQLite retains this object until the database is closed.
    private final class ValueFunction {
        unowned(unsafe) let driver: SQLiteDriver
        let setResult: (SQLiteDriver, OpaquePointer?, ValueNotation, OpaquePointer) -> Void

        init(_ driver: SQLiteDriver, _ setResult: @escaping (SQLiteDriver, OpaquePointer?, ValueNotation, OpaquePointer) -> Void) {
            (self.driver, self.setResult) = (driver, setResult)
        }

        func call(_ value: OpaquePointer?, _ kind: OpaquePointer?, _ context: OpaquePointer) {
            driver.withValueNotation(kind, context) { setResult(driver, value, $0, context) }
        }
    }

    /// Adds the functions `gridview_value` and `gridview_nan` to the open database. Returns the status of SQLite; 0 means success.
    func addValueFunctions() -> Int32 {
        let status = add("gridview_value", ValueFunction(self) { $0.setValue(of: $1, $2, $3) })
        return status != 0 ? status : add("gridview_nan", ValueFunction(self) { $0.setNaNResult($1, $2, $3) })
    }

    /// Only statements can call the function. Views and indexes of a file cannot, because other programs could not read such a file.
    private func add(_ name: String, _ function: ValueFunction) -> Int32 {
        // SQLITE_UTF8, _DETERMINISTIC and _DIRECTONLY.
        let flags: Int32 = 0x1 | 0x800 | 0x8_0000
        return sqlite.sqlite3_create_function_v2(
            database, name, 2, flags, Unmanaged.passRetained(function).toOpaque(),
            { context, _, values in
                guard let context, let values, let function = SQLiteDriver.userData?(context) else { return }
                Unmanaged<ValueFunction>.fromOpaque(function)._withUnsafeGuaranteedRef { $0.call(values[0], values[1], context) }
            }, nil, nil, { if let function = $0 { Unmanaged<ValueFunction>.fromOpaque(function).release() } })
    }

    /// Calls `body` with the notation that the second argument of a call names. The call fails if the argument is not valid.
    private func withValueNotation(_ kind: OpaquePointer?, _ context: OpaquePointer, _ body: (ValueNotation) -> Void) {
        if let kept = sqlite.sqlite3_get_auxdata(context, 1) {
            return Unmanaged<ValueNotation>.fromOpaque(kept)._withUnsafeGuaranteedRef(body)
        }
        guard let text = bytes(of: kind) else { return sqlite.sqlite3_result_error_nomem(context) }
        guard let notation = ValueNotation(String(decoding: text, as: UTF8.self)) else {
            return sqlite.sqlite3_result_error(context, "unknown kind of value", -1)
        }
        body(notation)
        // If the kind in the SQL can differ from row to row, SQLite releases the object at once. It must not be used later.
        sqlite.sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(notation).toOpaque()) { notation in
            if let notation { Unmanaged<ValueNotation>.fromOpaque(notation).release() }
        }
    }

    private func setNaNResult(_ value: OpaquePointer?, _ notation: ValueNotation, _ context: OpaquePointer) {
        var isNaN = false
        if sqlite.sqlite3_value_type(value) == StorageClass.text {
            guard let text = bytes(of: value) else { return sqlite.sqlite3_result_error_nomem(context) }
            isNaN = Self.field(text).decimal(notation.decimals)?.isNaN ?? false
        }
        sqlite.sqlite3_result_int(context, isNaN ? 1 : 0)
    }

    private static func field(_ text: UnsafeRawBufferPointer) -> FieldBytes {
        FieldBytes(start: text.baseAddress?.assumingMemoryBound(to: UInt8.self), count: text.count)
    }

    private func setResult(_ text: String, _ context: OpaquePointer) {
        var text = text
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                sqlite.sqlite3_result_text(context, $0.baseAddress, Int32(clamping: $0.count), Self.transientDestructor)
            }
        }
    }

    /// The text of a number is the shortest one that reads back to it. SQLite itself prints 15 digits. A blob has hexadecimal digits.
    private func setText(of value: OpaquePointer?, cutsBlobs: Bool, _ context: OpaquePointer) {
        switch sqlite.sqlite3_value_type(value) {
        case StorageClass.null: break
        case StorageClass.integer: setResult(String(sqlite.sqlite3_value_int64(value)), context)
        case StorageClass.real: setResult(Self.digits(sqlite.sqlite3_value_double(value)), context)
        case StorageClass.blob: setText(ofBlob: value, isCut: cutsBlobs, context)
        default: sqlite.sqlite3_result_value(context, value)
        }
    }

    private func setText(ofBlob value: OpaquePointer?, isCut: Bool, _ context: OpaquePointer) {
        guard var blob = bytes(of: value) else { return sqlite.sqlite3_result_error_nomem(context) }
        if isCut { blob = UnsafeRawBufferPointer(rebasing: blob.prefix(Self.blobByteLimit)) }
        guard blob.count <= Self.blobByteLimit else {
            let message =
                "A BLOB is too large to be read as text; the limit is \(Self.blobByteLimit >> 20) MiB. Leave out its row with --sql."
            return sqlite.sqlite3_result_error(context, message, -1)
        }
        let count = BlobText.byteCount(ofBlob: blob.count)
        guard let memory = malloc(count) else { return sqlite.sqlite3_result_error_nomem(context) }
        BlobText.write(blob, to: memory.assumingMemoryBound(to: UInt8.self))
        // SQLite keeps the memory instead of copying the text, and frees it.
        sqlite.sqlite3_result_text(context, memory.assumingMemoryBound(to: CChar.self), Int32(count)) { free($0) }
    }

    private func setValue(of value: OpaquePointer?, _ notation: ValueNotation, _ context: OpaquePointer) {
        if notation.kind == .text { return setText(of: value, cutsBlobs: notation.cutsBlobs, context) }
        // Convert a number to text only if that text can have another meaning in the notation.
        let isPlain = notation.kind.isNumber && notation.decimals == .point
        switch sqlite.sqlite3_value_type(value) {
        case StorageClass.integer:
            let number = sqlite.sqlite3_value_int64(value)
            if isPlain { return sqlite.sqlite3_result_int64(context, number) }
            FieldBytes.withBytes(of: String(number)) { setResult(of: $0, notation, context) }
        case StorageClass.real:
            let number = sqlite.sqlite3_value_double(value)
            if isPlain { return sqlite.sqlite3_result_double(context, number) }
            FieldBytes.withBytes(of: Self.digits(number)) { setResult(of: $0, notation, context) }
        case StorageClass.text:
            guard let text = bytes(of: value) else { return sqlite.sqlite3_result_error_nomem(context) }
            setResult(of: Self.field(text), notation, context)
        default: break
        }
    }

    private func setResult(of field: FieldBytes, _ notation: ValueNotation, _ context: OpaquePointer) {
        switch notation.kind {
        case .text: break
        case .integer, .decimal:
            if let integer = field.integer(notation.decimals) { return sqlite.sqlite3_result_int64(context, integer) }
            if let number = field.decimal(notation.decimals), !number.isNaN { sqlite.sqlite3_result_double(context, number) }
        case .date, .dateTime, .time:
            if let moment = field.temporal(notation.kind, notation.dates) { sqlite.sqlite3_result_int64(context, moment) }
        case .flag: if let flag = field.flag() { sqlite.sqlite3_result_int64(context, flag ? 1 : 0) }
        }
    }
}
