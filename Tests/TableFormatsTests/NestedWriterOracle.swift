extension NestedWriterTests {
    /// Writes random tables with nested columns, as Parquet and as Arrow. Arguments: the folder and a seed.
    static let writingScript = #"""
        import sys, random, datetime, decimal, math
        import pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
        folder, seed = sys.argv[1], int(sys.argv[2])
        random.seed(seed)
        R = random.randrange
        decimal.getcontext().prec = 60
        D = lambda n, s: decimal.Decimal(n).scaleb(-s)
        whole = lambda bits, signed: (lambda: random.choice([0, 1, (1 << bits - signed) - 1, -(1 << bits - 1) if signed else 7]))
        words = ['', 'a', 'null', '0xff', '"q"\\\n', 'Zürich', '日本', 'x' * 70]
        leaves = [(getattr(pa, ('int' if s else 'uint') + str(b))(), whole(b, s)) for b in (8, 16, 32, 64) for s in (True, False)] + [
            (pa.float32(), lambda: random.choice([0.0, -0.0, 0.5, math.inf, 1.0000001192092896, 1e-45])),
            (pa.float64(), lambda: random.choice([0.0, -0.0, 0.1, -math.inf, 1e300, 5e-324])),
            (pa.float16(), lambda: random.choice([0.0, -0.0, 0.5, -2.0, 65504.0])),
            (pa.bool_(), lambda: random.random() < .5),
            (pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=R(-700000, 2900000))),
            (pa.time32('ms'), lambda: R(0, 86400000)), (pa.time64('us'), lambda: R(0, 86400 * 10**6)), (pa.time64('ns'), lambda: R(0, 86400 * 10**9)),
            (pa.timestamp('ms'), lambda: R(-6 * 10**13, 2 * 10**14)), (pa.timestamp('us', 'UTC'), lambda: R(-6 * 10**16, 2 * 10**17)),
            (pa.timestamp('ns'), lambda: R(-9 * 10**18, 9 * 10**18)),
            (pa.decimal128(9, 2), lambda: D(R(-10**9 + 1, 10**9), 2)), (pa.decimal128(18, 18), lambda: D(R(-10**18 + 1, 10**18), 18)),
            (pa.decimal128(38, 10), lambda: D(random.choice([R(-10**38 + 1, 10**38), R(-9, 9)]), 10)),
            (pa.string(), lambda: random.choice(words)),
            (pa.binary(), lambda: random.choice([b'', b'ok', b'0xff', b'0x', b'\xff\x00', b'a\xc3'])),
            (pa.binary(3), lambda: random.choice([b'abc', b'0xf', b'\xff\x00\x01'])),
        ]
        arrow_only = [(pa.timestamp('s', 'UTC'), lambda: R(-10**9, 10**9)), (pa.time32('s'), lambda: R(0, 86400))]

        def make(depth, arrow):
            # A random type, and a function that makes values.
            kind = R(0, 5) if depth > 0 else 0
            if kind < 2 and depth < 4: return random.choice(leaves + (arrow_only if arrow else []))
            def part(name, nullable=True):
                type, value = make(depth - 1, arrow)
                nullable = nullable and random.random() < .8
                share = random.choice([.1, .5, .9])
                return pa.field(name, type, nullable=nullable), lambda: None if nullable and random.random() < share else value()
            length = lambda: random.choice([0, 0, 1, 1, 2, R(0, 5)])
            if kind == 2:
                parts = [part(random.choice(['a', 'b.c', 'ä', 'list', 'element']) + str(n)) for n in range(R(1, 4))]
                return pa.struct([f for f, _ in parts]), lambda: {f.name: v() for f, v in parts}
            if kind == 3:
                key, value = part('key', False), part('value')
                return pa.map_(key[0], value[0]), lambda: [(key[1](), value[1]()) for _ in range(length())]
            item = part('item')
            if arrow and R(0, 4) == 0:
                size = R(0, 4)
                return pa.list_(item[0], size), lambda: [item[1]() for _ in range(size)]
            return pa.list_(item[0]), lambda: [item[1]() for _ in range(length())]

        def deep():
            type, value = pa.int8(), lambda: R(0, 9)
            for level in range(20):
                type, value = pa.list_(type), (lambda inner: lambda: random.choice([lambda: None, list, lambda: [inner()], lambda: [inner(), None]])())(value)
            return type, value

        for arrow in (False, True):
            for name, count in (('full', 400), ('empty', 0)):
                random.seed(seed)
                fields, arrays = [pa.field('id', pa.int64(), nullable=False)], [pa.array(range(count), pa.int64())]
                for n in range(40):
                    type, value = deep() if n == 0 else make(4, arrow)
                    share = .2 if n == 0 else random.choice([0.0, .2, 1.0])
                    fields.append(pa.field(f'c{n}', type, nullable=share > 0))
                    arrays.append(pa.array([None if random.random() < share else value() for _ in range(count)], type))
                table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
                table.validate(full=True)
                if arrow: feather.write_feather(table, f'{folder}/{name}.arrow', compression='uncompressed', chunksize=150)
                else: pq.write_table(table, f'{folder}/{name}.parquet', row_group_size=170, data_page_size=300, store_schema=False)
        """#

    /// Compares copies with their sources: types, values and nulls. Arguments: the folder and the names of the copies.
    static let checkingScript = #"""
        import sys
        import pyarrow as pa, pyarrow.parquet as pq, pyarrow.feather as feather
        folder = sys.argv[1]

        def read(path):
            if not path.endswith('.parquet'): return feather.read_table(path)
            return pq.read_table(path, page_checksum_verification=True)

        def plain(t):
            # The type that Parquet stores.
            part = lambda f: pa.field(f.name, plain(f.type), nullable=f.nullable)
            if pa.types.is_struct(t): return pa.struct([part(t.field(n)) for n in range(t.num_fields)])
            if pa.types.is_map(t): return pa.map_(part(t.key_field), part(t.item_field))
            if pa.types.is_list(t) or pa.types.is_fixed_size_list(t): return pa.list_(part(t.value_field))
            if t == pa.time32('s'): return pa.time32('ms')
            if pa.types.is_timestamp(t) and t.unit == 's': return pa.timestamp('ms', t.tz)
            return t

        def tree(value, t):
            # A value for comparison, without the limits of the times of Python.
            if not value.is_valid: return None
            if pa.types.is_struct(t): return [tree(value[n], t.field(n).type) for n in range(t.num_fields)]
            if pa.types.is_map(t): return [[tree(e['key'], t.key_type), tree(e['value'], t.item_type)] for e in value.values]
            if pa.types.is_list(t) or pa.types.is_fixed_size_list(t): return [tree(e, t.value_type) for e in value.values]
            if pa.types.is_time(t) or pa.types.is_timestamp(t): return value.value * (1000 if t.unit == 's' else 1)
            return repr(value.as_py())

        def trees(column): return [tree(v, column.type) for v in column]

        def same(old, old_trees, new, where):
            assert old.column_names == new.column_names, (where, old.column_names, new.column_names)
            for name in old.column_names:
                a, b = old.schema.field(name), new.schema.field(name)
                if new.num_rows == 0 and name == 'id': continue
                wanted = plain(a.type) if 'parquet' in where else a.type
                # The names of the elements of lists are not part of a type.
                assert b.type == wanted and b.nullable == a.nullable, (where, name, a, b)
                x, y = old_trees[name], trees(new[name])
                for row, (u, v) in enumerate(zip(x, y)): assert u == v, (where, name, row, a.type, u, v)
                assert len(x) == len(y), (where, name)

        for source in ('parquet', 'arrow'):
            for name in ('full', 'empty'):
                old = read(f'{folder}/{name}.{source}')
                old_trees = {column: trees(old[column]) for column in old.column_names}
                for path in sys.argv[2:]:
                    if not path.startswith(f'{name}.{source}-'): continue
                    new = read(f'{folder}/{path}')
                    new.validate(full=True)
                    same(old, old_trees, new, path)
                    if name == 'full' and path.endswith('parquet'):
                        facts = pq.ParquetFile(f'{folder}/{path}').metadata
                        assert facts.num_row_groups > 5, facts.num_row_groups
        print('done')
        """#
}
