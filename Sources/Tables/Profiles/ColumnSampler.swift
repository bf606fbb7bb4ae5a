package import FieldValues

/// Collects what a ``ColumnProfile`` tells.
package struct ColumnSampler: Sendable {
    /// What is asked for where there are no numbers, from narrow to wide.
    private static let kinds: [ValueKind] = [.time, .date, .dateTime]

    private var sampled = 0
    private var empties = 0
    /// For each of ``kinds``, fields that are something else. In the sampler itself, as there may be a million of these.
    private var misfits = SIMD4<Int32>()
    private var points = NumberSample(.point)
    private var commas = NumberSample(.comma)
    private var flags = FlagSample()
    private var padded = 0
    private var lengths: (least: Int, most: Int) = (Int.max, 0)
    private var longest: [[UInt8]] = []

    package init() {}

    package mutating func add(_ field: FieldBytes) {
        if field.isMissing { return }
        sampled += 1
        if field.isBlank {
            empties += 1
            return
        }
        keep(field.bytes)
        lengths = (min(lengths.least, field.count), max(lengths.most, field.count))
        flags.add(field)
        if Self.isPadded(field.bytes) { padded += 1 }
        let allowed = 1 + (sampled - empties) / 50
        let number = NumberForm(field, .point)
        points.add(field, number)
        // Without a point and a comma the notations do not differ.
        let isNeutral = !field.bytes.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        commas.add(field, isNeutral ? number : NumberForm(field, .comma))
        for (index, kind) in Self.kinds.enumerated() where Int(misfits[index]) <= allowed {
            if !field.reads(as: kind) { misfits[index] += 1 }
        }
    }

    /// Takes a field that is not sampled: it may be the longest, or rule out flags.
    package mutating func addUnsampled(_ field: FieldBytes) {
        if !field.isBlank { flags.add(field) }
        if field.count > longest.first?.count ?? 0, !field.isMissing { keep(field.bytes) }
    }

    private var full: Int { sampled - empties }

    /// Fields that may be something else.
    private var allowed: Int { full >= 100 ? full / 100 : 0 }

    /// The notation in which the column's numbers are beyond doubt: some of them cannot be read by the other. `nil` where all can be read by
    /// both, or nothing has a decimal sign: 192.168.178.101 would be grouped well.
    private var certainNotation: NumberNotation? {
        if points.numbers > commas.numbers { return .point }
        return commas.numbers > points.numbers && commas.fractionDigits > 0 ? .comma : nil
    }

    /// What the columns of a file are. Those that could be in either notation are taken to be in that of the others, where these are of one
    /// mind; between commas a decimal comma is not to be expected.
    package static func profiles(_ samplers: [ColumnSampler], delimiter: UInt8 = 0) -> [ColumnProfile] {
        let found = Set(samplers.filter { $0.numberKind(nil) != nil }.compactMap(\.certainNotation))
        let notation = found == [.comma] && delimiter != NumberNotation.comma.decimalSign ? NumberNotation.comma : .point
        return samplers.map { $0.profile(notation) }
    }

    /// The kind of number that the column holds by a notation, or by the one it is in beyond doubt.
    private func numberKind(_ notation: NumberNotation?) -> ValueKind? {
        guard full > 0, let notation = notation ?? certainNotation else { return nil }
        let sample = notation == .point ? points : commas
        return full - sample.wholes <= allowed ? .integer : full - sample.numbers <= allowed ? .decimal : nil
    }

    /// - Parameter usual: the notation of the column if its fields leave that open.
    private func profile(_ usual: NumberNotation) -> ColumnProfile {
        let notation = certainNotation ?? usual
        var kind = numberKind(notation) ?? .text
        if kind == .text, full > 0, flags.isFlags(allowing: allowed) { kind = .flag }
        if kind == .text, full > 0, let index = Self.kinds.indices.first(where: { Int(misfits[$0]) <= allowed }) {
            kind = Self.kinds[index]
        }
        // Codes: all of one length, or all with a zero in front.
        if kind == .integer, padded > 0, padded == full || lengths.least == lengths.most { kind = .text }
        var texts = longest
        let widest = (notation == .point ? points : commas).widest
        if kind == .decimal, !texts.contains(widest) { texts.append(widest) }
        var profile = ColumnProfile(
            kind: kind, notation: notation,
            maximumFractionDigits: kind == .decimal ? (notation == .point ? points : commas).fractionDigits : 0,
            sampled: sampled, empties: empties, sampleTexts: texts.map { String(decoding: $0, as: UTF8.self) })
        profile.hasFlagWords = kind == .flag && !flags.isTrueAndFalse(allowing: allowed)
        return profile
    }

    private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = min(bytes.count, 1024)
        let isFull = longest.count == ColumnProfile.sampleTextCount
        if isFull, let last = longest.last, count <= last.count { return }
        let text = Array(bytes.prefix(count))
        if longest.contains(text) { return }
        if isFull { longest.removeLast() }
        let place = longest.firstIndex { $0.count < count } ?? longest.count
        longest.insert(text, at: place)
    }

    private static func isPadded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count > 1 && bytes[0] == 0x30 && bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}

