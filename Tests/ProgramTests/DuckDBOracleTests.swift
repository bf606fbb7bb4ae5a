import Testing

/// Compares groups and statistics with DuckDB on the same random file.
@Suite(.enabled(if: DuckDB.isAvailable, "no DuckDB in .build/python: run .make/setup build test where PyPI can be reached"))
struct DuckDBOracleTests {
    /// Random files: with commas, with all fields quoted, with semicolons and carriage returns.
    private static let seeds = [0, 1, 2]

    @Test("D8: nested groups have the rows and aggregates that DuckDB computes", arguments: seeds)
    func groups(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.groups, seed) == "compared thousands\n")
    }

    @Test("D9: column statistics and value frequencies equal those of DuckDB", arguments: seeds)
    func statistics(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.statistics, seed) == "compared 9 columns\n")
    }

    /// Creates the table, and functions that query both programs.
    private static let table = #"""
        import csv, json, random, subprocess, sys
        from decimal import Decimal
        import duckdb
        program, path, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        pick = random.Random(seed)
        # Plain, with every field quoted, and with other separators and line ends.
        separator, ends, quoting = [(',', '\n', csv.QUOTE_MINIMAL), (',', '\n', csv.QUOTE_ALL), (';', '\r\n', csv.QUOTE_MINIMAL)][seed % 3]
        names = ['plain', 'with, comma', 'with; too', 'say "so"', 'größer', 'Größer', 'b', 'a b', '日本', '']
        notes = ['', 'one line', 'two' + ends + 'lines', '"', 'a,b;c', '👩‍🚀 up'] + [f'note {n}' for n in range(40)]
        def decimal():
            text = f'{pick.uniform(-9, 9):.{pick.randint(0, 3)}f}'
            return pick.choice([text] * 8 + ['', '-0', '-0.00', 'n/a'])
        head = ['id', 'name', 'code', 'whole', 'dec', 'real', 'day', 'flag', 'note']
        rows = [[
            str(n), pick.choice(names), pick.choice(['', '0', '-0', '7', '-12', '7.0', '12']),
            pick.choice(['', str(2**53 + pick.randint(-3, 3)), str(pick.randint(-2**58, 2**58)), str(pick.randint(-5, 5))]),
            decimal(), pick.choice(['', '-0.0', repr(pick.gauss(0, 1e6)), f'{pick.gauss(0, 1):.17e}']),
            pick.choice(['', f'20{pick.randint(10, 29)}-0{pick.randint(1, 9)}-1{pick.randint(0, 9)}']),
            pick.choice(['true', 'false', '']), pick.choice(notes)] for n in range(1500)]
        with open(path, 'w', newline='', encoding='utf-8') as file:
            table = csv.writer(file, delimiter=separator, lineterminator=ends, quoting=quoting)
            table.writerow(head)
            table.writerows(rows)
        base = duckdb.connect()
        base.execute('set threads = 1')
        texts = {column: 'varchar' for column in head}
        base.execute(f'''create table t as select id::bigint as id, name, code, note, whole, dec, real, day, flag,
            whole::bigint as whole_value, try_cast(dec as decimal(18, 3)) as dec_value, real::double as real_value, day::date as day_value,
            flag::boolean as flag_value
            from read_csv('{path}', columns = {texts}, header = true, auto_detect = false, delim = '{separator}', quote = '"', escape = '"',
                nullstr = '', parallel = false, max_line_size = 100000, new_line = {ends!r})''')
        types = 'id:integer,name:text,code:text,whole:integer,dec:number,real:number,day:date,flag:flag,note:text'
        if base.execute('select count(*) from t').fetchone() != (len(rows),): print('DIFFERENT: DuckDB reads other rows')

        def told(*options):
            options = [program, path, '--types', types, *options]
            return subprocess.run(options, capture_output=True, text=True, encoding='utf-8', check=True).stdout

        def asked(sql):
            cursor = base.execute(sql)
            return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor.fetchall()]

        def is_near(found, expected, digits=None):
            '''Exact, but for what is rounded to digits that are shown, and the last bits of doubles.'''
            if found is None or expected is None or isinstance(found, str): return found == expected
            if isinstance(found, int) and isinstance(expected, int): return found == expected
            slack = 0 if digits is None else Decimal(10) ** -digits / 2
            return abs(Decimal(found) - Decimal(expected)) <= slack + abs(Decimal(expected)) * Decimal('1e-11') + Decimal('1e-9')

        """#

    private static let groups = #"""
        def number(text):
            return None if text == '' else Decimal(text.replace(',', ''))

        value = {'whole': 'whole_value', 'dec': 'dec_value', 'real': 'real_value'}
        digits = {'whole': 0, 'dec': 3, 'real': 9}
        shown = '--format', 'dec:3,real:9'
        subtotals = [(function, column) for column in value for function in ('count', 'sum', 'mean', 'min', 'max', 'distinct')]
        subtotals += [('first', 'id'), ('last', 'id'), ('first', 'name'), ('distinct', 'note')]

        def wanted(function, column):
            if function == 'first': return f"arg_min(coalesce({column}::varchar, ''), id)"
            if function == 'last': return f"arg_max(coalesce({column}::varchar, ''), id)"
            if function == 'count': return f'count({column})'
            if function == 'distinct': return f'count(distinct {column})'
            if column == 'real': return {'sum': 'fsum', 'mean': 'favg'}.get(function, function) + f'({value[column]})'
            if function == 'mean': return f'(sum({value[column]})::varchar, count({value[column]}))'
            return f'{function}({value[column]})'

        def expected(keys):
            '''Figures of the groups of all levels, by their keys from the outside.'''
            found = {}
            columns = ', '.join(f'{wanted(*subtotal)} as f{place}' for place, subtotal in enumerate(subtotals))
            for depth in range(1, len(keys) + 1):
                names = ', '.join(f"coalesce({key}, '') as k{place}" for place, key in enumerate(keys[:depth]))
                for row in asked(f'select {names}, count(*) as rows, {columns} from t group by all'):
                    found[tuple(row[f'k{place}'] for place in range(depth))] = row
            return found

        compared = 0
        for keys in [['code'], ['id'], ['flag', 'name'], ['name', 'code', 'flag']]:
            aggregates = ','.join(f'{function}({column})' for function, column in subtotals)
            lines = told('-o', 'markdown', '--collapsed', '--group', ','.join(keys), '--aggregate', aggregates, *shown).splitlines()[2:]
            groups = expected(['id::varchar' if key == 'id' else key for key in keys])
            around = []
            for line in lines:
                title, count, *texts = line[2:-2].split(' | ')
                depth = title.count('› ')
                title = title.replace('› ', '')
                around = around[:depth] + ['' if title == '(empty)' else title]
                row = groups.pop(tuple(around), None)
                if row is None:
                    print('DIFFERENT: no such group', keys, around)
                    continue
                if int(count.replace(',', '')) != row['rows']: print('DIFFERENT: rows', keys, around, count, row['rows'])
                for place, (function, column) in enumerate(subtotals):
                    text, subtotal = texts[place], row[f'f{place}']
                    if function in ('first', 'last'): same = (text.replace(',', '') if column == 'id' else text) == subtotal
                    else:
                        if isinstance(subtotal, tuple): subtotal = Decimal(subtotal[0]) / subtotal[1] if subtotal[1] else None
                        places = max(2, digits[column]) if function == 'mean' else digits.get(column, 0)
                        # What fits in 64 bits is exact.
                        is_whole = column == 'whole' and function != 'mean' and subtotal is not None and abs(subtotal) < 2**63
                        same = number(text) == subtotal if is_whole else is_near(number(text), subtotal, places)
                    if not same: print('DIFFERENT:', keys, around, function, column, text, subtotal)
                    compared += 1
            if groups: print('DIFFERENT: groups that are not told', keys, list(groups)[:3])
        print('compared', 'thousands' if compared > 30_000 else compared)
        """#

    private static let statistics = #"""
        found = {line['column']: line for line in map(json.loads, told('-o', 'jsonl', '--stats').splitlines())}
        for column in head:
            text = column if column != 'id' else 'id::varchar'
            value = column + '_value' if column not in ('id', 'name', 'code', 'note') else column
            wanted = asked(f'select count(*) as rows, count({value}) as values, count(*) - count({column}) as empty, 0 as missing, 0 as nan, '
                f'count({column}) - count({value}) as invalid, count(distinct {column}) as distinct from t')[0]
            wanted['distinct_is_estimate'] = False
            counts = asked(f'select {text} as value, count(*) as n from t where {column} is not null group by all order by n desc')
            # Where every value occurs once, none is told.
            wanted['most_frequent_count'] = counts[0]['n'] if counts[0]['n'] > 1 else None
            if found[column]['most_frequent'] not in [row['value'] if row['n'] > 1 else None for row in counts if row['n'] == counts[0]['n']]:
                print('DIFFERENT: most frequent', column, found[column]['most_frequent'], counts[:3])
            if value == column and column != 'id':
                wanted |= asked(f'select min(length({column})) as shortest, max(length({column})) as longest from t')[0]
            elif column == 'day':
                wanted |= asked('select min(day) as min, max(day) as max from t')[0]
            elif column == 'flag':
                wanted |= asked('select bool_and(flag_value)::varchar as min, bool_or(flag_value)::varchar as max, avg(flag_value::int) as mean, '
                    'sum(flag_value::int) as sum from t')[0]
            else:
                add, mean = ('fsum', 'favg') if column == 'real' else ('sum', 'avg')
                wanted |= asked(f'select min({value}) as min, max({value}) as max, {add}({value}) as sum, {mean}({value}) as mean, '
                    f'stddev_samp({value}) as std_dev from t')[0]
                exact = f'{value}::double' if column == 'dec' else value
                for name, part in [('p5', 5), ('p25', 25), ('median', 50), ('p75', 75), ('p95', 95)]:
                    wanted[name] = asked(f'select quantile_cont({exact}, 0.{part:02}) as q from t')[0]['q']
            for name, subtotal in wanted.items():
                got = found[column][name]
                if isinstance(got, float): got = Decimal(repr(got))
                if not is_near(got, subtotal): print('DIFFERENT:', column, name, got, subtotal)

        # Every value with its count, the most frequent first.
        for column in ['name', 'code']:
            lines = told('-o', 'markdown', '--collapsed', '--group', column + ':count:desc', '--aggregate', 'count(id)').splitlines()[2:]
            table = [(title if title != '(empty)' else '', int(count.replace(',', ''))) for title, count, _ in (line[2:-2].split(' | ') for line in lines)]
            if [count for _, count in table] != sorted((count for _, count in table), reverse=True): print('DIFFERENT: order', column, table)
            if dict(table) != {row['v']: row['n'] for row in asked(f"select coalesce({column}, '') as v, count(*) as n from t group by all")}:
                print('DIFFERENT: frequencies', column, table)
        print('compared', len(found), 'columns')
        """#
}
