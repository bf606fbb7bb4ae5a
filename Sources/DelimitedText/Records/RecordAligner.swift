import CByteScan

/// Finds record starts in the middle of a file, where the parser state is unknown.
///
/// The first byte is either inside or outside quotes. The aligner parses the bytes with both assumptions. It rates each assumption by the
/// number of records with the expected number of fields, and by the number of stray quotes. In a well-formed file, the wrong assumption
/// swaps delimiters and text, so almost every field has stray quotes.
struct RecordAligner {
    let grammar: Grammar
    let expectedFields: Int

    /// The record starts that were found in some bytes.
    struct Alignment {
        /// The offset of the first record start in the bytes; the number of bytes if no record starts in them.
        var first: Int
        /// The number of record starts in the bytes.
        var startCount: Int
        /// True if one assumption is so much better than the other that the result is practically certain.
        var isSettled: Bool
    }

    /// The result of parsing the bytes with one of the two assumptions.
    private struct TrialParse {
        var first = 0
        var startCount = 0
        var fittingCount = 0
        var misfitCount = 0
        var strayCount = 0
        var endsQuoted = false

        var isWellFormed: Bool { strayCount == 0 && !endsQuoted }
        /// The evidence against the assumption. The assumption with the lower penalty is chosen.
        var penalty: Double {
            let recordCount = Double(fittingCount + misfitCount)
            let share = recordCount == 0 ? 0.5 : Double(misfitCount) / recordCount
            return share + Double(strayCount) / Double(startCount + 1) + (endsQuoted ? 0.6 : 0)
        }
    }

    /// Finds the record starts in `bytes`.
    /// - Parameters:
    ///   - previous: the byte of the file before `bytes`.
    ///   - isLast: true if the file ends with `bytes`.
    ///
    ///     The first 64 KiB usually suffice to choose an assumption. In the rest, record starts are only counted.
    func align(_ bytes: UnsafeBufferPointer<UInt8>, previous: UInt8, isLast: Bool) -> Alignment {
        let enough = 64 << 10
        guard bytes.count > enough else { return alignAll(bytes, previous: previous, isLast: isLast) }
        var found = alignAll(UnsafeBufferPointer(rebasing: bytes.prefix(enough)), previous: previous, isLast: false)
        guard found.isSettled else { return alignAll(bytes, previous: previous, isLast: isLast) }
        let rest = grammar.scan(bytes.baseAddress! + found.first, bytes.count - found.first)
        found.startCount = rest.starts
        found.isSettled = rest.strays == 0 && !(isLast && Int32(rest.state) == GV_QUOTED)
        return found
    }

    private func alignAll(_ bytes: UnsafeBufferPointer<UInt8>, previous: UInt8, isLast: Bool) -> Alignment {
        let outside = read(bytes, state: gv_state_after(grammar.raw, previous), isLast: isLast)
        guard grammar.dialect.quote != nil else {
            return Alignment(first: outside.first, startCount: outside.startCount, isSettled: grammar.dialect.commentPrefix.isEmpty)
        }
        let inside = read(bytes, state: UInt8(GV_QUOTED), isLast: isLast)
        let insideWins = inside.penalty < outside.penalty
        let winner = insideWins ? inside : outside
        let loser = insideWins ? outside : inside
        let enough = winner.fittingCount >= 8 && winner.misfitCount * 10 <= winner.fittingCount && expectedFields > 1
        // With the right assumption, a well-formed file has no stray quotes. Therefore one stray quote is enough to reject an assumption.
        let loserFails = loser.strayCount > 0 || loser.misfitCount > loser.fittingCount || loser.startCount == 0 || loser.endsQuoted
        return Alignment(first: winner.first, startCount: winner.startCount, isSettled: winner.isWellFormed && enough && loserFails)
    }

    private func read(_ bytes: UnsafeBufferPointer<UInt8>, state: UInt8, isLast: Bool) -> TrialParse {
        var trial = TrialParse()
        guard let start = bytes.baseAddress else { return trial }
        let span = grammar.scan(start, bytes.count, state: state)
        trial.first = span.first_start
        trial.startCount = span.starts
        trial.strayCount = span.strays
        trial.endsQuoted = isLast && Int32(span.state) == GV_QUOTED
        grammar.forEachRecord(in: UnsafeBufferPointer(rebasing: bytes[trial.first...]), isLast: isLast) { record, _ in
            if record.field_count == expectedFields {
                trial.fittingCount += 1
            } else if record.field_count > 0 {
                trial.misfitCount += 1
            }
            return trial.fittingCount + trial.misfitCount < 200
        }
        return trial
    }
}
