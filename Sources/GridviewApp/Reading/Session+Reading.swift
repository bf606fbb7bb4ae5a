import Tables

extension Session {
    /// Reads the first bytes with other settings, for the form. Only 256 KiB are read, so this takes less than a frame.
    func previewReading(_ settings: ReadingSettings) {
        do {
            guard let sample = try options.opener?.with(settings)?.sample(of: document.input) else {
                return send(.readingPreviewed(nil))
            }
            send(.readingPreviewed(try ReadingPreview(of: sample)))
        } catch let error as ReadingSettingsError {
            send(.readingPreviewed(nil, error))
        } catch {
            // The encoding is the cause, because other invalid settings throw a `ReadingSettingsError`.
            send(.readingPreviewed(nil, ReadingSettingsError(.encoding, JobFailure.sentence(about: error, "reading"))))
        }
    }

    /// Suggests other reading options for an opened file.
    func suggestReading() {
        guard options.opener != nil, let suggestion = document.input.suggestions.first else { return }
        send(.readingSuggested(suggestion))
    }

    func useAsHeader(record: Int) {
        send(.headerFound(lines: try? document.input.lineCount(beforeRecord: record)))
    }
}
