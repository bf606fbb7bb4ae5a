import ArgumentParser
import FieldValues
import GridviewApp
import TableFormats
import Tables

/// The options and arguments of the command line. The man page and shell completions are created from their help texts.
struct GridviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gridview",
        abstract: "View a table of any size in the terminal.",
        usage: "gridview [<options>] [<file> ...]",
        discussion: """
            Open CSV and other delimited text, JSON, Parquet, Arrow, SQLite, Excel, OpenDocument, Markdown, logs and more, compressed \
            or not, and tables on database servers. Sort, filter, group, search and select in them; press ? for all keys. With --output, or \
            when standard output is not a terminal, gridview writes the view instead.
            """,
        version: GridviewVersion.versionLine
    )

    @Argument(
        help: ArgumentHelp(
            """
            Files, folders, patterns in quotes such as 'logs/*.csv', or connection URLs such as postgres://host/database; each opens as \
            its own table. If none is given, or for "-", standard input is read.
            """, valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup(title: "Input")
    var reading: ReadingOptions

    @OptionGroup(title: "View")
    var view: ViewOptions

    @OptionGroup(title: "Appearance")
    var appearance: AppearanceOptions

    @OptionGroup(title: "Batch output")
    var output: OutputOptions

    @OptionGroup(title: "Picking rows")
    var picking: PickingOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of threads, at most 64 (default: 2).", valueName: "n"))
    var threads: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory for sorting and cached columns, as in 512M or 4G (default: a quarter of RAM, at most half of the ulimit -v limit).",
            valueName: "size"))
    var memory: String?

    @Option(
        help: ArgumentHelp(
            "Method of copying: \(alternatives(ClipboardChoice.allCases.map(\.rawValue))).", valueName: "method"),
        completion: .list(ClipboardChoice.allCases.map(\.rawValue)))
    var clipboard: String?

    @Option(
        help: ArgumentHelp("Settings file (default: ~/.config/gridview/config.toml).", valueName: "file"), completion: .file())
    var config: String?

    @Flag(help: "Do not read a settings file.")
    var noConfig = false

    @Flag(help: "Print all settings with their defaults, as the text of a settings file.")
    var writeConfig = false

    @Option(help: ArgumentHelp("Print shell completions: bash, zsh or fish.", valueName: "shell"))
    var completions: String?

    @Flag(help: "Print the manual page.")
    var man = false
}

/// Options that determine how a file is read.
struct ReadingOptions: ParsableArguments {
    @Option(
        name: [.customShort("d", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("Field delimiter: a character, tab, space, none for whole lines, or auto.", valueName: "c")
    )
    var delimiter = "auto"

    @Flag(name: [.customShort("t"), .customLong("tab")], help: "Same as --delimiter tab.")
    var tab = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Quote character, or none.", valueName: "c"))
    var quote: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Escape character before quotes within quotes, as in --escape '\\'. With --quote none, it also begins \\t, \\n and \\N.",
            valueName: "c"))
    var escape: String?

    @Option(help: ArgumentHelp("Encoding: utf-8, utf-16, utf-16be, latin-1, windows-1252 or auto.", valueName: "name"))
    var encoding = "auto"

    @Option(help: ArgumentHelp("Read the first row as column names: yes, two (the first two rows), no, or auto.", valueName: "mode"))
    var header = "auto"

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of lines to skip at the start.", valueName: "n"))
    var skipLines = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Ignore lines that start with this prefix.", valueName: "prefix"))
    var comment: String?

    @Option(help: ArgumentHelp("Decimal separator of all numbers: point, comma or auto.", valueName: "name"))
    var decimal: String?

    @Option(help: ArgumentHelp("Open this table of a file with several tables, such as a sheet of a workbook.", valueName: "name"))
    var table: String?

    @Option(
        help: ArgumentHelp("Show the result of an SQL statement. The server runs it; for files, DuckDB does.", valueName: "statement"))
    var sql: String?

    @Flag(help: "Show a PostgreSQL table as it was when opened. Reload it for a newer snapshot.")
    var snapshot = false

