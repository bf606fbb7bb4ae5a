import Foundation

/// DuckDB's driver for ADBC, which its Python package contains.
public struct DuckDBDriver: Sendable {
    /// The path of the driver.
    public let library: String
    /// The path of Python's library, whose symbols the driver needs. No interpreter starts.
    public let python: String

    /// The installed driver; `nil` without the Python package or Python's library.
    public static let installed: DuckDBDriver? = {
        guard runsServers else { return nil }
        let script = """
            import glob, os, sysconfig, _duckdb
            print(_duckdb.__file__)
            folders = [sysconfig.get_config_var('LIBDIR'), '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
            print(next(f for d in folders for f in [os.path.join(d, sysconfig.get_config_var('INSTSONAME') or 'none')] if os.path.exists(f)))
            """
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for program in [project.appendingPathComponent(".build/python/bin/python3").path, "python3"] {
            guard let lines = try? programOutput("/usr/bin/env", [program, "-c", script]).split(separator: "\n"), lines.count == 2 else {
                continue
            }
            return DuckDBDriver(library: String(lines[0]), python: String(lines[1]))
        }
        return nil
    }()

    /// Writes a manifest with the name `duckdb`.
    /// - Returns: The variables with which programs find and load the driver.
    public func install(in folder: TemporaryFolder) throws -> [String: String] {
        let text = "manifest_version = 1\n[Driver]\nentrypoint = 'duckdb_adbc_init'\nshared = '\(library)'\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(of: "duckdb.toml")))
        return ["ADBC_DRIVER_PATH": folder.path, "LD_PRELOAD": python]
    }

    /// Writes a program that starts the helper with the driver `duckdb`.
    /// - Returns: The path of the program.
    public func helper(in folder: TemporaryFolder) throws -> String {
        let variables = try install(in: folder).map { "export \($0.key)='\($0.value)'\n" }.joined()
        let path = folder.path(of: "helper")
        try Data("#!/bin/sh\n\(variables)exec '\(helperPath)' \"$@\"\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}
