import GridviewApp
import TerminalSurface

enum StandardStreams {
    /// Opens the null device for closed standard streams, in the wrong direction, so that using them fails. Otherwise the next opened file
    /// would get the descriptor of a closed stream, and output or messages would be written into the file.
    static func openMissingStreams() {
        for descriptor in [Platform.standardInput, Platform.standardOutput, Platform.standardError] where !Platform.isOpen(descriptor) {
            Platform.openNullDevice(forWriting: descriptor == Platform.standardInput)
        }
    }

    /// Overwrites the arguments that `isSecret` selects, so that the list of processes does not show them. Call it after they were read.
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

    /// Writes lines to standard error, with control characters as marks. Failures are ignored.
    static func printError(_ text: String) {
        var output = OutputSink(descriptor: Platform.standardError)
        output.write("gridview: \(DisplayWidth.printable(text))\n")
        try? output.finish()
    }
}
