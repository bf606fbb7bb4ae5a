import FieldValues
import GridTestSupport
import Tables
import Testing

/// The types of written columns, and the batches of their values.
@Suite struct WrittenTypesTests {
    private func field(_ kind: ValueKind, _ notation: DecimalStyle = .point, _ dates: DateNotation = .iso) -> Field {
        Field(FieldID(rawValue: 0), name: "x", kind: kind, notation: notation, dateNotation: dates)
    }

    private func types(
        _ field: Field, _ texts: [String?], declared: DeclaredType? = nil, hasExactDecimals: Bool = true
    ) -> WrittenTypes {
        var types = WrittenTypes([field], declared: [declared], hasExactDecimals: hasExactDecimals)
        for text in texts { FieldBytes.withFields(of: [text]) { types.add($0) } }
        return types
    }

    /// The type of a column, checked in three orders of its values, in one piece and in two.
    private func column(_ field: Field, _ texts: [String?], declared: DeclaredType? = nil) -> WrittenColumn {
        let column = types(field, texts, declared: declared).columns[0]
        #expect(types(field, texts.reversed(), declared: declared).columns == [column], "\(texts)")
        for cut in 0...texts.count {
            var first = types(field, Array(texts[..<cut]), declared: declared)
            first.merge(types(field, Array(texts[cut...]), declared: declared))
            #expect(first.columns == [column], "\(texts)")
        }
        return column
    }

    private func type(_ field: Field, _ texts: [String?]) -> WrittenType { column(field, texts).type }

    @Test func `18.10: numbers have the narrowest exact type`() {
        #expect(type(field(.integer), ["1", "-9223372036854775808", "1,234", " 7 "]) == .integer)
        #expect(type(field(.integer), ["1", "9223372036854775808"]) == .wideDecimal(scale: 0))
        #expect(type(field(.integer), ["1", String(repeating: "9", count: 39)]) == .text)
        #expect(type(field(.decimal), ["1.5", "-2.25", "3", "12%", "1e2"]) == .decimal(scale: 2))
        #expect(type(field(.decimal, .comma), ["1.234,5", "2"]) == .decimal(scale: 1))
        #expect(type(field(.decimal), ["999999999999999999", "0"]) == .decimal(scale: 0))
        #expect(type(field(.decimal), ["999999999999999999", "0.1"]) == .wideDecimal(scale: 1))
        #expect(type(field(.decimal), ["0.0000000000000000001", "1"]) == .wideDecimal(scale: 19))
        #expect(type(field(.decimal), [String(repeating: "9", count: 38)]) == .wideDecimal(scale: 0))
        #expect(type(field(.decimal), [String(repeating: "9", count: 39)]) == .text)
        #expect(type(field(.decimal), ["1e39", "0.25"]) == .double)
        #expect(type(field(.decimal), ["1e300", "0.1", "nan", "-inf", "9007199254740992", "1.7976931348623157e308"]) == .double)
        #expect(type(field(.decimal), ["1e300", "9007199254740993"]) == .text)
        #expect(type(field(.decimal), ["nan", "0.12345678901234567"]) == .text)
        #expect(type(field(.decimal), ["nan", "0.123456789012345"]) == .double)
        #expect(type(field(.decimal), ["1e400"]) == .text && type(field(.decimal), ["1e-400"]) == .text)
        #expect(type(field(.decimal), ["1,5", "2"]) == .text)
        #expect(type(field(.decimal), []) == .decimal(scale: 0))
        #expect(column(field(.decimal), ["0.5", "1.25"], declared: .double).type == .double)
        #expect(column(field(.decimal), ["0.5", "9007199254740993"], declared: .double).type == .decimal(scale: 1))
        #expect(WrittenTypes([field(.decimal)], declared: [.float]).columns[0].type == .float)
    }

