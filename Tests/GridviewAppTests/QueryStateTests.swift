import DataGrid
import DataGridQuery
import FieldValues
import GridTestSupport
import TerminalSurface
import Testing

@testable import GridviewApp

/// The states of a query: each event in each phase.
@MainActor
@Suite struct QueryStateTests {
    private let sheet: SimulatedSheet

    init() throws { sheet = try SimulatedSheet(seed: 0) }

    /// A state, an event, and the next state. In `request` and `finish`, `unread` means that the file is not read to its end yet.
    nonisolated static let transitions = [
        ("settled file", "request file unread", "settled file"),
        ("settled file", "request filter unread", "running filter, shows file"),
        ("settled file", "request sort unread", "waiting sort, shows file"),
        ("settled file", "request sort read", "running sort, shows file"),
        ("settled file", "request both unread", "running both, shows file"),
        ("settled filter", "request both unread", "waiting both, shows filter"),
        ("settled filter", "receive filter after filter", "arriving filter, shows filter after filter"),
        ("settled sort", "finish sort read", "settled sort"),
        ("settled filter", "finish filter unread", "settled filter"),
        ("settled filter", "handleEndOfFile", "settled filter"),
        ("settled file", "handleFileGrowth", "settled file"),
        ("settled filter", "handleFileGrowth", "stale filter, shows filter"),
        ("settled both", "cancel", "settled both"),

        ("waiting sort, shows file", "request file unread", "settled file"),
        ("waiting sort, shows file", "request sort unread", "waiting sort, shows file"),
        ("waiting sort, shows file", "request sort read", "running sort, shows file"),
        ("waiting sort, shows file", "request both unread", "running both, shows file"),
        ("waiting both, shows filter", "request sort unread", "running sort, shows filter"),
        ("waiting sort, shows file", "receive sort after file", "arriving sort, shows sort after file"),
        ("waiting sort, shows file", "finish file unread", "waiting sort, shows file"),
        ("waiting both, shows filter", "finish filter unread", "waiting both, shows filter"),
        ("waiting sort, shows file", "finish sort read", "settled sort"),
        ("waiting sort, shows file", "handleEndOfFile", "running sort, shows file"),
        ("waiting sort, shows file", "handleFileGrowth", "waiting sort, shows file"),
        ("waiting both, shows filter", "handleFileGrowth", "stale both, shows filter"),
        ("waiting both, shows filter", "cancel", "settled filter"),

        ("running both, shows file", "request file unread", "settled file"),
        ("running both, shows file", "request filter unread", "running filter, shows file"),
        ("running both, shows file", "request sort unread", "waiting sort, shows file"),
        ("running both, shows file", "receive filter after file", "arriving both, shows filter after file"),
        ("running both, shows file", "finish filter unread", "waiting both, shows filter"),
        ("running both, shows file", "finish filter read", "running both, shows filter"),
        ("running both, shows file", "finish both read", "settled both"),
        ("running both, shows file", "handleEndOfFile", "running both, shows file"),
        ("running both, shows file", "handleFileGrowth", "running both, shows file"),
        ("running sort, shows file", "handleFileGrowth", "waiting sort, shows file"),
        ("running both, shows sort", "handleFileGrowth", "stale both, shows sort"),
        ("running both, shows sort", "cancel", "settled sort"),

        ("arriving filter, shows filter after file", "request file read", "arriving file, shows filter after file"),
        ("arriving filter, shows filter after file", "request both unread", "arriving both, shows filter after file"),
        ("arriving filter, shows filter after file", "receive filter after file", "arriving filter, shows filter after file"),
        ("arriving filter, shows filter after file", "finish filter unread", "settled filter"),
        ("arriving both, shows filter after file", "finish filter unread", "waiting both, shows filter"),
        ("arriving both, shows both after filter", "finish both read", "settled both"),
        ("arriving filter, shows filter after file", "handleEndOfFile", "arriving filter, shows filter after file"),
        ("arriving filter, shows filter after file", "handleFileGrowth", "running filter, shows file"),
        ("arriving both, shows both after filter", "handleFileGrowth", "stale both, shows filter"),
        ("arriving filter, shows filter after file", "cancel", "settled file"),
        ("arriving both, shows both after filter", "cancel", "settled filter"),

        ("stale sort, shows sort", "request file unread", "stale file, shows sort"),
        ("stale sort, shows sort", "request both read", "stale both, shows sort"),
        ("stale sort, shows sort", "receive sort after sort", "stale sort, shows sort"),
        ("stale sort, shows sort", "finish sort read", "settled sort"),
        ("stale both, shows sort", "finish filter unread", "waiting both, shows filter"),
        ("stale sort, shows sort", "handleEndOfFile", "stale sort, shows sort"),
        ("stale sort, shows sort", "handleFileGrowth", "stale sort, shows sort"),
        ("stale sort, shows sort", "cancel", "settled file"),
    ]

