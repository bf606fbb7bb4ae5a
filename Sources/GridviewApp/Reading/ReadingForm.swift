import DataGrid
import DataGridTerminal
import Tables

import TerminalSurface

/// The columns and first rows that the input would have with other reading options.
public struct ReadingPreview: Equatable, Sendable {
    /// The names of the first columns.
    public var titles: [String]
    /// The fields of the first rows.
    public var rows: [[String]]
    /// The number of columns.
    public var columnCount: Int
    /// Properties of the file with these options, such as its encoding.
    public var details: [DocumentInfo.Detail]

    /// The maximum numbers of rows and of columns in a preview.
    static let limit = (rows: 60, columns: 40)

    /// Reads the first rows of an input that was opened with the previewed options.
    init(of sample: any TableSource) throws {
        let snapshot = sample.snapshot()
        let shown = 0..<min(Self.limit.columns, sample.columnCount)
        columnCount = sample.columnCount
        titles = shown.map(sample.title)
        rows = try snapshot.records(0..<min(Self.limit.rows, snapshot.recordCount), maximumFieldBytes: 200)
            .map { $0.fields.prefix(Self.limit.columns).map(\.text) }
        details = sample.details.map { DocumentInfo.Detail(name: $0.name, value: $0.value) }
    }

    /// The value of the property with this name; `nil` if there is no such property.
    func detail(_ name: String) -> String? { details.first { $0.name == name }?.value }
}

/// The form in which the user changes how a file is read, with a preview of its first rows.
struct ReadingForm: Overlay {
    typealias Field = ReadingSettings.Field

    /// The values of the form, spelled as on the command line. A value is empty if it is detected, or if the option is off.
    private(set) var values: [Field: String]
    /// The selected field of the form.
    private(set) var selected = Field.delimiter
    /// The preview; `nil` before it is read, and after an error.
    var preview: ReadingPreview?
    /// The error in a value of the form; `nil` if all values are valid.
    var error: ReadingSettingsError?

    init(_ settings: ReadingSettings) {
        values = [
            .delimiter: settings.delimiter ?? "", .quote: settings.quote ?? "", .escape: settings.escape ?? "",
            .header: settings.header ?? "",
            .skippedLines: settings.skippedLines == 0 ? "" : String(settings.skippedLines), .commentPrefix: settings.commentPrefix,
            .encoding: settings.encoding ?? "", .decimal: settings.decimal ?? "",
        ]
    }

    /// The reading options with the values of the form.
    /// - Throws: `ReadingSettingsError` if a value that must be a number is not a number. The opener of the file checks all other values.
    func settings() throws(ReadingSettingsError) -> ReadingSettings {
        func text(_ field: Field) -> String? { values[field].flatMap { $0.isEmpty ? nil : $0 } }
        var settings = ReadingSettings()
        (settings.delimiter, settings.quote, settings.escape) = (text(.delimiter), text(.quote), text(.escape))
        (settings.header, settings.encoding, settings.decimal) = (text(.header), text(.encoding), text(.decimal))
        settings.commentPrefix = text(.commentPrefix) ?? ""
        guard let lines = text(.skippedLines) else { return settings }
        guard let count = Int(lines), count >= 0 else {
            throw ReadingSettingsError(.skippedLines, "The number of lines to skip must be 0 or more.")
        }
        settings.skippedLines = count
        return settings
    }

    var contexts: [KeyContext] { [.reading, .prompt] }

    func frame(in state: AppState) -> PanelFrame? { PanelFrame(pageIn: state.size) }

    func run(_ id: CommandID, in state: inout AppState) -> [AppEffect] {
        switch id {
        case .close:
            state.overlay = nil
            return []
        case .accept: return state.applyReading(self)
        case .up, .down:
            var form = self
            form.moveSelection(by: id == .up ? -1 : 1)
            state.overlay = form
            return []
        case .nextChoice, .previousChoice:
            var form = self
            form.changeChoice(by: id == .nextChoice ? 1 : -1)
            return state.preview(form)
        default: return []
        }
    }

