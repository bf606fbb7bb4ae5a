/// A row of a table of commands: one command in one context, with its keys and its words.
///
/// ``KeyMap`` and all help are made from such rows. An application declares a type for its own commands; those of a grid are ``GridCommand``.
public protocol KeyCommand: Equatable, Sendable {
    /// Identifies a command. One command may have rows in several contexts.
    associatedtype ID: RawRepresentable<String> & Hashable & Sendable
    /// Identifies the place where keys apply: a grid, a panel, a prompt.
    associatedtype Context: RawRepresentable<String> & Hashable & Sendable

    /// The command.
    var id: ID { get }
    /// The context in which the keys run it.
    var context: Context { get }
    /// Its keys in ``KeyNotation``, the one to be shown first.
    var keys: [String] { get }
    /// Two or three words.
    var title: String { get }
    /// One sentence.
    var summary: String { get }
    /// The heading under which help lists it.
    var heading: String { get }
}

extension RawRepresentable where RawValue == String {
    /// The raw value as settings and messages write it: `page-up` for the case `pageUp`.
    @usableFromInline var hyphenated: String {
        rawValue.reduce(into: "") { name, character in
            if character.isUppercase { name += "-" }
            name += character.lowercased()
        }
    }
}
