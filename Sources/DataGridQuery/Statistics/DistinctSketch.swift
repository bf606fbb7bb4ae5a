/// Estimates the number of distinct fields from the numbers of leading zeros in their hashes.
///
/// P. Flajolet, É. Fusy, O. Gandouet, F. Meunier, "HyperLogLog", 2007, with 64-bit hashes as in S. Heule, M. Nunkesser, A. Hall,
/// "HyperLogLog in Practice", 2013. It is used only for more than 65,536 fields, eight times its registers, so the estimate needs no
/// correction. The standard error is 1.04 / √8192 = 1.15 %. The estimate does not depend on the order of fields.
struct DistinctSketch {
    private static let indexBits: UInt64 = 13
    private static let registerCount = 1 << 13
    private var registers: [UInt8] = []

    var isEmpty: Bool { registers.isEmpty }

    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        if registers.isEmpty { registers = [UInt8](repeating: 0, count: Self.registerCount) }
        // Mix the bits of the hash (the finalizer of MurmurHash3), so that all bits are equally random.
        var hash = ByteHash.hash(bytes, seed: 0x2545_F491_4F6C_DD1D)
        hash = (hash ^ hash &>> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash &>> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash &>> 33
        let register = Int(truncatingIfNeeded: hash &>> (64 - Self.indexBits))
        let rank = UInt8(truncatingIfNeeded: (hash &<< Self.indexBits | 1 << (Self.indexBits - 1)).leadingZeroBitCount + 1)
        if registers[register] < rank { registers[register] = rank }
    }

    mutating func add(_ other: DistinctSketch) {
        if isEmpty { return registers = other.registers }
        for index in other.registers.indices { registers[index] = max(registers[index], other.registers[index]) }
    }

    var estimate: Int {
        let sum = registers.reduce(0.0) { $0 + 1 / Double(UInt64(1) << UInt64($1)) }
        guard sum > 0 else { return 0 }
        let size = Double(Self.registerCount)
        return Int((0.7213 / (1 + 1.079 / size) * size * size / sum).rounded())
    }
}
