import DataGridTerminal
import TerminalSurface
import Testing

/// Key maps of a command table: resolution, errors and overrides.
@Suite struct KeyMapTests {
    struct Row: KeyCommand {
        enum ID: String { case open, close, move, mark }
        enum Context: String { case outer, inner }

        var id: ID
        var context = Context.outer
        var keys: [String]
        var title: String { id.rawValue }
        var summary: String { "\(id.rawValue)." }
        var heading: String { context.rawValue }
    }

    static let table = [
        Row(id: .open, keys: ["o", "Enter"]), Row(id: .close, keys: ["q"]), Row(id: .move, keys: ["zm", "C-x C-m"]),
        Row(id: .close, context: .inner, keys: ["Enter", "zm"]), Row(id: .mark, keys: []),
    ]

    private func keys(_ text: String) throws -> [KeyPress] { try #require(KeyNotation.sequence(text)) }

    @Test func `A3: keys are resolved to commands, innermost context first`() throws {
        let map = try KeyMap(Self.table)
        #expect(map.resolve(try keys("o"), in: [.outer]) == .command(.open))
        #expect(map.resolve(try keys("Enter"), in: [.outer]) == .command(.open))
        #expect(map.resolve(try keys("Enter"), in: [.inner, .outer]) == .command(.close))
        #expect(map.resolve(try keys("o"), in: [.inner, .outer]) == .command(.open))
        #expect(map.resolve(try keys("o"), in: [.inner]) == .none)
        #expect(map.resolve(try keys("z"), in: [.outer]) == .prefix)
        #expect(map.resolve(try keys("C-x"), in: [.outer]) == .prefix)
        #expect(map.resolve(try keys("zm"), in: [.outer]) == .command(.move))
        #expect(map.resolve(try keys("C-x C-m"), in: [.outer]) == .command(.move))
        #expect(map.resolve(try keys("zz"), in: [.outer]) == .none)
        #expect(map.bindings(of: .move, in: .outer).map(\.label) == ["zm", "Ctrl-x Ctrl-m"])
        #expect(map.label(of: .close, in: [.inner, .outer]) == "Enter" && map.label(of: .mark, in: [.outer]) == nil)
        #expect(map.command(.close, in: [.inner, .outer])?.context == .inner && map.command(.move, in: [.inner]) == nil)
        let further = map.continuations(of: try keys("z"), in: [.inner])
        #expect(further.map(\.command.id) == [.close] && further.map(\.keys) == [[KeyPress(.character("m"))]])
        #expect(KeyMap<Row>().resolve(try keys("o"), in: [.outer]) == .none)
    }

    @Test func `A3: a key sequence collects the keys of a binding`() throws {
        let map = try KeyMap(Self.table)
        var sequence = KeySequence()
        func append(_ key: String, restarts: Bool = false) throws -> KeyMap<Row>.Resolution {
            sequence.append(try keys(key)[0], restarts: restarts) { map.resolve($0, in: [.outer]) }
        }
        #expect(try append("z") == .prefix && sequence.keys == keys("z"))
        #expect(try append("m") == .command(.move) && sequence.keys.isEmpty)
        #expect(try append("z") == .prefix && append("o") == .none && sequence.keys.isEmpty, "an unbound sequence ends")
        #expect(try append("z") == .prefix && append("o", restarts: true) == .command(.open))
        #expect(try append("z") == .prefix && append("C-x", restarts: true) == .prefix && sequence.keys == keys("C-x"))
    }

    private func conflict(_ rows: [Row], _ overrides: [KeyMap<Row>.Override] = []) -> KeyConflict? {
        do {
            _ = try KeyMap(rows, overrides: overrides)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A3: conflicting keys are an error that names keys, commands and context`() throws {
        let same = conflict(Self.table + [Row(id: .mark, keys: ["m", "q"])])
        #expect(same == .duplicate(keys: "q", context: "outer", commands: ["close", "mark"]))
        #expect(same?.message == "“q” is bound to both “close” and “mark” in the context “outer”.")
        #expect(conflict([Row(id: .open, keys: ["C-o"]), Row(id: .mark, keys: ["Ctrl-o"])]) != nil, "two notations of one key")
        #expect(conflict([Row(id: .open, keys: ["o", "o"])]) == nil, "one command may repeat a key")
        #expect(conflict([Row(id: .open, keys: ["o"]), Row(id: .mark, context: .inner, keys: ["o"])]) == nil, "different contexts")

        let beginning = KeyConflict.prefix(keys: "z", ofKeys: "zm", context: "outer", commands: ["mark", "move"])
        #expect(conflict(Self.table + [Row(id: .mark, keys: ["z"])]) == beginning)
        #expect(conflict([Row(id: .mark, keys: ["z"])] + Self.table) == beginning, "in any order")
        #expect(beginning.message == "“z” (“mark”) is a prefix of “zm” (“move”) in the context “outer”.")
        #expect(
            conflict(Self.table + [Row(id: .mark, keys: ["o x"])])?.message
                == "“o” (“open”) is a prefix of “o x” (“mark”) in the context “outer”.")
    }

    @Test(arguments: ["Dwn", "C-", "hello", "", "C-x Entr", "F99"]) func `A3: unknown key names are an error`(_ text: String) {
        let error = conflict([Row(id: .open, keys: [text])])
        #expect(error == .unknownKey(keys: text, context: "outer", command: "open"))
        #expect(error?.message.hasPrefix("Unknown key “\(text)” for “open” in the context “outer”.") == true)
        #expect(error?.message.hasSuffix("Did you mean “Down”?") == (text == "Dwn"))
        #expect(error?.message.hasSuffix("Did you mean “Enter”?") == (text == "C-x Entr"))
    }

    @Test func `A3: settings add keys, remove them and assign them to other commands`() throws {
        let map = try KeyMap(
            Self.table,
            overrides: [.init(.outer, "o", .mark), .init(.outer, "Enter", nil), .init(.outer, "F5", .open), .init(.outer, "x", nil)])
        #expect(map.resolve(try keys("o"), in: [.outer]) == .command(.mark))
        #expect(map.resolve(try keys("Enter"), in: [.outer]) == .none)
        #expect(map.resolve(try keys("Enter"), in: [.inner]) == .command(.close), "only in that context")
        #expect(map.bindings(of: .open, in: .outer).map(\.label) == ["F5"] && map.label(of: .mark, in: [.outer]) == "o")
        // Keys from settings are listed first.
        #expect(
            try KeyMap(Self.table, overrides: [.init(.outer, "x", .close)]).bindings(of: .close, in: .outer).map(\.label) == ["x", "q"])
        // A sequence conflicts with the binding of its first key, unless that binding is removed.
        #expect(conflict(Self.table, [.init(.outer, "q x", .mark)])?.message.contains("“q” (“close”)") == true)
        #expect(conflict(Self.table, [.init(.outer, "q x", .mark), .init(.outer, "q", nil)]) == nil)
        #expect(
            conflict(Self.table, [.init(.outer, "x", .open), .init(.outer, "x", .mark)])
                == .duplicate(keys: "x", context: "outer", commands: ["open", "mark"]))
        #expect(conflict(Self.table, [.init(.outer, "Pgup", .open)])?.message.hasSuffix("Did you mean “PgUp”?") == true)
        #expect(
            conflict(Self.table, [.init(.inner, "x", .open)])?.message
                == "Unknown command “open” for “x” in the context “inner”.")
    }
}
