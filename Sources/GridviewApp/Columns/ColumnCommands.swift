import DataGrid
import DataGridTerminal
import FieldValues

extension Command {
    static let columns: [Command] = [
        Command(.freezeColumns, .columns, like: .freezeColumns) { state, count in
            state.freeze(columns: true, rows: false, count: count.typedNumber)
        },
        Command(.freezeRows, .columns, like: .freezeRows, short: "freeze") { state, _ in state.freeze(columns: false, rows: true) },
        Command(.freezeBoth, .columns, like: .freezeBoth, short: "both") { state, count in
            state.freeze(columns: true, rows: true, count: count.typedNumber)
        },
        Command(.pinLeft, .columns, ["!"], "pin left", "Pin this column on the left; press again to unpin.") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.pin($1, isLeft: true) }
        },
        Command(.pinRight, .columns, ["z!"], "pin right", "Pin this column on the right; press again to unpin.") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.pin($1, isLeft: false) }
        },
        Command(.narrower, .columns, like: .narrower) { state, count in state.resizeColumns(by: -count.times) },
        Command(.wider, .columns, like: .wider) { state, count in state.resizeColumns(by: count.times) },
        Command(
            .fitColumn, .columns, like: .fitColumn,
            summary: "Fit this column to the visible rows; press again to exceed half the screen. 30_ sets the width to 30."
        ) { state, count in state.withTargetColumns { $0.fit($1, toWidth: count.typedNumber) } },
        Command(.fitAll, .columns, ["="], "fit all columns", "Fit all columns to the visible rows.", also: "autofit widths") { state, _ in
            state.fitAllColumns()
        },
        Command(
            .hideColumn, .columns, like: .hideColumn, summary: "Hide this column; 10- hides ten columns.", also: "delete remove drop"
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.hide($1) } },
        Command(.showColumns, .columns, ["+"], "show columns", "Choose the columns to show and hide.", also: "unhide list") { state, _ in
            state.openColumnList(.showColumns)
        },
        Command(.showAllColumns, .columns, [], "show all columns", "Show all hidden columns.", also: "unhide") { state, _ in
            state.showColumns(Set(state.grid.columns.all.map(\.id)))
        },
        Command(.hideOtherColumns, .columns, [], "hide other columns", "Hide all columns except this one or the selected ones.") {
            state, count in state.withTargetColumns(count.typedNumber) { $0.hideColumns(except: $1) }
        },
        Command(.hideEmptyColumns, .columns, [], "hide empty columns", "Hide the columns that have no value in any row.") { state, _ in
            state.hideEmptyColumns(of: state.grid.columns.visible.map(\.id))
        },
        Command(.moveColumnLeft, .columns, ["H", "M-Left"], "move column left", "Move this column left.") { state, count in
            state.moveColumns(by: -count.times)
        },
        Command(.moveColumnRight, .columns, ["L", "M-Right"], "move column right", "Move this column right.") { state, count in
            state.moveColumns(by: count.times)
        },
        Command(
            .duplicateColumn, .columns, [], "duplicate column",
            "Show this column a second time, for example as another type."
        ) { state, _ in state.withColumn { $0.duplicate($1) } },
        Command(.renameColumn, .columns, ["M-r"], "rename column", "Rename this column, in this view only.") { state, _ in
            state.openRenamePrompt()
        },
        Command(
            .columnType, .columns, ["t"], "column type",
            "Change the type of this column: first to text, then integer, decimal, date, datetime, time, flag.", also: "convert cast"
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.changeType(of: $1) } },
        Command(.typeText, .columns, [], "read as text", "Read this column as text.", also: "type string") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.setType(.text, of: $1) }
        },
        Command(.typeInteger, .columns, [], "read as integers", "Read this column as integers.", also: "type int number") { state, count in
            state.withTargetColumns(count.typedNumber) { $0.setType(.integer, of: $1) }
        },
        Command(
            .typeDecimal, .columns, [], "read as decimals", "Read this column as decimal numbers or amounts of money.",
            also: "type float number currency"
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.setType(.decimal, of: $1) } },
        Command(
            .typeDate, .columns, [], "read as dates", "Read this column as dates, or as dates and times if it has times.",
            also: "type date datetime timestamp"
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.readAsDates($1) } },
        Command(
            .swapDayAndMonth, .columns, ["z/"], "swap day and month", short: "d/m",
            "Switch the dates of this column between day/month/year and month/day/year."
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.swapDayAndMonth(of: $1) } },
        Command(
            .groupDigits, .columns, ["z,"], "group digits", short: "digits",
            "Show or hide the thousands separators of this column."
        ) { state, count in state.withTargetColumns(count.typedNumber) { $0.toggleDigitGroups(of: $1) } },
    ]
}

extension CommandID {
    static let freezeColumns = CommandID("freezeColumns")
    static let freezeRows = CommandID("freezeRows")
    static let freezeBoth = CommandID("freezeBoth")
    static let pinLeft = CommandID("pinLeft")
    static let pinRight = CommandID("pinRight")
    static let narrower = CommandID("narrower")
    static let wider = CommandID("wider")
    static let fitColumn = CommandID("fitColumn")
    static let fitAll = CommandID("fitAllColumns")
    static let hideColumn = CommandID("hideColumn")
    static let showColumns = CommandID("showColumns")
    static let showAllColumns = CommandID("showAllColumns")
    static let hideOtherColumns = CommandID("hideOtherColumns")
    static let hideEmptyColumns = CommandID("hideEmptyColumns")
    static let moveColumnLeft = CommandID("moveColumnLeft")
    static let moveColumnRight = CommandID("moveColumnRight")
    static let duplicateColumn = CommandID("duplicateColumn")
    static let renameColumn = CommandID("renameColumn")
    static let columnType = CommandID("columnType")
    static let typeText = CommandID("typeText")
    static let typeInteger = CommandID("typeInteger")
    static let typeDecimal = CommandID("typeDecimal")
    static let typeDate = CommandID("typeDate")
    static let swapDayAndMonth = CommandID("dayAndMonth")
    static let groupDigits = CommandID("groupDigits")
}

extension Command.Chapter {
    static let columns = Self("Columns")
}