    @Option(help: ArgumentHelp("Read the records of a JSON document at these keys, as in data.items.", valueName: "keys"))
    var path: String?

    @Flag(help: "List the files of a folder or a pattern instead of reading them as one table.")
    var list = false

    @Option(help: ArgumentHelp("Maximum size of the temporary file for a pipe or a compressed file, as in 20G.", valueName: "size"))
    var spoolLimit: String?

    @Flag(help: "Follow the file: start at the last row, read new rows as they arrive, and stay at the end. Alt-f turns it off and on.")
    var follow = false

    @Flag(help: "Reload the file whenever it changes. Cursor, widths, filters, sorting and groups are kept.")
    var reload = false
}

/// Options that determine which rows and columns are shown, and in which order.
struct ViewOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Show these columns in this order: names, #numbers or ranges a..d.", valueName: "a,b…"))
    var columns: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Add a column computed from others, as in "total = price * quantity"; may be repeated. Formulas can use arithmetic, \
            comparisons, and text and date functions.
            """, valueName: "name = formula"))
    var derive: [String] = []

    @Option(help: ArgumentHelp("Hide these columns.", valueName: "a,b…"))
    var hide: String?

    @Option(
        help: ArgumentHelp(
            """
            Set column types: text, integer, decimal (or number), date, datetime, time, flag; decimal-comma for numbers like 1.234,56, \
            decimal-point for numbers like 1,234.56; date(dmy) for 24/01/2022, date(mdy) for 01/24/2022, date(ymd) for 20220124, datetime(epoch) and \
            datetime(epoch-ms) for seconds and milliseconds since 1970.
            """, valueName: "column:type,…"))
    var types: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            File format: \(alternatives(FileOpener.formatNames)) (default: detected from the content). Or, as \
            column:digits, the number of decimals to show in a column, 0 to 12. Values are rounded half away from zero.
            """, valueName: "name or column:digits,…"))
    var format: [String] = []

    var digits: String? { format.last { !FileOpener.formatNames.contains($0) } }
    var fileFormat: String? { format.last { FileOpener.formatNames.contains($0) } }

    @Flag(
        inversion: .prefixedNo,
        help: "Show thousands separators, except in identifiers (default), or hide them.")
    var grouping: Bool?

    @Option(
        help: ArgumentHelp(
            "Order of dates such as 01/02/2024: dmy, mdy, or auto to read them like other columns (default).", valueName: "order"))
    var dates: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Sort by these columns, most significant first. Append :desc to reverse, and :natural, :text, :number or :date to choose the \
            comparison. Text sorts alphabetically, with accented letters next to their base letters, unless the locale (LC_ALL, \
            LC_COLLATE, LANG) is C or POSIX.
            """, valueName: "column[:desc],…"))
    var sort: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Keep rows that match this condition, as in "price > 100 and side = 'BUY'"; may be repeated: rows must match all conditions. \
            A single word searches every cell.
            """, valueName: "condition"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Group by these columns, outermost first. Append :count or an aggregate such as :sum(quantity) to sort the groups by it, and \
            :desc for largest first. Append a period such as :month to a date column, or a width such as :10 to a number column, to group \
            by period or range. Append :natural, :text, :number or :date to choose the comparison.
            """, valueName: "column[:count][:desc],…"))
    var group: String?

    @Option(
        help: ArgumentHelp(
            """
            Aggregates shown per group: \(alternatives(Query.Aggregate.Function.allCases.map(\.rawValue))) of a column. avg is another \
            name for mean. count without a column counts rows. By default, the first columns of numbers have a sum or a mean.
            """, valueName: "sum(a),mean(b)…"))
    var aggregate: String?

    @Flag(
        help: """
            Start with all groups collapsed. Output other than text and markdown then has one record per innermost group: its values, row \
            count and aggregates.
            """)
    var collapsed = false

    @Option(
        help: ArgumentHelp(
            """
            Show a pivot table, as in "region by year: sum(amount), count": a row for each region and a column for each year. Columns are \
            written as in --group, values as in --aggregate. Filters and computed columns apply before; --sort, --columns and the output \
            options apply to the pivot table.
            """, valueName: "rows by column: values"))
    var pivot: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start at the first match of this text; /…/ is a regular expression.", valueName: "text"))
    var find: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of columns to freeze on the left.", valueName: "n"))
    var freezeColumns = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of rows to freeze at the top.", valueName: "n"))
    var freezeRows = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of columns to freeze on the right.", valueName: "n"))
    var freezeRight = 0

    @Option(help: ArgumentHelp("Selection mode: none, cell, cells, row or rows.", valueName: "mode"))
    var select: String?

    @Option(
        name: .customLong("view"),
        help: ArgumentHelp("Restore a view saved with “save view” in the command palette.", valueName: "file"), completion: .file())
    var savedView: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Save the view of each file when you quit (default), or never save it. “restore last view” in the command palette restores it.
            """)
    var recentViews: Bool?
}

