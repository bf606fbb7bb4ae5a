/// For a table of many files, the files that were completely read or left out, in order.
struct FinishedFiles: Sendable {
    private(set) var files: [ConcatFile] = []
    /// For each file, its first record in the table. The last element is ``recordCount``.
    private(set) var starts = [0]
    /// The estimated size in bytes of the records of files that were completely read.
    private(set) var recordBytes = 0
    /// The size of all files on disk in bytes.
    private(set) var byteCount = 0

    /// The number of files, which is the index of the next file.
    var count: Int { files.count }
    /// The number of records of all files.
    var recordCount: Int { starts[starts.count - 1] }

    /// False if the number of records could overflow with another file. A small file can claim many records without values, but no file
    /// can have 2^60.
    var hasRoomForRecords: Bool { recordCount < 1 << 60 }

    /// Adds the next file.
    /// - Parameters:
    ///   - byteCount: the size of the file on disk in bytes.
    ///   - meanRecordBytes: the mean size in bytes of the records; 0 for a file that was not completely read.
    mutating func add(_ file: ConcatFile, byteCount: Int, meanRecordBytes: Int) {
        files.append(file)
        starts.append(recordCount + file.count)
        recordBytes += Self.recordBytes(count: file.count, mean: meanRecordBytes)
        self.byteCount += byteCount
    }

    /// The size of records in bytes. Excessive estimates of a file are limited, so that sums do not overflow.
    static func recordBytes(count: Int, mean: Int) -> Int { min(count, 1 << 40) * min(mean, 1 << 20) }
}
