/// The reason why bindings cannot form a ``KeyMap``. The associated values are command names with hyphens, descriptions of contexts, and
/// keys as they were written.
public enum KeyConflict: Error, Hashable, Sendable {
    /// Two commands have the same keys in one context.
    case duplicate(keys: String, context: String, commands: [String])
    /// The keys of the first command are a prefix of the keys of the second command, so the second command could never run.
    case prefix(keys: String, ofKeys: String, context: String, commands: [String])
    /// A word of a binding is not a key.
    case unknownKey(keys: String, context: String, command: String)
    /// The context does not have this command.
    case unknownCommand(keys: String, context: String, command: String)

    /// One or two sentences that name the keys, the context and the commands.
    public var message: String {
        switch self {
        case .duplicate(let keys, let context, let commands):
            return "“\(keys)” is bound to both “\(commands[0])” and “\(commands[1])” in the context “\(context)”."
        case .prefix(let keys, let longer, let context, let commands):
            return "“\(keys)” (“\(commands[0])”) is a prefix of “\(longer)” (“\(commands[1])”) in the context “\(context)”."
        case .unknownKey(let keys, let context, let command):
            let invalid = keys.split(separator: " ").first { KeyNotation.key(String($0)) == nil }
            let nearest = invalid.flatMap { KeyNotation.nearestKey(String($0)) }
            let suggestion = nearest.map { " Did you mean “\($0)”?" } ?? ""
            return "Unknown key “\(keys)” for “\(command)” in the context “\(context)”.\(suggestion)"
        case .unknownCommand(let keys, let context, let command):
            return "Unknown command “\(command)” for “\(keys)” in the context “\(context)”."
        }
    }
}
