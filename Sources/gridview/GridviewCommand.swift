import ArgumentParser
import GridviewApp
import TableFormats

/// The command line. The man page and shell completions are created from its texts.
struct GridviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gridview",
        abstract: "Look at a table of any size in the terminal.",
        usage: "gridview [<options>] [<file> ...]",
        discussion: """
            Opens a delimited file (CSV, TSV, anything with a separator) at once, whatever its size, to move about in, sort, filter, group, \
            search and select. ? shows all keys. With --output, or when standard output is not a terminal, writes the view instead.
            """,
        version: GridviewVersion.line
    )

    @Argument(
        help: ArgumentHelp("The files to open, each as a sheet of its own; - or nothing for standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup(title: "How the file is read")
    var reading: ReadingOptions

    @OptionGroup(title: "What is shown")
    var view: ViewOptions

    @OptionGroup(title: "Looks and keys")
    var looks: LooksOptions

    @OptionGroup(title: "Without a screen")
    var output: OutputOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Threads for reading, filtering, sorting and grouping.", valueName: "n"))
    var threads: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory to sort in, and to keep columns for the next sort or group: 512M, 4G. Default: a quarter of the machine's memory, at most half of what ulimit -v leaves.",
            valueName: "size"))
    var memory: String?

    @Option(help: ArgumentHelp("Print completions for a shell: bash, zsh or fish.", valueName: "shell"))
    var completions: String?

    @Flag(help: .hidden)
    var man = false
}

/// Options for reading a file.
struct ReadingOptions: ParsableArguments {
    @Option(
        name: [.customShort("d", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("What separates fields: auto, a character, tab or space.", valueName: "c")
    )
    var delimiter = "auto"

    @Flag(name: [.customShort("t"), .customLong("tab")], help: "Short for --delimiter tab.")
    var tab = false

    @Option(parsing: .unconditional, help: ArgumentHelp("What quotes fields: a character, or none.", valueName: "c"))
    var quote: String?

    @Option(help: ArgumentHelp("utf-8, utf-16, latin-1, windows-1252 or auto.", valueName: "name"))
    var encoding = "auto"

    @Option(help: ArgumentHelp("Whether the first record holds titles: yes, no or auto.", valueName: "answer"))
    var header = "auto"

    @Option(parsing: .unconditional, help: ArgumentHelp("Lines to leave out at the beginning.", valueName: "n"))
    var skipLines = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Leave out lines that begin so.", valueName: "prefix"))
    var comment: String?
}

/// Options for the visible part of the table and its order.
struct ViewOptions: ParsableArguments {
    @Option(help: ArgumentHelp("These columns, in this order: names, #numbers, or ranges a..d.", valueName: "a,b…"))
    var columns: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Add a column that is computed from others, such as "total = price * quantity"; can be given more than once. Arithmetic, \
            comparisons, and functions of text and dates.
            """, valueName: "name = formula"))
    var derive: [String] = []

    @Option(help: ArgumentHelp("Without these columns.", valueName: "a,b…"))
    var hide: String?

    @Option(
        help: ArgumentHelp(
            """
            Types of columns: text, integer, number, date, datetime, time, flag; decimal-comma for numbers like 1.234,56, decimal-point \
            for numbers like 1,234.56.
            """, valueName: "column:type,…"))
    var types: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The format of the file: delimited, markdown or fixed-width; otherwise its content decides. Or digits after the decimal sign \
            that a column shows, rounded half away from zero.
            """, valueName: "name or column:digits,…"))
    var format: [String] = []

    var digits: String? { format.last { !FileOpener.formatNames.contains($0) } }
    var fileFormat: String? { format.last { FileOpener.formatNames.contains($0) } }

    @Option(
        help: ArgumentHelp(
            """
            Sort by these columns, the first the strongest; each may be followed by :desc, and by :natural, :text, :number or :date to be \
            compared so. Names are compared by the letters of all alphabets, unless the locale (LC_ALL, LC_COLLATE, LANG) is C or POSIX.
            """, valueName: "column[:desc],…"))
    var sort: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Only the rows for which this holds, such as "price > 100 and side = 'BUY'"; given more than once, all must hold. A word alone: \
            rows with it in any cell.
            """, valueName: "condition"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Group by these columns, the first outermost; each may be followed by :count or a figure such as :sum(quantity), which puts \
            its sections in order, and by :desc, which puts the greatest first.
            """, valueName: "column[:count][:desc],…"))
    var group: String?

    @Option(
        help: ArgumentHelp(
            """
            Aggregates shown per group: count, sum, mean (or avg), min, max, distinct, first, last of a column; count alone is the number of \
            rows.
            """, valueName: "sum(a),mean(b)…"))
    var aggregate: String?

    @Flag(
        help: """
            Start with all groups collapsed. Output as csv, tsv, json or jsonl then has one record for each innermost group: its values, count \
            and aggregates.
            """)
    var collapsed = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start at the first row with this text; /…/ is a regular expression.", valueName: "text"))
    var find: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Columns at the left that do not scroll.", valueName: "n"))
    var freezeColumns = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Rows at the top that do not scroll.", valueName: "n"))
    var freezeRows = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Columns at the right that do not scroll.", valueName: "n"))
    var freezeRight = 0

    @Option(help: ArgumentHelp("What can be selected: none, cell, cells, row or rows.", valueName: "mode"))
    var select: String?
}

struct LooksOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("dark, light, contrast, plain, one of your own, or a file of one.", valueName: "name"),
        completion: .custom { _, _, _ in ThemeFile.names })
    var theme: String?

    @Option(help: ArgumentHelp("Colours: auto, never, 16, 256 or true.", valueName: "depth"))
    var color = "auto"

    @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
    var noMouse = false
}

/// Options for output other than the interactive screen.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Write the view: text, csv, tsv, json, jsonl or markdown.", valueName: "format")
    )
    var output: String?

    @Flag(help: "Write numbers of every column in place of rows: extremes, mean, quantiles, different values.")
    var stats = false

    @Flag(help: "Write control characters in csv and tsv unchanged to a terminal too, which otherwise gets visible marks.")
    var raw = false

    @Option(parsing: .unconditional, help: ArgumentHelp("At most so many rows.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Only these rows of the view, counted from 1.", valueName: "a..b"))
    var rows: String?

    @Option(help: ArgumentHelp("Draw the screen to standard output: text (when nothing is said), ansi or svg.", valueName: "format"))
    var printScreen: String?

    @Option(help: ArgumentHelp("The size of that screen, up to 2000x2000; 120x40 when nothing is said.", valueName: "80x24"))
    var size: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Keys to press before it is drawn, with blanks between them: 'Down 5j C-d zg'. Text in double quotes is typed: '/ "new york" \
            Enter'.
            """, valueName: "keys"))
    var press: String?
}