struct AppearanceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Theme: auto, dark, light, contrast, plain, the name of one of your themes, or a theme file.", valueName: "name"),
        completion: .custom { _, _, _ in ThemeFile.names })
    var theme: String?

    @Option(help: ArgumentHelp("Colors: auto, never, 16, 256 or true.", valueName: "depth"))
    var color: String?

    @Option(
        name: .customLong("keys"),
        help: ArgumentHelp(
            "Use the key bindings of another program: \(alternatives(KeyPreset.allCases.map(\.rawValue))).", valueName: "preset"),
        completion: .list(KeyPreset.allCases.map(\.rawValue)))
    var keyPreset: String?

    @Flag(inversion: .prefixedNo, help: "Show key hints on the last line (default), or hide them.")
    var hints: Bool?

    @Flag(inversion: .prefixedNo, help: "Use the mouse (default), or leave it to the terminal.")
    var mouse: Bool?
}

/// Options for writing rows or a screen instead of showing the interactive screen.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Write the view as \(alternatives(FileFormats(FileOpener()).all.map(\.name))).", valueName: "format"),
        completion: .list(FileFormats(FileOpener()).all.map(\.name))
    )
    var output: String?

    @Option(
        help: ArgumentHelp("Compress the output with \(alternatives(writableCompressions.map(\.name))).", valueName: "method"),
        completion: .list(writableCompressions.map(\.name)))
    var compress: String?

    @Flag(help: "Write column statistics instead of rows: min, max, mean, quantiles, distinct values.")
    var stats = false

    @Flag(help: "When csv or tsv goes to a terminal, write control characters unchanged instead of as visible marks.")
    var raw = false

    @Flag(
        help: """
            Make csv and tsv safe for spreadsheets: cells that begin with =, +, -, @, a tab or a carriage return get a leading apostrophe, \
            except numbers.
            """)
    var csvSafe = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Write only these rows of the view, counted from 1.", valueName: "a..b"))
    var rows: String?

    @Option(help: ArgumentHelp("Print the screen as text (default), ansi or svg.", valueName: "format"))
    var printScreen: String?

    @Option(help: ArgumentHelp("Screen size for --print-screen, up to 2000x2000 (default: 120x40).", valueName: "80x24"))
    var size: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Keys to press before the screen is printed, separated by spaces: 'Down 5j C-d zg'. Text in double quotes is typed: \
            '/ "new york" Enter'.
            """, valueName: "keys"))
    var press: String?
}

/// Options for printing rows that the user picks on the screen.
struct PickingOptions: ParsableArguments {
    @Flag(
        help: """
            Print the row on which you press Enter, and quit. The screen is drawn on the terminal even if standard output is a pipe. \
            The row is printed as CSV without a header, or in the format of --output. The exit status is 1 if you quit without \
            picking, and 130 after Ctrl-C.
            """)
    var pick = false

    @Flag(help: "Let --pick print several rows: the rows marked with Space or m, or the selected rows if none is marked.")
    var multi = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Let --pick print only this column, without quotes unless --output is given.", valueName: "column"))
    var pickColumn: String?
}

/// The names as a list for a sentence, such as “a, b or c”.
private func alternatives(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
}
