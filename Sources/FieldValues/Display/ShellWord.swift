/// Text as a word of a POSIX shell.
package enum ShellWord {
    /// The text in single quotes.
    package static func quoted(_ text: String) -> String { "'\(text.replacingScalar("'", with: "'\\''"))'" }

    /// The text, in single quotes if it is empty or has characters with a meaning in shells.
    package static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || ",.:_-+=@%/".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// The path as a word that commands do not parse as an option. `-` still means the standard input.
    package static func path(_ path: String) -> String { word(path.hasPrefix("-") && path != "-" ? "./" + path : path) }
}
