import GridviewApp
import TerminalSurface

/// Standard input, standard output, standard error, and the arguments of the process.
enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that is closed: input for writing and output for reading, so that using the stream fails.
    ///
    /// Otherwise, the next opened file would get the descriptor of the stream, and output or messages would be written into this file.
    static func openMissingStreams() {
        for descriptor in [Platform.standardInput, Platform.standardOutput, Platform.standardError] where !Platform.isOpen(descriptor) {
            Platform.openNullDevice(forWriting: descriptor == Platform.standardInput)
        }
    }

    /// Overwrites secret arguments in memory, so that the list of processes does not show them. Call it after all arguments were read.
    static func hideArguments(_ isSecret: (String) -> Bool) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], isSecret(String(cString: argument)) else { continue }
            var offset = 0
            while argument[offset] != 0 {
                argument[offset] = CChar(UInt8(ascii: "*"))
                offset += 1
            }
        }
    }

    /// Writes text to standard output. Throws no error if the reader has closed the pipe.
    static func write(_ text: String) throws {
        var output = OutputSink(descriptor: Platform.standardOutput)
        output.write(text)
        try output.finish()
    }

    /// Writes a message to standard error, with visible marks for control characters. Ignores failures.
    static func printError(_ text: String) {
        var output = OutputSink(descriptor: Platform.standardError)
        output.write("gridview: \(DisplayWidth.printable(text))\n")
        try? output.finish()
    }
}