    @Test(arguments: transitions)
    func `D2, D7: each event changes each phase of a query to the expected phase`(start: String, event: String, end: String) throws {
        var query = try state(start)
        #expect(describe(query) == start)
        try apply(event, to: &query)
        #expect(describe(query) == end)
        #expect(query.isSettled == (query.requested == query.shown && query.previousRows == nil && !query.isStale))
    }

    @Test func `D2, D7: the table of query transitions covers each event in each phase`() {
        func firstWord(_ text: String) -> Substring { text.prefix { $0 != " " } }
        let found = Set(Self.transitions.map { "\(firstWord($0.0)) \(firstWord($0.1))" })
        for phase in ["settled", "waiting", "running", "arriving", "stale"] {
            for event in ["request", "receive", "finish", "handleEndOfFile", "handleFileGrowth", "cancel"] {
                #expect(found.contains("\(phase) \(event)"))
            }
        }
    }

    @Test(
        arguments: [
            ("waiting sort, shows file", nil), ("waiting both, shows filter", nil), ("running both, shows file", "filter"),
            ("running filter, shows file", "filter"), ("arriving both, shows filter after file", "filter"),
            ("stale both, shows filter", nil), ("stale both, shows sort", "filter"), ("stale sort, shows both", "file"),
        ] as [(String, String?)])
    func `D2, D7: before the whole file has been read, only the filters of a query run`(start: String, part: String?) throws {
        #expect(try state(start).runnableBeforeFileIsRead.map(describe) == part)
    }

    // MARK: Text of states

    private func describe(_ arrangement: Arrangement) -> String {
        switch (arrangement.filters.isEmpty, arrangement.sort.isEmpty) {
        case (true, true): "file"
        case (false, true): "filter"
        case (true, false): "sort"
        case (false, false): "both"
        }
    }

    private func describe(_ query: QueryState) -> String {
        guard case .pending(let request, let shown, let phase) = query else { return "settled \(describe(query.shown))" }
        let rest = "\(describe(request.arrangement)), shows \(describe(shown))"
        return switch phase {
        case .waitingForFile: "waiting \(rest)"
        case .running: "running \(rest)"
        case .arriving(let previous): "arriving \(rest) after \(describe(previous.arrangement))"
        case .stale: "stale \(rest)"
        }
    }

    private func arrangement(_ name: Substring) throws -> Arrangement {
        let both = sheet.arrangements[3]
        var arrangement = Arrangement()
        if ["filter", "both"].contains(name) { arrangement.filters = both.filters }
        if ["sort", "both"].contains(name) { arrangement.sort = both.sort }
        try #require(describe(arrangement) == name)
        return arrangement
    }

    private func previous(_ name: Substring) throws -> PreviousRows {
        var state = sheet.state
        state.query = .settled(try arrangement(name))
        return PreviousRows(state)
    }

    private func state(_ text: String) throws -> QueryState {
        let words = text.replacing(",", with: "").split(separator: " ")
        if words[0] == "settled" { return .settled(try arrangement(words[1])) }
        let phase: QueryState.Phase =
            switch words[0] {
            case "waiting": .waitingForFile
            case "running": .running
            case "arriving": .arriving(previous: try previous(words[5]))
            default: .stale
            }
        return .pending(QueryState.Request(arrangement: try arrangement(words[1])), shown: try arrangement(words[3]), phase)
    }

    private func apply(_ event: String, to query: inout QueryState) throws {
        let words = event.split(separator: " ")
        switch words[0] {
        case "request": query.requestArrangement(try arrangement(words[1]), isFileRead: words[2] == "read")
        case "receive": query.receive(try arrangement(words[1]), previous: try previous(words[3]))
        case "finish": query.finish(try arrangement(words[1]), isFileRead: words[2] == "read")
        case "handleEndOfFile": query.handleEndOfFile()
        case "handleFileGrowth": query.handleFileGrowth()
        default: query.cancel()
        }
    }

    // MARK: Random events

    /// Random events, with rows from a plain reference. The visible rows always belong to the shown arrangement.
    @Test(arguments: 1...24 as ClosedRange<UInt64>) func `D2, D7: any sequence of events leads to the requested rows`(seed: UInt64) throws {
        let sheet = try SimulatedSheet(seed: seed)
        for _ in 0..<250 {
            sheet.sendRandomEvent()
            sheet.checkInvariants()
        }
        sheet.finishAllJobs()
        sheet.checkInvariants()
        #expect(sheet.rows == sheet.expected(sheet.last, sheet.knownCount), "\(sheet.history)")
        #expect(sheet.state.query == .settled(sheet.last), "\(sheet.history)")
    }
}

