/// The crossing of horizontal and vertical lines in a terminal cell.
struct RuleJoint: Equatable {
    enum Weight: Int { case none, light, heavy }

    var up = Weight.none
    var down = Weight.none
    var left = Weight.none
    var right = Weight.none

    static func horizontal(_ weight: Weight) -> RuleJoint { RuleJoint(left: weight, right: weight) }
    static func vertical(_ weight: Weight) -> RuleJoint { RuleJoint(up: weight, down: weight) }

    /// The glyph from Unicode's Box Drawing block, which has all combinations of light and heavy lines.
    var glyph: String {
        String(Self.glyphs[((up.rawValue * 3 + down.rawValue) * 3 + left.rawValue) * 3 + right.rawValue])
    }

    /// The glyphs, indexed by the weights up, down, left and right as base-3 digits.
    private static let glyphs = Array(
        " ╶╺╴─╼╸╾━" + "╷┌┍┐┬┮┑┭┯" + "╻┎┏┒┰┲┓┱┳" + "╵└┕┘┴┶┙┵┷" + "│├┝┤┼┾┥┽┿" + "╽┟┢┧╁╆┪╅╈" + "╹┖┗┚┸┺┛┹┻" + "╿┞┡┦╀╄┩╃╇" + "┃┠┣┨╂╊┫╉╋")
}
