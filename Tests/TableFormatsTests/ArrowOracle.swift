import Foundation
import GridTestSupport
import Testing

/// Arrow files written by pyarrow, and their rows as text, printed by Python.
enum ArrowOracle {
    /// The names and the rows of a table.
    typealias Content = (names: [String], rows: [[String?]])

    /// Python functions that write Arrow files and print their rows as JSON.
    private static let prelude = #"""
        import datetime, decimal, json, random, sys, uuid
        import pyarrow as pa
        import pyarrow.ipc as ipc

        random.seed(7)
        UNITS = {'s': 0, 'ms': 3, 'us': 6, 'ns': 9}

        def digits(value, count):
            text = str(value).rjust(count, '0')
            while len(text) > 3 and len(text) % 3 == 0 and text.endswith('000'): text = text[:-3]
            return '.' + text if value else ''

        def clock(value, count):
            seconds, fraction = divmod(value, 10 ** count)
            return '%02d:%02d:%02d' % (seconds // 3600, seconds // 60 % 60, seconds % 60) + digits(fraction, count)

        def scaled(value, scale):
            return format(decimal.Decimal(value).scaleb(-scale), '.%df' % scale) if scale else str(value)

        def blob(value):
            try: return value.decode()
            except UnicodeDecodeError: return '0x' + value.hex()

        def plain(scalar):
            "The text of a value; None for null."
            t = scalar.type
            if not scalar.is_valid: return None
            if pa.types.is_dictionary(t): return plain(scalar.value)
            if pa.types.is_run_end_encoded(t): return plain(scalar.value)
            if isinstance(t, pa.BaseExtensionType):
                return str(uuid.UUID(bytes=scalar.value.as_py())) if t.extension_name == 'arrow.uuid' else plain(scalar.value)
            if pa.types.is_union(t): return plain(scalar.value)
            if pa.types.is_nested(t): return json.dumps(tree(scalar), separators=(',', ':'), ensure_ascii=False)
            if pa.types.is_boolean(t): return 'true' if scalar.as_py() else 'false'
            if pa.types.is_decimal(t): return format(scalar.as_py(), 'f')
            if pa.types.is_floating(t): return repr(float(scalar.as_py()))
            if pa.types.is_date(t): return scalar.as_py().isoformat()
            if pa.types.is_time(t): return clock(scalar.value, UNITS[t.unit])
            if pa.types.is_timestamp(t):
                days, rest = divmod(scalar.value, 86400 * 10 ** UNITS[t.unit])
                day = datetime.date(1970, 1, 1) + datetime.timedelta(days=days)
                return day.isoformat() + ' ' + clock(rest, UNITS[t.unit]) + ('Z' if t.tz else '')
            if pa.types.is_duration(t): return scaled(scalar.value, UNITS[t.unit])
            if t == pa.month_day_nano_interval():
                months, days, nanos = scalar.as_py()
                years, months = int(months / 12), months - 12 * int(months / 12)
                text = ('%dY' % years if years else '') + ('%dM' % months if months else '') + ('%dD' % days if days else '')
                if nanos:
                    seconds = format(decimal.Decimal(abs(nanos)).scaleb(-9), 'f').rstrip('0').rstrip('.')
                    text += 'T' + ('-' if nanos < 0 else '') + seconds + 'S'
                return 'P' + (text or 'T0S')
            if any(f(t) for f in (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary)):
                return blob(scalar.as_py())
            return str(scalar.as_py())

        def tree(scalar):
            "The value of a JSON text."
            t = scalar.type
            if not scalar.is_valid: return None
            if pa.types.is_dictionary(t) or pa.types.is_run_end_encoded(t) or pa.types.is_union(t): return tree(scalar.value)
            if pa.types.is_map(t): return {plain(pair['key']): tree(pair['value']) for pair in scalar.values} if len(scalar) else {}
            if pa.types.is_struct(t): return {name: tree(scalar[name]) for name in scalar}
            if pa.types.is_nested(t): return [tree(value) for value in scalar]
            if pa.types.is_integer(t) or pa.types.is_boolean(t) or pa.types.is_floating(t): return scalar.as_py()
            return plain(scalar)

        def flat(table):
            "The table with a column for each field of its structures."
            while any(pa.types.is_struct(field.type) for field in table.schema):
                columns, names = [], []
                for field, column in zip(table.schema, table.columns):
                    if pa.types.is_struct(field.type):
                        for place, part in enumerate(column.flatten()):
                            columns.append(part)
                            names.append(field.name + '.' + field.type.field(place).name)
                    else:
                        columns.append(column)
                        names.append(field.name)
                table = pa.table(columns, names=names)
            return table

        def rows(table):
            table = flat(table)
            columns = [[plain(value) for value in column] for column in table.columns]
            return [list(row) for row in zip(*columns)]

        def write(path, table, stream=False, batch=None, **options):
            with pa.OSFile(path, 'wb') as sink:
                make = ipc.new_stream if stream else ipc.new_file
                with make(sink, table.schema, options=ipc.IpcWriteOptions(**options)) as writer:
                    writer.write_table(table, max_chunksize=batch)

        def show(table): print(json.dumps(dict(names=flat(table).column_names, rows=rows(table))))

        def some(count, make, nulls=0.2): return [None if random.random() < nulls else make() for _ in range(count)]

        def word(): return random.choice(['', 'a', 'ä', 'two words', '“q”', 'x,y', 'a text of more than twelve bytes', '日本語 日本語', 'q"\\\n'])

        def whole(bits, signed):
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            return random.choice([low, high, 0, 1, random.randint(low, high)])

        def exact(precision, scale):
            largest = 10 ** precision - 1
            return decimal.Decimal(random.choice([0, 1, -1, largest, random.randint(-largest, largest)])
                ).scaleb(-scale, decimal.Context(prec=90))

        def everything(count):
            columns = {}
            for bits in (8, 16, 32, 64):
                for signed in (True, False):
                    name = ('int' if signed else 'uint') + str(bits)
                    columns[name] = pa.array(some(count, lambda: whole(bits, signed)), pa.type_for_alias(name))
            number = lambda: random.choice([0.5, -2.25, 1024.0, 0.0, 3.75])
            columns['half'] = pa.array(some(count, number), pa.float16())
            columns['float'] = pa.array(some(count, number), pa.float32())
            columns['double'] = pa.array(some(count, lambda: random.choice([1.1, -1e-7, 123456.789, random.random()])), pa.float64())
            columns['bool'] = pa.array(some(count, lambda: random.random() < 0.5), pa.bool_())
            for kind in (pa.string(), pa.large_string(), pa.string_view()): columns[str(kind)] = pa.array(some(count, word), kind)
            raw = lambda: random.choice([b'text', b'\xff\x00', 'ä'.encode(), b'\xc0\x80', b'', bytes(range(120, 140))])
            for kind in (pa.binary(), pa.large_binary(), pa.binary_view()): columns[str(kind)] = pa.array(some(count, raw), kind)
            columns['fixed'] = pa.array(some(count, lambda: random.choice([b'abc', b'\xff\xfe\xfd'])), pa.binary(3))
            columns['uuid'] = pa.ExtensionArray.from_storage(pa.uuid(), pa.array(some(count, lambda: random.randbytes(16)), pa.binary(16)))
            for bits, precision, scale in ((32, 9, 2), (64, 18, 4), (128, 18, 3), (128, 38, 10), (128, 5, -2), (256, 76, 20), (256, 10, 0)):
                kind = {32: pa.decimal32, 64: pa.decimal64, 128: pa.decimal128, 256: pa.decimal256}[bits](precision, scale)
                columns[str(kind)] = pa.array(some(count, lambda: exact(precision, scale)), kind)
            day = lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=random.randint(-99999, 99999))
            columns['date32'] = pa.array(some(count, day), pa.date32())
            columns['date64'] = pa.array(some(count, day), pa.date64())
            columns['time32s'] = pa.array(some(count, lambda: random.randrange(86400)), pa.time32('s'))
            columns['time32ms'] = pa.array(some(count, lambda: random.randrange(86400000)), pa.time32('ms'))
            time = lambda: random.randrange(86400) * 10 ** 6 + random.choice([0, 5, 500000])
            columns['time64us'] = pa.array(some(count, time), pa.time64('us'))
            columns['time64ns'] = pa.array(some(count, lambda: random.randrange(86400 * 10 ** 9)), pa.time64('ns'))
            for unit, count_ in UNITS.items():
                moment = lambda: random.randint(-4 * 10 ** 9, 4 * 10 ** 9) * 10 ** count_ + random.choice([0, 10 ** count_ // 2])
                columns['stamp_' + unit] = pa.array(some(count, moment), pa.timestamp(unit))
                columns['zone_' + unit] = pa.array(some(count, moment), pa.timestamp(unit, 'Europe/Berlin'))
                columns['length_' + unit] = pa.array(some(count, moment), pa.duration(unit))
            part = lambda: (random.randint(-30, 30), random.randint(-40, 40), random.choice([0, 1500000000, -1, 7]))
            columns['interval'] = pa.array(some(count, part), pa.month_day_nano_interval())
            columns['nothing'] = pa.nulls(count)
            columns['coded'] = pa.array(some(count, word), pa.string()).dictionary_encode()
            columns['coded_numbers'] = pa.array(some(count, lambda: random.randint(1, 9)), pa.int16()).dictionary_encode()
            columns['coded_byte'] = pa.array(some(count, word), pa.string()).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string()))
            columns['coded_nulls'] = pa.DictionaryArray.from_arrays(
                pa.array(some(count, lambda: random.randint(0, 2)), pa.int32()), pa.array(['x', None, 'z']))
            runs = pa.array(sorted(random.sample(range(1, count), min(5, count - 1))) + [count] if count else [], pa.int32())
            columns['runs'] = pa.RunEndEncodedArray.from_arrays(runs, pa.array(some(len(runs), word), pa.string()))
            columns['runs_numbers'] = pa.RunEndEncodedArray.from_arrays(runs, pa.array(some(len(runs), lambda: 5), pa.int32()))
            return pa.table(columns)

