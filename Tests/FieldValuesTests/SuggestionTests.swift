import Testing

@testable import FieldValues

@Suite("Suggestions for mistyped names")
struct SuggestionTests {
    @Test(
        arguments: [
            ("prcie", "price"), ("rpice", "price"), ("pirce", "price"), ("pric", "price"), ("pricee", "price"), ("prixe", "price"),
            ("PRCIE", "price"), ("ab", "ba"),
        ])
    func `F: an extra, missing, wrong or swapped letter counts as a typing error`(_ text: String, _ name: String) {
        #expect(Suggestions.isTypo(text, name))
        #expect(Suggestions.closest(text, ["quantity", name, "side"]) == name)
    }

    @Test(
        arguments: [("prxcw", "price"), ("pcire", "price"), ("ca", "abc"), ("rpcie", "price"), ("xy", "price")])
    func `F: two edits of a short name are too many, even if one of them swaps letters`(_ text: String, _ name: String) {
        #expect(!Suggestions.isTypo(text, name) && Suggestions.closest(text, [name]) == nil)
    }

    @Test func `F: a longer name allows one edit per three letters, and the nearest name is suggested`() {
        #expect(Suggestions.closest("qunatiyt", ["quality", "quantity"]) == "quantity")
        #expect(Suggestions.closest("seciton", ["session", "section"]) == "section")
        #expect(Suggestions.closest("", ["a"]) == "a" && Suggestions.closest("xyz", []) == nil)
        #expect(Suggestions.closest(String(repeating: "a", count: 65), [String(repeating: "a", count: 65)]) == nil)
    }
}
