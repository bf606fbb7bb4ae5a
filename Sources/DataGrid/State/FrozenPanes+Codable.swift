extension FrozenPanes {
    enum CodingKeys: String, CodingKey {
        case leading, trailing, rows, bottom
    }

    /// Takes what is said; a pane that is not spoken of has nothing frozen.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys) throws -> Int { try values.decodeIfPresent(Int.self, forKey: key) ?? 0 }
        self.init(leading: try count(.leading), trailing: try count(.trailing), rows: try count(.rows), bottom: try count(.bottom))
    }
}
