import GridviewApp
import TerminalSurface

/// The standard streams and the arguments of the process.
enum StandardStreams {
    /// Opens the null device for each closed standard stream: input for writing and output for reading, so that using the stream fails.
    /// Otherwise the next opened file would get the descriptor of the stream, and output or messages would be written into the file.
    static func openMissingStreams() {
        for descriptor in [Platform.standardInput, Platform.standardOutput, Platform.standardError] where !Platform.isOpen(descriptor) {
            Platform.openNullDevice(forWriting: descriptor == Platform.standardInput)
        }
    }

    /// Overwrites the arguments that `isSecret` selects, so that the list of processes does not show them. Call it after all
    /// arguments were read.
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

    /// Writes to standard output. A closed reader is not a failure.
    static func write(_ text: String) throws {
        var output = OutputSink(descriptor: Platform.standardOutput)
        output.write(text)
        try output.finish()
    }

    /// Writes a message to standard error, with control characters as marks. Failures are ignored.
    static func printError(_ text: String) {
        var output = OutputSink(descriptor: Platform.standardError)
        output.write("gridview: \(DisplayWidth.printable(text))\n")
        try? output.finish()
    }
}
