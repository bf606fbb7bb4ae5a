import GridTestSupport
import Testing

/// Unusual values, compared with DuckDB: short and long rows, empty fields, NaN, infinities, percentages, thousands separators, −0,
/// integers beyond 2^53 and beyond 64 bits, and text that is not a number.
///
/// The script parses numbers with Python's `int`, `Decimal` and `float`. DuckDB receives the parsed values and computes the rest.
@Suite(.enabled(if: DuckDB.isAvailable, "DuckDB is not installed. Run .make/setup build test with access to PyPI."))
struct UnusualValuesOracleTests {
    private static let seeds = [0, 1, 2]

    @Test(arguments: seeds) func `D6: unusual values are sorted as in DuckDB`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.sort, seed) == "compared 14 orders\n")
    }

    @Test(arguments: seeds) func `D7: conditions on unusual values match the same rows as in DuckDB`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.filter, seed) == "compared 29 conditions\n")
    }

    @Test(arguments: seeds) func `D8: unusual values have the groups and aggregates that DuckDB computes`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.groups, seed) == "compared thousands\n")
    }

    @Test(arguments: seeds) func `D9: statistics of unusual values equal those of DuckDB`(seed: Int) throws {
        try #expect(DuckDB.differences(foundBy: Self.table + Self.statistics, seed) == "compared 5 columns\n")
    }

    /// The SQL that creates the table.
    private static let table = #"""
        import csv, json, random, re, subprocess, sys
        from decimal import Decimal
        import duckdb
        program, path, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
        rng = random.Random(seed)
        quoting = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_MINIMAL][seed % 3]

        def spaced(text):
            return rng.choice(['', '', '', ' ', '\t']) + text + rng.choice(['', '', '', ' ', '  '])

        def grouped(number):
            return f'{number:,}'

        NOT_NUMBERS = ['', ' ', '\t ', 'n/a', '-', '.', '1,5', '12,34', '1.2.3', '0x10', '1e', 'é', 'naan', '--1', '1 2', '1%%', '%']
        def num():
            return rng.choice([
                str(rng.randint(-9, 9)), f'{rng.uniform(-9, 9):.{rng.randint(0, 3)}f}', f'{rng.randint(-300, 300)}%', f'{rng.uniform(-3, 3):.1f}%',
                grouped(rng.randint(-9**7, 9**7)), f'{grouped(rng.randint(0, 9**6))}.{rng.randint(0, 99):02}', '-0', '0', '-0.0', '+0', '5.', '.5',
                '-.25', f'{rng.randint(1, 9)}e{rng.randint(-3, 4)}', '+7', '007', rng.choice(['nan', 'NaN', '-nan', 'NAN']), rng.choice(NOT_NUMBERS)])
        def whole():
            return rng.choice([
                str(2**53 + rng.randint(-3, 3)), str(-2**53 + rng.randint(-3, 3)), str(2**63 - rng.randint(1, 3)), str(-2**63 + rng.randint(0, 2)),
                grouped(rng.randint(-2**60, 2**60)), str(rng.randint(-5, 5)), '-0', '+12', '0012', 'nan', rng.choice(NOT_NUMBERS)])
        def vast():
            return rng.choice([
                str(2**53 + rng.randint(-3, 3)), str(2**63 + rng.randint(-2, 2)), str(10**25 + rng.randint(0, 9)), grouped(-2**64 + rng.randint(-2, 2)),
                str(rng.randint(-5, 5)), '-0', 'nan', rng.choice(NOT_NUMBERS)])
        def wild():
            return rng.choice([
                'inf', '-inf', 'Infinity', '+INF', '-infinity', '1e400', '-1e400', '1e-400', '-1e-400', 'nan', '1e308', str(rng.randint(-9, 9)),
                rng.choice(NOT_NUMBERS)])

        header = ['id', 'num', 'whole', 'vast', 'wild']
        rows = []
        for n in range(1500):
            row = [str(n)] + [spaced(make()) if rng.random() < 0.2 else make() for make in (num, whole, vast, wild)]
            length = rng.choice([5] * 12 + [1, 2, 3, 4, 6, 8])
            rows.append((row + ['more', '', 'x'])[:length])
        # The first row is long, so the number of columns does not depend on the seed.
        rows[0] = (rows[0] + [''] * 8)[:8]
        with open(path, 'w', newline='', encoding='utf-8') as file:
            table = csv.writer(file, lineterminator='\n', quoting=quoting)
            table.writerow(header)
            table.writerows(rows)

        # Reads a number independently of the program. The kind is 0 for a value, 1 NaN, 2 text, 3 blank, 4 missing. The last result is exact.
        DIGITS = r'(?:\d+|\d{1,3}(?:,\d{3})+)'
        def read(text):
            if text is None: return 4, None, None, None
            text = text.strip(' \t')
            if text == '': return 3, None, None, None
            if re.fullmatch(r'[+-]?nan', text, re.I): return 1, None, None, None
            if re.fullmatch(r'[+-]?inf(inity)?', text, re.I): return 0, None, float(text), Decimal(text)
            if re.fullmatch(rf'[+-]?{DIGITS}', text):
                number = int(text.replace(',', ''))
                return 0, number if -2**63 <= number < 2**63 else None, float(number), Decimal(number)
            plain = text.replace(',', '')
            if re.fullmatch(rf'[+-]?(?:{DIGITS}\.?\d*|\.\d+)%', text):
                return 0, None, float(Decimal(plain[:-1]) / 100), Decimal(plain[:-1]) / 100
            if re.fullmatch(rf'[+-]?(?:{DIGITS}\.?\d*|\.\d+)(?:[eE][+-]?\d+)?', text): return 0, None, float(plain), Decimal(plain)
            return 2, None, None, None

        database = duckdb.connect()
        database.execute('set threads = 1')
        columns = ', '.join(f'{c} varchar, {c}_kind int, {c}_whole hugeint, {c}_value double, {c}_rank int' for c in header[1:])
        database.execute(f'create table t (id bigint, {columns})')
        found = {index: [(text, *read(text)) for text in (row[index] if index < len(row) else None for row in rows)] for index in range(1, 5)}
        # The position of each number among the distinct numbers of its column.
        ranks = {index: {n: rank for rank, n in enumerate(sorted({f[4] for f in fields if f[4] is not None}))} for index, fields in found.items()}
        def values(n):
            fields = [found[index][n] for index in found]
            return [n, *(value for index, field in zip(found, fields) for value in [*field[:4], ranks[index].get(field[4])])]
        database.executemany(f'insert into t values ({", ".join("?" * 21)})', [values(n) for n in range(len(rows))])

        types = 'id:integer,' + ','.join(f'{c}:decimal-point' for c in header[1:])
        def run_program(*options):
            options = [program, path, '--types', types, '--header', 'yes', *options]
            result = subprocess.run(options, capture_output=True, text=True, encoding='utf-8')
            # Aggregates report the values that are not numbers, such as `1.2.3`.
            if result.returncode != 0 and not (result.returncode == 1 and 'aggregates leave out' in result.stderr): sys.exit(result.stderr)
            return result.stdout

        def ids(*options):
            return [row['id'] for row in json.loads(run_program('-o', 'json', '--columns', 'id', *options))]

        def query(sql):
            cursor = database.execute(sql)
            return [dict(zip([column[0] for column in cursor.description], row)) for row in cursor.fetchall()]

        def check(name, found, expected):
            if found != expected:
                first = next((n for n, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), min(len(found), len(expected)))
                print('DIFFERENT:', name, len(found), len(expected), 'from', first, [rows[id] for id in found[first:first + 3]],
                      [rows[id] for id in expected[first:first + 3]])

        """#

    private static let sort = #"""
        def order(column, down=''):
            return f'{column}_kind, {column}_rank {down}, case when {column}_kind = 2 then {column} end'
        count = 0
        for keys, by in [
            *[(f'{c}{down}', order(c, down[1:])) for c in header[1:] for down in ('', ':desc')],
            ('wild:desc,num', order('wild', 'desc') + ', ' + order('num')), ('num:desc,whole:desc', order('num', 'desc') + ', ' + order('whole', 'desc')),
            ('vast,wild,num:desc', ', '.join([order('vast'), order('wild'), order('num', 'desc')]))]:
            expected = [row['id'] for row in query(f'select id from t order by {by}, id')]
            check(keys, ids('--sort', keys), expected)
            count += 1
            if ',' in keys: check(keys + ' in a temporary file', ids('--sort', keys, '--memory', '0'), expected)
            if ',' in keys: count += 1
        print('compared', count, 'orders')
        """#

    private static let filter = #"""
        num, wild = 'num_value', 'wild_value'
        conditions = {
            'num = 0': 'num_value = 0', 'num != 0': 'num_value is null or num_value <> 0', 'num > 0': 'num_value > 0', 'num <= 0.5': 'num_value <= 0.5',
            'num = 0.5': 'num_value = 0.5', 'num < -0.25': 'num_value < -0.25', 'num >= 0.12': 'num_value >= 0.12',
            'not (num > 1)': 'not coalesce(num_value > 1, false)', 'not (num != 5)': 'num_value = 5', 'num in (0, 0.5, 7)': 'num_value in (0, 0.5, 7)',
            'num not in (0, 0.5, 7)': 'num_value is null or num_value not in (0, 0.5, 7)',
            'num is empty': 'num_kind >= 3', 'num is not empty': 'num_kind < 3', 'vast is empty': 'vast_kind >= 3',
            'whole = 9007199254740993': 'whole_whole = 9007199254740993', 'whole > 9007199254740992': 'whole_whole > 9007199254740992',
            'whole != -9007199254740993': 'whole_whole is null or whole_whole <> -9007199254740993', 'whole >= 9223372036854775806': 'whole_whole >= 9223372036854775806',
            'whole <= -9223372036854775807': 'whole_whole <= -9223372036854775807', 'whole = 12': 'whole_whole = 12',
            'vast > 9223372036854775807': 'vast_whole is null and vast_value > 0', 'vast < 9007199254740993': 'coalesce(vast_whole < 9007199254740993, vast_value < 0)',
            'wild > 1': 'wild_value > 1', 'wild < -9': 'wild_value < -9', 'wild = 0': 'wild_value = 0', 'wild > 1e307': 'wild_value > 1e307',
            'num > wild': 'num_value > wild_value', 'num * 2 >= 1 and wild < 0': 'num_value * 2 >= 1 and wild_value < 0',
            'wild - wild = 0 or num > 100': 'wild_value not in (1e309::double, -1e309::double) or num_value > 100'}
        for condition, where in conditions.items():
            where = where.replace('1e309::double', "'infinity'::double")
            where = where.replace("-'infinity'::double", "'-infinity'::double")
            expected = [row['id'] for row in query(f'select id from t where {where} order by id')]
            check(condition, ids('--filter', condition), expected)
            if not expected: print('DIFFERENT: no row matches', condition)
        print('compared', len(conditions), 'conditions')
        """#

    private static let groups = #"""
        def number(text):
            return None if text == '' else float(text) if 'inf' in text else Decimal(text.replace(',', ''))

        def is_near(found, expected, digits):
            if found is None or expected is None: return found == expected
            if abs(expected) == float('inf') or abs(found) == float('inf'): return float(found) == float(expected)
            expected = Decimal(expected)
            return abs(Decimal(found) - expected) <= Decimal(10) ** -digits / 2 + abs(expected) * Decimal('1e-11')

        subtotals = [(f, c) for c in ('num', 'whole', 'vast') for f in ('count', 'sum', 'mean', 'min', 'max', 'distinct')]
        subtotals += [(f, 'wild') for f in ('count', 'min', 'max', 'distinct')]
        def aggregate_sql(function, c):
            if function == 'count': return f'count(*) filter ({c}_kind < 3)'
            if function == 'distinct': return f'count(distinct {c}) filter ({c}_kind < 3)'
            # Sums of integers are exact at any size.
            if c == 'vast' and function in ('sum', 'mean'): return "list(case when vast_kind = 0 then replace(trim(vast, ' \t'), ',', '') end)"
            if c == 'whole': return '(sum(whole_whole)::varchar, count(whole_whole))' if function == 'mean' else f'{function}(whole_whole)'
            return {'sum': 'fsum', 'mean': 'favg'}.get(function, function) + f'({c}_value)'
        sql = ', '.join(f'{aggregate_sql(*subtotal)} as f{index}' for index, subtotal in enumerate(subtotals))
        compared = 0
        for key in header[1:]:
            lines = run_program('-o', 'markdown', '--collapsed', '--group', key, '--aggregate', ','.join(f'{f}({c})' for f, c in subtotals),
                '--format', 'num:6,vast:2,wild:2').splitlines()[2:]
            # Blank and missing fields form the last group. Each notation of a number forms its own group.
            found = {row['k']: row for row in query(f"select case when {key}_kind >= 3 then '' else {key} end as k, count(*) as rows, {sql} from t group by k")}
            for line in lines:
                title, count, *texts = line[2:-2].split(' | ')
                # The output shows a tab as a symbol.
                row = found.pop('' if title == '(empty)' else title.replace('␉', '\t'), None)
                if row is None:
                    print('DIFFERENT: unexpected group', key, repr(title))
                    continue
                if int(count.replace(',', '')) != row['rows']: print('DIFFERENT: rows', key, title, count, row['rows'])
                for index, (function, c) in enumerate(subtotals):
                    actual, subtotal = number(texts[index]), row[f'f{index}']
                    if isinstance(subtotal, list):
                        numbers = [int(one) for one in subtotal if one is not None]
                        subtotal = None if not numbers else sum(numbers) if function == 'sum' else Decimal(sum(numbers)) / len(numbers)
                    if isinstance(subtotal, tuple): subtotal = Decimal(subtotal[0]) / subtotal[1] if subtotal[1] else None
                    is_whole = function in ('count', 'distinct') or c == 'whole' and function != 'mean' or (c, function) == ('vast', 'sum')
                    if not (actual == subtotal if is_whole else is_near(actual, subtotal, 2 if c != 'num' else 6)):
                        print('DIFFERENT:', key, repr(title), function, c, texts[index], subtotal)
                    compared += 1
            if found: print('DIFFERENT: missing groups', key, list(found)[:3])
            if title != '(empty)': print('DIFFERENT: the last group is', repr(title))
        print('compared', 'thousands' if compared > 20_000 else compared)
        """#

    private static let statistics = #"""
        def is_near(found, expected):
            if found is None or expected is None or isinstance(found, str): return found == expected
            if isinstance(found, int) and isinstance(expected, int): return found == expected
            return abs(Decimal(found) - Decimal(expected)) <= abs(Decimal(expected)) * Decimal('1e-11') + Decimal('1e-9')

        found = {line['column']: line for line in map(json.loads, run_program('-o', 'jsonl', '--stats').splitlines())}
        compared = 0
        for c in header[1:]:
            expected = query(f'select count(*) as rows, count(*) filter ({c}_kind = 0) as values, count(*) filter ({c}_kind = 3) as empty, '
                f'count(*) filter ({c}_kind = 4) as missing, count(*) filter ({c}_kind = 2) as invalid, count(*) filter ({c}_kind = 1) as nan, '
                f'count(distinct {c}) filter ({c}_kind < 3) as distinct from t')[0]
            counts = query(f'select {c} as value, count(*) as n from t where {c}_kind < 3 group by all order by n desc')
            expected['most_frequent_count'] = counts[0]['n'] if counts[0]['n'] > 1 else None
            if found[c]['most_frequent'] not in [row['value'] for row in counts if row['n'] == counts[0]['n']]:
                print('DIFFERENT: most frequent', c, found[c]['most_frequent'], counts[:3])
            if c == 'wild':
                expected |= {'min': '-inf', 'max': 'inf', 'sum': 'nan', 'mean': 'nan', 'stddev': None}
            else:
                extremes = 'whole_whole' if c == 'whole' else f'{c}_value'
                expected |= query(f'select min({extremes}) as min, max({extremes}) as max, favg({c}_value) as mean, stddev_samp({c}_value) as stddev from t')[0]
                expected |= query(f"select {'sum(whole_whole)' if c == 'whole' else f'fsum({c}_value)'} as sum from t")[0]
                for name, part in [('p5', 5), ('p25', 25), ('median', 50), ('p75', 75), ('p95', 95)]:
                    expected[name] = query(f'select quantile_cont({c}_value, 0.{part:02}) as q from t')[0]['q']
            if c == 'whole': expected['mean'] = Decimal(expected['sum']) / expected['values']
            for name, subtotal in expected.items():
                actual = found[c][name]
                if isinstance(actual, float): actual = Decimal(repr(actual))
                if not is_near(actual, subtotal): print('DIFFERENT:', c, name, actual, subtotal)
            compared += 1
        # The first extra column, which only long rows have.
        long = sum(len(row) > 5 for row in rows)
        more = found['#6']
        if (more['rows'], more['missing'], more['values'] + more['empty']) != (len(rows), len(rows) - long, long): print('DIFFERENT: long rows', more, long)
        print('compared', compared + 1, 'columns')
        """#
}
