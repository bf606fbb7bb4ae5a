import DataGrid
import DataGridTerminal
import ProgramOnTerminal
import TerminalSurface
import Testing

@testable import Pages

@MainActor
@Suite struct PagesTests {
    private typealias Program = (application: GridApplication, backend: RecordingBackend)

    private let screen = Screen(Gallery(CameraRoll(count: 150)))
    private var gallery: Gallery { screen.gallery }
    private var state: GridState { gallery.grid.state }

    private func open(
        on backend: RecordingBackend = RecordingBackend(size: TerminalSize(columns: 80, rows: 24)), showsMotion: Bool = false
    ) throws -> Program {
        backend.showsMotion = showsMotion
        let application = GridApplication(on: backend)
        screen.show(on: application)
        try application.start()
        application.turn()
        return (application, backend)
    }

    /// Presses keys, one at a time.
    private func press(_ keys: Key..., in program: Program) {
        for key in keys {
            program.backend.press(KeyPress(key))
            program.application.turn()
        }
    }

    /// Opens the settings, goes to the one with this name, presses keys there, and closes the settings.
    private func change(
        _ name: String, _ keys: [Key] = [.character(" ")], in program: Program
    ) throws {
        let row = try #require(Setting.all.firstIndex { $0.name == name })
        press(.character("e"), in: program)
        screen.panel.grid.perform(.move(.row(row)))
        for key in keys { press(key, in: program) }
        press(.character("q"), in: program)
        #expect(!screen.isOpen && program.application.isRunning)
    }

    /// The numbers of the photos in the order shown.
    private var numbers: [Int] { (0..<state.rows.count).compactMap { gallery.photo(state.rows[$0])?.number } }

    // MARK: The panel

    @Test func `C8: e opens a grid of settings; q, e or Escape closes it, and the next q quits the program`() throws {
        let program = try open()
        press(.character("e"), in: program)
        let lines = program.backend.lines
        #expect(lines[1].contains("─ Settings ─"))
        for (line, words) in [
            (2, "Direction         down"), (3, "Cards                ✓"), (7, "Paging               ✗"), (9, "Spacing              2"),
        ] {
            #expect(lines[line].contains(words), "\(lines[line])")
        }
        #expect(lines[22].hasPrefix(" Photos go down or across the screen.") && lines[23].hasPrefix(" q back  Space change"))
        for key in [Key.character("q"), .character("e"), .escape] {
            press(key, in: program)
            #expect(!screen.isOpen && program.application.isRunning && program.backend.lines[23].hasPrefix(" q quit  e settings"))
            press(.character("e"), in: program)
        }
        press(.character("q"), .character("q"), in: program)
        #expect(!program.application.isRunning)
    }

    @Test func `C8, A11: arrows, Space, Enter and clicks change settings, and an invalid typed number is refused`() throws {
        let program = try open()
        press(.character("e"), .right, in: program)
        #expect(gallery.settings.isTransposed)
        press(.left, .down, .enter, in: program)
        #expect(!gallery.settings.isTransposed && !gallery.settings.hasCards)
        let x = screen.panel.grid.frame.x + 3
        program.backend.events = [.mouse(MouseEvent(.press(.left), x: x, y: 3)), .mouse(MouseEvent(.release(.left), x: x, y: 3))]
        program.application.turn()
        #expect(gallery.settings.hasCards, "a click on the name changes the value too")
        screen.panel.grid.perform(.move(.row(7)))
        press(.right, .right, .right, .right, in: program)
        #expect(gallery.settings.spacing == 4)
        press(.character("9"), .enter, in: program)
        #expect(gallery.settings.spacing == 4 && program.backend.lines.contains { $0.contains("0 to 4") })
        #expect(program.backend.lines[23].hasPrefix(" Enter accept  Esc cancel"))
        press(.backspace, .character("3"), .enter, in: program)
        #expect(gallery.settings.spacing == 3 && screen.isOpen)
    }

    @Test func `C8: a setting without effect is dim, and the line below says what it needs`() throws {
        let program = try open()
        press(.character("e"), in: program)
        screen.panel.grid.perform(.move(.row(5)))
        program.application.turn()
        #expect(program.backend.lines[22].hasPrefix(" No effect: it needs no albums and one height."))
        let x = screen.panel.grid.frame.x
        let dim = CellStyle(foreground: state.theme.hint.foreground).textStyle.foreground
        #expect(program.backend.screen[x, 7].style.foreground == dim && program.backend.screen[x, 4].style.foreground != dim)
        press(.up, .up, .up, .character(" "), .down, .down, .down, in: program)
        #expect(program.backend.lines[22].hasPrefix(" Scrolls by whole pages."))
        #expect(program.backend.screen[x, 7].style.foreground != dim)
    }

