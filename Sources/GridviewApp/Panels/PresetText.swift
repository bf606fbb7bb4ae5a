import DataGrid

/// A preset text in a prompt. It is selected at first: typing or deleting replaces it, and moving the cursor keeps it.
struct PresetText: Equatable {
    private(set) var editor: LineEditor
    /// True until the first edit or cursor movement.
    private(set) var isSelected = true

    init(_ text: String) { editor = LineEditor(text) }

    var string: String { editor.string }

    mutating func edit(_ change: (inout LineEditor) -> Void) {
        var changed = editor
        change(&changed)
        if isSelected, changed.text != editor.text {
            changed = LineEditor()
            change(&changed)
        }
        (editor, isSelected) = (changed, false)
    }
}