        def nested(count):
            items = lambda: [random.choice([None, 1, -5, 7]) for _ in range(random.randint(0, 4))]
            columns = {}
            for kind in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view):
                columns[str(kind(pa.int32()))] = pa.array(some(count, items), kind(pa.int32()))
            columns['triples'] = pa.array(some(count, lambda: [1.5, None, 2.0]), pa.list_(pa.float64(), 3))
            columns['texts'] = pa.array(some(count, lambda: [word() for _ in range(3)]), pa.list_(pa.string()))
            columns['lists'] = pa.array(some(count, lambda: [items(), None, items()]), pa.list_(pa.list_(pa.int64())))
            columns['map'] = pa.array(some(count, lambda: [('k', 1), ('l"', None)]), pa.map_(pa.string(), pa.int64()))
            columns['map_numbers'] = pa.array(some(count, lambda: [(5, 'v')]), pa.map_(pa.int32(), pa.string()))
            point = pa.struct([('x', pa.int32()), ('y', pa.struct([('a', pa.string()), ('b', pa.bool_())])), ('d', pa.date32())])
            date = datetime.date(2024, 2, 29)
            make = lambda: {'x': random.choice([None, 4]), 'y': random.choice([None, {'a': word(), 'b': True}]), 'd': date}
            columns['point'] = pa.array(some(count, make), point)
            columns['points'] = pa.array(some(count, lambda: [make(), None, make()]), pa.list_(point))
            columns['coded'] = pa.array(some(count, lambda: ['u', 'v', 'u']), pa.list_(pa.dictionary(pa.int32(), pa.string())))
            kinds = pa.array([random.randint(0, 1) for _ in range(count)], pa.int8())
            columns['sparse'] = pa.UnionArray.from_sparse(
                kinds, [pa.array(some(count, lambda: 5), pa.int32()), pa.array(some(count, word), pa.string())])
            places, used = [], [0, 0]
            for kind in kinds.to_pylist():
                places.append(used[kind])
                used[kind] += 1
            columns['dense'] = pa.UnionArray.from_dense(kinds, pa.array(places, pa.int32()),
                [pa.array(some(used[0], lambda: 2.5), pa.float64()), pa.array(some(used[1], items), pa.list_(pa.int32()))])
            return pa.table(columns)
        """#

    /// Runs a script after the prelude. `path` is its first argument.
    /// - Returns: the names and rows that the script prints; empty lists if it prints nothing.
    @discardableResult
    static func run(_ script: String, _ arguments: String...) throws -> Content {
        let file = NSTemporaryDirectory() + "arrow-\(UUID().uuidString).py"
        try (prelude + "\npath = sys.argv[1] if len(sys.argv) > 1 else None\n" + script).write(
            toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let loader = "import sys; sys.argv = sys.argv[1:]; exec(open(sys.argv[0]).read())"
        let output = try Python.run(loader, [file] + arguments)
        guard !output.isEmpty else { return ([], []) }
        let shown = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let rows = try #require(shown["rows"] as? [[Any]])
        return (try #require(shown["names"] as? [String]), rows.map { $0.map { $0 as? String } })
    }

    /// Writes a table to several files: `0.arrow`, `1.arrow` and so on.
    /// - Parameters:
    ///   - table: a Python expression, such as `everything(200).slice(37)`.
    ///   - variants: the options of each file.
    static func write(_ table: String, as variants: [String], to folder: TemporaryFolder) throws -> Content {
        let writes = variants.enumerated().map { "write(path + '/\($0).arrow', t, \($1))\n" }
        return try run("t = \(table)\nshow(t)\n" + writes.joined(), folder.path)
    }
}
