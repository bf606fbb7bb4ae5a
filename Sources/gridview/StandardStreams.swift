import GridviewApp
import TerminalSurface

enum StandardStreams {
    /// Opens those that the caller closed, the wrong way round, so that using them fails. Otherwise the next file to be opened would take
    /// their place: the table would be written into, or messages into it.
    static func fillGaps() {
        for descriptor in [Platform.standardInput, Platform.standardOutput, Platform.standardError] where !Platform.isOpen(descriptor) {
            Platform.openNothing(forWriting: descriptor == Platform.standardInput)
        }
    }

    /// Writes to standard output. A reader that has gone is no failure.
    static func write(_ text: String) throws {
        var output = OutputSink(descriptor: Platform.standardOutput)
        output.write(text)
        try output.finish()
    }

    /// Writes lines to standard error, with what no terminal may get as marks. Where that cannot be done, nobody can be told.
    static func complain(_ text: String) {
        var output = OutputSink(descriptor: Platform.standardError)
        output.write("gridview: \(DisplayWidth.printable(text))\n")
        try? output.finish()
    }
}
