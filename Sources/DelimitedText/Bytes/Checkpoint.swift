/// A position in compressed bytes where decoding can start. The bytes before it need not be decoded.
package struct Checkpoint: Sendable, Equatable {
    /// The offset of the position in the decoded bytes.
    package var outputOffset: Int
    /// The offset of the position in the compressed bytes, rounded up to a whole byte.
    package var inputOffset: Int
    /// The state of the decoder at the position. `nil` at the start of a member of the compressed file, where no state is needed.
    package var state: State?

    /// The state of a decoder that is not at the start of a member.
    package struct State: Sendable, Equatable {
        /// The number of bits of the byte before ``Checkpoint/inputOffset`` that are not decoded yet, 0…7.
        package var bits: Int
        /// The checksum of the content of the member up to this position.
        package var checksum: UInt32
        /// The last decoded bytes before the position, in compressed form. The data after the position can refer to them. Empty if the
        /// data cannot refer to earlier bytes.
        package var window: [UInt8]

        package init(bits: Int, checksum: UInt32, window: [UInt8]) {
            (self.bits, self.checksum, self.window) = (bits, checksum, window)
        }
    }

    package init(outputOffset: Int, inputOffset: Int, state: State? = nil) {
        (self.outputOffset, self.inputOffset, self.state) = (outputOffset, inputOffset, state)
    }

    /// The maximum size in bytes of the compressed ``State/window`` of a checkpoint.
    static let maximumWindowBytes = 33 << 10

    /// The approximate memory of a checkpoint, in bytes.
    var memory: Int { MemoryLayout<Checkpoint>.stride + 32 + (state?.window.count ?? 0) }
}

/// Collects checkpoints while an input is decoded. If their memory exceeds a limit, every second checkpoint is dropped.
package struct CheckpointRecorder: Sendable {
    /// The collected checkpoints in ascending order of offsets. The first one is the start of the input.
    package private(set) var checkpoints = [Checkpoint(outputOffset: 0, inputOffset: 0)]
    /// The minimum distance in decoded bytes between the last checkpoint and the next one.
    private(set) var spacing: Int
    private let maximumBytes: Int
    private var bytes = 0

    /// - Parameters:
    ///   - spacing: the minimum distance between two checkpoints, in decoded bytes.
    ///   - maximumBytes: the memory in bytes at which every second checkpoint is dropped and ``spacing`` doubles.
    init(spacing: Int, maximumBytes: Int) { (self.spacing, self.maximumBytes) = (max(1, spacing), maximumBytes) }

    /// The number of bytes to decode, from the decoded offset `output` on, until the next checkpoint is due.
    package func distance(from output: Int) -> Int { max(0, checkpoints[checkpoints.count - 1].outputOffset + spacing - output) }

    package mutating func add(_ checkpoint: Checkpoint) {
        checkpoints.append(checkpoint)
        bytes += checkpoint.memory
        while bytes > maximumBytes, checkpoints.count > 1 {
            checkpoints = stride(from: 0, to: checkpoints.count, by: 2).map { checkpoints[$0] }
            bytes = checkpoints.dropFirst().reduce(0) { $0 + $1.memory }
            spacing *= 2
        }
    }
}

/// The part of a compressed input from one checkpoint to the next.
package struct CompressedSection: Sendable {
    package var start: Checkpoint
    /// The checkpoint where the section ends; `nil` if it ends with the input.
    package var end: Checkpoint?
    /// The size of the decoded section in bytes.
    package var count: Int
}

/// The checkpoints of a whole compressed input, which divide it into sections.
struct CheckpointTable: Sendable, Equatable {
    let checkpoints: [Checkpoint]
    /// The size of the decoded input in bytes.
    let count: Int

