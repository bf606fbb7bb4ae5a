import FieldValues
import Tables

/// Prints values of an Arrow file as text, and nested values as compact JSON.
enum ArrowPrinter {
    /// True if a value is null, including a null inside a union or a run.
    static func isNull(_ slice: ArrowSlice, _ index: Int) -> Bool {
        guard slice.isPresent(index) else { return true }
        switch slice.content {
        case .none: return true
        case .unions(let children, let indexes, let parts):
            let child = parts[Int(children.start.load(fromByteOffset: index, as: UInt8.self))]
            return isNull(child, indexes.elements(of: Int.self)[index])
        case .runs(let runs, let values): return isNull(values, Int(runs.elements(of: UInt32.self)[index]))
        case .codes(let codes, let dictionary):
            let (values, valueIndex) = dictionary.location(ofCode: Int(codes.elements(of: UInt32.self)[index]))
            return isNull(values, valueIndex)
        default: return false
        }
    }

    /// Appends a value.
    /// - Parameter isJSON: true if the value is inside JSON text; false to write strings and dates without quotes.
    static func append(_ slice: ArrowSlice, _ index: Int, to arena: inout ArrowArena, isJSON: Bool) throws(ArrowError) {
        guard !isNull(slice, index) else { return try arena.append("null") }
        switch slice.content {
        case .none: break
        case .fixed(let bytes): try append(slice.field.type, bytes, index, to: &arena, isJSON: isJSON)
        case .flags(let flags):
            try arena.append(flags.start.load(fromByteOffset: index, as: UInt8.self) != 0 ? "true" : "false" as StaticString)
        case .texts(let fields, _):
            let field = fields.elements(of: FieldBytes.self)[index]
            if isJSON { try appendQuoted(field.bytes, to: &arena) } else { try arena.append(field.bytes) }
        case .lists(let ranges, let values):
            let range = ranges.elements(of: Int.self) + 2 * index
            try appendList(slice.field, values, range[0]..<range[1], to: &arena)
        case .fixedLists(let size, let values): try appendList(slice.field, values, index * size..<(index + 1) * size, to: &arena)
        case .structures(let parts):
            try arena.append(UInt8(ascii: "{"))
            for (number, part) in parts.enumerated() {
                if number > 0 { try arena.append(UInt8(ascii: ",")) }
                try appendQuoted(part.field.name, to: &arena)
                try arena.append(UInt8(ascii: ":"))
                try append(part, index, to: &arena, isJSON: true)
            }
            try arena.append(UInt8(ascii: "}"))
        case .unions(let children, let indexes, let parts):
            let child = parts[Int(children.start.load(fromByteOffset: index, as: UInt8.self))]
            try append(child, indexes.elements(of: Int.self)[index], to: &arena, isJSON: isJSON)
        case .codes(let codes, let dictionary):
            let (values, valueIndex) = dictionary.location(ofCode: Int(codes.elements(of: UInt32.self)[index]))
            try append(values, valueIndex, to: &arena, isJSON: isJSON)
        case .runs(let runs, let values):
            try append(values, Int(runs.elements(of: UInt32.self)[index]), to: &arena, isJSON: isJSON)
        }
    }

