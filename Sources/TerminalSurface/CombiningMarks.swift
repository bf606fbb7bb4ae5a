import Locks

/// The zero-width scalars after a spacing scalar in a terminal cell, packed into 32 bits.
///
/// 0 means that there is no such scalar. A single scalar, by far the most frequent case, is stored directly. Several scalars are an index
/// into a table shared by all buffers, so that cells stay small and compare without a lookup. The table never shrinks and holds at most
/// 65,536 sequences of scalars. Hostile data can fill it; new sequences then keep only their first scalar.
enum CombiningMarks {
    /// The maximum number of zero-width scalars in a cell, as in ncurses and xterm.
    static let maximumMarks = 4
    private static let tableFlag: UInt32 = 0x8000_0000
    private static let tableLimit = 65_536

    private struct Table: Sendable {
        var clusters: [SIMD4<UInt32>] = []
        var indices: [SIMD4<UInt32>: UInt32] = [:]
    }

    private static let table = Mutex(Table())

    /// Returns the packed `combiningMarks` with one more scalar. Returns them unchanged if they already have ``maximumMarks`` scalars.
    static func adding(_ scalar: UInt32, to combiningMarks: UInt32) -> UInt32 {
        guard combiningMarks != 0 else { return scalar }
        return table.withLock { table in
            var cluster = SIMD4<UInt32>(combiningMarks, 0, 0, 0)
            if combiningMarks & tableFlag != 0 {
                let index = Int(combiningMarks & ~tableFlag)
                guard index < table.clusters.count else { return combiningMarks }
                cluster = table.clusters[index]
            }
            guard let free = (0..<maximumMarks).first(where: { cluster[$0] == 0 }) else { return combiningMarks }
            cluster[free] = scalar
            if let index = table.indices[cluster] { return index | tableFlag }
            guard table.clusters.count < tableLimit else { return combiningMarks }
            let index = UInt32(table.clusters.count)
            table.clusters.append(cluster)
            table.indices[cluster] = index
            return index | tableFlag
        }
    }

    /// Calls `body` with each scalar of the packed `combiningMarks`. Skips scalars that are not zero-width, because a cell can be created
    /// with any number.
    static func forEach(_ combiningMarks: UInt32, _ body: (UInt32) -> Void) {
        guard combiningMarks & tableFlag != 0 else {
            if combiningMarks != 0, DisplayWidth.of(scalarValue: combiningMarks) == 0 { body(combiningMarks) }
            return
        }
        let index = Int(combiningMarks & ~tableFlag)
        let cluster = table.withLock { index < $0.clusters.count ? $0.clusters[index] : SIMD4() }
        for position in 0..<maximumMarks where cluster[position] != 0 { body(cluster[position]) }
    }
}
