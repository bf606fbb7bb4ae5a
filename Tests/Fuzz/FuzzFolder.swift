#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls the system's `write`, which is hidden in ``FuzzFolder`` by a method with the same name.
private func writeBytes(_ descriptor: Int32, _ start: UnsafePointer<UInt8>, _ count: Int) -> Int { write(descriptor, start, count) }

/// A temporary folder in memory, for the files that a target opens by path.
enum FuzzFolder {
    static let path: String = {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        // The program creates its temporary files in the same parent folder.
        setenv("TMPDIR", parent, 1)
        var template = Array("\(parent)/gridview-fuzz-XXXXXX".utf8CString)
        guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else { fatalError("Cannot create a folder.") }
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        atexit { FuzzFolder.remove() }
        return path
    }()

    /// The names of all written files.
    nonisolated(unsafe) private static var names: Set<String> = []

    /// Writes a file and returns its path.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, as name: String = "input") -> String {
        let path = "\(path)/\(name)"
        names.insert(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { fatalError("Cannot write \(path).") }
        if let start = bytes.baseAddress { guard writeBytes(descriptor, start, bytes.count) == bytes.count else { fatalError(path) } }
        close(descriptor)
        return path
    }

    /// Removes a file.
    static func remove(_ name: String) { unlink("\(path)/\(name)") }

    /// Removes the folder.
    static func remove() {
        for name in names { remove(name) }
        rmdir(path)
    }
}
