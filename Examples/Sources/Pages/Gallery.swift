import DataGrid
import DataGridTerminal
import TerminalSurface

/// A grid of photos in albums, with the settings of the panel.
@MainActor
final class Gallery: GridDataSource, GridDelegate {
    struct Album {
        let title: String
        var photos: [Photo]
    }

    let grid: GridController
    private(set) var albums: [Album] = []
    var settings = Settings() { didSet { if settings != oldValue { apply(since: oldValue) } } }
    /// Requests the next photos of the camera roll, which ``appendPhotos(_:)`` adds.
    var requestMore: () -> Void = {}
    /// A message about the last key or drag; the next key clears it.
    private(set) var note = ""
    /// The album that the next press of a removal key removes.
    private var albumToRemove: Int?
    private var cameraRoll: CameraRoll
    /// The number of photos and albums that were inserted.
    private var (newPhotos, newAlbums) = (0, 0)

    init(_ cameraRoll: CameraRoll) {
        self.cameraRoll = cameraRoll
        var metrics = GridMetrics()
        metrics.cards.minimumWidth = 26
        metrics.cards.hasBackground = true
        grid = GridController(columns: Self.columns, metrics: metrics)
        grid.dataSource = self
        grid.delegate = self
        grid.selectionMode = .none
        appendPhotos(60)
        grid.perform(.moveCursor(GridCursor(item: .row(0), column: 1)))
        apply(since: settings)
    }

    private static let columns = [
        column(0, "", .fixed(2), .icon), column(1, "Place", .flexible, .headline), column(2, "Taken", .fixed(13), .subheadline),
        column(3, "Stars", .fixed(5), .status), column(4, "Size", .fixed(6), .substatus),
    ]

    private static func column(_ id: ColumnID, _ title: String, _ width: WidthRule, _ slot: CardSlot) -> Column {
        var column = Column(id: id, title: title, width: width, alignment: slot == .substatus ? .trailing : .leading, sortMode: .none)
        column.minimumWidth = slot == .headline ? 12 : nil
        column.hasGraphics = slot == .icon || slot == .status
        column.cardSlot = slot
        return column
    }

    // MARK: Data source

    var count: Int { albums.reduce(0) { $0 + $1.photos.count } }
    var rowNoun: RowNoun { RowNoun("photo", "photos") }
    var emptyText: String { "No photos: i inserts one" }
    var numberOfSections: Int { settings.hasSections ? albums.count : 1 }
    func numberOfRows(inSection section: Int) -> Int { settings.hasSections ? albums[section].photos.count : count }
    func title(ofSection section: Int) -> String? { settings.hasSections ? albums[section].title : nil }

    /// The photo of a row; rows are numbered in their order.
    func photo(_ row: RowID) -> Photo? { indexPath(at: row.rawValue).map { albums[$0.album].photos[$0.index] } }

    func content(row: RowID, column: ColumnID) -> CellContent {
        guard let photo = photo(row) else { return .missing }
        return switch column {
        case 0: CellContent(.icon(photo.picture))
        case 1: CellContent(photo.place)
        case 2: CellContent("\(photo.day) \(photo.month.prefix(3)), \(photo.light)")
        case 3: CellContent(.icon(photo.rating))
        default: CellContent("\(photo.size) MB")
        }
    }

    /// Photos with five stars have two lines, unless all photos have the same height.
    func height(ofRow row: RowID) -> Int? { photo(row)?.stars == 5 ? 2 : nil }

    /// The album of the photo at a position, and the index of the photo in it.
    private func indexPath(at position: Int) -> (album: Int, index: Int)? {
        var rest = position
        for (index, album) in albums.enumerated() {
            if rest < album.photos.count { return (index, rest) }
            rest -= album.photos.count
        }
        return nil
    }

    /// The position of the first photo of an album.
    private func position(ofFirstPhotoIn album: Int) -> Int { albums[..<album].reduce(0) { $0 + $1.photos.count } }

    // MARK: Settings

    private func apply(since old: Settings) {
        var metrics = grid.metrics
        metrics.isPaged = settings.isPaged
        metrics.hasStickySectionHeaders = settings.hasStickyHeaders
        metrics.sectionHeaderHeight = settings.headerHeight
        metrics.hasDelegatedRowHeights = !settings.hasOneHeight
        metrics.columnSpacing = settings.spacing
        // A line is about as high as two cells are wide.
        metrics.cards.spacing = GridSize(width: settings.spacing, height: settings.spacing / 2)
        metrics.cards.padding = GridSize(width: settings.padding, height: settings.padding / 2)
        grid.metrics = metrics
        if settings.hasMotion != old.hasMotion { grid.reduceMotion = !settings.hasMotion }
        grid.interaction.allowsRowReordering = settings.allowsReordering
        grid.perform(.setPresentation(settings.isTransposed ? .transposed : settings.hasCards ? .cards : .table))
        if (settings.hasSections, settings.hasOneHeight) != (old.hasSections, old.hasOneHeight) { grid.reload() }
        updateLoader()
    }

