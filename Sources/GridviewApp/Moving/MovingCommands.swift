import DataGrid
import DataGridTerminal

extension Command {
    static let moving: [Command] = [
        Command(.up, .moving, like: .up, ["Up", "k"], summary: "Go up one row (5k: five rows)."),
        Command(.down, .moving, like: .down, ["Down", "j"], summary: "Go down one row (5j: five rows)."),
        Command(.left, .moving, like: .left, ["Left", "h"], summary: "Go left one column; on a group, collapse it.") { state, count in
            state.moveSideways(isRight: false, count.times)
        },
        Command(.right, .moving, like: .right, ["Right", "l"], summary: "Go right one column; on a group, expand it.") { state, count in
            state.moveSideways(isRight: true, count.times)
        },
        Command(.pageDown, .moving, like: .pageDown, ["PageDown", "C-f", "Space"]) { $0.repeatMotion(.pageDown, $1.times) },
        Command(.pageUp, .moving, like: .pageUp, ["PageUp", "C-b"]) { $0.repeatMotion(.pageUp, $1.times) },
        Command(.halfPageDown, .moving, ["C-d", "d"], "half page down", "Go down half a page.") { state, count in
            state.repeatMotion(.halfPageDown, count.times)
        },
        Command(.halfPageUp, .moving, ["C-u", "u"], "half page up", "Go up half a page.") { state, count in
            state.repeatMotion(.halfPageUp, count.times)
        },
        Command(.firstColumn, .moving, like: .firstColumn, ["Home", "0", "^"]),
        Command(.lastColumn, .moving, like: .lastColumn, ["End", "$"]),
        Command(.edgeLeft, .moving, ["C-Left"], "left edge of data", "Jump left to the edge of the data.") { _, _ in
            [.findEdge(isForward: false)]
        },
        Command(.edgeRight, .moving, ["C-Right"], "right edge of data", "Jump right to the edge of the data.") { _, _ in
            [.findEdge(isForward: true)]
        },
        Command(.top, .moving, like: .top, ["g", "C-Home", "C-Up"], summary: "Go to the first row; 120g goes to row 120.") { state, count in
            state.jump(toTop: true, count.typedNumber)
        },
        Command(.bottom, .moving, like: .bottom, ["G", "C-End", "C-Down"], summary: "Go to the last row; 120G goes to row 120.") {
            state, count in
            state.jump(toTop: false, count.typedNumber)
        },
        Command(.goToPercent, .moving, ["%"], "go to percent", "Go to a percentage: 60% goes to row 60 of 100.") { state, count in
            state.jump(toPercent: count.typedNumber ?? 0)
        },
        Command(.nextColumn, .moving, like: .nextCell, ["Tab", "w"]) { $0.repeatMotion(.nextColumn, $1.times) },
        Command(.previousColumn, .moving, like: .previousCell, ["S-Tab", "b"]) { $0.repeatMotion(.previousColumn, $1.times) },
        Command(.goToColumn, .moving, ["c"], "go to column", "Go to a column by name.", also: "find jump") { state, _ in
            state.openColumnList(.goToColumn)
        },
        Command(.nextDifferent, .moving, ["}"], "next value", "Go to the next row with a different value in this column.") { state, _ in
            state.findDifferentValue(isForward: true)
        },
        Command(
            .previousDifferent, .moving, ["{"], "previous value",
            "Go to the previous row with a different value in this column."
        ) { state, _ in state.findDifferentValue(isForward: false) },
        Command(.mark, .moving, ["m"], "mark row", "Mark or unmark this row.", also: "bookmark") { state, _ in state.toggleMark() },
        Command(.clearMarks, .moving, ["M"], "clear marks", "Clear all marks.") { state, _ in state.clearMarks() },
        Command(.nextMark, .moving, ["'"], "next mark", "Go to the next marked row; wraps around.", also: "bookmark") { state, _ in
            state.goToNextMark()
        },
        Command(.back, .moving, ["C-o"], "go back", "Return to where you were before the last jump.") { state, _ in state.goBack() },
    ]
}

extension CommandID {
    static let up = CommandID("up")
    static let down = CommandID("down")
    static let left = CommandID("left")
    static let right = CommandID("right")
    static let pageUp = CommandID("pageUp")
    static let pageDown = CommandID("pageDown")
    static let halfPageUp = CommandID("halfPageUp")
    static let halfPageDown = CommandID("halfPageDown")
    static let firstColumn = CommandID("firstColumn")
    static let lastColumn = CommandID("lastColumn")
    static let edgeLeft = CommandID("edgeLeft")
    static let edgeRight = CommandID("edgeRight")
    static let top = CommandID("top")
    static let bottom = CommandID("bottom")
    static let goToPercent = CommandID("goToPercent")
    static let nextColumn = CommandID("nextColumn")
    static let previousColumn = CommandID("previousColumn")
    static let goToColumn = CommandID("goToColumn")
    static let nextDifferent = CommandID("nextDifferentValue")
    static let previousDifferent = CommandID("previousDifferentValue")
    static let mark = CommandID("mark")
    static let clearMarks = CommandID("clearMarks")
    static let nextMark = CommandID("nextMark")
    static let back = CommandID("back")
}

extension Command.Chapter {
    static let moving = Self("Moving")
}