    @Test func `C8: F6 and clicks move the focus between photos and settings, and the unfocused cursor is dim`() throws {
        let program = try open()
        press(.character("e"), .function(6), in: program)
        #expect(program.application.focused === gallery.grid && program.backend.lines[23].hasPrefix(" q back  F6 settings  i add photo"))
        #expect(screen.panel.grid.state.theme.cursor == state.theme.selection && state.theme.cursor != state.theme.selection)
        press(.down, .character("x"), in: program)
        #expect(gallery.count == 59)
        program.backend.size = TerminalSize(columns: 40, rows: 12)
        program.application.turn()
        #expect(gallery.grid.frame.width == 0, "a narrow screen shows the settings only")
    }

    // MARK: Settings

    @Test func `C8, C1, C5: photos are arranged downward as cards or as a list, or across the screen`() throws {
        let program = try open()
        #expect(
            state.effectivePresentation == .cards
                && program.backend.lines[2].hasPrefix(" ▌ ▄▄ Wadi Rum                     ★★   ▏ ▄▄ Siena "))
        try change("Cards", in: program)
        #expect(state.effectivePresentation == .table && program.backend.lines[1].hasPrefix("    Place "))
        try change("Direction", in: program)
        #expect(state.effectivePresentation == .transposed)
        #expect(program.backend.lines[3].hasPrefix("Place ") && program.backend.lines[3].contains("  Wadi Rum       Siena "))
    }

    @Test(
        arguments: [true, false])
    func `C8, C3: with paging, a page key goes to the next page, and a cursor move past the edge turns the page`(hasCards: Bool) throws {
        let program = try open()
        if !hasCards { try change("Cards", in: program) }
        try change("Albums", in: program)
        #expect(state.layout.pageSize == nil && !program.backend.lines[0].contains("page"))
        try change("Paging", in: program)
        let page = try #require(state.layout.pageSize)
        #expect(program.backend.lines[0].hasPrefix(" Photos  60 in 6 albums, page 1 of \((60 + page - 1) / page)"))
        press(.pageDown, in: program)
        #expect(state.scroll.top == page && program.backend.lines[0].contains("page 2 of"))
        press(.up, in: program)
        #expect(state.scroll.top == 0)
        program.backend.events = [.mouse(MouseEvent(.wheel(x: 0, y: 1), x: 5, y: 5))]
        program.application.turn()
        #expect(state.scroll.top == page, "the wheel goes to the next page too")
    }

    @Test func `C8, A15, C7: headers of albums stick or scroll, have one to three lines, or are not shown`() throws {
        let program = try open()
        for _ in 0..<5 { press(.down, in: program) }
        press(.pageDown, in: program)
        #expect(program.backend.lines[1].hasPrefix("▾ "))
        try change("Sticky headers", in: program)
        #expect(!program.backend.lines[1].hasPrefix("▾ "))
        try change("Cards", in: program)
        press(.home, in: program)
        gallery.grid.perform(.move(.top))
        try change("Header height", [.character("3"), .enter], in: program)
        #expect(program.backend.lines[3].hasPrefix("▾ November 2026  5 photos") && program.backend.lines[5].contains("Wadi Rum"))
        try change("Albums", in: program)
        #expect(program.backend.lines[2].contains("Wadi Rum") && !program.backend.lines.contains { $0.contains("▾") })
    }

    @Test func `C8, C5: padding and spacing set the space around cards and between them`() throws {
        let program = try open()
        func first(_ word: String) -> (x: Int, y: Int)? {
            program.backend.lines.enumerated().compactMap { y, line in
                line.firstRange(of: word).map { (line.distance(from: line.startIndex, to: $0.lowerBound), y) }
            }.first
        }
        let (place, below) = (try #require(first("Wadi Rum")), try #require(first("Siena")))
        #expect(below.y == place.y)
        try change("Padding", [.character("4"), .enter], in: program)
        let padded = try #require(first("Wadi Rum"))
        #expect(padded.x == place.x + 3 && padded.y == place.y + 2)
        try change("Spacing", [.character("0"), .enter], in: program)
        let tight = program.backend.lines.enumerated().filter { $1.contains(" Nov, ") }.map(\.offset)
        #expect(zip(tight, tight.dropFirst()).allSatisfy { $1 == $0 + 2 }, "cards of two lines without a space")
    }

    @Test func `C8, C7: in a list, photos with five stars have two lines unless the setting One height is on`() throws {
        let program = try open()
        try change("Cards", in: program)
        try change("Albums", in: program)
        func heights() -> [Int] { state.layout.itemSpans.filter(\.isWhole).map(\.fullHeight) }
        #expect(heights().allSatisfy { $0 == 1 })
        try change("One height", in: program)
        #expect(heights() == heights().indices.map { gallery.photo(RowID($0))?.stars == 5 ? 2 : 1 } && heights().contains(2))
        try change("One height", in: program)
        #expect(heights().allSatisfy { $0 == 1 })
    }

    // MARK: Changes

    @Test func `C8, C2: i inserts a photo, I inserts an album, x removes a photo, and a confirmed x removes an album`() throws {
        let program = try open()
        press(.down, .character("i"), in: program)
        #expect(gallery.count == 61 && numbers[2] == -1 && state.cursor.row == 2)
        #expect(gallery.albums[0].photos.count == 6 && program.backend.lines.contains { $0.contains("25 Nov, ") })
        press(.character("x"), in: program)
        #expect(gallery.count == 60 && numbers == Array(1...60))
        press(.character("I"), in: program)
        #expect(gallery.albums[0].title == "New album 1" && state.cursor.item == .header(0) && gallery.count == 63)
        #expect(program.backend.lines[1].hasPrefix("▾ New album 1  3 photos"))
        press(.character("x"), in: program)
        #expect(gallery.count == 63 && program.backend.lines[0].contains("Press x again to remove New album 1 with 3 photos."))
        press(.up, .character("x"), in: program)
        #expect(gallery.count == 63, "another key cancels the removal")
        press(.character("x"), in: program)
        #expect(numbers == Array(1...60) && program.backend.lines[1].hasPrefix("▾ November 2026  5 photos"))
        #expect(program.backend.lines[0].contains("60 in 6 albums"))
    }

    @Test func `C8, A17: a drag moves the current photo on cards and in a list, and its removal ends the drag`() throws {
        let program = try open()
        func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
            program.backend.events = [.mouse(MouseEvent(kind, x: x, y: y))]
            program.application.turn()
        }
        for (isList, x, y) in [(false, 42, 2), (true, 5, 5)] {
            if isList { try change("Cards", in: program) }
            gallery.grid.perform(.move(.row(0)))
            program.application.turn()
            let before = numbers
            mouse(.press(.left), 5, isList ? 3 : 2)
            mouse(.drag(.left), x, y)
            mouse(.release(.left), x, y)
            #expect(numbers != before && numbers[0] == before[1], "list: \(isList)")
        }
        gallery.grid.perform(.move(.row(0)))
        program.application.turn()
        mouse(.press(.left), 5, 3)
        mouse(.drag(.left), 5, 5)
        press(.character("x"), in: program)
        #expect(state.drag == nil && gallery.count == 59)
        #expect(program.backend.lines[0].contains("The drag has ended: the photo was removed."))
        press(.down, in: program)
        #expect(program.backend.lines[0].contains("59 in 6 albums"))
    }

    @Test func `C8, C2: a change scrolls back to a cursor that was panned out of view`() throws {
        let program = try open()
        try change("Cards", in: program)
        let row = try #require(state.currentRow)
        for action: GridAction in [
            .pointerDown(GridPoint(x: 5, y: 20), PointerPress(.middle)), .pointerMoved(GridPoint(x: 5, y: -10)),
            .pointerUp(GridPoint(x: 5, y: -10)),
        ] { gallery.grid.perform(action) }
        #expect(!state.visibleRows.contains(row) && state.currentRow == row)
        press(.character("i"), in: program)
        #expect(state.visibleRows.contains(row) && numbers.first == -1)
    }

    @Test(arguments: [true, false])
    func `C8, C2: in a list, rows slide to their places after a change, unless motion is off`(isOn: Bool) throws {
        let program = try open(showsMotion: true)
        try change("Cards", in: program)
        if !isOn { try change("Motion", in: program) }
        #expect(gallery.grid.reduceMotion == !isOn)
        press(.down, .character("I"), in: program)
        let first = program.backend.lines
        gallery.grid.tick(at: .now + .seconds(1))
        program.application.turn()
        #expect((first == program.backend.lines) == !isOn)
        #expect(program.backend.lines[2].hasPrefix("▾ New album 1  3 photos") && program.backend.lines[6].hasPrefix("▾ November 2026"))
    }

    @Test func `C8: a terminal without motion shows that motion is off`() throws {
        _ = try open()
        #expect(!gallery.settings.hasMotion && gallery.grid.reduceMotion)
    }

    @Test func `C8, C4: near the end, a row shows that photos are loading, and photos are appended until all are loaded`() throws {
        let program = try open()
        var requests = 0
        gallery.requestMore = { requests += 1 }
        for count in [60, 100, 140] {
            press(.end, in: program)
            gallery.grid.perform(.move(.bottom))
            program.application.turn()
            #expect(gallery.count == count && program.backend.lines.contains { $0.contains("loading older photos") })
            let (row, top) = (state.cursor.row, state.scroll.top)
            gallery.appendPhotos(40)
            program.application.turn()
            #expect(state.cursor.row == row && state.scroll.top == top, "the photos on the screen stay in place")
        }
        #expect(requests == 3 && gallery.count == 150 && numbers == Array(1...150) && state.loader == nil)
    }

    @Test func `C8, C4: if loading is off, nothing follows the last row`() throws {
        let program = try open()
        try change("Load more", in: program)
        gallery.requestMore = { Issue.record("photos were requested") }
        gallery.grid.perform(.move(.bottom))
        gallery.appendPhotos(40)
        program.application.turn()
        #expect(gallery.count == 60 && state.loader == nil)
        gallery.requestMore = {}
        try change("Load more", in: program)
        #expect(state.loader != nil)
    }

    @Test func `C8, A17: Alt-arrows move a photo within its album, or anywhere if albums are off`() throws {
        let program = try open()
        try change("Cards", in: program)
        func moveDown() {
            program.backend.press(KeyPress(.down, .alt))
            program.application.turn()
        }
        for _ in 0..<8 { moveDown() }
        #expect(numbers.prefix(6) == [2, 3, 4, 5, 1, 6] && gallery.albums[0].photos.map(\.number) == [2, 3, 4, 5, 1])
        #expect(state.cursor.row == 4)
        try change("Albums", in: program)
        gallery.grid.perform(.move(.row(4)))
        moveDown()
        #expect(numbers.prefix(6) == [2, 3, 4, 5, 6, 1] && gallery.count == 60)
        try change("Reordering", in: program)
        moveDown()
        #expect(numbers.prefix(6) == [2, 3, 4, 5, 6, 1] && !program.backend.lines[23].contains("Alt"))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `C8: after any sequence of keys, the grid shows the photos of the albums`(seed: UInt64) throws {
        let program = try open()
        var bits = seed
        func draw(_ bound: Int) -> Int {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(bits >> 33) % bound
        }
        let keys: [KeyPress] =
            "iIxxe".map { KeyPress(.character($0.unicodeScalars.first!)) }
            + [
                KeyPress(.down), KeyPress(.down), KeyPress(.right), KeyPress(.pageDown), KeyPress(.up), KeyPress(.down, .alt),
                KeyPress(.right, .alt), KeyPress(.enter), KeyPress(.home, .control), KeyPress(.end, .control), KeyPress(.character(" ")),
            ]
        for _ in 0..<300 {
            let key = keys[draw(keys.count)]
            program.backend.press(key)
            if draw(20) == 0 { gallery.appendPhotos(10) }
            program.application.turn()
            #expect(numbers == gallery.albums.flatMap(\.photos).map(\.number), "after \(key)")
            #expect(gallery.settings.hasSections == (state.outline.tree != nil) && program.application.isRunning)
        }
    }

    // MARK: Terminals

    @Test(arguments: CommonTerminal.all)
    func `C8, B8: usual terminals show all text and key hints, even beside the open settings`(terminal: CommonTerminal) throws {
        let program = try open(on: terminal.backend())
        for _ in 0..<3 {
            #expect(defects(of: program.backend.lines) == [])
            press(.pageDown, in: program)
        }
        press(.character("e"), in: program)
        for setting in Setting.all {
            #expect(defects(of: program.backend.lines, quit: "q back") == [])
            let words = setting.hasEffect(gallery.settings) ? setting.description : "No effect: it needs \(setting.condition)."
            #expect(program.backend.lines.contains { $0.contains(words) })
            press(.down, in: program)
        }
        gallery.settings.hasCards = false
        press(.character("q"), in: program)
        #expect(defects(of: program.backend.lines) == [])
    }

    @Test func `C8: the program shows the screen of its picture in docs/examples.md`() throws {
        let program = try open(on: RecordingBackend(size: TerminalSize(columns: 80, rows: 20)))
        press(.down, .character("e"), .down, .down, .down, .down, in: program)
        #expect(program.backend.lines[18].hasPrefix(" The header of the current album stays at the top."))
        try drawPicture(of: "Pages", program.backend.screen)
    }
}