    func edit(_ change: (inout LineEditor) -> Void, in state: inout AppState) -> [AppEffect] {
        var form = self
        // In a field with choices, a typed character replaces the value instead of extending it.
        var editor = LineEditor(selected.isText ? values[selected] ?? "" : "")
        change(&editor)
        let text = editor.string
        switch selected {
        case .skippedLines, .commentPrefix: form.values[selected] = text
        case .delimiter, .quote, .escape: form.values[selected] = text == " " ? "space" : text == "\t" ? "tab" : text
        case .header, .encoding, .decimal:
            form.values[selected] = text.isEmpty ? "" : selected.choices.first { $0.hasPrefix(text.lowercased()) } ?? values[selected]
        }
        return state.preview(form)
    }

    func click(x: Int, y: Int, in state: inout AppState) -> [AppEffect] {
        var form = self
        let layout = ReadingFormLayout(self, in: state.size)
        guard let field = layout.field(atY: y) else { return [] }
        form.selected = field
        state.overlay = form
        return []
    }

    func scroll(notches: Int, in state: inout AppState) -> [AppEffect] {
        var form = self
        form.moveSelection(by: notches.signum())
        state.overlay = form
        return []
    }

    func paint(with painter: AppPainter, on buffer: inout CellBuffer) -> (x: Int, y: Int)? { painter.paintReading(self, on: &buffer) }

    func hints(with painter: AppPainter) -> [KeyHint] {
        [
            KeyHint(painter.label(of: .accept), "apply"), KeyHint(painter.label(of: .close), "cancel"),
            KeyHint("\(painter.label(of: .previousChoice)) \(painter.label(of: .nextChoice))", "choose"),
            KeyHint(painter.label(of: .down), "next field"),
        ]
    }

    private mutating func moveSelection(by count: Int) {
        let all = Field.allCases
        guard let index = all.firstIndex(of: selected) else { return }
        selected = all[((index + count) % all.count + all.count) % all.count]
    }

    /// Selects a later or earlier choice of the selected field, or changes the number of skipped lines.
    private mutating func changeChoice(by count: Int) {
        let value = values[selected] ?? ""
        if selected == .skippedLines {
            let lines = max(0, min(1_000_000_000, Int(value) ?? 0) + count)
            values[selected] = lines == 0 ? "" : String(lines)
            return
        }
        let choices = selected.choices
        let index = choices.firstIndex(of: value) ?? 0
        values[selected] = choices[((index + count) % choices.count + choices.count) % choices.count]
    }
}

extension ReadingSettings.Field {
    var label: String {
        switch self {
        case .delimiter: "Delimiter"
        case .quote: "Quote"
        case .escape: "Escape"
        case .header: "Header"
        case .skippedLines: "Skip lines"
        case .commentPrefix: "Comments"
        case .encoding: "Encoding"
        case .decimal: "Decimal"
        }
    }

    /// True if typing extends the value of the field; false if it replaces the value.
    var isText: Bool { self == .skippedLines || self == .commentPrefix }

    /// The choices for the value of the field, in the order in which the keys go through them. An empty string is the default.
    var choices: [String] {
        switch self {
        case .delimiter: ["", ",", "tab", ";", "|", "space", ":", "none"]
        case .quote: ["", "\"", "'", "none"]
        case .escape: ["", "\\"]
        case .header: ["", "yes", "two", "no"]
        case .skippedLines: []
        case .commentPrefix: ["", "#", "//", "--", "%"]
        case .encoding: ["", "utf-8", "utf-16", "utf-16be", "latin-1", "windows-1252"]
        case .decimal: ["", "point", "comma"]
        }
    }
}

/// The positions of the parts of the form: its title, as many fields as fit, and the preview with its column names and at least five rows.
@MainActor
struct ReadingFormLayout {
    let rect: TerminalRect
    /// The fields that fit on the screen, including the selected one.
    let fields: ArraySlice<ReadingSettings.Field>
    /// The screen line with the column names of the preview.
    let previewY: Int

    init(_ form: ReadingForm, in size: TerminalSize) {
        rect = PanelFrame(pageIn: size).rect
        let all = ReadingSettings.Field.allCases
        let count = max(1, min(all.count, rect.height - 7))
        let index = all.firstIndex(of: form.selected) ?? 0
        let first = max(0, min(index, all.count - count, max(0, index - count / 2)))
        fields = all[first..<first + count]
        // Leave an empty line above the preview, if there is room.
        previewY = rect.y + 1 + count + (rect.height > count + 7 ? 1 : 0)
    }

    func field(atY y: Int) -> ReadingSettings.Field? {
        let index = y - rect.y - 1
        return index >= 0 && index < fields.count ? fields[fields.startIndex + index] : nil
    }
}
