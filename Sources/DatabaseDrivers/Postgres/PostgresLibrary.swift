import CCodecs
import CDrivers
import EngineProtocol

/// The functions of libpq, loaded on first use.
///
/// Sendable because the addresses never change. The library is thread-safe for separate connections.
struct PostgresLibrary: @unchecked Sendable {
    let functions: gv_pg_library

    /// The file names of the library. Homebrew keeps it apart from other libraries.
    static let names =
        "libpq.so.5 libpq.5.dylib /opt/homebrew/opt/libpq/lib/libpq.5.dylib /usr/local/opt/libpq/lib/libpq.5.dylib"
    /// The library with its usual names, or the reason why it is missing.
    static let system = Result { () throws(DriverFailure) in try PostgresLibrary(names: names) }

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
                .libraryMissing, "The library libpq is too old: it has no function \(String(cString: missing))",
                hint: "Install libpq of PostgreSQL 9.6 or later")
        }
        self.functions = functions
    }
}

/// A text of the library; empty for a missing one.
func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
