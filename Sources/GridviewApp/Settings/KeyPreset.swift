import DataGridTerminal
import TerminalSurface

/// A set of keys that follows another program, for users who know that program. Commands that the set does not list keep their default
/// keys.
public enum KeyPreset: String, CaseIterable, Sendable {
    /// The default keys, as in the command table.
    case standard = "default"
    /// Keys as in the pager less.
    case less
    /// Keys as in the editor Vim.
    case vim
    /// Keys as in the spreadsheet Microsoft Excel.
    case excel
    /// Keys as in the table viewer VisiData.
    case visidata

    /// The commands whose keys differ from the command table. Each list of keys replaces all default keys of its command.
    var keys: [KeyAssignment] {
        switch self {
        case .standard: []
        case .less: Self.lessKeys
        case .vim: Self.vimKeys
        case .excel: Self.excelKeys
        case .visidata: Self.visidataKeys
        }
    }

    private static let lessKeys = assignments([
        (.down, ["Down", "j", "e", "C-e", "C-n"]), (.up, ["Up", "k", "y", "C-y", "C-p"]),
        (.pageDown, ["PageDown", "f", "C-f", "C-v", "Space"]), (.pageUp, ["PageUp", "b", "C-b", "M-v"]),
        (.top, ["g", "<", "C-Home", "C-Up"]), (.bottom, ["G", ">", "C-End", "C-Down"]), (.goToPercent, ["%", "p"]),
        (.help, ["h", "?", "F1"]), (.follow, ["F", "M-f"]), (.about, ["=", "C-g"]),
        (.readingOptions, ["M-g"]), (.redraw, ["r", "C-l"]), (.wrap, ["W", "-S"]),
        // The default keys of these commands have another meaning in less. Give the commands keys that less does not use.
        (.left, ["Left"]), (.previousColumn, ["S-Tab"]), (.copy, ["zY"]), (.freezeColumns, ["zC"]), (.frequencies, ["zi"]),
        (.narrower, ["z<"]), (.wider, ["z>"]), (.fitAll, ["z_"]), (.reset, ["zr"]), (.hideColumn, ["z-"]),
    ])

    private static let vimKeys = assignments([
        (.top, ["gg", "C-Home", "C-Up"]), (.undo, ["u", "U"]), (.halfPageUp, ["C-u"]), (.halfPageDown, ["C-d"]),
        (.selectCells, ["v", "C-v"]), (.quit, ["ZZ", "ZQ", "C-q", "Q"]), (.nextSheet, ["gt", "C-PageDown"]),
        (.previousSheet, ["gT", "C-PageUp"]), (.about, ["C-g"]), (.readingOptions, ["M-g"]),
    ])

    private static let excelKeys = assignments([
        (.search, ["C-f", "/"]), (.searchNext, ["F3", "n"]), (.searchPrevious, ["S-F3", "N"]), (.undo, ["C-z", "U"]),
        (.redo, ["C-y", "C-r"]), (.export, ["C-s", "F12", "zs"]), (.palette, ["F5", "C-g", ":"]), (.closeSheet, ["C-w", "zq"]),
        (.frequencies, ["M-Down", "F"]),
        // The default keys of these commands have another meaning in Excel. Give the commands free keys; suspend loses Ctrl-z.
        (.pageDown, ["PageDown", "Space"]), (.moveRowDown, ["J"]), (.about, ["zi"]), (.readingOptions, ["M-g"]), (.suspend, []),
    ])

    private static let visidataKeys = assignments([
        (.top, ["gg", "gk", "C-Home", "C-Up"]), (.bottom, ["G", "gj", "C-End", "C-Down"]), (.firstColumn, ["gh", "Home", "0"]),
        (.lastColumn, ["gl", "End"]), (.typeText, ["~"]), (.typeInteger, ["#"]), (.typeDecimal, ["%", "$"]), (.typeDate, ["@"]),
        (.palette, ["Space", ":"]), (.pageDown, ["PageDown", "C-f"]), (.redo, ["R"]),
        (.reload, ["C-r"]), (.summary, ["I", "M-i"]), (.deriveColumn, ["=", "z=", "M-="]), (.fitAll, ["g_"]),
        (.renameColumn, ["^", "M-r"]),
        (.aggregates, ["+", "zA"]), (.showColumns, ["C"]), (.showAllColumns, ["gv"]), (.previousDifferent, ["<", "{"]),
        (.nextDifferent, [">", "}"]), (.mark, ["s", "m"]), (.clearMarks, ["gu", "M"]), (.addSortKey, ["z["]), (.sheets, ["S", "zw"]),
        (.transpose, ["T", "zt"]), (.wrap, ["v"]), (.pivot, ["W"]), (.quit, ["gq", "C-q", "ZZ"]), (.closeSheet, ["Q", "zq"]),
        (.export, ["C-s", "zs"]),
        // The default keys of these commands have another meaning in VisiData. Give the commands keys that VisiData does not use.
        (.sort, ["z]"]), (.statistics, ["zI"]), (.narrower, ["z<"]), (.wider, ["z>"]), (.selectCells, ["C-v"]), (.theme, ["M-t"]),
        (.goToPercent, ["z%"]), (.filterByCell, [","]), (.filterExcludingCell, ["M-,"]), (.removeFilters, ["z|"]),
    ])

    private static func assignments(_ keys: [(CommandID, [String])]) -> [KeyAssignment] { keys.map { KeyAssignment($0, $1) } }

    /// The key bindings with this preset and the user's own keys. The keys that the user sets for a command replace those of the preset and
    /// of the command table.
    /// - Throws: `KeyConflict` if two commands of `userKeys` have the same keys, or if the keys of one command are the first keys of
    ///   another.
    func keyMap(with userKeys: [KeyAssignment] = []) throws(KeyConflict) -> KeyMap<Command> {
        let changed = Set(userKeys.map { BoundCommand($0.command, $0.context) })
        let taken = Set(userKeys.flatMap(BoundKeys.all))
        let rest = keys.filter { !changed.contains(BoundCommand($0.command, $0.context)) }.map { assignment in
            var assignment = assignment
            assignment.keys.removeAll { taken.contains(BoundKeys($0, assignment.context)) }
            return assignment
        }
        let all = userKeys + rest
        let bound = Set(all.flatMap(BoundKeys.all))
        var overrides = all.flatMap { assignment in
            assignment.keys.map { KeyMap<Command>.Override(assignment.context, $0, assignment.command) }
        }
        // If a command has new keys, remove its default keys, unless another command uses the default keys now.
        for assignment in all {
            let row = Command.table.first { $0.id == assignment.command && $0.context == assignment.context }
            for key in row?.keys ?? [] where !bound.contains(BoundKeys(key, assignment.context)) {
                overrides.append(.init(assignment.context, key, nil))
            }
        }
        return try KeyMap(Command.table, overrides: overrides)
    }
}

/// A command in a context in which it has keys.
private struct BoundCommand: Hashable {
    let command: CommandID
    let context: KeyContext

    init(_ command: CommandID, _ context: KeyContext) { (self.command, self.context) = (command, context) }
}

/// The keys of a binding in a context, parsed, so that different spellings of the same keys are equal.
private struct BoundKeys: Hashable {
    let keys: [KeyPress]
    let context: KeyContext

    init(_ text: String, _ context: KeyContext) { (keys, self.context) = (KeyNotation.sequence(text) ?? [], context) }

    static func all(of assignment: KeyAssignment) -> [BoundKeys] { assignment.keys.map { BoundKeys($0, assignment.context) } }
}
