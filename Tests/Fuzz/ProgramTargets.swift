import Foundation

@testable import DataGrid

extension FuzzTarget {
    /// Files of the user, except settings: their module would take as long to build as all other modules of the fuzzer.
    static let program = [
        FuzzTarget(name: "theme", maximumBytes: 1_024) { bytes in
            let theme = try JSONDecoder().decode(Theme.self, from: Data(bytes))
            let again = try JSONDecoder().decode(Theme.self, from: JSONEncoder().encode(theme))
            require(again == theme, "a written theme is read again")
        },
        FuzzTarget(name: "view", maximumBytes: 2_048) { bytes in
            _ = try JSONDecoder().decode(SavedView.FieldNames.self, from: Data(bytes))
            let view = try JSONDecoder().decode(SavedView.self, from: Data(bytes))
            let again = try JSONDecoder().decode(SavedView.self, from: JSONEncoder().encode(view))
            require(again == view, "a written view is read again")
        },
    ]
}
