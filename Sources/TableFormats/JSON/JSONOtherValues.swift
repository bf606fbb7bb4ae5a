/// Collects notes about the values of a document that are not records: arrays of objects, and the other fields beside the records.
struct JSONOtherValues {
    private let notes: JSONNotes
    /// False to collect no notes.
    private let isEnabled: Bool
    /// The keys of members of the document that describe the records. There are no notes about them.
    private let descriptions: [[UInt8]]
    /// The keys that lead through objects to the current value or to an array around it. Empty unless ``isEnabled`` is true.
    private var path: [[UInt8]] = []
    /// True if there is a note about the array at the path.
    private var isArrayNoted = false
    /// The path of a field beside the records, while its value is being read. `nil` otherwise, and as soon as the value turns out to be an
    /// array of objects.
    private var field: [[UInt8]]?

    init(_ notes: JSONNotes, isEnabled: Bool, descriptions: [[UInt8]] = []) {
        (self.notes, self.isEnabled, self.descriptions) = (notes, isEnabled, descriptions)
    }

    private func isDescription(_ path: [[UInt8]]) -> Bool { path.first.map(descriptions.contains) ?? false }

    /// The depth of the objects whose keys are needed.
    var keyDepth: Int { path.count }

    /// Extends the path by an object, or adds a note about the array at the path if an object begins in it.
    /// - Parameters:
    ///   - depth: the number of open arrays and objects, without this one.
    ///   - isInArray: true if the innermost of them is an array.
    mutating func open(isObject: Bool, depth: Int, isInArray: Bool) {
        guard isEnabled, depth < JSONRewriter.maximumDepth else { return }
        if depth == path.count {
            if isObject { path.append([]) } else { isArrayNoted = false }
        } else if isObject, !isArrayNoted, depth == path.count + 1, isInArray {
            isArrayNoted = true
            // The array is noted as an array of objects, so it is not also noted as a field.
            if field == path { field = nil }
            if !isDescription(path) { notes.addOtherArray(path) }
        }
    }

    /// Ends an array or object.
    /// - Parameter depth: the number of arrays and objects that are still open.
    mutating func close(depth: Int) {
        if path.count > depth { path.removeLast() }
    }

    /// Begins a member of the object at the depth.
    mutating func beginMember(_ key: [UInt8], depth: Int) {
        if depth == path.count { path[depth - 1] = key }
    }

    /// Begins a member of an object on the path of the records, and ends the one before.
    /// - Parameter path: the path of the member; `nil` if the member leads to the records.
    mutating func beginField(_ path: @autoclosure () -> [[UInt8]]?) {
        guard isEnabled else { return }
        endField()
        field = path()
    }

    /// Adds a note about the last field beside the records. Called when its value has ended.
    mutating func endField() {
        if let field, !isDescription(field) { notes.addOtherField(field) }
        field = nil
    }
}
