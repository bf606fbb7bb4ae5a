/// The values of a formula during its evaluation for one row. An array would check its capacity and its references at each access.
struct ValueStack {
    private let memory: UnsafeMutableBufferPointer<DerivedValue>
    private(set) var count = 0

    /// An empty stack without memory.
    init() { memory = UnsafeMutableBufferPointer(start: nil, count: 0) }

    /// Creates an empty stack.
    /// - Parameter memory: the memory of the values, which must be valid as long as the stack is used.
    init(_ memory: UnsafeMutableBufferPointer<DerivedValue>) { self.memory = memory }

    @inline(__always)
    subscript(index: Int) -> DerivedValue { memory[index] }

    @inline(__always)
    mutating func append(_ value: DerivedValue) {
        memory.initializeElement(at: count, to: value)
        count += 1
    }

    @inline(__always)
    mutating func removeLast() -> DerivedValue {
        count -= 1
        return memory[count]
    }

    /// Replaces the values from an index on by one value.
    @inline(__always)
    mutating func replaceValues(from index: Int, by value: DerivedValue) {
        memory.initializeElement(at: index, to: value)
        count = index + 1
    }
}
