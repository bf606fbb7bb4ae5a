import CCodecs
import CDrivers
import EngineProtocol

/// The functions of libsqlite3, loaded on first use.
///
/// Sendable because the addresses never change, and the library is thread-safe.
struct SQLiteLibrary: @unchecked Sendable {
    let functions: gv_sqlite_library

    /// The file names of the library. It is part of macOS.
    static let names = "libsqlite3.so.0 libsqlite3.so libsqlite3.dylib"
    /// The library with its usual names, or the reason why it is missing.
    static let system = Result { () throws(DriverFailure) in try SQLiteLibrary(names: names) }

    /// Loads the first library of `names`.
    init(names: String) throws(DriverFailure) {
        guard let library = gv_load_library(names) else {
            throw DriverFailure(
                .libraryMissing, "The library libsqlite3 is missing",
                hint: "Install the package libsqlite3-0 (Debian, Ubuntu), sqlite-libs (Fedora) or sqlite (Arch)")
        }
        var functions = gv_sqlite_library()
        if let missing = gv_sqlite_load(&functions, library) {
            throw DriverFailure(
                .libraryMissing, "The library libsqlite3 is too old: it has no function \(String(cString: missing))",
                hint: "Install SQLite 3.26 or later")
        }
        // It is called by two threads: one runs statements, the other one interrupts them.
        guard functions.sqlite3_threadsafe() != 0 else {
            throw DriverFailure(
                .libraryMissing, "The library libsqlite3 was built without threads", hint: "Install another build of SQLite")
        }
        self.functions = functions
    }
}
