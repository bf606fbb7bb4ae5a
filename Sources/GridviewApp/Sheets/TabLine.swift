import DataGrid
import TerminalSurface

/// The line of tabs at the top: the names of as many sheets as fit, always including the current one.
@MainActor
struct TabLine {
    /// The tab of a sheet, with its position in the line.
    struct Tab: Equatable {
        var sheet: Int
        var text: String
        var x: Int
        var width: Int
    }

    private(set) var tabs: [Tab] = []
    /// The numbers of sheets without a shown tab: left of the shown tabs, and right of them.
    var hiddenSheetCounts: (left: Int, right: Int) { (tabs.first?.sheet ?? 0, sheetCount - 1 - (tabs.last?.sheet ?? sheetCount - 1)) }
    private let sheetCount: Int

    /// The maximum width of a tab's name, in terminal cells.
    private static let maximumNameWidth = 30
    /// The width reserved at each end for the number of sheets that do not fit, in terminal cells.
    private static let edgeWidth = 5

    init(_ state: AppState) {
        sheetCount = state.sheets.count
        let texts = zip(state.sheets, state.sheetNames).map { sheet, name in
            // A tab shows the progress of its sheet's job. The current sheet shows its job in the title line instead.
            let job = sheet.id == state.sheet.id ? nil : sheet.jobs.last(where: \.isShown)
            let progress = job.map { $0.fraction.map { " \(Int($0 * 100)) %" } ?? " …" } ?? ""
            return " \(Self.shortened(name))\(progress) "
        }
        let widths = texts.map { DisplayWidth.of($0) + 1 }
        // Start with the current sheet, then add as many tabs as fit: first at its right, then at its left.
        var range = state.currentSheetIndex..<state.currentSheetIndex + 1
        var room = state.size.columns - 2 * Self.edgeWidth - widths[state.currentSheetIndex]
        while true {
            if range.upperBound < sheetCount, widths[range.upperBound] <= room {
                room -= widths[range.upperBound]
                range = range.lowerBound..<range.upperBound + 1
            } else if range.lowerBound > 0, widths[range.lowerBound - 1] <= room {
                room -= widths[range.lowerBound - 1]
                range = range.lowerBound - 1..<range.upperBound
            } else {
                break
            }
        }
        var x = range.lowerBound == 0 ? 0 : Self.edgeWidth
        for index in range {
            tabs.append(Tab(sheet: index, text: texts[index], x: x, width: min(widths[index] - 1, max(0, state.size.columns - x))))
            x += widths[index]
        }
    }

    /// A name shortened to ``maximumNameWidth`` cells. Its middle is left out, because names often differ only at the start or at the end.
    private static func shortened(_ name: String) -> String {
        guard DisplayWidth.of(name, limit: maximumNameWidth + 1) > maximumNameWidth else { return name }
        var end: [Character] = []
        var room = maximumNameWidth / 2
        for character in name.reversed() {
            room -= DisplayWidth.of(String(character))
            if room < 0 { break }
            end.append(character)
        }
        return Message.name(name, width: maximumNameWidth - maximumNameWidth / 2) + String(end.reversed())
    }

    func sheet(atX x: Int) -> Int? { tabs.first { $0.x..<$0.x + $0.width ~= x }?.sheet }
}

extension AppPainter {
    func paintTabs(_ y: Int, on buffer: inout CellBuffer) {
        let line = TabLine(state)
        let (left, right) = line.hiddenSheetCounts
        if left > 0 { write("‹ \(left)", x: 0, y: y, width: 4, style: theme.titleDetail, on: &buffer) }
        for tab in line.tabs {
            let isCurrent = tab.sheet == state.currentSheetIndex
            write(tab.text, x: tab.x, y: y, width: tab.width, style: isCurrent ? theme.chip : theme.titleDetail, on: &buffer)
        }
        guard right > 0, let last = line.tabs.last else { return }
        write("\(right) ›", x: last.x + last.width + 1, y: y, width: 4, style: theme.titleDetail, on: &buffer)
    }
}
