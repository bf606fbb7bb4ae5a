public import DataGrid

/// Settings that an application changes by assignment, such as `grid.metrics.showsTotals = true`. Each assignment performs an action.
extension GridController {
    /// The dimensions and layout options. The cursor stays visible when they change.
    public var metrics: GridMetrics {
        get { state.metrics }
        set { if newValue != state.metrics { perform(.setMetrics(newValue)) } }
    }

    /// The policies for clicks, keys and drags.
    public var interaction: GridInteraction {
        get { state.interaction }
        set { perform(.setInteraction(newValue)) }
    }

    /// The selection mode for keys and pointer. Setting it clears the selection.
    public var selectionMode: SelectionMode {
        get { state.selectionMode }
        set { perform(.setSelectionMode(newValue)) }
    }

    /// True if colors with alpha below 255 blend with the colors below; otherwise only the top color is drawn.
    public var blendsStyles: Bool {
        get { state.blendsStyles }
        set { perform(.setBlending(newValue)) }
    }

    /// The application's row heights; `nil` for the heights that the grid computes from its content and its delegate.
    public var rowHeightSource: (any RowHeightSource)? {
        get { state.rowHeightSource is ContentHeights ? nil : state.rowHeightSource }
        set {
            configure { $0.rowHeightSource = newValue }
            resetHeights()
        }
    }
}
