extension ParquetTests {
    /// A Python script that writes tables with pyarrow, and their expected strings. Arguments: the folder and the number of rows.
    static let writingScript = #"""
        import sys, json, random, datetime, decimal, struct, uuid, os
        import pyarrow as pa, pyarrow.parquet as pq
        folder, count = sys.argv[1], int(sys.argv[2])
        random.seed(7)
        decimal.getcontext().prec = 100
        epoch = datetime.date(1970, 1, 1)

        def fraction(rest, digits):
            if rest == 0: return ''
            text = f'{rest:0{digits}d}'
            while len(text) > 3 and text.endswith('000'): text = text[:-3]
            return '.' + text
        def clock(t, digits):
            s, rest = divmod(t, 10 ** digits)
            return f'{s//3600:02d}:{s//60%60:02d}:{s%60:02d}' + fraction(rest, digits)
        def day(n): return (epoch + datetime.timedelta(days=n)).isoformat()
        def stamp(t, digits, utc=False):
            d, rest = divmod(t, 86400 * 10 ** digits)
            return day(d) + ' ' + clock(rest, digits) + ('Z' if utc else '')
        def dec(n, scale):
            sign, text = ('-' if n < 0 else ''), str(abs(n)).rjust(scale + 1, '0')
            return sign + (text[:-scale] + '.' + text[-scale:] if scale else text)
        def binary(b):
            try: return b.decode('utf8')
            except UnicodeDecodeError: return '0x' + b.hex()

        words = ['', 'a', 'BUY', 'SELL', 'Zürich', '日本', 'x' * 40, 'line\nbreak', '"q"', 'tab\t', 'back\\slash']
        R = random.randrange
        def half(): return R(-2000, 2000) / 4
        # name: (type, generator of raw values, raw -> value for pyarrow, raw -> text)
        same = lambda v: v
        def integer(bits, signed, typ):
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            return (typ, lambda: random.choice([low, high, 0, R(0, 100), R(low, high + 1)]), same, str)
        columns = {
            'i8': integer(8, True, pa.int8()), 'i16': integer(16, True, pa.int16()), 'i32': integer(32, True, pa.int32()),
            'i64': integer(64, True, pa.int64()), 'u8': integer(8, False, pa.uint8()), 'u16': integer(16, False, pa.uint16()),
            'u32': integer(32, False, pa.uint32()), 'u64': integer(64, False, pa.uint64()),
            'small': (pa.uint64(), lambda: R(0, 1000), same, str),
            'rising': (pa.int64(), lambda: 0, same, str),
            'flag': (pa.bool_(), lambda: random.random() < .4, same, lambda v: 'true' if v else 'false'),
            'f16': (pa.float16(), half, same, str), 'f32': (pa.float32(), half, same, str),
            'f64': (pa.float64(), lambda: random.choice([half(), random.gauss(0, 1000), float('inf'), float('nan')]), same, str),
            'word': (pa.string(), lambda: random.choice(words), same, same),
            'text': (pa.string(), lambda: 'prefix %d %s' % (R(0, 1 << 40), 'y' * R(0, 30)), same, same),
            'large': (pa.large_string(), lambda: random.choice(words), same, same),
            'binary': (pa.binary(), lambda: random.choice([b'', b'ok', bytes(R(0, 256) for _ in range(R(0, 12)))]), same, binary),
            'fixed': (pa.binary(5), lambda: bytes(R(0, 256) for _ in range(5)), same, binary),
            'date': (pa.date32(), lambda: R(-100000, 100000), same, day),
            't3': (pa.time32('ms'), lambda: R(0, 86400000), same, lambda v: clock(v, 3)),
            't6': (pa.time64('us'), lambda: R(0, 86400000000), same, lambda v: clock(v, 6)),
            't9': (pa.time64('ns'), lambda: R(0, 86400) * 10**9 + random.choice([0, 5, 1000, 250000000]), same, lambda v: clock(v, 9)),
            'd3': (pa.timestamp('ms'), lambda: R(-10**12, 10**12), same, lambda v: stamp(v, 3)),
            'd6': (pa.timestamp('us', tz='UTC'), lambda: R(-10**15, 10**15), same, lambda v: stamp(v, 6, True)),
            'd9': (pa.timestamp('ns'), lambda: R(-10**18, 10**18), same, lambda v: stamp(v, 9)),
            'money': (pa.decimal128(9, 2), lambda: R(-10**9 + 1, 10**9), lambda v: decimal.Decimal(v).scaleb(-2), lambda v: dec(v, 2)),
            'mid': (pa.decimal128(18, 6), lambda: R(-10**18 + 1, 10**18), lambda v: decimal.Decimal(v).scaleb(-6), lambda v: dec(v, 6)),
            'huge': (pa.decimal128(38, 10), lambda: random.choice([R(-10**38 + 1, 10**38), R(-99, 99)]),
                lambda v: decimal.Decimal(v).scaleb(-10), lambda v: dec(v, 10)),
            'giant': (pa.decimal256(60, 30), lambda: random.choice([R(-10**60 + 1, 10**60), R(-99, 99)]),
                lambda v: decimal.Decimal(v).scaleb(-30), lambda v: dec(v, 30)),
        }
        def number_text(f):
            return lambda v: None if v is None else f(v)

