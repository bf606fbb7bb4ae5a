/// The glyph of lines that meet in a terminal cell.
struct LineJoint: Equatable {
    enum Weight: Int { case none, light, heavy }

    var up = Weight.none
    var down = Weight.none
    var left = Weight.none
    var right = Weight.none

    static func horizontal(_ weight: Weight) -> LineJoint { LineJoint(left: weight, right: weight) }
    static func vertical(_ weight: Weight) -> LineJoint { LineJoint(up: weight, down: weight) }

    /// Of Unicode's Box Drawing, which has a glyph for every way in which light and heavy lines meet.
    var glyph: String {
        String(Self.glyphs[((up.rawValue * 3 + down.rawValue) * 3 + left.rawValue) * 3 + right.rawValue])
    }

    /// By the weights up, down, left and right, as digits to the base of 3.
    private static let glyphs = Array(
        " ╶╺╴─╼╸╾━" + "╷┌┍┐┬┮┑┭┯" + "╻┎┏┒┰┲┓┱┳" + "╵└┕┘┴┶┙┵┷" + "│├┝┤┼┾┥┽┿" + "╽┟┢┧╁╆┪╅╈" + "╹┖┗┚┸┺┛┹┻" + "╿┞┡┦╀╄┩╃╇" + "┃┠┣┨╂╊┫╉╋")
}
