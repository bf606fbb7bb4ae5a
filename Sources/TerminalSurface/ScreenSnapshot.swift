/// A frame with its colors reduced to the colors of the terminal. It is compared with the content of the terminal.
struct ScreenSnapshot: Equatable {
    let columns: Int
    let rows: Int
    var cells: [ScreenCell]

    init(blank size: TerminalSize) {
        columns = size.columns
        rows = size.rows
        cells = Array(repeating: .blank, count: columns * rows)
    }

    init(_ frame: CellBuffer, depth: ColorDepth) {
        columns = frame.size.columns
        rows = frame.size.rows
        var quantize = ColorQuantizer(depth: depth)
        cells = Array(unsafeUninitializedCapacity: frame.cells.count) { target, count in
            frame.cells.withUnsafeBufferPointer { source in
                for index in source.indices {
                    target.initializeElement(at: index, to: ScreenCell(source[index], style: quantize(source[index].style)))
                }
                count = source.count
            }
        }
    }

    var size: TerminalSize { TerminalSize(columns: columns, rows: rows) }
}
