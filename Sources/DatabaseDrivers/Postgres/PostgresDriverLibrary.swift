import CCodecs
import CDrivers
import EngineProtocol

/// The functions of libpq, loaded on first use.
///
/// Sendable because the function pointers never change. The library is thread-safe for separate connections.
struct PostgresDriverLibrary: @unchecked Sendable {
    let functions: gv_pg_library

    /// The file names of the library. Homebrew installs it in a separate folder.
    static let names =
        "libpq.so.5 libpq.5.dylib /opt/homebrew/opt/libpq/lib/libpq.5.dylib /usr/local/opt/libpq/lib/libpq.5.dylib"
    /// The library with its usual names, or the reason why it is missing.
    static let system = Result { () throws(DriverFailure) in try PostgresDriverLibrary(names: names) }

    /// Loads the first library of `names`.
    init(names: String) throws(DriverFailure) {
        guard let library = gv_load_library(names) else {
            throw DriverFailure(
                .libraryMissing, "The library libpq is missing",
                hint: "Install the package libpq5 (Debian, Ubuntu), libpq (Fedora, Homebrew) or postgresql-libs (Arch)")
        }
        var functions = gv_pg_library()
        if let missing = gv_pg_load(&functions, library) {
            throw DriverFailure(
                .libraryMissing, "The library libpq is too old: it lacks the function \(String(cString: missing))",
                hint: "Install libpq of PostgreSQL 9.6 or later")
        }
        self.functions = functions
    }
}

/// Converts a C string; empty for a null pointer.
func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
