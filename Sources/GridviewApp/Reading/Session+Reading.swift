import Tables

extension Session {
    /// Reads the first 256 KiB with other settings, for the preview. This takes less than a frame, so it needs no job.
    func previewReading(_ settings: ReadingSettings) {
        do {
            guard let sample = try options.opener?.with(settings)?.sample(of: document.input) else {
                return send(.readingPreviewed(nil))
            }
            send(.readingPreviewed(try ReadingPreview(of: sample)))
        } catch let error as ReadingSettingsError {
            send(.readingPreviewed(nil, error))
        } catch {
            // The error is in the encoding, because all other invalid settings throw a `ReadingSettingsError`.
            send(.readingPreviewed(nil, ReadingSettingsError(.encoding, JobFailure.sentence(about: error, "reading"))))
        }
    }

    /// Shows a suggestion for other reading options, if the first bytes of the opened file give a reason.
    func suggestReading() {
        guard options.opener != nil, let suggestion = document.input.suggestions.first else { return }
        send(.readingSuggested(suggestion))
    }

    func useAsHeader(record: Int) {
        send(.headerFound(lines: try? document.input.lineCount(beforeRecord: record)))
    }
}
