public import TerminalSurface

/// Counts presses of the mouse in quick succession at one place: terminals tell only of single ones.
public struct ClickCounter {
    private var last: (mouse: MouseEvent, time: ContinuousClock.Instant)?
    private var clicks = 1
    /// How quick is quick.
    private let interval = Duration.milliseconds(400)

    /// A counter that has seen no press.
    public init() {}

    /// 1 for a click, 2 for a double click; 1 for everything else.
    public mutating func count(_ event: TerminalEvent) -> Int {
        guard case .mouse(let mouse) = event else { return 1 }
        // What comes after a drag is no second click, wherever it is.
        if case .drag = mouse.kind { last = nil }
        guard case .press = mouse.kind else { return 1 }
        let now = ContinuousClock.now
        if let last, last.mouse.x == mouse.x, last.mouse.y == mouse.y, last.mouse.kind == mouse.kind, now - last.time < interval {
            clicks = clicks == 2 ? 1 : clicks + 1
        } else {
            clicks = 1
        }
        last = (mouse, now)
        return clicks
    }
}
