public import TerminalSurface

/// Counts mouse presses in quick succession at one position, because terminals report single presses only.
public struct ClickCounter {
    private var lastPress: (mouse: MouseEvent, time: ContinuousClock.Instant)?
    private var clicks = 1
    /// The maximum time between two presses.
    private let interval = Duration.milliseconds(400)

    /// Creates a counter that has seen no presses.
    public init() {}

    /// Counts a mouse event. Returns 2 for the second press of a double click, otherwise 1.
    public mutating func count(_ event: TerminalEvent) -> Int {
        guard case .mouse(let mouse) = event else { return 1 }
        // A press after a drag is not a double click.
        if case .drag = mouse.kind { lastPress = nil }
        guard case .press = mouse.kind else { return 1 }
        let now = ContinuousClock.now
        if let lastPress, lastPress.mouse.x == mouse.x, lastPress.mouse.y == mouse.y, lastPress.mouse.kind == mouse.kind,
            now - lastPress.time < interval
        {
            clicks = clicks == 2 ? 1 : clicks + 1
        } else {
            clicks = 1
        }
        lastPress = (mouse, now)
        return clicks
    }
}
