import DelimitedText
import GridviewApp
import TableFormats
import TerminalSurface

/// A checked request to open a file: options of the view, and where the view goes.
struct LaunchRequest {
    var options = LaunchOptions()
    var opener = FileOpener(indexCache: .user)
    /// Color depth of the screen; `nil` detects it.
    var colorDepth: ColorDepth?
    /// Format of written rows; `nil` writes text.
    var format: OutputFormat?
    /// Format of a drawn screen; `nil` draws none.
    var screen: ScreenShot.Format?
    var screenSize = TerminalSize(columns: 120, rows: 40)
    var keys: [KeyPress] = []
    /// Whether an option asks for written rows, also on a terminal.
    var isWritten = false
    var writesStatistics = false
    /// Whether a terminal gets control characters unchanged.
    var isRaw = false

    /// The request of a command line without options: every default, and files. `nil` for any other command line.
    ///
    /// The argument parser inspects all option types by reflection, which takes longer than the rest of the start. A plain launch skips it.
    init?(plain arguments: [String]) {
        guard arguments.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) || arguments == ["-"] else { return nil }
        options.path = arguments.first
        options.furtherPaths = Array(arguments.dropFirst())
    }

    /// The request of a parsed command line.
    /// - Throws: ``UsageError`` for values that are not valid, or contradict each other.
    init(_ command: GridviewCommand) throws {
        options = try command.launchOptions()
        opener.dialect = try command.reading.request()
        opener.format = command.view.fileFormat
        colorDepth = try command.colorDepth()
        format = try command.output.output.map { try GridviewCommand.choice("--output", $0, OutputFormat.allCases) }
        screen = try command.output.printScreen.map { try GridviewCommand.choice("--print-screen", $0, ScreenShot.Format.allCases) }
        screenSize = try command.output.screenSize()
        try command.output.check()
        keys = try command.output.keys()
        isWritten = command.output.isWritten
        writesStatistics = command.output.stats
        isRaw = command.output.raw
    }
}
