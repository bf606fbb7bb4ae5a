extension ParquetWriterTests {
    /// Writes random tables of 2,000 and 20 rows, with different shares of nulls. Argument: the folder.
    static let writingScript = #"""
        import sys, random, datetime, decimal
        import pyarrow as pa, pyarrow.parquet as pq
        folder = sys.argv[1]
        random.seed(5)
        R = random.randrange
        decimal.getcontext().prec = 80
        D = lambda n, s: decimal.Decimal(n).scaleb(-s)
        words = ['', 'a', 'BUY', 'SELL', 'Zürich', '日本', 'x' * 70, 'x' * 63 + 'ä', 'y' + '\U0010FFFF' * 20, 'line\nbreak']
        day = lambda n: datetime.date(1970, 1, 1) + datetime.timedelta(days=n)
        columns = [
            ('id', pa.int64(), None),
            ('any', pa.int64(), lambda: random.choice([-2**63, 2**63 - 1, 0, R(-2**63, 2**63)])),
            ('few', pa.int64(), lambda: R(-3, 4)),
            ('money', pa.decimal128(18, 4), lambda: D(random.choice([R(-10**18 + 1, 10**18), R(-1000, 1000)]), 4)),
            ('units', pa.decimal128(18, 0), lambda: D(R(0, 5), 0)),
            ('wide', pa.decimal128(38, 10), lambda: D(random.choice([R(-10**38 + 1, 10**38), R(-1000, 1000)]), 10)),
            ('small', pa.decimal128(38, 38), lambda: D(R(-10**38 + 1, 10**38), 38)),
            ('double', pa.float64(), lambda: random.choice([0.0, -0.0, random.gauss(0, 1e6), 1e300, -5e-324])),
            ('rate', pa.float64(), lambda: R(0, 40) / 4),
            ('float', pa.float32(), lambda: random.choice([0.0, -0.0, random.gauss(0, 1e6), 0.1, 1e30, -1e-45])),
            ('flag', pa.bool_(), lambda: random.random() < .3),
            ('day', pa.date32(), lambda: day(R(-700000, 2900000))),
            ('micro', pa.timestamp('us'), lambda: R(-6 * 10**16, 2 * 10**17)),
            ('utc', pa.timestamp('us', 'UTC'), lambda: R(-10**9, 10**9)),
            ('nano', pa.timestamp('ns'), lambda: random.choice([R(-9 * 10**18, 9 * 10**18), R(-50, 50)])),
            ('t6', pa.time64('us'), lambda: R(0, 86400 * 10**6)),
            ('t9', pa.time64('ns'), lambda: R(0, 86400 * 10**9)),
            ('word', pa.string(), lambda: random.choice(words)),
            ('text', pa.string(), lambda: '%x' % R(0, 1 << 60) + 'ö' * R(0, 60)),
            ('long', pa.string(), lambda: random.choice(words[:4]) + 'y' * R(0, 3000) if random.random() < .05 else 'z'),
            ('binary', pa.binary(), lambda: random.choice([b'', b'ok', b'%d' % R(0, 1 << 40)])),
        ]
        for share in (0.0, 0.02, 0.5, 0.99, 1.0):
            for name, count in (('source', 2000), ('short', 20)):
                arrays, fields = [], []
                for title, type, make in columns:
                    make = make or iter(range(count)).__next__
                    values = [v if random.random() >= share else None for v in (make() for _ in range(count))]
                    arrays.append(pa.array(values, type))
                    fields.append(pa.field(title, type, nullable=share > 0))
                table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
                pq.write_table(table, f'{folder}/{name}-{share}.parquet', version='2.6')
        """#

    /// Compares copies with their sources. Arguments: the folder and the shares of nulls.
    static let checkingScript = #"""
        import sys, math, random
        import pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq, duckdb
        folder = sys.argv[1]
        random.seed(6)
        # Python's times have no nanoseconds.
        plain = lambda c: c.cast(pa.int64()) if pa.types.is_timestamp(c.type) or pa.types.is_time(c.type) else c
        for share in sys.argv[2].split():
            for variant in range(3):
                source = f"{folder}/{'short' if variant == 2 else 'source'}-{share}.parquet"
                path = f'{folder}/copy-{variant}-{share}.parquet'
                where = f'{variant} {share}'
                old = pq.read_table(source)
                new = pq.read_table(path, page_checksum_verification=True)
                new.validate(full=True)
                assert [(f.name, f.type, f.nullable) for f in new.schema] == [(f.name, f.type, f.nullable) for f in old.schema], where
                for name in old.column_names:
                    assert plain(new[name]).to_pylist() == plain(old[name]).to_pylist(), f'{where} {name}'
                    signs = lambda t: [v is not None and math.copysign(1, v) for v in t[name].to_pylist()]
                    if pa.types.is_floating(old[name].type): assert signs(new) == signs(old), where
                f = pq.ParquetFile(path)
                m = f.metadata
                assert m.num_rows == old.num_rows and m.format_version == '2.6', m.format_version
                if variant == 0: assert m.num_row_groups > 2, m.num_row_groups
                con = duckdb.connect()
                facts = con.execute('select row_group_id, column_id, min_is_exact, max_is_exact from parquet_metadata(?)', [path])
                exact = {(a, b): (c, d) for a, b, c, d in facts.fetchall()}
                row = 0
                for i in range(m.num_row_groups):
                    g = m.row_group(i)
                    part = old.slice(row, g.num_rows)
                    row += g.num_rows
                    for j, name in enumerate(old.column_names):
                        c = g.column(j)
                        assert c.has_offset_index and c.has_column_index, f'{where} {name}'
                        assert c.compression == 'ZSTD' and c.num_values == g.num_rows
                        s = c.statistics
                        assert s.null_count == part[name].null_count, f'{where} {name}'
                        assert s.has_min_max == (part[name].null_count < g.num_rows), f'{where} {name}'
                        values = [v for v in plain(part[name]).to_pylist() if v is not None]
                        if not values: continue
                        low, high = min(values), max(values)
                        if pa.types.is_string(part[name].type):
                            assert s.min <= low and s.max >= high, f'{where} {name} {s.min!r} {s.max!r}'
                            assert exact[i, j] == (s.min == low, s.max == high), f'{where} {name}'
                            if len(low.encode()) <= 64: assert s.min == low
                            if len(high.encode()) <= 64: assert s.max == high
                            assert len(s.min.encode()) <= 64 and len(s.max.encode()) <= 65
                        elif pa.types.is_timestamp(part[name].type) or pa.types.is_time(part[name].type):
                            assert (s.min_raw, s.max_raw) == (low, high), f'{where} {name}'
                        else:
                            assert (s.min, s.max) == (low, high), f'{where} {name} {s.min!r} {s.max!r} {low!r} {high!r}'
                assert row == old.num_rows
                # DuckDB: equal rows and types, and equal results of filters, which skip row groups by statistics.
                con.execute("set timezone = 'UTC'")
                a, b = f"read_parquet('{source}')", f"read_parquet('{path}')"
                types = lambda t: con.execute(f'describe select * from {t}').fetchall()
                assert [x[:2] for x in types(a)] == [x[:2] for x in types(b)], where
                assert con.execute(f'select * from {a}').fetchall() == con.execute(f'select * from {b}').fetchall(), where
                for name in old.column_names:
                    for test in random.sample(('<', '=', '>', '>='), 2):
                        n = random.randrange(old.num_rows)
                        query = (f'select count(*), count(*) filter (x."{name}" is null) from %s x where x."{name}" {test}'
                            f' (select "{name}" from {a} limit 1 offset {n})')
                        assert con.execute(query % a).fetchall() == con.execute(query % b).fetchall(), f'{where} {name} {test}'
        """#

    /// Checks the file of the test of extreme values. Argument: the folder.
    static let extremesScript = #"""
        import sys, math, datetime, decimal
        import pyarrow as pa, pyarrow.parquet as pq, duckdb
        path = sys.argv[1] + '/w.parquet'
        f = pq.ParquetFile(path, page_checksum_verification=True)
        t = f.read()
        t.validate(full=True)
        names = ['n', 'n_3', 'n_2', 'zero', 'negative zero', 'N', '', 'a.b', 'day', 'micro', 'utc', 'clock', 'wide', 'whole', 'money',
            'flag', 'none']
        assert t.column_names == names, t.column_names
        get = lambda name: t[name].to_pylist()
        assert get('n') == [-2**63, 2**63 - 1, 0, -1, None]
        assert get('n_3') == [0, 0, math.inf, -math.inf, 5e-324] and [math.copysign(1, x) for x in get('n_3')[:2]] == [-1, 1]
        x = get('n_2')
        assert math.isnan(x[0]) and x[1] == 1 and math.isnan(x[2]) and x[3] is None and x[4] == sys.float_info.max
        assert get('N') == ['', None, '\0', '日本', 'ä' * (1 << 19)]
        last = '\U0010FFFF' * 40
        assert get('') == [last, last + 'x', last, last, last]
        assert get('a.b') == [b'', b'\xff', b'\xff' * 100, b'\0', None]
        assert get('day') == [datetime.date(1, 1, 1), datetime.date(1969, 12, 31), datetime.date(1970, 1, 1), datetime.date(9999, 12, 31), None]
        assert get('micro') == [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), datetime.datetime(1970, 1, 1),
            datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999), None]
        assert t['utc'].type == pa.timestamp('ns', 'UTC') and t['utc'].cast(pa.int64()).to_pylist() == [-1, 0, -2**63 + 1, 2**63 - 1, None]
        assert t['clock'].cast(pa.int64()).to_pylist() == [0, 86399999999999, None, 1, 1000]
        nines = '9' * 36
        text = lambda name: [None if x is None else str(x) for x in get(name)]
        assert text('wide') == [f'-{nines}.99', f'{nines}.99', '0.00', '-0.01', None]
        assert text('whole') == ['9' * 38, '-' + '9' * 38, '-1', '1', '0']
        assert [x and x.scaleb(18) for x in get('money')] == [10**18 - 1, 1 - 10**18, 1, None, 0]
        assert get('flag') == [True, False, None, True, True] and get('none') == [None] * 5
        s = {name: f.metadata.row_group(0).column(j).statistics for j, name in enumerate(names)}
        c = {name: f.metadata.row_group(0).column(j) for j, name in enumerate(names)}
        # A chunk with NaN has no bounds, and a text without a short upper bound has no maximum.
        assert not s['n_2'].has_min_max and not c['n_2'].has_column_index and c['n_2'].has_offset_index
        assert not c[''].has_column_index and not c['a.b'].has_column_index
        for name in ('zero', 'negative zero'):
            assert math.copysign(1, s[name].min) == -1 and math.copysign(1, s[name].max) == 1, name
        assert (s['n_3'].min, s['n_3'].max) == (-math.inf, math.inf) and (s['n'].min, s['n'].max) == (-2**63, 2**63 - 1)
        assert s['N'].min == '' and s['N'].max == '日本' and s['none'].null_count == 5 and not s['none'].has_min_max
        assert (s['flag'].min, s['flag'].max) == (False, True)
        con = duckdb.connect()
        rows = con.execute(f"select * from '{path}'").fetchall()
        assert len(rows[0]) == len(names)
        assert [r[0] for r in rows] == get('n') and [r[5] for r in rows] == get('N') and [r[6] for r in rows] == get('')
        assert [r[7] for r in rows] == get('a.b') and [r[8] for r in rows] == get('day') and [r[12] for r in rows] == get('wide')
        # NaN is greater than all numbers for DuckDB, so statistics must not hide it.
        assert con.execute(f"select count(*) from '{path}' where n_2 > 1e308").fetchone() == (3,)
        assert con.execute(f"select count(*) from '{path}' where zero = -0.0 and \"negative zero\" = 0.0").fetchone() == (4,)
        print('ok')
        """#
}
