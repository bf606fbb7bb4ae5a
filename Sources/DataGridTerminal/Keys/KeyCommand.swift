/// A row of a command table: one command in one context, with its keys and strings.
///
/// ``KeyMap`` and help are created from such rows. An application declares a type for its own commands; the commands of a grid are
/// ``GridCommand``.
public protocol KeyCommand: Equatable, Sendable {
    /// Identifies a command. One command may have rows in several contexts.
    associatedtype ID: RawRepresentable<String> & Hashable & Sendable
    /// Identifies a part of the program with its own keys: a grid, a panel, a prompt. Messages name the context by its description.
    associatedtype Context: Hashable & Sendable

    /// The identity of the command.
    var id: ID { get }
    /// The context in which the keys run it.
    var context: Context { get }
    /// The keys in ``KeyNotation``; the first one is displayed.
    var keys: [String] { get }
    /// The title, two or three words.
    var title: String { get }
    /// The description, one sentence.
    var summary: String { get }
    /// The heading in the help under which the command is listed.
    var heading: String { get }
}

extension RawRepresentable where RawValue == String {
    /// The raw value as written in settings and messages, such as `page-up` for the case `pageUp`.
    @usableFromInline package var hyphenated: String {
        rawValue.reduce(into: "") { name, character in
            if character.isUppercase { name += "-" }
            name += character.lowercased()
        }
    }
}
