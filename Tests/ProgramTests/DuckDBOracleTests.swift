import Testing

/// Compares groups and statistics with DuckDB on the same random file.
@Suite(.enabled(if: DuckDB.isAvailable, "DuckDB is not installed. Run .make/setup build test with access to PyPI."))
struct DuckDBOracleTests {
    /// Random files: with commas, with all fields quoted, with semicolons and carriage returns.
    private static let seeds = [0, 1, 2]

    @Test(arguments: seeds) func `D8: nested groups have the same rows and aggregates as in DuckDB`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.groups, seed) == "compared thousands\n")
    }

    @Test(arguments: seeds) func `D9: column statistics and value frequencies equal those of DuckDB`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.statistics, seed) == "compared 9 columns\n")
    }

    /// Creates the table, and functions that query both programs.
    private static let table = #"""
        import csv, json, random, subprocess, sys
        from decimal import Decimal
        import duckdb
        program, path, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        rng = random.Random(seed)
        # A plain file, a file with every field quoted, and one with semicolons and carriage returns.
        separator, line_end, quoting = [(',', '\n', csv.QUOTE_MINIMAL), (',', '\n', csv.QUOTE_ALL), (';', '\r\n', csv.QUOTE_MINIMAL)][seed % 3]
        names = ['plain', 'with, comma', 'with; too', 'say "so"', 'größer', 'Größer', 'b', 'a b', '日本', '']
        notes = ['', 'one line', 'two' + line_end + 'lines', '"', 'a,b;c', '👩‍🚀 up'] + [f'note {n}' for n in range(40)]
        def decimal():
            text = f'{rng.uniform(-9, 9):.{rng.randint(0, 3)}f}'
            return rng.choice([text] * 8 + ['', '-0', '-0.00', 'n/a'])
        header = ['id', 'name', 'code', 'whole', 'dec', 'real', 'day', 'flag', 'note']
        rows = [[
            str(n), rng.choice(names), rng.choice(['', '0', '-0', '7', '-12', '7.0', '12']),
            rng.choice(['', str(2**53 + rng.randint(-3, 3)), str(rng.randint(-2**58, 2**58)), str(rng.randint(-5, 5))]),
            decimal(), rng.choice(['', '-0.0', repr(rng.gauss(0, 1e6)), f'{rng.gauss(0, 1):.17e}']),
            rng.choice(['', f'20{rng.randint(10, 29)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}']),
            rng.choice(['true', 'false', '']), rng.choice(notes)] for n in range(1500)]
        with open(path, 'w', newline='', encoding='utf-8') as file:
            table = csv.writer(file, delimiter=separator, lineterminator=line_end, quoting=quoting)
            table.writerow(header)
            table.writerows(rows)
        database = duckdb.connect()
        database.execute('set threads = 1')
        texts = {column: 'varchar' for column in header}
        database.execute(f'''create table t as select id::bigint as id, name, code, note, whole, dec, real, day, flag,
            whole::bigint as whole_value, try_cast(dec as decimal(18, 3)) as dec_value, real::double as real_value, day::date as day_value,
            flag::boolean as flag_value
            from read_csv('{path}', columns = {texts}, header = true, auto_detect = false, delim = '{separator}', quote = '"', escape = '"',
                nullstr = '', parallel = false, max_line_size = 100000, new_line = {line_end!r})''')
        types = 'id:integer,name:text,code:text,whole:integer,dec:number,real:number,day:date,flag:flag,note:text'
        if database.execute('select count(*) from t').fetchone() != (len(rows),): print('DIFFERENT: number of rows read by DuckDB')

        def run_program(*options):
            options = [program, path, '--types', types, *options]
            return subprocess.run(options, capture_output=True, text=True, encoding='utf-8', check=True).stdout

        def query(sql):
            cursor = database.execute(sql)
            return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor.fetchall()]

        def is_near(found, expected, digits=None):
            '''Compares exactly, except for rounding to the displayed digits and the last bits of doubles.'''
            if found is None or expected is None or isinstance(found, str): return found == expected
            if isinstance(found, int) and isinstance(expected, int): return found == expected
            tolerance = 0 if digits is None else Decimal(10) ** -digits / 2
            return abs(Decimal(found) - Decimal(expected)) <= tolerance + abs(Decimal(expected)) * Decimal('1e-11') + Decimal('1e-9')

        """#

    private static let groups = #"""
        def number(text):
            return None if text == '' else Decimal(text.replace(',', ''))

        value = {'whole': 'whole_value', 'dec': 'dec_value', 'real': 'real_value'}
        digits = {'whole': 0, 'dec': 3, 'real': 9}
        formats = '--format', 'dec:3,real:9'
        subtotals = [(function, column) for column in value for function in ('count', 'sum', 'mean', 'min', 'max', 'distinct')]
        quantiles = {'median': 0.5, 'p5': 0.05, 'p25': 0.25, 'p90': 0.9}
        # DuckDB computes deviations of doubles, which large integers exceed.
        spreads = [(function, column) for column in ('dec', 'real') for function in [*quantiles, 'stddev']]
        subtotals += spreads
        subtotals += [('first', 'id'), ('last', 'id'), ('first', 'name'), ('distinct', 'note')]

        def aggregate_sql(function, column):
            if function == 'first': return f"arg_min(coalesce({column}::varchar, ''), id)"
            if function == 'last': return f"arg_max(coalesce({column}::varchar, ''), id)"
            if function == 'count': return f'count({column})'
            if function == 'distinct': return f'count(distinct {column})'
            if function in quantiles: return f'quantile_cont({value[column]}::double, {quantiles[function]})'
            if function == 'stddev': return f'stddev_samp({value[column]}::double)'
            if column == 'real': return {'sum': 'fsum', 'mean': 'favg'}.get(function, function) + f'({value[column]})'
            if function == 'mean': return f'(sum({value[column]})::varchar, count({value[column]}))'
            return f'{function}({value[column]})'

        def expected_groups(keys):
            '''Returns the aggregates of the groups of all levels, by their keys from the outermost.'''
            found = {}
            columns = ', '.join(f'{aggregate_sql(*subtotal)} as f{index}' for index, subtotal in enumerate(subtotals))
            for depth in range(1, len(keys) + 1):
                names = ', '.join(f"coalesce({key}, '') as k{index}" for index, key in enumerate(keys[:depth]))
                for row in query(f'select {names}, count(*) as rows, {columns} from t group by all'):
                    found[tuple(row[f'k{index}'] for index in range(depth))] = row
            return found

        compared = 0
        for keys in [['code'], ['id'], ['flag', 'name'], ['name', 'code', 'flag']]:
            aggregates = ','.join(f'{function}({column})' for function, column in subtotals)
            lines = run_program('-o', 'markdown', '--collapsed', '--group', ','.join(keys), '--aggregate', aggregates, *formats).splitlines()[2:]
            groups = expected_groups(['id::varchar' if key == 'id' else key for key in keys])
            group_path = []
            for line in lines:
                title, count, *texts = line[2:-2].split(' | ')
                depth = title.count('› ')
                title = title.replace('› ', '')
                group_path = group_path[:depth] + ['' if title == '(empty)' else title]
                row = groups.pop(tuple(group_path), None)
                if row is None:
                    print('DIFFERENT: unexpected group', keys, group_path)
                    continue
                if int(count.replace(',', '')) != row['rows']: print('DIFFERENT: rows', keys, group_path, count, row['rows'])
                for index, (function, column) in enumerate(subtotals):
                    text, subtotal = texts[index], row[f'f{index}']
                    if function in ('first', 'last'): same = (text.replace(',', '') if column == 'id' else text) == subtotal
                    else:
                        if isinstance(subtotal, tuple): subtotal = Decimal(subtotal[0]) / subtotal[1] if subtotal[1] else None
                        places = max(2, digits[column]) if function == 'mean' or (function, column) in spreads else digits.get(column, 0)
                        # 64-bit integers are exact.
                        is_whole = column == 'whole' and function != 'mean' and subtotal is not None and abs(subtotal) < 2**63
                        same = number(text) == subtotal if is_whole else is_near(number(text), subtotal, places)
                    if not same: print('DIFFERENT:', keys, group_path, function, column, text, subtotal)
                    compared += 1
            if groups: print('DIFFERENT: missing groups', keys, list(groups)[:3])
        print('compared', 'thousands' if compared > 30_000 else compared)
        """#

    private static let statistics = #"""
        found = {line['column']: line for line in map(json.loads, run_program('-o', 'jsonl', '--stats').splitlines())}
        for column in header:
            text = column if column != 'id' else 'id::varchar'
            value = column + '_value' if column not in ('id', 'name', 'code', 'note') else column
            expected = query(f'select count(*) as rows, count({value}) as values, count(*) - count({column}) as empty, 0 as missing, 0 as nan, '
                f'count({column}) - count({value}) as invalid, count(distinct {column}) as distinct from t')[0]
            expected['distinct_is_estimate'] = False
            counts = query(f'select {text} as value, count(*) as n from t where {column} is not null group by all order by n desc')
            # If every value occurs once, there is no most frequent one.
            expected['most_frequent_count'] = counts[0]['n'] if counts[0]['n'] > 1 else None
            if found[column]['most_frequent'] not in [row['value'] if row['n'] > 1 else None for row in counts if row['n'] == counts[0]['n']]:
                print('DIFFERENT: most frequent', column, found[column]['most_frequent'], counts[:3])
            if value == column and column != 'id':
                expected |= query(f'select min(length({column})) as shortest, max(length({column})) as longest from t')[0]
            elif column == 'day':
                expected |= query('select min(day) as min, max(day) as max from t')[0]
            elif column == 'flag':
                expected |= query('select bool_and(flag_value)::varchar as min, bool_or(flag_value)::varchar as max, avg(flag_value::int) as mean, '
                    'sum(flag_value::int) as sum from t')[0]
            else:
                add, mean = ('fsum', 'favg') if column == 'real' else ('sum', 'avg')
                expected |= query(f'select min({value}) as min, max({value}) as max, {add}({value}) as sum, {mean}({value}) as mean, '
                    f'stddev_samp({value}) as stddev from t')[0]
                exact = f'{value}::double' if column == 'dec' else value
                for name, part in [('p5', 5), ('p25', 25), ('median', 50), ('p75', 75), ('p95', 95)]:
                    expected[name] = query(f'select quantile_cont({exact}, 0.{part:02}) as q from t')[0]['q']
            for name, subtotal in expected.items():
                actual = found[column][name]
                if isinstance(actual, float): actual = Decimal(repr(actual))
                if not is_near(actual, subtotal): print('DIFFERENT:', column, name, actual, subtotal)

        # Each value with its count, most frequent first.
        for column in ['name', 'code']:
            lines = run_program('-o', 'markdown', '--collapsed', '--group', column + ':count:desc', '--aggregate', 'count(id)').splitlines()[2:]
            table = [(title if title != '(empty)' else '', int(count.replace(',', ''))) for title, count, _ in (line[2:-2].split(' | ') for line in lines)]
            if [count for _, count in table] != sorted((count for _, count in table), reverse=True): print('DIFFERENT: order', column, table)
            if dict(table) != {row['v']: row['n'] for row in query(f"select coalesce({column}, '') as v, count(*) as n from t group by all")}:
                print('DIFFERENT: frequencies', column, table)
        print('compared', len(found), 'columns')
        """#
}
