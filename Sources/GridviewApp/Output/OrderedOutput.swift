import Locks
import Synchronization

/// Output whose parts several threads produce at the same time. The parts are numbered from 0, and are written in this order.
///
/// The class is sendable because `sink` is used by one thread at a time: the one that writes the part ``currentPart``.
final class OrderedOutput: @unchecked Sendable {
    private(set) var sink: OutputSink
    private let gate = Gate()
    /// The number of the part that may be written now. The lock `gate` protects it.
    private var currentPart = 0
    private let isClosed = Atomic(false)

    /// Creates output to `sink`. Nothing else may use `sink` until all parts have ended.
    init(_ sink: OutputSink) { self.sink = sink }

    /// True while more output is needed. When it is false, the remaining parts can be skipped.
    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    /// Writes some bytes of a part. Waits until all earlier parts have ended.
    /// - Returns: False if the rest of the part can be skipped, because no more output is needed.
    func write(_ bytes: [UInt8], part: Int) -> Bool {
        waitForTurn(of: part)
        guard isOpen else { return false }
        sink.write(bytes: bytes)
        if !sink.isOpen { close() }
        return isOpen
    }

    /// Ends a part, so that the next one can be written. Must be called once for every part. A failed part stops all output.
    func end(part: Int, hasFailed: Bool = false) {
        waitForTurn(of: part)
        if hasFailed { close() }
        gate.withLockNotifying { currentPart = part + 1 }
    }

    private func waitForTurn(of part: Int) { gate.wait { currentPart == part || !isOpen } }

    private func close() { gate.withLockNotifying { isClosed.store(true, ordering: .relaxed) } }
}
