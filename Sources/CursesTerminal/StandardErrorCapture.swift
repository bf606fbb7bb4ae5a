internal import CTerminalSignals

/// Keeps what is written to standard error while the screen is ours, and shows it afterwards.
///
/// A message in the middle of the picture would be overwritten by the next frame, and one on the alternate screen is gone with it: also the
/// words of `fatalError`, when they are needed most. Standard error that is no terminal is left alone.
struct StandardErrorCapture {
    /// Where standard error went before; -1 if nothing is captured.
    private(set) var original: Int32 = -1
    /// The file that it goes to; -1 if nothing is captured.
    private(set) var file: Int32 = -1

    mutating func begin() {
        guard file < 0, isatty(2) == 1 else { return }
        let kept = terminal_temporary_file()
        guard kept >= 0 else { return }
        original = Platform.duplicate(2)
        guard original >= 0, dup2(kept, 2) == 2 else {
            close(kept)
            if original >= 0 { close(original) }
            original = -1
            return
        }
        file = kept
    }

    /// Puts standard error back and writes there what came meanwhile.
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
