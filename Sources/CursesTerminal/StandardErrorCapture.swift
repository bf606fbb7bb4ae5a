internal import CTerminalSignals

/// Captures standard error while the backend owns the screen, and prints it afterwards.
///
/// A message on the screen, such as the message of `fatalError`, would be overwritten by the next frame or lost with the alternate screen.
/// Redirected standard error is not captured.
struct StandardErrorCapture {
    /// The descriptor of the original standard error; -1 if nothing is captured.
    private(set) var original: Int32 = -1
    /// The descriptor of the file that receives the captured text; -1 if nothing is captured.
    private(set) var file: Int32 = -1

    mutating func begin() {
        guard file < 0, isatty(2) == 1 else { return }
        let newFile = terminal_temporary_file()
        guard newFile >= 0 else { return }
        original = Platform.duplicate(2)
        guard original >= 0, dup2(newFile, 2) == 2 else {
            close(newFile)
            if original >= 0 { close(original) }
            original = -1
            return
        }
        file = newFile
    }

    /// Restores standard error and copies the captured text to it.
    mutating func end() {
        guard file >= 0 else { return }
        dup2(original, 2)
        close(original)
        lseek(file, 0, SEEK_SET)
        var block: [UInt8] = Array(repeating: 0, count: 4096)
        while true {
            let count = read(file, &block, block.count)
            guard count > 0 else { break }
            guard write(2, block, count) == count else { break }
        }
        close(file)
        (original, file) = (-1, -1)
    }
}
