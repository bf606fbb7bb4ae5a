/// Writes text as a word of a POSIX shell.
package enum ShellWord {
    /// The text in single quotes, which a shell reads as this text.
    package static func quoted(_ text: String) -> String { "'\(text.replacingScalar("'", with: "'\\''"))'" }

    /// The text as a word. It is in single quotes if it is empty or has characters that a shell interprets.
    package static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || ",.:_-+=@%/".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// The path as a word. A path that starts with `-` gets the prefix `./`, so that commands do not read it as an option. `-` alone still
    /// means the standard input.
    package static func path(_ path: String) -> String { word(path.hasPrefix("-") && path != "-" ? "./" + path : path) }
}
