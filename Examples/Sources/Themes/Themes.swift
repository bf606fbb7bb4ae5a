import CursesTerminal
import DataGrid
import DataGridTerminal
import Foundation

/// Every layer of style in one grid, in all presets and in a theme from a file: `Themes mine.json` takes another file than `ember.json`.
@main
struct Themes {
    static func main() {
        let path = CommandLine.arguments.dropFirst().first
        let own: Theme
        do {
            own = try read(path.map { URL(fileURLWithPath: $0) })
        } catch {
            FileHandle.standardError.write(Data("Themes: \(path ?? "ember.json"): \(error)\n".utf8))
            exit(1)
        }
        let gallery = Gallery(themes: Theme.presets + [own])
        CursesBackend.runProgram { backend in
            let application = GridApplication(on: backend)
            gallery.show(on: application)
            return try application.run()
        }
    }

    /// Reads a theme, which says only what is other than in the preset that it names as its base.
    static func read(_ file: URL? = nil) throws -> Theme {
        let file = file ?? Bundle.module.url(forResource: "ember", withExtension: "json")!
        return try JSONDecoder().decode(Theme.self, from: Data(contentsOf: file))
    }
}
