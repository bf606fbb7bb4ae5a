import Locks

/// Numbers that were reported from any thread, as they came.
final class Reports: Sendable {
    private let numbers = Mutex<[Double]>([])

    func add(_ number: Double) { numbers.withLock { $0.append(number) } }

    var all: [Double] { numbers.withLock { $0 } }
}