    // MARK: More photos

    private func updateLoader() {
        grid.perform(.setLoader(settings.loadsMore && cameraRoll.remaining > 0 ? GridLoader("loading older photos") : nil))
    }

    func endOfDataIsNear() { if cameraRoll.remaining > 0 { requestMore() } }

    /// Appends photos of the camera roll. Existing photos are not read again.
    func appendPhotos(_ count: Int) {
        guard settings.loadsMore else { return }
        for photo in cameraRoll.read(count) {
            if albums.last?.title != photo.month { albums.append(Album(title: photo.month, photos: [])) }
            albums[albums.count - 1].photos.append(photo)
        }
        grid.reloadAppended()
        updateLoader()
    }

    // MARK: Insertion, removal and reordering

    /// The album under the cursor, and the index of the photo in it; 0 on a header.
    private var current: (album: Int, index: Int) {
        switch grid.state.cursor.item {
        case .row(let position): indexPath(at: position) ?? (max(0, albums.count - 1), albums.last?.photos.count ?? 0)
        case .header(let section): (section, 0)
        }
    }

    private func newPhoto() -> Photo {
        newPhotos += 1
        return Photo(number: -newPhotos, month: "November 2026", day: 25)
    }

    /// Inserts a photo before the one under the cursor, or at the start of the album under the cursor.
    func insertPhoto() {
        guard !albums.isEmpty else { return insertAlbum() }
        scrollToCursor()
        let (album, index) = current
        albums[album].photos.insert(newPhoto(), at: index)
        let position = position(ofFirstPhotoIn: album) + index
        grid.insertRows(at: position..<position + 1, inSection: settings.hasSections ? album : nil)
        grid.perform(.move(.row(position)))
    }

    /// Inserts an album with three photos before the album under the cursor.
    func insertAlbum() {
        scrollToCursor()
        let section = current.album
        newAlbums += 1
        albums.insert(Album(title: "New album \(newAlbums)", photos: (0..<3).map { _ in newPhoto() }), at: section)
        let position = position(ofFirstPhotoIn: section)
        if settings.hasSections {
            grid.insertSection(section)
            grid.perform(.moveCursor(GridCursor(item: .header(section), column: grid.state.cursor.column)))
        } else {
            grid.insertRows(at: position..<position + 3)
            grid.perform(.move(.row(position)))
        }
    }

    static let removalKeys: Set<Key> = [.character("x"), .delete]

    /// Clears the message before a key is handled. Any key but a removal key cancels the removal of an album.
    func clearNote(after press: KeyPress) {
        note = ""
        if !Self.removalKeys.contains(press.key) { albumToRemove = nil }
    }

    func didInterruptDrag() { note = "The drag has ended: the photo was removed." }

    /// Removes the photo under the cursor or, at the second press, the album under the cursor.
    func removePhotoOrAlbum() {
        guard !albums.isEmpty else { return }
        scrollToCursor()
        switch grid.state.cursor.item {
        case .row(let position):
            guard let (album, index) = indexPath(at: position) else { return }
            albums[album].photos.remove(at: index)
            grid.removeRows(at: position..<position + 1)
        case .header(let section) where albumToRemove != section:
            albumToRemove = section
            note = "Press x again to remove \(albums[section].title) with \(albums[section].photos.count) photos."
        case .header(let section):
            albumToRemove = nil
            albums.remove(at: section)
            grid.removeSection(section)
        }
    }

    /// Scrolls to the cursor, where the next change happens, because the user may have scrolled it out of view.
    private func scrollToCursor() { grid.perform(.moveCursor(grid.state.cursor)) }

    /// Moves photos within their albums. Without sections, photos can also move to another album.
    func didMove(rows: Range<Int>, to target: Int) {
        let moved = rows.compactMap { photo(RowID($0)) }
        let firstAlbum = indexPath(at: rows.lowerBound)?.album ?? 0
        for position in rows.reversed() {
            guard let (album, index) = indexPath(at: position) else { return }
            albums[album].photos.remove(at: index)
        }
        let last = albums.count - 1
        let (album, index) =
            settings.hasSections
            ? (firstAlbum, target - position(ofFirstPhotoIn: firstAlbum)) : indexPath(at: target) ?? (last, albums[last].photos.count)
        albums[album].photos.insert(contentsOf: moved, at: index)
        // The row numbers follow the order of the photos, so all rows have new numbers.
        grid.reload()
    }
}
