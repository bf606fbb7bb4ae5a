import Foundation

/// A document of the library.
struct Article {
    let text: String

    /// Reads an article by its file name.
    init(_ name: String) throws {
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = project.appendingPathComponent("Sources/DataGrid/DataGrid.docc/\(name).md")
        text = try String(contentsOf: file, encoding: .utf8)
    }

    /// The contents of code blocks in this language.
    func listings(_ language: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}
