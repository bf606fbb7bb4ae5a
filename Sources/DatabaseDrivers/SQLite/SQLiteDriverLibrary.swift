import CCodecs
import CDrivers
import EngineProtocol

/// The functions of libsqlite3, loaded on first use.
///
/// Sendable because the function pointers never change, and the library is thread-safe.
struct SQLiteDriverLibrary: @unchecked Sendable {
    let functions: gv_sqlite_library

    /// The file names of the library on Linux and macOS, separated by spaces.
    static let names = "libsqlite3.so.0 libsqlite3.so libsqlite3.dylib"
    /// The library with its usual names, or the reason why it is missing.
    static let system = Result { () throws(DriverFailure) in try SQLiteDriverLibrary(names: names) }

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
                .libraryMissing, "The library libsqlite3 is too old: it lacks the function \(String(cString: missing))",
                hint: "Install SQLite 3.26 or later")
        }
        // Two threads call the library: one runs statements, and the other interrupts them.
        guard functions.sqlite3_threadsafe() != 0 else {
            throw DriverFailure(
                .libraryMissing, "The library libsqlite3 was built without support for threads", hint: "Install another build of SQLite")
        }
        self.functions = functions
    }
}
