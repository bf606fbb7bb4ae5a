import DataGrid

/// A prefilled text in a prompt, such as a suggested name. Until the cursor is moved, the text is selected, so that typing replaces it.
struct PrefilledText: Equatable {
    private(set) var editor: LineEditor
    /// True until the first edit or movement of the cursor.
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