        def data(names, share, n=count):
            arrays, texts = [], []
            for name in names:
                typ, make, value, text = columns[name]
                raw = [None if random.random() < share else make() for _ in range(n)]
                if name == 'rising':
                    at = 0
                    for i in range(n):
                        at += R(0, 5)
                        if raw[i] is not None: raw[i] = at * 1000
                if name.startswith('f') and name != 'flag' and name != 'fixed': pass
                if pa.types.is_temporal(typ):
                    base = pa.int32() if typ in (pa.date32(), pa.time32('ms')) else pa.int64()
                    arrays.append(pa.array(raw, base).cast(typ) if False else pa.array(raw, base).view(typ))
                else:
                    arrays.append(pa.array([None if v is None else value(v) for v in raw], typ))
                texts.append([None if v is None else text(v) for v in raw])
            return arrays, texts

        def keep(name, titles, texts):
            with open(f'{folder}/{name}.json', 'w') as f:
                json.dump({'titles': titles, 'rows': [list(r) for r in zip(*texts)]}, f)

        def write(name, arrays, titles, texts, groups=700, nullable=True, **options):
            schema = pa.schema([pa.field(t, a.type, nullable=nullable) for t, a in zip(titles, arrays)])
            table = pa.Table.from_arrays(arrays, schema=schema)
            options = dict(dict(data_page_size=800, write_batch_size=64), **options)
            pq.write_table(table, f'{folder}/{name}.parquet', row_group_size=groups, **options)
            keep(name, titles, texts)

