@testable import GridviewApp

/// A suite of tests that filter a table in the program.
@MainActor protocol FilterSuite {}

extension FilterSuite {
    static var table: String { "name,price,side\nann,10,BUY\nbob,20,SELL\ncid,30,BUY\ndee,,BUY\neve,50,SELL\nfay,60,\n" }

    func open(_ content: String = Self.table, size: (Int, Int) = (80, 14), _ filters: [String] = []) throws -> Pilot {
        var options = LaunchOptions()
        options.filters = filters
        return try Pilot(content, size: size, options: options)
    }

    func filter(_ pilot: Pilot, _ text: String) {
        pilot.press("&")
        pilot.type(text)
        pilot.press("Enter")
    }

    /// The text in the prompt.
    func promptText(_ pilot: Pilot) -> String? { (pilot.state.overlay as? FormulaPrompt)?.field.string }
}
