import Locks

/// Numbers reported from any thread, in order.
final class ProgressRecorder: Sendable {
    private let numbers = Mutex<[Double]>([])

    func add(_ number: Double) { numbers.withLock { $0.append(number) } }

    var all: [Double] { numbers.withLock { $0 } }
}