        names = list(columns)
        dictionary = ['i32', 'i64', 'small', 'f32', 'f64', 'word', 'large', 'binary', 'fixed', 'date', 'd3', 'money', 'mid', 'huge',
            'giant', 'u64', 'f16']
        for version in ['1.0', '2.0']:
            for share in [0, .3, 1]:
                for codec in (['none', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4'] if share == .3 else ['none', 'snappy']):
                    arrays, texts = data(names, share)
                    write(f'flat-{version}-{share}-{codec}', arrays, names, texts, compression=codec, data_page_version=version,
                        use_dictionary=dictionary, write_page_index=codec == 'zstd', write_page_checksum=codec in ('gzip', 'snappy'),
                        store_decimal_as_integer=codec == 'gzip', nullable=share > 0)
                for label, encoding in [('delta', 'DELTA_BINARY_PACKED'), ('split', 'BYTE_STREAM_SPLIT'), ('plain', 'PLAIN')]:
                    chosen = ['i32', 'i64', 'u32', 'u64', 'rising', 'date', 'd6', 't3'] + ([] if label == 'delta' else ['f32', 'f64',
                        'fixed', 'f16', 'huge'])
                    arrays, texts = data(chosen, share)
                    write(f'{label}-{version}-{share}', arrays, chosen, texts, use_dictionary=False,
                        column_encoding={c: encoding for c in chosen}, data_page_version=version)
                for label, encoding in [('lengths', 'DELTA_LENGTH_BYTE_ARRAY'), ('prefixes', 'DELTA_BYTE_ARRAY')]:
                    chosen = ['word', 'text', 'binary'] + (['fixed', 'f16', 'huge'] if label == 'prefixes' else [])
                    arrays, texts = data(chosen, share)
                    write(f'{label}-{version}-{share}', arrays, chosen, texts, use_dictionary=False,
                        column_encoding={c: encoding for c in chosen}, data_page_version=version)
                arrays, texts = data(['flag'], share)
                write(f'flags-{version}-{share}', arrays, ['flag'], texts, use_dictionary=False, column_encoding={'flag': 'RLE'},
                    data_page_version=version)
        # A dictionary that overflows: the first pages have codes, the others are plain.
        arrays, texts = data(['text', 'i64'], .1, 3 * count)
        write('fallback', arrays, ['text', 'i64'], texts, groups=10 * count, dictionary_pagesize_limit=4000)
        # Pages with more rows than are decoded at once.
        many = ['i64', 'word', 'text', 'rising', 'f64', 'flag', 'huge', 'i32']
        encodings = dict(i64='PLAIN', word='DELTA_LENGTH_BYTE_ARRAY', text='DELTA_BYTE_ARRAY', rising='DELTA_BINARY_PACKED',
            f64='BYTE_STREAM_SPLIT', flag='RLE', huge='PLAIN', i32='PLAIN')
        for share in [0, .3]:
            arrays, texts = data(many, share, 50 * count)
            write(f'many-codes-{share}', arrays, many, texts, groups=10 ** 6, data_page_size=1 << 30, write_batch_size=1 << 20,
                dictionary_pagesize_limit=1 << 30)
            write(f'many-values-{share}', arrays, many, texts, groups=10 ** 6, data_page_size=1 << 30, write_batch_size=1 << 20,
                use_dictionary=False, column_encoding=encodings)
        # One page for each row group, runs of one value.
        arrays, texts = data(['small'], 0, 10)
        write('constant', [pa.array([5] * 200000)], ['n'], [['5'] * 200000], groups=1 << 20, data_page_size=1 << 30)
        # Times of 96 bits.
        arrays, texts = data(['d9', 'd3'], .2)
        write('int96', arrays, ['d9', 'd3'], texts, use_deprecated_int96_timestamps=True)
        # Empty tables.
        arrays, texts = data(['i32', 'word'], 0, 0)
        write('empty', arrays, ['i32', 'word'], texts)
        # Names, extension types, null, dictionary type, structures.
        n = count
        ids = [None if random.random() < .2 else uuid.UUID(int=random.getrandbits(128)) for _ in range(n)]
        js = [None if random.random() < .2 else json.dumps({'a': R(0, 9)}) for _ in range(n)]
        cat = [random.choice([None, 'red', 'green']) for _ in range(n)]
        inner = [None if random.random() < .2 else {'x': random.choice([None, R(0, 99)]), 'y.z': {'w': random.choice([None, 'a',
            'b'])}} for _ in range(n)]
        arrays = [pa.array([u and u.bytes for u in ids], pa.uuid()), pa.array(js, pa.json_()), pa.array(cat).dictionary_encode(),
            pa.nulls(n),
            pa.array(inner, pa.struct([('x', pa.int32()), ('y.z', pa.struct([('w', pa.string())]))]))]
        titles = ['id', 'json', 'cat', 'null.', 's']
        table = pa.Table.from_arrays(arrays, titles)
        pq.write_table(table, f'{folder}/types.parquet', row_group_size=700, data_page_size=800, write_batch_size=64)
        keep('types', ['id', 'json', 'cat', 'null.', 's.x', 's."y.z".w'], [[u and str(u) for u in ids], js, cat, [None] * n,
            [s and s['x'] is not None and str(s['x']) or None for s in inner], [s and s['y.z']['w'] for s in inner]])
        # Nested types.
        def maybe(share, f): return None if random.random() < share else f()
        def some(f, long=0.01):
            n = R(0, 400) if random.random() < long else random.choice([0, 0, 1, 2, 3, 7])
            return [f() for _ in range(n)]
        def nested(share):
            m = lambda f: maybe(share, f)
            word = lambda: random.choice(words)
            unique = lambda f: dict(some(lambda: (f(), 0)))
            return {
                'l': (pa.list_(pa.int64()), lambda: m(lambda: some(lambda: m(lambda: R(-9, 99))))),
                'ls': (pa.list_(pa.string()), lambda: m(lambda: some(lambda: m(word)))),
                'll': (pa.list_(pa.list_(pa.int32())), lambda: m(lambda: some(lambda: m(lambda: some(lambda: m(lambda: R(0, 9)), 0)), 0))),
                'lt': (pa.list_(pa.struct([('a', pa.int32()), ('b', pa.string())])),
                    lambda: m(lambda: some(lambda: m(lambda: {'a': m(lambda: R(0, 9)), 'b': m(word)})))),
                'm': (pa.map_(pa.string(), pa.int64()), lambda: m(lambda: {k: m(lambda: R(0, 9)) for k in unique(word)})),
                'mi': (pa.map_(pa.int32(), pa.list_(pa.bool_())),
                    lambda: m(lambda: {str(k): m(lambda: some(lambda: m(lambda: random.random() < .5), 0)) for k in unique(lambda: R(0,
                    50))})),
                'deep': (pa.list_(pa.struct([('q', pa.map_(pa.string(), pa.list_(pa.struct([('z', pa.list_(pa.int8()))]))))])),
                    lambda: m(lambda: some(lambda: m(lambda: {'q': m(lambda: {k: m(
                        lambda: some(lambda: m(lambda: {'z': m(lambda: some(lambda: m(lambda: R(0, 9)), 0))}), 0))
                            for k in unique(word)})}), 0))),
                'fl': (pa.list_(pa.int16(), 2), lambda: m(lambda: [m(lambda: R(0, 9)), m(lambda: R(0, 9))])),
            }
        def to_arrow(v, t):
            if v is None: return None
            if pa.types.is_map(t): return [(int(k) if t.key_type == pa.int32() else k, to_arrow(x, t.item_type)) for k, x in v.items()]
            if pa.types.is_list(t) or pa.types.is_fixed_size_list(t): return [to_arrow(x, t.value_type) for x in v]
            if pa.types.is_struct(t): return {f.name: to_arrow(v[f.name], f.type) for f in t}
            return v
        def compact(v): return None if v is None else json.dumps(v, separators=(',', ':'), ensure_ascii=False)
        for version in ['1.0', '2.0']:
            for share in [0, .25, .9, 1]:
                for index in [False, True]:
                    kinds = nested(share)
                    titles, arrays, texts = [], [], []
                    for name, (typ, make) in kinds.items():
                        raw = [make() for _ in range(count)]
                        titles.append(name); arrays.append(pa.array([to_arrow(v, typ) for v in raw],
                            typ)); texts.append([compact(v) for v in raw])
                    # A list in a structure.
                    raw = [maybe(share, lambda: {'x': R(0, 9), 'l': maybe(share, lambda: some(lambda: R(0, 9)))}) for _ in range(count)]
                    titles.append('st'); arrays.append(pa.array(raw, pa.struct([('x', pa.int64()), ('l', pa.list_(pa.int64()))])))
                    texts += [[v and str(v['x']) for v in raw], [v and compact(v['l']) for v in raw]]
                    table = pa.Table.from_arrays(arrays, titles)
                    name = f'nested-{version}-{share}-{index}'
                    pq.write_table(table, f'{folder}/{name}.parquet', row_group_size=700, data_page_size=300, write_batch_size=20,
                        data_page_version=version,
                        write_page_index=index, use_compliant_nested_type=index, compression='none' if index else 'snappy',
                            use_dictionary=not index)
                    keep(name, titles[:-1] + ['st.x', 'st.l'], texts)
        # Every encoding with every codec, share of nulls and page version, in few rows.
        encodings = dict(u32='PLAIN', word='PLAIN', flag='RLE', i32='DELTA_BINARY_PACKED', d6='DELTA_BINARY_PACKED',
            text='DELTA_LENGTH_BYTE_ARRAY', binary='DELTA_BYTE_ARRAY', huge='DELTA_BYTE_ARRAY', f64='BYTE_STREAM_SPLIT',
            fixed='BYTE_STREAM_SPLIT')
        chosen = ['small', 'large', 'money'] + list(encodings)
        for version in ['1.0', '2.0']:
            for share in [0, .1, .5, 1]:
                for codec in ['none', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4']:
                    arrays, texts = data(chosen, share, max(8, count // 10))
                    write(f'cross-{version}-{share}-{codec}', arrays, chosen, texts, groups=50, data_page_size=200, write_batch_size=16,
                        compression=codec, data_page_version=version, use_dictionary=chosen[:3], column_encoding=encodings,
                        nullable=share > 0)
        """#

    /// Writes tables with DuckDB, and their expected strings. Arguments: the folder and the number of rows.
    static let duckDBWritingScript = #"""
        import sys, json, duckdb, random
        folder, n = sys.argv[1], int(sys.argv[2])
        con = duckdb.connect()
        con.execute("set threads=1; set timezone='UTC'; select setseed(.5)")
        con.execute(f"""create table t as select i as id, (i % 7)::utinyint as u1, case when i % 5 = 0 then null else i * 1000003 end
          as big,
          (i * 1.5)::double as d, (i / 8)::float as f, 'name ' || (i % 50) as s, 'unique ' || hash(i) as h, (i * 12345)::decimal(12,
              3) as dec,
          (i::hugeint * 1000000000000000000 * 7)::decimal(38, 4) as dec38,
          date '1960-01-01' + (i * 11)::int as dt, timestamp '1999-12-31 23:59:58' + interval (i) second as ts,
          timestamptz '1999-12-31 23:59:58.5+00' + interval (i) hour as tz, time '00:00:00' + interval (i) second as tm,
          (i % 3 = 0) as b, case when i % 11 = 0 then null else 'x'::blob || '\\xFF'::blob end as bl,
          md5(i::varchar)::uuid as u, (18446744073709551615 - i)::ubigint as u8, ('e' || (i % 4))::enum('e0', 'e1', 'e2', 'e3') as en,
          case when i % 9 = 0 then null else [i, null, i + 1] end as li, {{'a': i, 'b': ['x', null]}} as st,
              map {{'k' || (i % 3): i}} as mp,
          case when i % 2 = 0 then [] else [{{'q': i}}] end as ls, interval (i) month + interval (i % 31) day + interval (i) second as iv
          from range({n}) r(i)""")
        def iso(m, d, ms):
            t = 'P' + (f'{m//12}Y' if m // 12 else '') + (f'{m%12}M' if m % 12 else '') + (f'{d}D' if d else '')
            if ms or not (m + d):
                t += 'T' + (f'{ms//3600000}H' if ms >= 3600000 else '') + (f'{ms//60000%60}M' if ms // 60000 % 60 else '')
                r = ms % 60000
                if r or not ms: t += f'{r//1000}' + (f'.{r%1000:03d}' if r % 1000 else '') + 'S'
            return t
        rows = con.execute("""select id::varchar, u1::varchar, big::varchar, d::varchar, f::varchar, s, h, dec::varchar,
          dec38::varchar, dt::varchar,
          strftime(ts, '%Y-%m-%d %H:%M:%S'), strftime(tz at time zone 'UTC', '%Y-%m-%d %H:%M:%S.%gZ'), tm::varchar, b::varchar,
          case when bl is null then null else '0x' || lower(hex(bl)) end, u::varchar, u8::varchar, en::varchar,
          case when li is null then null else '[' || id || ',null,' || (id + 1) || ']' end, id::varchar, '["x",null]',
              '{"k' || (id % 3) || '":' || id || '}',
          case when id % 2 = 0 then '[]' else '[{"q":' || id || '}]' end, id from t order by id""").fetchall()
        rows = [list(r[:-1]) + [iso(r[-1], r[-1] % 31, r[-1] * 1000)] for r in rows]
        titles = 'id u1 big d f s h dec dec38 dt ts tz tm b bl u u8 en li st.a st.b mp ls iv'.split()
        for codec in ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw']:
            for version in ['V1', 'V2']:
                con.execute(f"copy (from t order by id) to '{folder}/duckdb-{codec}-{version}.parquet'"
                    f" (format parquet, codec '{codec}', row_group_size 2048, parquet_version '{version}')")
                json.dump({'titles': titles, 'rows': rows}, open(f'{folder}/duckdb-{codec}-{version}.json', 'w'))
        """#

    /// Writes files byte for byte that no common writer makes. Argument: the folder.
    static let byteWritingScript = #"""
        import sys, json, struct
        import pyarrow.parquet as pq
        folder = sys.argv[1]
        # A writer of the compact protocol: fields are (id, kind, value).
        def var(n):
            out = b''
            while True:
                if n < 128: return out + bytes([n])
                out += bytes([n & 127 | 128]); n >>= 7
        def zig(n): return var(n << 1 if n >= 0 else (-n << 1) - 1)
        def value(kind, v):
            if kind in (4, 5, 6): return zig(v)
            if kind == 8: return var(len(v)) + v
            if kind == 9:
                sub, items = v
                head = bytes([len(items) << 4 | sub]) if len(items) < 15 else bytes([0xF0 | sub]) + var(len(items))
                return head + b''.join(value(sub, i) for i in items)
            return thrift(v)
        def thrift(fields):
            out, last = b'', 0
            for field, kind, v in fields:
                out += bytes([(field - last) << 4 | kind]); last = field
                out += value(kind, v)
            return out + b'\0'
        def element(name, rep=None, typ=None, children=None, conv=None):
            f = []
            if typ is not None: f.append((1, 5, typ))
            if rep is not None: f.append((3, 5, rep))
            f.append((4, 8, name.encode()))
            if children is not None: f.append((5, 5, children))
            if conv is not None: f.append((6, 5, conv))
            return f
        def runs(levels):  # run-length encoding with one run for each value
            data = b''.join(var(2) + bytes([l]) for l in levels)
            return struct.pack('<I', len(data)) + data
        def packed(levels, width):  # most significant bit first
            bits = ''.join(f'{l:0{width}b}' for l in levels)
            bits += '0' * (-len(bits) % 8)
            return bytes(int(bits[i:i+8], 2) for i in range(0, len(bits), 8))
        def ints(values): return struct.pack(f'<{len(values)}i', *values)
        def page(levels, body, count, encodings=(3, 3)):
            data = levels + body
            return thrift([(1, 5, 0), (2, 5, len(data)), (3, 5, len(data)), (5, 12, [(1, 5, count), (2, 5, 0), (3, 5, encodings[0]), (4,
                5, encodings[1])])]) + data
        def file(name, schema, leaves, rows, codec=0, more=[]):
            out, chunks = b'PAR1', []
            for path, pages, count in leaves:
                start, data = len(out), b''.join(pages)
                out += data
                meta = [(1, 5, 1), (2, 9, (5, [0, 3])), (3, 9, (8, [p.encode() for p in path])), (4, 5, codec), (5, 6, count), (6, 6,
                    len(data)), (7, 6, len(data)), (9, 6, start)]
                chunks.append([(2, 6, start), (3, 12, meta)])
            footer = thrift([(1, 5, 1), (2, 9, (12, schema)), (3, 6, rows), (4, 9, (12, [[(1, 9, (12, chunks)), (2, 6, len(out)), (3, 6,
                rows)]])), (6, 8, b'test')] + more)
            open(f'{folder}/{name}.parquet', 'wb').write(out + footer + struct.pack('<I', len(footer)) + b'PAR1')
        def keep(name, titles, rows): json.dump({'titles': titles, 'rows': rows}, open(f'{folder}/{name}.json', 'w'))
        compact = lambda v: None if v is None else json.dumps(v, separators=(',', ':'))
        def oracle(name, titles):
            keep(name, titles, [[compact(r[t]) for t in titles] for r in pq.read_table(f'{folder}/{name}.parquet').to_pylist()])

        # Lists of two levels: a repeated value, a list of repeated values, of repeated groups, and a group named array.
        schema = [element('schema', children=4), element('a', 2, 1), element('b', 1, None, 1, 3), element('element', 2, 1),
            element('c', 1, None, 1, 3), element('bag', 2, None, 2), element('x', 0, 1), element('y', 1, 1),
            element('d', 0, None, 1, 3), element('array', 2, None, 1), element('z', 0, 1)]
        file('legacy', schema, [
            (['a'], [page(runs([0, 0, 1, 0]) + runs([0, 1, 1, 1]), ints([1, 2, 3]), 4)], 4),
            (['b', 'element'], [page(runs([0, 0]) + runs([0, 1]), b'', 2), page(runs([0, 1]) + runs([2, 2]), ints([5, 6]), 2)], 4),
            (['c', 'bag', 'x'], [page(runs([0, 0, 1, 0]) + runs([2, 2, 2, 0]), ints([1, 2, 3]), 4)], 4),
            (['c', 'bag', 'y'], [page(runs([0, 0, 1, 0]) + runs([3, 2, 3, 0]), ints([7, 8]), 4)], 4),
            (['d', 'array', 'z'], [page(runs([0, 0, 0]) + runs([1, 0, 1]), ints([4, 5]), 3)], 3)], 3)
        oracle('legacy', ['a', 'b', 'c', 'd'])
        # The deprecated encoding of levels.
        levels = [0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1]
        file('bitpacked', [element('schema', children=1), element('n', 1, 1)],
            [(['n'], [page(packed(levels, 1), ints([10, 11, 12, 13, 14, 15]), len(levels), (4, 4))], len(levels))], len(levels))
        it = iter(range(10, 20))
        keep('bitpacked', ['n'], [[str(next(it)) if l else None] for l in levels])
        # LZ4 with the framing of Hadoop, in two blocks.
        import pyarrow
        lz4 = lambda d: pyarrow.compress(d, codec='lz4_raw', asbytes=True)
        body = ints(list(range(1000)))
        def hadoop(data):
            out = b''
            for part in (data[:1500], data[1500:]):
                block = lz4(part)
                out += struct.pack('>II', len(part), len(block)) + block
            return out
        def lz4page(pack):
            data = pack(body)
            return thrift([(1, 5, 0), (2, 5, len(body)), (3, 5, len(data)), (5, 12, [(1, 5, 1000), (2, 5, 0), (3, 5, 3), (4, 5,
                3)])]) + data
        for name, pack in [('lz4-hadoop', hadoop), ('lz4-block', lz4)]:
            file(name, [element('schema', children=1), element('n', 0, 1)], [(['n'], [lz4page(pack)], 1000)], 1000, codec=5)
            keep(name, ['n'], [[str(i)] for i in range(1000)])

        one = [(['n'], [page(b'', ints([1]), 1)], 1)]
        file('lzo', [element('schema', children=1), element('n', 0, 1)], one, 1, codec=3)
        file('encrypted', [element('schema', children=1), element('n', 0, 1)], one, 1, more=[(8, 12, [(1, 12, [])])])
        # Times of 96 bits far from now.
        far = [(0, 2440588), (86399999999000, 1721426), (1500, 2 ** 31), (5, 2 ** 32 - 1)]
        for i in (2, 3, 4):
            file(f'far{i}', [element('schema', children=1), element('n', 0, 3)], [(['n'], [page(b'', b''.join(struct.pack('<QI',
                *f) for f in far[:i]), i)], i)], i)
        # Valid files that need much memory if a page is decoded at once.
        most = (1 << 31) - 1
        run = lambda n, v: var(n << 1) + v
        many = struct.pack('<I', len(run(most, b'\1'))) + run(most, b'\1')
        def datapage(count, encoding, body):
            return thrift([(1, 5, 0), (2, 5, len(body)), (3, 5, len(body)), (5, 12, [(1, 5, count), (2, 5, encoding), (3, 5, 3), (4, 5,
                3)])]) + body
        words = thrift([(1, 5, 2), (2, 5, 4), (3, 5, 4), (7, 12, [(1, 5, 1), (2, 5, 0)])]) + ints([77])
        file('run', [element('schema', children=1), element('n', 1, 1)], [(['n'], [words, datapage(most, 8, many + bytes([1]) + run(most,
            b'\0'))], most)], most)
        text = b'z' * 300000
        # Each text repeats the one before.
        def block(values):  # blocks of differences with 32 bits
            out = var(128) + var(4) + var(len(values)) + zig(values[0])
            differences = [b - a for a, b in zip(values, values[1:])]
            for i in range(0, len(differences), 128):
                piece = differences[i:i + 128]
                low = min(piece)
                out += zig(low) + bytes([32] * 4) + b''.join(struct.pack('<I', d - low) for d in piece) + bytes(-len(piece) % 32 * 4)
            return out
        n = 20000
        file('repeated', [element('schema', children=1), element('t', 0, 6)],
            [(['t'], [datapage(n, 7, block([0] + [len(text)] * (n - 1)) + block([len(text)] + [0] * (n - 1)) + text)], n)], n)
        """#
}
