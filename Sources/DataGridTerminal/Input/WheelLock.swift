public import DataGrid
public import TerminalSurface

/// Keeps a burst of the wheel to one direction: fingers on a touch pad never move quite straight, and terminals tell of every step.
public struct WheelLock {
    private var last: ContinuousClock.Instant?
    private var beganAcross = false
    private var steps = (across: 0, down: 0)
    /// A pause as long as this ends a burst.
    private let pause = Duration.milliseconds(250)

    /// A lock that has seen nothing.
    public init() {}

    /// Whether the grid follows an event; only the wheel is ever held back.
    ///
    /// With the lock on, a burst goes the way of its first step. With diagonals allowed, it goes the other way too as soon as either way has had
    /// at least half as many steps as the other.
    public mutating func admits(_ mouse: MouseEvent, lock: DirectionalLock, at now: ContinuousClock.Instant = .now) -> Bool {
        guard case .wheel(let x, let y) = mouse.kind, lock != .off else { return true }
        let isAcross = x != 0 || !mouse.modifiers.isEmpty
        if last.map({ now - $0 >= pause }) ?? true {
            beganAcross = isAcross
            steps = (0, 0)
        }
        last = now
        if isAcross { steps.across += abs(x) + abs(y) } else { steps.down += abs(y) }
        let isDiagonal = 2 * min(steps.across, steps.down) >= max(steps.across, steps.down)
        return isAcross == beganAcross || lock == .diagonalAllowed && isDiagonal
    }
}
