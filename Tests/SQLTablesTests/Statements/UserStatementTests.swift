import SQLTables
import Testing

/// Statements that the user writes.
@Suite("SQL of users")
struct UserStatementTests {
    @Test(
        arguments: [
            ("select 1 as a; -- x", "select 1 as a"), ("-- x\nselect 1 ;; /* y; */ ;\n", "select 1"), ("select ';--'", "select ';--'"),
            ("select 'it''s -- ' ; --", "select 'it''s -- '"), ("select \"a--\"\";\" from t;", "select \"a--\"\";\" from t"),
            ("select 1 /* a /* b */ c */;", "select 1"), ("select $$;--$$ ; -- x", "select $$;--$$"),
            ("select $a$ $$ -- $a$;", "select $a$ $$ -- $a$"), ("select a$b$ from t -- $b$", "select a$b$ from t"),
            ("select E'\\';' ; -- x", "select E'\\';'"), ("select 'a' like'\\' -- '", "select 'a' like'\\'"),
            ("select 1; select 2;", "select 1; select 2"), ("select 1 /* open", "select 1 /* open"), ("select 2 - -1--1", "select 2 - -1"),
            ("select $1 -- $1", "select $1"), ("select 'open -- ", "select 'open -- "), (" ; -- x", ""), ("", ""),
        ])
    func `19.1: only the comments and semicolons around a user statement are removed`(text: String, expected: String) {
        #expect(UserStatement(text, in: .postgreSQL).text == expected)
    }

    @Test func `19.1: comments and quotes in a user statement are recognized by the rules of its database`() {
        #expect(UserStatement("select [a--b], `--` ; -- x", in: .sqlite).text == "select [a--b], `--`")
        #expect(UserStatement("select 1 /* a /* b */ + 2", in: .sqlite).text == "select 1 /* a /* b */ + 2")
        #expect(UserStatement("select '\\';', \"\\\";\", `--` ; -- x", in: .spark).text == "select '\\';', \"\\\";\", `--`")
        #expect(UserStatement("select [1, 2] -- x", in: .duckDB).text == "select [1, 2]")
        #expect(UserStatement("/* x */ Select 1", in: .ansi).firstWord == "select")
    }

    @Test(
        arguments: [
            ("show search_path", SQLDialect.postgreSQL, "--sql must be a query, not “show”. Write select * from pg_settings."),
            ("SHOW TABLES", .spark, "--sql must be a query, not “show”. Leave out --sql to list the tables."),
            (
                "-- x\nexplain select 1", .sqlite,
                "--sql must be a query, not “explain”. Leave it out: the SQL page of the opened query (Alt-S) shows the plan."
            ),
            ("; --", .postgreSQL, "--sql needs a statement."), ("show tables", .duckDB, nil), ("values (1)", .postgreSQL, nil),
            ("DROP TABLE a", .spark, "--sql must be a query, not “drop”. Write a select statement."),
            ("-- x\ncopy a to 'b'", .duckDB, "--sql must be a query, not “copy”. Write a select statement."),
            ("update a set b = 1", .ansi, "--sql must be a query, not “update”. Write a select statement."),
            ("from a", .duckDB, nil), ("with a as (select 1) select * from a", .spark, nil),
            ("(select 1)", .postgreSQL, nil), ("shows", .postgreSQL, nil), ("; select ';' -- ; x\n;;", .duckDB, nil),
            ("drop table a; select 1", .duckDB, "--sql must be a single statement. Remove the text after the semicolon."),
            ("select 1; -- x\n select 2;", .sqlite, "--sql must be a single statement. Remove the text after the semicolon."),
        ] as [(String, SQLDialect, String?)])
    func `19.1: a statement that is not a query is refused with advice`(text: String, dialect: SQLDialect, message: String?) {
        #expect(UserStatement(text, in: dialect.family).refusal(in: dialect) == message)
    }

    @Test(
        arguments: [
            ("select * from t order by a", true), ("SELECT * FROM (select 1 a)ORDER\n BY a DESC", true), ("select * from t", false),
            ("select row_number() over (partition by b order by a) from t", false), ("select 'order by' from t -- order by a", false),
            ("select `order by`, \"order by\" /* order\nby */ from reorder byte", false), ("select ')' from (t) order by a", true),
        ])
    func `H1: a statement has a sorted result only if ORDER BY is outside of parentheses, quotes and comments`(
        _ statement: String, _ isSorted: Bool
    ) { #expect(SQLDialect.sortsResult(statement) == isSorted) }
}