/// A sheet whose file and jobs are simulated.
@MainActor
private final class SimulatedSheet {
    private(set) var state: AppState
    private let columns = [Column(id: ColumnID(0), title: "n", kind: .integer)]
    private var random: SplitMix64
    /// The arrangements to request: all rows, a sort, a filter, that sort with that filter, and two arrangements with another filter.
    private(set) var arrangements: [Arrangement] = []
    /// The last requested arrangement.
    private(set) var last = Arrangement()
    /// The number of records that the sheet has counted so far.
    private(set) var knownCount = 60
    private var totalCount = 200
    private var isIndexing = true
    /// The running query job, and the number of records that it sees.
    private var job: (arrangement: Arrangement, count: Int)?
    /// The record counts for which rows may be sorted.
    private var counts: Set<Int> = []
    /// True after a failure or a cancellation, until a query ends: some rows may be unfiltered.
    private var hasCancelled = false
    /// The rows that were visible before the rows of the running query arrived.
    private var rowsBefore: [Int]?
    private var log: [String] = []
    var history: String { log.suffix(12).joined(separator: "; ") }

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        let sheet = SheetState(document: DocumentInfo(name: "table"), columns: columns, rows: .natural(count: knownCount))
        state = AppState(sheet)
        send(.terminal(.resize(TerminalSize(columns: 60, rows: 12))))
        send(.recordsIndexed(info))
        let filters = try ["n < 12", "n > 5"].map { try Filter($0, in: state.schema) }
        for sort in [[], [ColumnSort(ColumnID(0))]] {
            for filters in [[], [filters[0]], [filters[1]]] {
                var arrangement = Arrangement()
                (arrangement.sort, arrangement.filters) = (sort, filters)
                arrangements.append(arrangement)
            }
        }
        arrangements = [0, 3, 1, 4, 2, 5].map { arrangements[$0] }
    }

    private var info: DocumentInfo {
        var info = DocumentInfo(name: "table")
        info.recordCount = knownCount
        info.reading = knownCount == totalCount ? .complete : .running()
        return info
    }

    /// The records of the visible rows.
    var rows: [Int] { (0..<state.grid.rows.count).map { state.grid.rows[$0].rawValue } }

    private static func value(_ record: Int) -> Int { record * 37 % 23 }

    /// The plain reference: the records of an arrangement of the first `count` records.
    func expected(_ arrangement: Arrangement, _ count: Int) -> [Int] {
        let matching = (0..<count).filter { record in
            arrangement.filters.allSatisfy { $0.text == "n < 12" ? Self.value(record) < 12 : Self.value(record) > 5 }
        }
        if arrangement.sort.isEmpty { return matching }
        return matching.sorted { (Self.value($0), $0) < (Self.value($1), $1) }
    }

    private func order(_ arrangement: Arrangement, _ count: Int, first: Int = .max) -> RowOrder {
        if arrangement.isFileOrder { return .natural(count: count) }
        return .permuted(RowPermutation(expected(arrangement, count).prefix(first).map { UInt32($0) }))
    }

    // MARK: Events

    private func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private func send(_ action: AppAction) { perform(state.apply(action)) }

    private func perform(_ effects: [AppEffect]) {
        for effect in effects {
            switch effect {
            case .arrange(let arrangement):
                job = (arrangement, knownCount)
                #expect(state.document.isComplete || arrangement.isInFileOrder, "sorting waits: \(history)")
            case .cancel(.arrange):
                job = nil
                send(.jobEnded(.arrange, failure: nil))
            case .cancel(.index):
                isIndexing = false
                send(.jobEnded(.index, failure: nil))
            case .startIndexing: isIndexing = true
            default: break
            }
        }
    }

    /// Sends a random event.
    func sendRandomEvent() {
        let wasArriving = state.query.previousRows != nil
        let (before, query) = (rows, state.query)
        switch below(9) {
        case 0, 1: request(arrangements[below(arrangements.count)])
        case 2: readMore()
        case 3: endReading()
        case 4: reportRows()
        case 5: endJob()
        case 6: cancel()
        case 7 where knownCount == totalCount && !isIndexing && totalCount < 400: grow()
        case 8: filterNewRows()
        default: return
        }
        log[log.count - 1] += " → \(knownCount)/\(totalCount)"
        if !wasArriving, state.query.previousRows != nil { rowsBefore = before }
        if state.query.previousRows == nil { rowsBefore = nil }
        if hasCancelled, !log.last!.hasPrefix("request"), state.query.requested != query.requested { last = state.query.shown }
    }

    private func request(_ arrangement: Arrangement) {
        log.append("request \(arrangement.filters.map(\.text)) \(arrangement.sort.count)")
        last = arrangement
        perform(state.arrange { $0 = arrangement })
    }

    private func readMore() {
        log.append("read")
        guard isIndexing, knownCount < totalCount else { return }
        knownCount = min(totalCount, knownCount + 1 + below(80))
        send(.recordsIndexed(info))
    }

    private func endReading() {
        log.append("end of reading, or a failure")
        if !isIndexing { return send(.continueReading) }
        guard knownCount == totalCount || below(4) == 0 else { return }
        isIndexing = false
        hasCancelled = hasCancelled || knownCount < totalCount
        if knownCount == totalCount { counts.insert(knownCount) }
        send(.recordsIndexed(info))
        send(.jobEnded(.index, failure: nil))
    }

    private func reportRows() {
        log.append("rows arrive")
        guard let (arrangement, count) = job, !arrangement.isFileOrder else { return }
        let rows = order(arrangement, count, first: 20 + below(60))
        send(arrangement.isFilterOnly ? .filtering(arrangement, rows, extendsVisibleRows: false) : .sorting(arrangement, rows))
    }

    private func endJob() {
        log.append("end of query")
        guard let (arrangement, count) = job else { return }
        job = nil
        counts.insert(count)
        hasCancelled = below(8) == 0
        if hasCancelled { return send(.jobEnded(.arrange, failure: .jobFailed("failed"))) }
        send(.arranged(arrangement, order(arrangement, count), nil))
        send(.jobEnded(.arrange, failure: nil))
    }

    private func cancel() {
        log.append("cancel")
        hasCancelled = true
        var jobs: [JobStatus] = []
        if isIndexing { jobs.append(JobStatus(.index, "reading", amount: .rows(1))) }
        if job != nil { jobs.append(JobStatus(.arrange, "querying", amount: .rows(1))) }
        send(.jobs(jobs))
        let (query, before) = (state.query, rowsBefore)
        perform(state.handleControlC())
        guard case .pending(_, let shown, let phase) = query else { return }
        let restored: (Arrangement, [Int]?) =
            switch phase {
            case .waitingForFile, .running: (shown, nil)
            case .arriving(let previous): (previous.arrangement, previous.arrangement.isFileOrder ? Array(0..<knownCount) : before)
            case .stale: (Arrangement(), Array(0..<knownCount))
            }
        #expect(state.query == .settled(restored.0), "\(history)")
        if let before = restored.1 { #expect(rows == before, "\(history)") }
        last = state.query.shown
    }

    private func grow() {
        log.append("grow")
        totalCount += 1 + below(100)
        (job, isIndexing) = (nil, true)
        send(.fileGrown(info, columns: columns))
    }

    private func filterNewRows() {
        log.append("filter new rows")
        let query = state.query
        guard job == nil, !state.document.isComplete, !query.requested.filters.isEmpty, !query.isStale else { return }
        perform([.arrange(query.requested.withoutOrder)])
    }

    /// Reads the whole file and ends all jobs.
    func finishAllJobs() {
        request(last)
        while isIndexing || !state.document.isComplete || job != nil {
            log.append("settle")
            knownCount = totalCount
            if !isIndexing, !state.document.isComplete { send(.continueReading) }
            if isIndexing {
                isIndexing = false
                send(.recordsIndexed(info))
                send(.jobEnded(.index, failure: nil))
            }
            guard let (arrangement, count) = job else { continue }
            job = nil
            counts.insert(count)
            send(.arranged(arrangement, order(arrangement, count), nil))
            send(.jobEnded(.arrange, failure: nil))
        }
    }

    // MARK: Invariants

    func checkInvariants() {
        let (query, rows) = (state.query, rows)
        #expect(query.requested == last, "\(history)")
        #expect(query.isSettled == (query.request == nil) && (!query.isSettled || query.requested == query.shown), "\(history)")
        #expect(query.isSettled || job != nil || isIndexing, "a pending query ends: \(history)")
        #expect(!query.isWaitingForFile || isIndexing && query.requested.filters == query.shown.filters, "\(history)")
        let isShown = ([knownCount] + counts).contains { rows.elementsEqual(expected(query.shown, $0).prefix(rows.count)) }
        #expect(isShown, "the visible rows are those of the shown arrangement: \(history)")
        if query.isSettled, job == nil, !isIndexing, knownCount == totalCount, !hasCancelled {
            #expect(rows == expected(query.shown, knownCount), "all rows are shown: \(history)")
        }
        #expect(rows.count > 0, "\(history)")
    }
}
