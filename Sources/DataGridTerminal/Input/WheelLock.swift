public import DataGrid
public import TerminalSurface

/// Restricts a burst of wheel events to one direction, because touch pad movements are never quite straight.
public struct WheelLock {
    private var lastEventTime: ContinuousClock.Instant?
    private var beganHorizontally = false
    private var steps = (horizontal: 0, vertical: 0)
    /// The pause after which wheel events belong to a new burst.
    private let pause = Duration.milliseconds(250)

    /// Creates a lock that has seen no wheel events.
    public init() {}

    /// Returns true if the grid should handle an event. Only wheel events can be refused.
    ///
    /// With the lock on, a burst has the direction of its first step. With diagonals allowed, both directions are handled while neither has
    /// more than twice as many steps as the other.
    public mutating func shouldHandle(_ mouse: MouseEvent, lock: DirectionalLock, at now: ContinuousClock.Instant = .now) -> Bool {
        guard case .wheel(let x, let y) = mouse.kind, lock != .off else { return true }
        let isHorizontal = x != 0 || !mouse.modifiers.isEmpty
        if lastEventTime.map({ now - $0 >= pause }) ?? true {
            beganHorizontally = isHorizontal
            steps = (0, 0)
        }
        lastEventTime = now
        if isHorizontal { steps.horizontal += abs(x) + abs(y) } else { steps.vertical += abs(y) }
        let isDiagonal = 2 * min(steps.horizontal, steps.vertical) >= max(steps.horizontal, steps.vertical)
        return isHorizontal == beganHorizontally || lock == .diagonalAllowed && isDiagonal
    }
}