    /// Returns `nil` if the checkpoints are invalid for an input of `size` compressed bytes, or if a section has more than
    /// `maximumSectionBytes`.
    init?(_ checkpoints: [Checkpoint], count: Int, size: Int, maximumSectionBytes: Int) {
        // Deflate data expands to at most 1,032 times its size, so a greater count is invalid.
        guard checkpoints.first == Checkpoint(outputOffset: 0, inputOffset: 0), count > 0, count / 1_032 <= size else { return nil }
        for (number, checkpoint) in checkpoints.enumerated() {
            let end = number + 1 < checkpoints.count ? checkpoints[number + 1].outputOffset : count
            guard checkpoint.outputOffset < end, end <= count, end - checkpoint.outputOffset <= maximumSectionBytes,
                checkpoint.inputOffset < size,
                number == 0 || checkpoint.inputOffset > checkpoints[number - 1].inputOffset
            else { return nil }
            if let state = checkpoint.state {
                guard 0...7 ~= state.bits, state.window.count <= Checkpoint.maximumWindowBytes else { return nil }
            }
        }
        (self.checkpoints, self.count) = (checkpoints, count)
    }

    func section(_ number: Int) -> CompressedSection {
        let end = number + 1 < checkpoints.count ? checkpoints[number + 1] : nil
        return CompressedSection(
            start: checkpoints[number], end: end, count: (end?.outputOffset ?? count) - checkpoints[number].outputOffset)
    }

    /// The index of the section that contains the decoded byte at `offset`, which must not be negative.
    func sectionNumber(at offset: Int) -> Int {
        var (low, high) = (0, checkpoints.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if checkpoints[middle].outputOffset <= offset { low = middle } else { high = middle }
        }
        return low
    }
}

// The form of a table in a cache entry: the number of decoded bytes, the number of checkpoints, then the offsets and the state of each
// checkpoint. A state is a word with flags and the checksum, followed by the window.
extension CheckpointTable {
    func append(to words: inout [UInt64]) {
        words += [UInt64(count), UInt64(checkpoints.count)]
        for checkpoint in checkpoints {
            words += [UInt64(checkpoint.outputOffset), UInt64(checkpoint.inputOffset)]
            guard let state = checkpoint.state else {
                words.append(0)
                continue
            }
            words.append(1 | UInt64(state.bits) << 8 | UInt64(state.window.count) << 16 | UInt64(state.checksum) << 32)
            var window = [UInt64](repeating: 0, count: (state.window.count + 7) / 8)
            window.withUnsafeMutableBytes { $0.copyBytes(from: state.window) }
            words += window
        }
    }

    /// Reads the form that ``append(to:)`` writes, and removes it from `words`. Returns `nil` for an invalid table, because the words may
    /// come from an untrusted file.
    init?(_ words: inout Slice<UnsafeBufferPointer<UInt64>>, size: Int, maximumSectionBytes: Int) {
        guard words.count >= 2 else { return nil }
        let (count, number) = (Int(truncatingIfNeeded: words.removeFirst()), words.removeFirst())
        guard number <= words.count / 3 else { return nil }
        var checkpoints: [Checkpoint] = []
        checkpoints.reserveCapacity(Int(number))
        for _ in 0..<number {
            guard words.count >= 3 else { return nil }
            var checkpoint = Checkpoint(
                outputOffset: Int(truncatingIfNeeded: words.removeFirst()), inputOffset: Int(truncatingIfNeeded: words.removeFirst()))
            guard checkpoint.outputOffset >= 0, checkpoint.inputOffset >= 0 else { return nil }
            let flags = words.removeFirst()
            if flags != 0 {
                let windowCount = Int(flags >> 16 & 0xffff)
                guard flags & 0xff == 1, (windowCount + 7) / 8 <= words.count, checkpoint.inputOffset > 0 else { return nil }
                let window = words.prefix((windowCount + 7) / 8)
                words.removeFirst(window.count)
                let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: window)).prefix(windowCount)
                checkpoint.state = Checkpoint.State(
                    bits: Int(flags >> 8 & 0xff), checksum: UInt32(truncatingIfNeeded: flags >> 32), window: Array(bytes))
            }
            checkpoints.append(checkpoint)
        }
        self.init(checkpoints, count: count, size: size, maximumSectionBytes: maximumSectionBytes)
    }
}
