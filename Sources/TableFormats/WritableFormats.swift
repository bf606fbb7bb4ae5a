public import Tables

/// The formats of typed files that can be written.
public let writableFormats: [any WritableFormat] = [
    ParquetOutputFormat(),
    SQLiteOutputFormat(),
    ExcelOutputFormat(),
]