    /// Appends a value in the binary form that `NestedMarker` describes.
    /// - Parameter slice: values from a reader that keeps bytes as they are stored.
    static func appendBinary(_ slice: ArrowSlice, _ index: Int, to arena: inout ArrowArena) throws(ArrowError) {
        guard !isNull(slice, index) else { return try arena.append(NestedMarker.null) }
        switch slice.content {
        case .codes(let codes, let dictionary):
            let (values, valueIndex) = dictionary.location(ofCode: Int(codes.elements(of: UInt32.self)[index]))
            return try appendBinary(values, valueIndex, to: &arena)
        case .runs(let runs, let values): return try appendBinary(values, Int(runs.elements(of: UInt32.self)[index]), to: &arena)
        default: try arena.append(NestedMarker.present)
        }
        switch slice.content {
        case .fixed(let bytes):
            switch slice.field.type {
            case .half: try arena.append(number: UInt64(bytes.number(UInt16.self, index)))
            case .float: try arena.append(number: UInt64(bytes.number(UInt32.self, index)))
            case .decimal(16, _): try arena.append(number: bytes.number(Int128.self, index))
            case .decimal: try arena.append(number: Int128(ArrowColumn.integer(slice.field.type, bytes, index)))
            default: try arena.append(number: ArrowColumn.integer(slice.field.type, bytes, index))
            }
        case .flags(let flags): try arena.append(number: UInt64(flags.start.load(fromByteOffset: index, as: UInt8.self) == 0 ? 0 : 1))
        case .texts(let fields, _):
            let bytes = fields.elements(of: FieldBytes.self)[index].bytes
            try arena.append(number: UInt32(truncatingIfNeeded: bytes.count))
            try arena.append(bytes)
        case .lists(let ranges, let values):
            let range = ranges.elements(of: Int.self) + 2 * index
            try appendBinary(slice.field, values, range[0]..<range[1], to: &arena)
        case .fixedLists(let size, let values):
            try appendBinary(slice.field, values, index * size..<(index + 1) * size, to: &arena)
        case .structures(let parts): for part in parts { try appendBinary(part, index, to: &arena) }
        case .none, .unions, .codes, .runs: break
        }
    }

    /// Appends the elements of a list or map, followed by the end marker.
    private static func appendBinary(
        _ field: ArrowField, _ values: ArrowSlice, _ range: Range<Int>, to arena: inout ArrowArena
    ) throws(ArrowError) {
        if field.type == .map, case .structures(let parts) = values.content {
            for index in range { for part in parts { try appendBinary(part, index, to: &arena) } }
        } else {
            for index in range { try appendBinary(values, index, to: &arena) }
        }
        try arena.append(NestedMarker.end)
    }

    private static func appendList(
        _ field: ArrowField, _ values: ArrowSlice, _ range: Range<Int>, to arena: inout ArrowArena
    ) throws(ArrowError) {
        var isFirst = true
        if field.type == .map, case .structures(let parts) = values.content {
            try arena.append(UInt8(ascii: "{"))
            for index in range {
                if !isFirst { try arena.append(UInt8(ascii: ",")) }
                isFirst = false
                var key = try ArrowArena(limit: ArrowReader.maximumCallBytes)
                try append(parts[0], index, to: &key, isJSON: false)
                let bytes = UnsafeBufferPointer(start: UnsafePointer(key.block.elements(of: UInt8.self)), count: key.count)
                try appendQuoted(bytes, to: &arena)
                try arena.append(UInt8(ascii: ":"))
                try append(parts[1], index, to: &arena, isJSON: true)
            }
            return try arena.append(UInt8(ascii: "}"))
        }
        if field.type == .map { return try arena.append("{}") }
        try arena.append(UInt8(ascii: "["))
        for index in range {
            if !isFirst { try arena.append(UInt8(ascii: ",")) }
            isFirst = false
            try append(values, index, to: &arena, isJSON: true)
        }
        try arena.append(UInt8(ascii: "]"))
    }

