extension FrozenPanes {
    enum CodingKeys: String, CodingKey {
        case leading, trailing, rows, bottom
    }

    /// Reads counts; a pane that is missing has nothing frozen.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys, _ limits: ClosedRange<Int>) throws -> Int { try values.decodeIfPresent(key, within: limits) ?? 0 }
        self.init(
            leading: try count(.leading, DecodingLimits.columns), trailing: try count(.trailing, DecodingLimits.columns),
            rows: try count(.rows, DecodingLimits.rows), bottom: try count(.bottom, DecodingLimits.rows))
    }

    /// With what can be decoded again.
    var limited: FrozenPanes {
        FrozenPanes(
            leading: leading.clamped(to: DecodingLimits.columns), trailing: trailing.clamped(to: DecodingLimits.columns),
            rows: rows.clamped(to: DecodingLimits.rows), bottom: bottom.clamped(to: DecodingLimits.rows))
    }
}
