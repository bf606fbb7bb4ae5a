import EngineProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The library of a driver, found by its name or path.
///
/// A driver is executable code. It is loaded only from a path given by the user, or through a manifest in a folder defined by the
/// specification "ADBC driver manifests". The file and its folder must not be writable by other users.
struct ADBCManifest {
    /// The path of the library.
    let library: String
    /// The name of the library's initialization function; `nil` to try the usual names.
    let entryPoint: String?

    /// The maximum number of bytes of a manifest.
    private static let byteLimit = 64 << 10

    /// Finds a driver.
    /// - Parameter name: a name, or a path with a slash.
    init(driver name: String, environment: (String) -> String? = ADBCManifest.environment) throws(DriverFailure) {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw DriverFailure(.libraryMissing, "The driver name is missing") }
        if name.contains("/") {
            if name.hasSuffix(".toml") {
                self = try Self.read(name)
            } else {
                try Self.checkOwner(name)
                (library, entryPoint) = (name, nil)
            }
            return
        }
        guard
            name.utf8.allSatisfy({
                $0 < 0x80 && (Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber || "_-.".utf8.contains($0))
            }),
            !name.hasPrefix(".")
        else { throw DriverFailure(.libraryMissing, "The driver name can contain only letters, digits and “_-.”") }
        let folders = Self.folders(environment)
        for folder in folders {
            let path = "\(folder)/\(name).toml"
            guard access(path, F_OK) == 0 else { continue }
            self = try Self.read(path)
            return
        }
        throw DriverFailure(
            .libraryMissing, "No driver “\(name)” is installed in \(folders.joined(separator: ", "))",
            hint: "Install it, for example with the program dbc, or write the path of its library")
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The folders that can contain manifests, in the order in which they are searched.
    private static func folders(_ environment: (String) -> String?) -> [String] {
        var folders = (environment("ADBC_DRIVER_PATH") ?? "").split(separator: ":").map(String.init)
        if let prefix = environment("CONDA_PREFIX"), !prefix.isEmpty { folders.append(prefix + "/etc/adbc/drivers") }
        let home = environment("HOME") ?? ""
        #if canImport(Darwin)
            if !home.isEmpty { folders.append(home + "/Library/Application Support/ADBC/Drivers") }
            folders.append("/Library/Application Support/ADBC/Drivers")
        #else
            if let settings = environment("XDG_CONFIG_HOME"), !settings.isEmpty {
                folders.append(settings + "/adbc/drivers")
            } else if !home.isEmpty {
                folders.append(home + "/.config/adbc/drivers")
            }
            folders.append("/etc/adbc/drivers")
        #endif
        // Ignore relative folders. They would depend on the folder where the program was started, which can contain untrusted data.
        return folders.filter { $0.hasPrefix("/") }
    }

    /// Refuses a file that another user can change, directly or through its folder.
    private static func checkOwner(_ path: String) throws(DriverFailure) {
        guard let real = realpath(path, nil) else {
            throw DriverFailure(.libraryMissing, "Cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { free(real) }
        let file = String(cString: real)
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
        for item in [file, folder.isEmpty ? "/" : folder] {
            var status = stat()
            guard stat(item, &status) == 0 else {
                throw DriverFailure(.libraryMissing, "Cannot load \(item): \(String(cString: strerror(errno)))")
            }
            let isOwned = status.st_uid == 0 || status.st_uid == getuid()
            guard isOwned, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                throw DriverFailure(
                    .permissionDenied, "\(item) can be changed by other users, so the driver is not loaded",
                    hint: "Run: chmod go-w '\(item)'")
            }
            if item == file, status.st_mode & S_IFMT != S_IFREG {
                throw DriverFailure(.libraryMissing, "Cannot load \(path): not a regular file")
            }
        }
    }

    private static func read(_ path: String) throws(DriverFailure) -> ADBCManifest {
        try checkOwner(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DriverFailure(.libraryMissing, "Cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: byteLimit + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress! + count, $0.count - count) }
            if more <= 0 { break }
            count += more
        }
        guard count <= byteLimit else { throw DriverFailure(.libraryMissing, "\(path) is too long for a driver manifest") }
        let values = parse(String(decoding: bytes[..<count], as: UTF8.self))
        guard values["manifest_version"].map({ $0 == "1" }) ?? true else {
            throw DriverFailure(.unsupported, "\(path) has a manifest version newer than 1", hint: "Update gridview")
        }
        guard let library = values["Driver.shared.\(platform)"] ?? values["Driver.shared"] else {
            throw DriverFailure(.libraryMissing, "\(path) does not name a library for \(platform)")
        }
        guard library.hasPrefix("/"), !library.utf8.contains(0) else {
            throw DriverFailure(.libraryMissing, "The library path “\(library)” in \(path) is not absolute")
        }
        try checkOwner(library)
        return ADBCManifest(library: library, entryPoint: values["Driver.entrypoint"])
    }

    private init(library: String, entryPoint: String?) { (self.library, self.entryPoint) = (library, entryPoint) }

    /// Parses the strings and integers of a manifest. Their keys are full names, such as `Driver.shared`. Other TOML syntax is skipped,
    /// because manifests rarely use it.
    static func parse(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                section = line.dropFirst()[..<end].trimmed + "."
                continue
            }
            guard !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { continue }
            var key = line[..<sign].trimmed
            if key.count > 1, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
            let rest = line[line.index(after: sign)...].trimmed
            guard let value = value(rest) else { continue }
            values[section + key] = value
        }
        return values
    }

    private static func value(_ text: String) -> String? {
        if let quote = text.first, quote == "'" || quote == "\"" {
            var result = ""
            var rest = text.dropFirst()
            while let character = rest.popFirst() {
                if character == quote { return result }
                // Only escaped quotes and backslashes occur in paths, so other escapes are not supported.
                if quote == "\"", character == "\\" {
                    guard let escaped = rest.popFirst(), escaped == "\\" || escaped == "\"" else { return nil }
                    result.append(escaped)
                } else {
                    result.append(character)
                }
            }
            return nil
        }
        let plain = text.prefix { $0 != "#" }.trimmed
        return plain.isEmpty || !plain.utf8.allSatisfy { (0x30...0x39).contains($0) } ? nil : plain
    }

    /// The name of this platform in manifests.
    static var platform: String {
        #if os(macOS)
            let system = "macos"
        #elseif os(FreeBSD)
            let system = "freebsd"
        #else
            let system = "linux"
        #endif
        #if arch(x86_64)
            let processor = "amd64"
        #elseif arch(arm64)
            let processor = "arm64"
        #else
            let processor = "unknown"
        #endif
        #if canImport(Musl)
            return "\(system)_\(processor)_musl"
        #else
            return "\(system)_\(processor)"
        #endif
    }
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { read(descriptor, bytes, count) }

extension StringProtocol {
    /// The string without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return String(text)
    }
}