/// Which words for flags a sample of fields has.
private struct FlagSample {
    private var fields = 0
    /// Fields that are `true` or `false`, in any case.
    private var trueAndFalse = 0
    /// For each pair of words, how many fields are the one and how many the other.
    private var yes = SIMD4<Int32>()
    private var no = SIMD4<Int32>()

    /// The pairs: yes and no, y and n, t and f.
    private static let letters: [(yes: UInt8, no: UInt8, yesCount: Int, noCount: Int)] = [
        (UInt8(ascii: "y"), UInt8(ascii: "n"), 3, 2), (UInt8(ascii: "y"), UInt8(ascii: "n"), 1, 1),
        (UInt8(ascii: "t"), UInt8(ascii: "f"), 1, 1),
    ]

    mutating func add(_ field: FieldBytes) {
        fields += 1
        guard let value = field.flag() else { return }
        let word = field.trimmed
        if word.count == (value ? 4 : 5) {
            trueAndFalse += 1
            return
        }
        let letter = word[0] | 0x20
        for (index, pair) in Self.letters.enumerated() {
            if value, letter == pair.yes, word.count == pair.yesCount { yes[index] += 1 }
            if !value, letter == pair.no, word.count == pair.noCount { no[index] += 1 }
        }
    }

    func isTrueAndFalse(allowing misfits: Int) -> Bool { fields > 0 && fields - trueAndFalse <= misfits }

    func isFlags(allowing misfits: Int) -> Bool {
        isTrueAndFalse(allowing: misfits) || Self.letters.indices.contains { yes[$0] > 0 && no[$0] > 0 && Int(yes[$0] + no[$0]) == fields }
    }
}

/// How a field reads in one notation of numbers.
private enum NumberForm {
    case none, whole, decimal

    init(_ field: FieldBytes, _ notation: NumberNotation) {
        self = field.integer(notation) != nil ? .whole : field.decimal(notation) != nil ? .decimal : .none
    }
}

/// What a sample of fields comes to when numbers are written in one notation.
private struct NumberSample {
    let notation: NumberNotation
    /// Fields that are whole numbers.
    var wholes = 0
    /// Fields that are numbers.
    var numbers = 0
    var fractionDigits = 0
    /// The number with the most before its decimal sign: with thousands grouped, and signs in line, it may be wider than longer ones.
    private(set) var widest: [UInt8] = []
    private var widestWhole = 0

    init(_ notation: NumberNotation) { self.notation = notation }

    mutating func add(_ field: FieldBytes, _ form: NumberForm) {
        guard form != .none else { return }
        var whole = field.count
        if form == .whole {
            wholes += 1
        } else if let sign = field.bytes.firstIndex(of: notation.decimalSign) {
            fractionDigits = max(fractionDigits, field.bytes[(sign + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }.count)
            whole = sign
        }
        numbers += 1
        if whole > widestWhole, field.count <= 1024 { (widestWhole, widest) = (whole, Array(field.bytes)) }
    }
}
