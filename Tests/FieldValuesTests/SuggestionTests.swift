import Testing

@testable import FieldValues

@Suite("Suggestions for mistyped names")
struct SuggestionTests {
    @Test(
        "F: one letter too many, too few, wrong or swapped is a typing error",
        arguments: [
            ("prcie", "price"), ("rpice", "price"), ("pirce", "price"), ("pric", "price"), ("pricee", "price"), ("prixe", "price"),
            ("PRCIE", "price"), ("ab", "ba"),
        ])
    func oneEdit(_ text: String, _ name: String) {
        #expect(Suggestions.isTypo(text, name))
        #expect(Suggestions.closest(text, ["quantity", name, "side"]) == name)
    }

    @Test(
        "F: two edits of a short name are too many, including an edit of swapped letters",
        arguments: [("prxcw", "price"), ("pcire", "price"), ("ca", "abc"), ("rpcie", "price"), ("xy", "price")])
    func twoEdits(_ text: String, _ name: String) {
        #expect(!Suggestions.isTypo(text, name) && Suggestions.closest(text, [name]) == nil)
    }

    @Test("F: longer names allow an edit for each three letters, and the nearest name is suggested") func longNames() {
        #expect(Suggestions.closest("qunatiyt", ["quality", "quantity"]) == "quantity")
        #expect(Suggestions.closest("seciton", ["session", "section"]) == "section")
        #expect(Suggestions.closest("", ["a"]) == "a" && Suggestions.closest("xyz", []) == nil)
        #expect(Suggestions.closest(String(repeating: "a", count: 65), [String(repeating: "a", count: 65)]) == nil)
    }
}