    @Test func `18.10: a column of integers with other numbers has decimals or doubles, wherever these numbers are`() {
        #expect(
            type(field(.integer), ["1", "1.5"]) == .decimal(scale: 1)
                && type(field(.integer), ["1", nil, ".25", "", "-7"]) == .decimal(scale: 2))
        #expect(type(field(.integer), ["1,234,567", "1,234.5"]) == .decimal(scale: 1))
        #expect(type(field(.integer), ["1", "1'234.5"]) == .decimal(scale: 1))
        #expect(type(field(.integer), ["1", "nan"]) == .double && type(field(.integer), ["1", "1e40", "-inf"]) == .double)
        #expect(type(field(.integer), ["9223372036854775807", "0.5"]) == .wideDecimal(scale: 1))
        #expect(type(field(.integer), ["9223372036854775808", "0.5"]) == .wideDecimal(scale: 1))
        // Digits would be lost in doubles.
        #expect(type(field(.integer), ["9007199254740993", "nan"]) == .text)
        #expect(types(field(.integer), ["9007199254740993", "nan"]).textReasons == [.lostDigits])
        for other in ["12%", "100%", "$5", "(5)", "x", "1,5", "0x1F"] { #expect(type(field(.integer), ["1", other]) == .text, "\(other)") }
        let dollars = DecimalStyle.point.with(NumberUnit.currency("$", precedesNumber: true, isSpaced: false) ?? .none)
        #expect(type(field(.integer, dollars), ["$5", "-$5.50", "7"]) == .decimal(scale: 2))
        #expect(type(field(.integer, dollars), ["$5", "5%"]) == .text && type(field(.integer, dollars), ["$5", "€5.50"]) == .text)
        #expect(column(field(.integer), ["5", "2.5"], declared: .number).type == .decimal(scale: 1))
        #expect(column(field(.integer), ["5", "2.5"], declared: .mixedNumbers).type == .decimal(scale: 1))
        #expect(
            types(field(.integer), ["5", "0.3333333333333333"], declared: .mixedNumbers, hasExactDecimals: false).columns[0].type == .double
        )
        let long = types(field(.integer), ["1000000000000001", "0.5"], hasExactDecimals: false)
        #expect(long.columns[0].type == .text && long.textReasons == [.inexactFormat])
    }

    @Test func `18.10: number columns with sizes are written as text, but dates and flags keep their type`() {
        let sizes = DecimalStyle.point.with(.size(.letters))
        #expect(type(field(.decimal, sizes), ["1.5K", "12"]) == .text)
        #expect(type(field(.date, sizes), ["2024-01-31"]) == .date && type(field(.flag, sizes), ["true"]) == .flag)
    }

    @Test func `18.6, 18.10: columns of floating-point numbers keep their type unless another value makes them text`() {
        func type(_ texts: [String?], _ declared: DeclaredType) -> WrittenType { column(field(.decimal), texts, declared: declared).type }
        #expect(type([nil, "0.3333333333333333", "9.5"], .double) == .double && type([nil], .double) == .double)
        #expect(type(["1e+20", "-0.0", "inf", "-inf", "nan", "-Infinity", "12"], .double) == .double)
        // SQLite stores these as text, although the program can read them as numbers.
        for text in ["1,234", "12%", "(5)", "+5", ".5", "0x1F", "x"] { #expect(type(["9.5", text], .double) == .text, "\(text)") }
        #expect(column(field(.text), ["9.5", "x"], declared: .double).type == .text)
        // Each value of the other columns of SQLite has its own type.
        #expect(type([nil, "0.3333333333333333", "9.5"], .mixedNumbers) == .double)
        #expect(type(["12.5", "9.25"], .mixedNumbers) == .double && type(["12.5", "1e+20"], .mixedNumbers) == .double)
        #expect(type(["12.5", "12", nil], .mixedNumbers) == .decimal(scale: 1))
        #expect(type(["0.3333333333333333", "12"], .mixedNumbers) == .double)
        #expect(type(["0.5", "9007199254740993"], .mixedNumbers) == .decimal(scale: 1))
        #expect(type([nil], .mixedNumbers) == .decimal(scale: 0) && type(["12", "-5"], .mixedNumbers) == .decimal(scale: 0))
        #expect(type(["1,234.5", "2"], .mixedNumbers) == .decimal(scale: 1) && type(["1.5", "x"], .mixedNumbers) == .text)
    }

    @Test func `18.10: computed numbers are doubles, unless digits would be lost`() {
        func type(_ texts: [String?]) -> WrittenType { column(field(.decimal), texts, declared: .computed).type }
        #expect(type(["0.3333333333333333", "2", nil, "1,234.5"]) == .double && type(["0.123456789012345", "nan"]) == .double)
        #expect(type([]) == .double && type(["0.5", "x"]) == .text)
        #expect(type(["12345678901234567.89", "0.3333333333333333"]) == .wideDecimal(scale: 16))
        #expect(type(["9007199254740993", "2"]) == .decimal(scale: 0))
        #expect(type(["0.123456789012345678", "nan"]) == .text)
        #expect(types(field(.decimal), ["0.123456789012345678", "nan"], declared: .computed).textReasons == [.lostDigits])
        // Arithmetic with doubles has no more digits than doubles.
        #expect(column(field(.decimal), ["0.123456789012345678", "1e300", nil], declared: .computedDouble).type == .double)
        #expect(column(field(.decimal), ["0.5", "x"], declared: .computedDouble).type == .text)
    }

    @Test func `18.10: computed integers are written as integers if all are whole and fit in 64 bits`() {
        func type(_ texts: [String?]) -> WrittenType { column(field(.decimal), texts, declared: .computedInteger).type }
        #expect(type(["1", nil, "-9223372036854775807", "9223372036854775807"]) == .integer && type([]) == .integer)
        #expect(type(["1", "9223372036854775808"]) == .wideDecimal(scale: 0) && type(["1", "2.5"]) == .decimal(scale: 1))
        #expect(type(["1", "1e300"]) == .double && type(["1", "x"]) == .text)
        let long = types(field(.decimal), ["1", "9223372036854775809"], declared: .computedInteger, hasExactDecimals: false)
        #expect(long.columns[0].type == .text && long.textReasons == [.inexactFormat])
    }

    @Test func `18.10: if a format has no exact decimals, long numbers are written as doubles or as text`() {
        func type(_ kind: ValueKind, _ texts: [String?], declared: DeclaredType? = nil) -> WrittenType {
            let types = types(field(kind), texts, declared: declared, hasExactDecimals: false)
            #expect((types.textReasons[0] == .inexactFormat) == (types.columns[0].type == .text), "\(texts)")
            return types.columns[0].type
        }
        #expect(type(.decimal, ["99999999999999.9", "1.5"]) == .decimal(scale: 1))
        #expect(type(.decimal, ["0.000000000000000123"]) == .decimal(scale: 18))
        #expect(type(.decimal, ["0.3333333333333333", "1.50", "12345678901234.5"]) == .double)
        #expect(type(.decimal, ["0.1234567890123456789"]) == .text && type(.decimal, ["1.50", "1000000000000000.125"]) == .text)
        #expect(type(.decimal, ["999999999999999999", "5"]) == .decimal(scale: 0) && type(.decimal, ["1e20"]) == .double)
        #expect(type(.integer, ["9223372036854775807"]) == .integer && type(.integer, ["9223372036854775808"]) == .text)
        #expect(type(.decimal, ["9007199254740993.333333"], declared: .computed) == .text)
        #expect(type(.decimal, ["0.3333333333333333", "12345678901234.5"], declared: .computed) == .double)
    }

    @Test func `18.10: the first value that does not fit is the reason for writing a column of numbers as text`() {
        func reason(_ field: Field, _ texts: [String?], declared: DeclaredType? = nil) -> TextReason? {
            types(field, texts, declared: declared).textReasons[0]
        }
        let long = String(repeating: "9", count: 39)
        #expect(reason(field(.integer), ["1", "n/a"]) == .otherValues && reason(field(.integer), ["1", "1.5"]) == nil)
        #expect(reason(field(.integer), ["1", long]) == .lostDigits && reason(field(.decimal), [long]) == .lostDigits)
        #expect(reason(field(.decimal), ["nan", "0.12345678901234567"]) == .lostDigits)
        #expect(reason(field(.integer), ["1", "007"]) == .leadingZeros && reason(field(.decimal), ["1.5", "x"]) == .otherValues)
        #expect(reason(field(.integer), ["1", "+4915112345678"]) == .plusSigns && reason(field(.decimal), ["-1.5", "+0.5"]) == .plusSigns)
        #expect(reason(field(.decimal), ["+1.5e+3", "+1,234.5"]) == nil)
        #expect(reason(field(.integer), ["1", "+7"], declared: .number) == nil, "the user has chosen numbers")
        #expect(reason(field(.decimal), ["1.5", "1,5"], declared: .double) == .otherValues)
        #expect(reason(field(.text), ["9.5", "x"], declared: .double) == .otherValues)
        #expect(reason(field(.text), ["x", nil, ""], declared: .double) == nil, "no number is written as text")
        for kind in [ValueKind.text, .date] {
            #expect(reason(field(kind), ["7", "x"], declared: .mixedNumbers) == .otherValues)
            #expect(reason(field(kind), ["x", "nan", "007", "1,5"], declared: .mixedNumbers) == nil, "\(kind)")
        }
        for field in [field(.text), field(.date)] { #expect(reason(field, ["x", "007"]) == nil) }
        #expect(reason(field(.integer), ["1", "", nil, "9223372036854775808"]) == nil && reason(field(.decimal), ["1e300"]) == nil)
        // Two threads add rows. The order of merging can differ from the order in the output.
        for isSwapped in [false, true] {
            var parts = [WrittenTypes([field(.integer)]), WrittenTypes([field(.integer)])]
            for (index, (text, position)) in [("007", 9), ("n/a", 4)].enumerated() {
                FieldBytes.withFields(of: [text]) { parts[index].add($0, position: position) }
                FieldBytes.withFields(of: ["1e40"]) { parts[index].add($0, position: 20) }
            }
            if isSwapped { parts.reverse() }
            parts[0].merge(parts[1])
            #expect(parts[0].textReasons == [.otherValues])
        }
    }

    @Test func `18.10: numbers with leading zeros are text, unless the user has chosen their type`() {
        let many = (0..<300).map { "\($0 * 37)" }
        for zeros in ["0200", "00", "-007", "0" + String(repeating: "3", count: 25)] {
            #expect(type(field(.integer), many + [zeros] + many) == .text, "\(zeros)")
        }
        #expect(type(field(.decimal), ["1.5", "00.5"]) == .text && type(field(.decimal, .comma), ["1,5", "-01,5"]) == .text)
        #expect(type(field(.integer), ["0", "-0", "1,234", "9223372036854775808", ""]) == .wideDecimal(scale: 0))
        #expect(type(field(.decimal), ["0.5", "-0.25", "0", "0e0", "05%", "1,000.5"]) == .decimal(scale: 2))
        for (kind, expected) in [(ValueKind.integer, WrittenType.integer), (.decimal, .decimal(scale: 0))] {
            var types = WrittenTypes([field(kind)], declared: [.number])
            for text in many + ["0200", "00"] { FieldBytes.withFields(of: [text]) { types.add($0) } }
            #expect(types.columns[0].type == expected && !types.columns[0].isJSON)
            FieldBytes.withFields(of: ["x"]) { types.add($0) }
            #expect(types.columns[0].type == .text)
        }
    }

    @Test func `18.10: times have nine digits only if six are not sufficient, and all have the same zone`() {
        #expect(type(field(.date), ["2024-02-29", "0000-01-01", "31.12.9999"]) == .date)
        #expect(type(field(.date), ["2024-02-29", "2024-02-29 00:00"]) == .dateTime(digits: 6, isUTC: false))
        #expect(type(field(.date), ["2024-02-29 10:00:00.1234567", "", "2024-02-29"]) == .dateTime(digits: 9, isUTC: false))
        #expect(type(field(.date), ["2024-02-29", "2024-02-29T00:00Z"]) == .text && type(field(.date), ["2024-02-29", "10:00"]) == .text)
        #expect(type(field(.date, .point, .epochSeconds), ["86400"]) == .date)
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.123456", "2024-01-01"]) == .dateTime(digits: 6, isUTC: false))
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.123456000"]) == .dateTime(digits: 6, isUTC: false))
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.1234567"]) == .dateTime(digits: 9, isUTC: false))
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.1234567+02:00"]) == .dateTime(digits: 9, isUTC: true))
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.1234567891"]) == .text)
        #expect(type(field(.dateTime), ["2024-01-01 00:00:00.1234567", "1600-01-01"]) == .text)
        #expect(type(field(.dateTime), ["2024-01-01T00:00Z", "2024-01-01 10:00:00 +02:00"]) == .dateTime(digits: 6, isUTC: true))
        #expect(type(field(.dateTime), ["2024-01-01T00:00Z", "2024-01-01 10:00:00"]) == .text)
        #expect(type(field(.dateTime, .point, .epochMilliseconds), ["1700000000123"]) == .dateTime(digits: 6, isUTC: true))
        #expect(type(field(.dateTime), ["2016-12-31 23:59:60"]) == .text)
        #expect(type(field(.time), ["12:30", "10:00:00.0000001", "1:00:00.5 pm"]) == .time(digits: 9))
        #expect(type(field(.time), ["12:30", "23:59:60"]) == .text)
    }

    @Test func `18.10: numbers that are read as dates are written as integers if one of them is not a valid date`() {
        #expect(type(field(.date, .point, .epochSeconds), ["86400", "86401"]) == .integer)
        #expect(type(field(.date, .point, .digits), ["20240131", "20240231"]) == .integer)
        #expect(type(field(.dateTime, .point, .epochSeconds), ["1700000000", "1700000000000", "-5", ""]) == .integer)
        #expect(type(field(.dateTime, .point, .epochSeconds), ["1700000000", "-1", "0"]) == .dateTime(digits: 6, isUTC: true))
        for other in ["1700000000.5", "n/a", "0001", "2024-01-31", "99999999999999999999"] {
            #expect(type(field(.dateTime, .point, .epochSeconds), ["1700000000000", other]) == .text, "\(other)")
            #expect(type(field(.dateTime, .point, .epochSeconds), [other, "1700000000000"]) == .text, "\(other)")
        }
        #expect(type(field(.dateTime), ["1700000000000"]) == .text)
        // Formats that store times as text keep the numbers.
        for (kind, notation, text) in [(ValueKind.dateTime, DateNotation.epochMilliseconds, "1700000000123"), (.date, .digits, "20240131")]
        {
            var types = WrittenTypes([field(kind, .point, notation)], keepsNumericTimes: true)
            FieldBytes.withFields(of: [text]) { types.add($0) }
            #expect(types.columns[0].type == .integer && types.textReasons == [nil])
            FieldBytes.withFields(of: ["2024-01-31"]) { types.add($0) }
            #expect(types.columns[0].type != .integer)
        }
    }

    @Test func `18.10: empty fields are null in typed columns, but differ from missing values in text columns`() {
        #expect(column(field(.integer), ["1", " "]) == WrittenColumn(name: "x", type: .integer, hasNulls: true))
        #expect(column(field(.integer), ["1", nil]).hasNulls && !column(field(.integer), ["1"]).hasNulls)
        #expect(column(field(.text), ["", "a"]) == WrittenColumn(name: "x", type: .text, hasNulls: false))
        #expect(column(field(.text), ["", nil]).hasNulls)
        #expect(column(field(.integer), ["", "a"]) == WrittenColumn(name: "x", type: .text, hasNulls: false))
        #expect(column(field(.integer), [nil, "a"]) == WrittenColumn(name: "x", type: .text, hasNulls: true))
        #expect(column(field(.flag), ["yes", "f", ""]) == WrittenColumn(name: "x", type: .flag, hasNulls: true))
        #expect(type(field(.flag), ["yes", "1"]) == .text)
    }

    @Test func `18.10: a column with bytes that are not UTF-8 is written as binary`() {
        for kind in ValueKind.allCases {
            var types = WrittenTypes([field(kind)])
            for bytes in [[UInt8(0x61)], [0xFF]] {
                bytes.withUnsafeBufferPointer { bytes in
                    let row = [FieldBytes(start: bytes.baseAddress, count: 1)]
                    row.withUnsafeBufferPointer { types.add($0) }
                }
            }
            #expect(types.columns[0].type == .binary)
        }
    }

    @Test func `18.10: a column is written as JSON if all its values are arrays and objects, or if it is declared as JSON`() {
        /// True if a column with these values, each with its array or object, is JSON.
        func isJSON(_ values: [(text: String?, nested: String?)], declared: DeclaredType? = nil) -> Bool {
            var types = WrittenTypes([field(.text)], declared: [declared])
            for value in values {
                var part = types.withoutValues
                FieldBytes.withFields(of: [value.text, value.nested]) { part.add($0) }
                types.merge(part)
            }
            return types.columns[0].isJSON
        }
        #expect(isJSON([("[1]", "[1]"), (nil, nil), (#"{"a":"\" NaN \\"}"#, #"{"a":"\" NaN \\"}"#), ("[\n]", "[\n]")]))
        #expect(!isJSON([("[1]", "[1]"), ("[2]", nil)]) && !isJSON([("[2]", nil), ("[1]", "[1]")]))
        #expect(!isJSON([(nil, nil)]) && !isJSON([]))
        #expect(!isJSON([("[NaN]", "[NaN]")]) && !isJSON([("[-Infinity]", "[-Infinity]")]) && !isJSON([("[\"\t\"]", "[\"\t\"]")]))
        #expect(isJSON([("[2]", nil)], declared: .json))
        // Columns that are declared as JSON have no second field.
        let fields = (0..<3).map { Field(FieldID(rawValue: $0), name: "x", kind: .text) }
        var types = WrittenTypes(fields, declared: [nil, .json, nil])
        FieldBytes.withFields(of: ["[1]", "{bad", "[2]", nil, "[2]"]) { types.add($0) }
        #expect(types.columns.map(\.isJSON) == [false, true, true])
    }

    @Test func `18.3, 18.10: if strings of a column count as text, one string makes a column of numbers or flags text`() {
        /// The type of a column with these values, each with its value that is not a string.
        func type(_ kind: ValueKind, _ values: [(text: String?, value: String?)], areTyped: Bool = true) -> WrittenType {
            let field = field(kind)
            var types = WrittenTypes([field], typedStrings: areTyped ? [field.id] : [])
            for value in values {
                var part = types.withoutValues
                FieldBytes.withFields(of: [value.text, value.value]) { part.add($0) }
                types.merge(part)
            }
            return types.columns[0].type
        }
        #expect(type(.integer, [("1", "1"), ("2", nil)]) == .text && type(.integer, [("2", nil), ("1", "1")]) == .text)
        #expect(type(.integer, [("1", "1"), ("2", nil)], areTyped: false) == .integer)
        #expect(type(.decimal, [("1.5", "1.5"), ("2.5", nil)]) == .text && type(.flag, [("true", "true"), ("true", nil)]) == .text)
        /// The reason why a column with numbers and a string is text.
        func reason(_ kind: ValueKind, _ values: [(text: String?, value: String?)], areTyped: Bool = true) -> TextReason? {
            let field = field(kind)
            var types = WrittenTypes([field], typedStrings: areTyped ? [field.id] : [])
            for value in values { FieldBytes.withFields(of: [value.text, value.value]) { types.add($0) } }
            return types.textReasons[0]
        }
        for kind in [ValueKind.text, .integer, .date] {
            #expect(reason(kind, [("x", nil), ("[1]", "[1]"), ("1.5", "1.5")]) == .otherValues, "\(kind)")
        }
        #expect(reason(.text, [("x", nil), ("1.5", nil), ("true", "true"), (nil, "null")]) == nil, "strings are text already")
        #expect(reason(.text, [("x", nil), ("1.5", "1.5")], areTyped: false) == nil, "the user has chosen text")
        // The values include nulls, missing and empty fields, and numbers that JSON can only represent as strings.
        #expect(type(.integer, [("1", "1"), (nil, "null"), (nil, nil), ("", nil), (" ", nil)]) == .integer)
        #expect(type(.decimal, [("1.5", "1.5"), ("NaN", nil)]) == .double)
        #expect(type(.date, [("2024-01-31", nil)]) == .date && type(.text, [("1", nil)]) == .text)
    }

    // MARK: Batches

    /// The printed values of all batches, and the number of rows of each.
    private func batches(_ fields: [Field], _ rows: [[String?]]) throws -> (values: [[String?]], counts: [Int]) {
        var types = WrittenTypes(fields)
        for row in rows { FieldBytes.withFields(of: row) { types.add($0) } }
        var (values, counts) = ([[String?]](), [Int]())
        var printer = ValuePrinter(width: fields.count)
        let batcher = RowBatcher(types.columns, fields: fields) { batch in
            #expect(batch.firstRecord == values.count)
            counts.append(batch.count)
            for start in stride(from: 0, to: batch.count, by: ValuePrinter.maximumRecords) {
                let printed = printer.fields(of: start..<min(batch.count, start + ValuePrinter.maximumRecords), in: batch)
                for record in 0..<printed.count {
                    values.append(printed.fields(of: record).map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) })
                }
            }
        }
        for row in rows { try FieldBytes.withFields(of: row) { try batcher.append($0) } }
        try batcher.finish()
        return (values, counts)
    }

    @Test func `18.10: batches contain the values in the types of their columns`() throws {
        let cases: [(Field, [String?], [String?])] = [
            (field(.integer), ["1,234", " -5", "", nil], ["1234", "-5", nil, nil]),
            (field(.integer), ["1,234", "-0.25", "", nil], ["1234.00", "-0.25", nil, nil]),
            (field(.decimal), ["1.5", "-0.25", "1e2", nil], ["1.50", "-0.25", "100.00", nil]),
            (field(.decimal), ["-0.05", "12345678901234567890", "0", ""], ["-0.05", "12345678901234567890.00", "0.00", nil]),
            (field(.decimal), ["1e300", "0.1", "inf", nil], ["1e+300", "0.1", "inf", nil]),
            (field(.flag), ["yes", "F", "", nil], ["true", "false", nil, nil]),
            (field(.date, .point, .dayFirst), ["31/12/1969", "29.02.2024", nil, " "], ["1969-12-31", "2024-02-29", nil, nil]),
            (field(.date), ["2024-02-29", "2024-02-29 05:00", nil, ""], ["2024-02-29 00:00:00", "2024-02-29 05:00:00", nil, nil]),
            (
                field(.dateTime), ["1969-12-31 23:59:59.9999999", "2024-01-01", nil, ""],
                ["1969-12-31 23:59:59.999999900", "2024-01-01 00:00:00", nil, nil]
            ),
            (
                field(.dateTime), ["2024-01-01T02:00:00.5+02:00", "2024-01-01T00:00Z", nil, ""],
                ["2024-01-01 00:00:00.500Z", "2024-01-01 00:00:00Z", nil, nil]
            ),
            (field(.time), ["1:00 pm", "00:00:00.000001", nil, ""], ["13:00:00", "00:00:00.000001", nil, nil]),
            (field(.text), ["", " ", "ä", nil], ["", " ", "ä", nil]),
        ]
        for (field, texts, expected) in cases {
            let written = try batches([field], texts.map { [$0] })
            #expect(written.values == expected.map { [$0] }, "\(texts)")
        }
    }

    @Test func `18.10: a batch ends after 65,536 rows or 64 MiB of strings, and memory is reused`() throws {
        var random = SplitMix64(seed: 10)
        let fields = [field(.text), field(.integer), field(.decimal)]
        let rows = (0..<150_000).map { row -> [String?] in
            let text = Int.random(in: 0..<9, using: &random) == 0 ? nil : "text \(Int.random(in: 0..<1_000, using: &random))"
            return [text, "\(row)", "\(row).25"]
        }
        let small = try batches(fields, rows)
        #expect(small.values == rows && small.counts == [65_536, 65_536, 18_928])
        let large = (0..<70).map { row -> [String?] in [String(repeating: "\(row % 10)", count: 1 << (row % 3 == 0 ? 21 : 10)), "1", "2.5"]
        }
        let written = try batches(fields, large)
        #expect(written.values == large.map { [$0[0], $0[1], $0[2]] } && written.counts == [70])
        let huge = (0..<80).map { row -> [String?] in [String(repeating: "\(row % 10)", count: 1 << 20), "1", "2.5"] }
        #expect(try batches(fields, huge).counts == [64, 16])
    }
}
