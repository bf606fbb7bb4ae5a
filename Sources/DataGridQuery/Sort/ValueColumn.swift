import DataGrid
import FieldValues
import Synchronization

/// A column read as values of 64 bits, by slot: unsigned keys whose order is the order of the values. 9 bytes a slot.
final class ValueColumn: Sendable {
    let keys: Storage<UInt64>
    let classes: Storage<UInt8>
    /// Whether keys stand for `Int64`; otherwise for `Double`.
    var isWhole: Bool { whole.load(ordering: .relaxed) }
    private let whole = Atomic(true)
    /// Whether every field is a value, so that `classes` need not be looked at.
    var hasOnlyValues: Bool { !hasOthers.load(ordering: .relaxed) }
    private let hasOthers = Atomic(false)

    /// Reads the column.
    /// - Complexity: one scan of the records, on `threads` threads.
    init(
        _ column: Int, as ordering: SortOrdering, of table: any RecordTable, _ selection: RecordSelection, threads: Int, control: JobControl
    ) throws {
        keys = Storage(count: selection.slotCount)
        classes = Storage(count: selection.slotCount)
        switch ordering {
        case .temporal(let kind):
            try read(column, of: table, selection, threads: threads, control: control) { field in
                field.temporal(kind).map(ValueColumn.key(of:))
            }
        case .flag:
            try read(column, of: table, selection, threads: threads, control: control) { field in
                field.flag().map { ValueColumn.key(of: $0 ? 1 as Int64 : 0) }
            }
        case .number, .natural, .text:
            try readNumbers(column, of: table, selection, threads: threads, control: control)
        }
    }

    private func read(
        _ column: Int, of table: any RecordTable, _ selection: RecordSelection, threads: Int, control: JobControl,
        _ value: (FieldBytes) -> UInt64?
    ) throws {
        try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
            var others = false
            try selection.scan(table, range, columns: [column], control: control) { slot, fields in
                if let key = value(fields[0]) {
                    keys[slot] = key
                    classes[slot] = FieldClass.value.rawValue
                } else {
                    classes[slot] = ValueColumn.classOfUnreadable(fields[0])
                    others = true
                }
                return true
            }
            if others { hasOthers.store(true, ordering: .relaxed) }
            control.advance(by: range.count)
        }
    }

    /// Numbers are read as integers until the first that is none; what was read by then becomes doubles.
    private func readNumbers(
        _ column: Int, of table: any RecordTable, _ selection: RecordSelection, threads: Int, control: JobControl
    ) throws {
        let rangeIsWhole = Storage<Bool>(count: selection.slotCount / rangeSize + 1, repeating: true)
        try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
            var readsWhole = isWhole
            var others = false
            try selection.scan(table, range, columns: [column], control: control) { slot, fields in
                let field = fields[0]
                if readsWhole, let value = field.integer() {
                    keys[slot] = ValueColumn.key(of: value)
                    classes[slot] = FieldClass.value.rawValue
                    return true
                }
                guard let value = field.decimal() else {
                    classes[slot] = ValueColumn.classOfUnreadable(field)
                    others = true
                    return true
                }
                if value.isNaN {
                    classes[slot] = FieldClass.notANumber.rawValue
                    others = true
                    return true
                }
                if readsWhole {
                    readsWhole = false
                    becomeDecimal(range.lowerBound..<slot)
                }
                keys[slot] = ValueColumn.key(of: value)
                classes[slot] = FieldClass.value.rawValue
                return true
            }
            rangeIsWhole[range.lowerBound / rangeSize] = readsWhole
            if !readsWhole { whole.store(false, ordering: .relaxed) }
            if others { hasOthers.store(true, ordering: .relaxed) }
            control.advance(by: range.count)
        }
        guard !isWhole else { return }
        try forEachRange(of: selection.slotCount, threads: threads, control: control) { _, range in
            if rangeIsWhole[range.lowerBound / rangeSize] { becomeDecimal(range) }
        }
    }

    private func becomeDecimal(_ range: Range<Int>) {
        for slot in range where classes[slot] == FieldClass.value.rawValue {
            keys[slot] = ValueColumn.key(of: Double(ValueColumn.integer(of: keys[slot])))
        }
    }
}

extension ValueColumn {
    @inline(__always)
    static func key(of value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

    @inline(__always)
    static func integer(of key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

    /// Negative doubles in reverse, then the others; −0 is 0.
    @inline(__always)
    static func key(of value: Double) -> UInt64 {
        let bits = (value == 0 ? 0 : value).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    @inline(__always)
    static func decimal(of key: UInt64) -> Double { Double(bitPattern: key >> 63 == 1 ? key ^ 1 << 63 : ~key) }

    static func classOfUnreadable(_ field: FieldBytes) -> UInt8 {
        let kind: FieldClass = field.isMissing ? .missing : field.isBlank ? .blank : .unreadable
        return kind.rawValue
    }
}
