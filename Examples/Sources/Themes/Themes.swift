import CursesTerminal
import DataGrid
import DataGridTerminal
import Foundation

/// Every style layer in one grid, in all presets and in a theme file. `Themes mine.json` uses that file instead of `ember.json`.
@main
struct Themes {
    static func main() {
        let path = CommandLine.arguments.dropFirst().first
        let own: Theme
        do {
            own = try read(path.map { URL(fileURLWithPath: $0) })
        } catch {
            FileHandle.standardError.write(Data("Themes: \(errorMessage(for: path ?? "ember.json", error))\n".utf8))
            exit(1)
        }
        let themeScreen = ThemeScreen(themes: Theme.presets + [own])
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            themeScreen.show(on: application)
            return try application.run()
        }
    }

    /// Reads a theme, which lists only the differences from its base preset.
    static func read(_ file: URL? = nil) throws -> Theme {
        let file = file ?? Bundle.module.url(forResource: "ember", withExtension: "json")!
        return try JSONDecoder().decode(Theme.self, from: Data(contentsOf: file))
    }

    /// A sentence about the error in a theme file.
    static func errorMessage(for path: String, _ error: any Error) -> String {
        let (keys, reason): ([any CodingKey], String)
        switch error {
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: (keys, reason) = ([], "it is not JSON")
        case DecodingError.dataCorrupted(let context): (keys, reason) = (context.codingPath, context.debugDescription)
        case DecodingError.keyNotFound(let key, let context): (keys, reason) = (context.codingPath, "“\(key.stringValue)” is missing")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            (keys, reason) = (context.codingPath, "the value has the wrong type")
        default: return "\(path) cannot be read. Name a theme file, or omit it to use ember.json."
        }
        let words = keys.isEmpty ? reason : "at \(keys.map(\.stringValue).joined(separator: ".")), \(reason)"
        return "\(path) is not a theme: \(words)."
    }
}
