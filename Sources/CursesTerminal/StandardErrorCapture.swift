internal import CTerminalSignals

/// Captures standard error while the backend owns the screen, and prints it afterwards.
///
/// A message on the screen, such as the message of `fatalError`, would be overwritten by the next frame or lost with the alternate screen.
/// Redirected standard error is not captured.
struct StandardErrorCapture {
    /// The descriptor of the original standard error; -1 if nothing is captured.
    private(set) var originalDescriptor: Int32 = -1
    /// The descriptor of the file that receives the captured text; -1 if nothing is captured.
    private(set) var fileDescriptor: Int32 = -1

    mutating func begin() {
        guard fileDescriptor < 0, isatty(2) == 1 else { return }
        let newFile = terminal_temporary_file()
        guard newFile >= 0 else { return }
        originalDescriptor = Platform.duplicate(2)
        guard originalDescriptor >= 0, dup2(newFile, 2) == 2 else {
            close(newFile)
            if originalDescriptor >= 0 { close(originalDescriptor) }
            originalDescriptor = -1
            return
        }
        fileDescriptor = newFile
    }

    /// Restores standard error and copies the captured text to it.
    mutating func end() {
        guard fileDescriptor >= 0 else { return }
        dup2(originalDescriptor, 2)
        close(originalDescriptor)
        lseek(fileDescriptor, 0, SEEK_SET)
        var block: [UInt8] = Array(repeating: 0, count: 4096)
        while true {
            let count = read(fileDescriptor, &block, block.count)
            guard count > 0 else { break }
            guard write(2, block, count) == count else { break }
        }
        close(fileDescriptor)
        (originalDescriptor, fileDescriptor) = (-1, -1)
    }
}