    private static func append(
        _ type: ArrowType, _ bytes: ArrowBytes, _ index: Int, to arena: inout ArrowArena, isJSON: Bool
    ) throws(ArrowError) {
        let quotes = isJSON && !isNumber(type)
        if quotes { try arena.append(UInt8(ascii: "\"")) }
        switch type {
        case .integer(8, false): try arena.appendValue { $0.put(bytes.number(UInt64.self, index)) }
        case .integer, .date, .time, .timestamp, .duration:
            let value = ArrowColumn.integer(type, bytes, index)
            switch type {
            case .date: try arena.appendValue { $0.putDate(value) }
            case .time(let digits, _): try arena.appendValue { $0.putTime(value, digits: digits) }
            case .timestamp(let digits, let isUTC): try arena.appendValue { $0.putDateTime(value, digits: digits, isUTC: isUTC) }
            case .duration(let digits): try arena.appendValue { $0.put(value, scale: digits) }
            default: try arena.appendValue { $0.put(value, scale: 0) }
            }
        case .half:
            try append(
                Double(float(fromHalf: bytes.number(UInt16.self, index))), float(fromHalf: bytes.number(UInt16.self, index)).description,
                to: &arena, isJSON)
        case .float:
            let value = Float(bitPattern: bytes.number(UInt32.self, index))
            try append(Double(value), value.description, to: &arena, isJSON)
        case .double:
            let value = Double(bitPattern: bytes.number(UInt64.self, index))
            try append(value, value.description, to: &arena, isJSON)
        case .decimal(let width, let scale): try appendDecimal(bytes, index, width: width, scale: scale, to: &arena)
        case .monthInterval:
            let months = bytes.number(Int32.self, index)
            try appendInterval(months: Int(months), days: 0, fraction: 0, digits: 0, to: &arena)
        case .dayTimeInterval:
            let (days, milliseconds) = (bytes.number(Int32.self, 2 * index), bytes.number(Int32.self, 2 * index + 1))
            try appendInterval(months: 0, days: Int(days), fraction: Int64(milliseconds), digits: 3, to: &arena)
        case .monthDayNanoInterval:
            let (months, days) = (bytes.number(Int32.self, 4 * index), bytes.number(Int32.self, 4 * index + 1))
            try appendInterval(
                months: Int(months), days: Int(days), fraction: bytes.number(Int64.self, 2 * index + 1), digits: 9, to: &arena)
        default: break
        }
        if quotes { try arena.append(UInt8(ascii: "\"")) }
    }

    private static func isNumber(_ type: ArrowType) -> Bool {
        switch type {
        case .integer, .half, .float, .double, .decimal, .duration: true
        default: false
        }
    }

    /// Appends a number. In JSON, numbers that JSON cannot represent, such as NaN, are written as strings.
    private static func append(_ value: Double, _ text: String, to arena: inout ArrowArena, _ isJSON: Bool) throws(ArrowError) {
        let quotes = isJSON && !value.isFinite
        if quotes { try arena.append(UInt8(ascii: "\"")) }
        try arena.append(text)
        if quotes { try arena.append(UInt8(ascii: "\"")) }
    }

    /// Appends a duration of ISO 8601, such as `P1Y2M3DT4.5S`. Each number in it can be negative.
    private static func appendInterval(
        months: Int, days: Int, fraction: Int64, digits: Int, to arena: inout ArrowArena
    ) throws(ArrowError) {
        try arena.append(UInt8(ascii: "P"))
        let start = arena.count
        let (years, rest) = months.quotientAndRemainder(dividingBy: 12)
        if years != 0 { try arena.append("\(years)Y") }
        if rest != 0 { try arena.append("\(rest)M") }
        if days != 0 { try arena.append("\(days)D") }
        if fraction != 0 {
            try arena.append(UInt8(ascii: "T"))
            let (seconds, part) = fraction.magnitude.quotientAndRemainder(dividingBy: UInt64(ValueTextWriter.power(digits)))
            if fraction < 0 { try arena.append(UInt8(ascii: "-")) }
            try arena.append("\(seconds)")
            if part != 0 {
                var text = String(part)
                text = String(repeating: "0", count: digits - text.utf8.count) + text
                while text.hasSuffix("0") { text.removeLast() }
                try arena.append("." + text)
            }
            try arena.append(UInt8(ascii: "S"))
        }
        if arena.count == start { try arena.append("T0S") }
    }

