public import Tables

/// The formats of typed files that can be written. To add one, create a conforming type in the folder of the format.
public let writableFormats: [any WritableFormat] = [
    ParquetOutputFormat(),
    ArrowOutputFormat(),
    SQLiteOutputFormat(),
    ExcelOutputFormat(),
]