    /// Appends a decimal number with exactly as many digits after the point as its scale.
    private static func appendDecimal(
        _ bytes: ArrowBytes, _ index: Int, width: Int, scale: Int, to arena: inout ArrowArena
    ) throws(ArrowError) {
        // The number in words of 64 bits, starting with the lowest one. The sign is extended to all bits.
        var limbs: [UInt64]
        switch width {
        case 4: limbs = [UInt64(bitPattern: Int64(bytes.number(Int32.self, index)))]
        case 8: limbs = [bytes.number(UInt64.self, index)]
        default: limbs = (0..<width / 8).map { bytes.number(UInt64.self, index * (width / 8) + $0) }
        }
        let isNegative = limbs[limbs.count - 1] >> 63 == 1
        if isNegative {
            var hasCarry = true
            for limb in limbs.indices {
                (limbs[limb], hasCarry) = (~limbs[limb]).addingReportingOverflow(hasCarry ? 1 : 0)
            }
        }
        // The decimal digits, starting with the last one.
        var digits: [UInt8] = []
        while limbs.contains(where: { $0 != 0 }) {
            var remainder: UInt64 = 0
            for limb in limbs.indices.reversed() {
                (limbs[limb], remainder) = UInt64(1_000_000_000_000_000_000).dividingFullWidth((remainder, limbs[limb]))
            }
            for _ in 0..<18 {
                digits.append(UInt8(ascii: "0") + UInt8(remainder % 10))
                remainder /= 10
            }
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if scale < 0, !digits.isEmpty { digits.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: -scale), at: 0) }
        while digits.count < max(0, scale) + 1 { digits.append(UInt8(ascii: "0")) }
        if isNegative { try arena.append(UInt8(ascii: "-")) }
        for digit in digits.indices.reversed() {
            try arena.append(digits[digit])
            if digit == scale, scale > 0 { try arena.append(UInt8(ascii: ".")) }
        }
    }

    private static func appendQuoted(_ text: String, to arena: inout ArrowArena) throws(ArrowError) {
        var bytes = ContiguousArray(text.utf8)
        try bytes.withUnsafeMutableBufferPointer { (buffer) throws(ArrowError) in
            try appendQuoted(UnsafeBufferPointer(buffer), to: &arena)
        }
    }

    /// Appends a text as a JSON string, in quotes.
    private static func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, to arena: inout ArrowArena) throws(ArrowError) {
        let hexadecimal = Array("0123456789abcdef".utf8)
        try arena.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            try arena.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            start = index + 1
            switch byte {
            case UInt8(ascii: "\n"): try arena.append("\\n" as StaticString)
            case UInt8(ascii: "\r"): try arena.append("\\r" as StaticString)
            case UInt8(ascii: "\t"): try arena.append("\\t" as StaticString)
            case UInt8(ascii: "\""): try arena.append("\\\"" as StaticString)
            case UInt8(ascii: "\\"): try arena.append("\\\\" as StaticString)
            default:
                try arena.append("\\u00" as StaticString)
                try arena.append(hexadecimal[Int(byte >> 4)])
                try arena.append(hexadecimal[Int(byte & 15)])
            }
        }
        try arena.append(UnsafeBufferPointer(rebasing: bytes[start...]))
        try arena.append(UInt8(ascii: "\""))
    }

    // MARK: Bytes

    /// Converts a 16-bit floating-point number (IEEE 754). `Float16` does not exist on all systems.
    static func float(fromHalf bits: UInt16) -> Float {
        let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1_023))
        let magnitude: Float
        switch exponent {
        case 0: magnitude = fraction / 16_777_216
        case 31: magnitude = fraction == 0 ? .infinity : .nan
        default: magnitude = Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1_024)
        }
        return bits >> 15 == 1 ? -magnitude : magnitude
    }

    /// Writes `0x` and two digits for each byte. Returns the number of characters, including `0x`.
    static func printHexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
        (target[0], target[1]) = (UInt8(ascii: "0"), UInt8(ascii: "x"))
        for index in 0..<bytes.count { putHexadecimal(bytes[index], to: target + 2 + 2 * index) }
        return 2 + 2 * bytes.count
    }

    private static func putHexadecimal(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
        (target[0], target[1]) = (digit(byte >> 4), digit(byte & 15))
    }

    /// Writes 16 bytes as 36 characters.
    static func printUUID(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        var output = target
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                output.pointee = UInt8(ascii: "-")
                output += 1
            }
            putHexadecimal(bytes[index], to: output)
            output += 2
        }
    }
}
