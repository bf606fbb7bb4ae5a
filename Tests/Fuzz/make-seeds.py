#!/usr/bin/env python3
"""Writes the seeds of the fuzzer, small valid inputs for each target:   make-seeds.py [FOLDER]   (default: seeds, beside this file)

Needs pyarrow and openpyxl, as the tests do.
"""
import bz2
import gzip
import io
import lzma
import shutil
import sqlite3
import struct
import sys
import tempfile
import zipfile
import zlib
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "seeds"
written = 0


def seed(target, name, content):
    global written
    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    content = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(content)
    written += len(content)


CSV = 'id,name,price,day\n1,Müller,1.25,2024-01-31\n2,"a ""b"", c",-3,\n3,"two\nlines",1e9,2024-02-01\n'
SEMICOLONS = "Nr;Preis;Datum\r\n1;1.234,50;31.01.2024\r\n2;-0,5;01.02.2024\r\n"
TABS = "# remark\na\tb\tc\n1\t2\t3\n4\t5\n6\t7\t8\t9\n"
LINES = '{"id":1,"name":"x\\u00e9\\n","by":{"desk":"A","n":[1,2,{"z":null}]},"price":1.25}\n{"id":2,"late":true,"by.desk":1e400}\nbad\n'
JSON = '{"data": [{"a": 1, "b": {"c": "x, \\"y\\""}}, {"a": null, "d": [1, 2]}], "n": 2}'


def text():
    for target in ["detect", "delimited"]:
        seed(target, "comma", CSV)
        seed(target, "semicolon", SEMICOLONS)
        seed(target, "tab", TABS)
        seed(target, "utf16", CSV.encode("utf-16"))
        seed(target, "latin1", SEMICOLONS.replace("Preis", "Größe").encode("latin-1"))
    seed("chunks", "quotes", CSV * 4)
    seed("chunks", "stray", 'a;b\r\n1;"x"y\r\n2;z "q"\r\n' * 8 + '"open\n' + "3;4\n" * 30)
    seed("escapes", "quotes", 'a,b\n1,"say \\"hi\\", \\\\"\n\\"x\\,y,"two\\\nlines"z\nC:\\new,\\')
    seed("escapes", "postgresql", 'id\tname\n1\tone\\ntwo\\t\\\\N\n2\t\\N\n\\x41\t5" \\b\\f\\r\\v\n\\.\nrest\n')
    seed("escapes", "mysql", b'1\ttwo\\\nlines\\\t\\0\n2\t\\N\n3\t\\01\\Z\\\r\n\\\\\n')
    seed("escapes", "column", "a\r\n\r\n\\N\r\n\r\n")
    seed("delimited", "pipe", "a | b | c\n1 | 2 | 3\n")
    seed("delimited", "damaged", b'a,b\n1,"x"y\n2,"\xff\x00\n3,4\r5,6\n\n"open')
    for target in ["detect", "jsonl"]:
        seed(target, "lines", LINES)
        seed(target, "scalars", '1\n"two"\n[3]\nnull\n')
    for target in ["detect", "json"]:
        seed(target, "object", JSON)
        seed(target, "array", '[\n  {"a": 1, "b": "x"},\n  {"b": 2, "c": [true, {"d": "\\ud83d\\ude00"}]}\n]\n')
        seed(target, "geo", '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":"a"},"geometry":null}]}')
        seed(target, "members", '{"web1": {"cpu": 1, "os": {"name": "x"}}, "web\\u0032": {"cpu": 2, "os": null}}')
        seed(target, "many", '{"a":1}\n\n{\n "b": {"c": 2}\n}\n')
    drawn = {
        "psql": " id | name \n----+------\n  1 | a    \n  2 | b +  \n    | c    \n(2 rows)\n",
        "psql-border": "+----+------+\n| id | name |\n+----+------+\n|  1 | a    |\n+----+------+\n",
        "duckdb": "┌───────┬─────────┐\n│  id   │  name   │\n│ int32 │ varchar │\n├───────┼─────────┤\n│     1 │ a       │\n│   ·   │  ·      │\n"
                  "├───────┴─────────┤\n│ 9 rows (1 shown) │\n└─────────────────┘\n",
        "polars": "shape: (1, 2)\n┌─────┬──────┐\n│ id  ┆ name │\n│ --- ┆ ---  │\n│ i64 ┆ str  │\n╞═════╪══════╡\n│ 1   ┆ a    │\n└─────┴──────┘\n",
        "rst": "=====  =====\nid     name\n=====  =====\n1      a\n2      b\n=====  =====\n",
        "org": "| id | name |\n|----+------|\n|  1 | a    |\n",
        "expanded": "-[ RECORD 1 ]\nid   | 1\nname | a\n-[ RECORD 2 ]\nid   | 2\nname | b\n",
        "mysql-g": "*************************** 1. row ***************************\n  id: 1\nname: a\n",
    }
    for name, content in drawn.items():
        seed("box", name, content)
        seed("detect", name, content)
    markdown = "# Title\n\n| a | b `|` |\n|---|:-:|\n| 1 | x \\| y |\n| 2 | <br> |\n\nrest\n"
    seed("markdown", "table", markdown)
    seed("markdown", "plain", "a | b\n- | -:\n1 | 2\n")
    seed("detect", "markdown", markdown)
    logs = {
        "access-log": '10.0.0.1 - bob [10/Oct/2024:13:55:36 +0200] "GET /a?b=%20 HTTP/1.1" 200 2326 "http://x/" "curl/8 \\"q\\""\n'
                      '::1 - - [10/Oct/2024:13:55:37 +0200] "-" 408 -\n',
        "syslog": "Oct 10 13:55:36 host sshd[123]: Failed for root\nOct  1 03:00:00 host kernel: x: y\n"
                  "2024-10-10T13:55:36.123456+02:00 host cron: ran\n",
        "logfmt": 'level=info msg="done \\"x\\"" ms=12\nlevel=warn key= flag ms=1.5\n',
        "log": "2024-05-01 12:00:00,123 INFO     app.net: request\n[2024-05-01T12:00:00Z WARN  app] x\n"
               "2024-05-01 12:00:00.1 CEST [12] LOG:  y\nI0501 12:00:00.123456  1 a.go:1] z\n\tat a.b(C.java:1)\n",
        "journal": b"__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1700000000123456\nMESSAGE\n\x03\0\0\0\0\0\0\0a\nb\nPRIORITY=6\n\n"
                   b"__CURSOR=s=1;i=3\nA=1\nA=2\nM\n\xff\xff\xff\xff\xff\xff\xff\xff\n",
        "fixed-width": "NAME        SIZE  USED\n/dev/sda1    10G    5G\n/dev/sdb1     2T  100G\n",
        "lines": "Once upon a time\nthere was\n\n\ta program.\n",
    }
    for name, content in logs.items():
        seed(name, "plain", content)
        seed("detect", name, content)
    outputs = {
        "uniq": "      3 a b\n     12 c, d\n      1 \n", "wc": "  1  2  9 a.txt\n 10 20 90 b.txt\n 11 22 99 total\n",
        "cat": "     1\ta\n     2\t\tb\n", "commits": "63ac5484 a: b\n29ee71cd (tag: v1) c\n",
        "mount": "proc on /proc type proc (rw,relatime)\n/dev/a on /my disk type ext4 (rw)\n",
        "vmstat": "procs ---------memory---------- --swap--\n r  b   swpd   free\n 1  0      0  12345\n 2  1     10 123456\n",
    }
    for name, content in outputs.items(): seed("detect", name, content)
    signatures = [b"%PDF-1.4\n\x01", b"\x7fELF\x02\x01\x01\0", b"\x89PNG\r\n\x1a\n\0\0", b"Obj\x01\x04\x14", b"Rar!\x1a\x07\0", b"ORC\x01",
                  b"\0" * 257 + b"ustar\0", b"\0" * 8 + b"DUCK\0\0\0\0"]
    for number, signature in enumerate(signatures):
        seed("detect", f"signature-{number}", signature)


def columns(nested=True):
    table = {
        "i": pa.array([1, None, 3, 4], pa.int64()), "u": pa.array([1, 2, 3, 2**32 - 1], pa.uint32()),
        "d": pa.array([1.5, None, -0.0, 1e300]),
        "h": pa.array([1.5, 2, None, 4], pa.float32()), "t": pa.array(["a", "b", None, "a"]), "b": pa.array([b"\0\xff", None, b"", b"x"]),
        "f": pa.array([True, False, None, True]), "day": pa.array([date(2024, 1, 31), None, date(1600, 2, 29), date(9999, 12, 31)]),
        "at": pa.array([datetime(2024, 1, 31, 1, 2, 3, 4)] * 4, pa.timestamp("us", "UTC")), "time": pa.array([time(1, 2, 3)] * 4),
        "n": pa.array([Decimal("1.25"), None, Decimal("-9999.99"), Decimal(0)], pa.decimal128(20, 2)),
    }
    if nested:
        table["l"] = pa.array([[1, 2], None, [], [None]])
        table["s"] = pa.array([{"x": 1, "y": ["a"]}, None, {"x": None, "y": []}, {"x": 4, "y": None}])
        table["m"] = pa.array([[("k", 1)], [], None, [("a", 2), ("b", None)]], pa.map_(pa.string(), pa.int32()))
    return pa.table(table)


def parquet():
    def write(name, table, **options):
        sink = io.BytesIO()
        pa.parquet.write_table(table, sink, **{"store_schema": False, "compression": "none", "write_statistics": False, **options})
        seed("parquet", name, sink.getvalue())
        return sink.getvalue()
    small = columns(nested=False).select(["i", "t", "d"])
    seed("detect", "parquet", write("small", small))
    for name in columns().column_names:
        write(f"one-{name}", columns().select([name]))
        write(f"plain-{name}", columns().select([name]), use_dictionary=False, data_page_version="2.0")
    for codec in ["snappy", "gzip", "brotli", "zstd", "lz4"]:
        write(codec, small, compression=codec)
    write("delta", pa.table({"i": [1, 5, 2, 9] * 40}), use_dictionary=False, column_encoding={"i": "DELTA_BINARY_PACKED"})
    write("lengths", pa.table({"t": ["a", "bcd", ""]}), use_dictionary=False, column_encoding={"t": "DELTA_LENGTH_BYTE_ARRAY"})
    write("prefixes", pa.table({"t": ["abc", "abd", "b"]}), use_dictionary=False, column_encoding={"t": "DELTA_BYTE_ARRAY"})
    write("split", pa.table({"d": [1.5, 2.5, 3]}), use_dictionary=False, column_encoding={"d": "BYTE_STREAM_SPLIT"})
    write("index", pa.table({"i": list(range(50))}), data_page_size=32, write_page_index=True, write_page_checksum=True, row_group_size=20)
    write("old", pa.table({"at": pa.array([datetime(2024, 1, 1)], pa.timestamp("ns"))}), use_deprecated_int96_timestamps=True)


def arrow():
    table = columns()
    for name in table.column_names:
        one = table.select([name])
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, one.schema) as writer:
            writer.write_table(one)
        seed("arrow", f"stream-{name}", sink.getvalue())
    small = table.select(["i", "t"])
    for codec in [None, "lz4", "zstd"]:
        sink = io.BytesIO()
        with pa.ipc.new_file(sink, small.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
            writer.write_table(small, max_chunksize=2)
        seed("arrow", f"file-{codec}", sink.getvalue())
    seed("detect", "arrow", sink.getvalue())
    special = pa.table({
        "e": pa.array(["a", "b", "a"]).dictionary_encode(), "v": pa.array(["long enough for a view", "", None], pa.string_view()),
        "r": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["x", "y"]))})
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, special.schema) as writer:
        writer.write_table(special)
    seed("arrow", "special", sink.getvalue())


def sqlite():
    with tempfile.TemporaryDirectory() as folder:
        for name, script in {
            "table": "create table t(id integer primary key, name text, price real, x blob); "
                     "insert into t values (1, 'a', 1.5, x'00ff'), (2, null, -1e300, ''), (9, 'ü', 'text', 5)",
            "several": "create table a(x); insert into a values (1); create table b(y text primary key) without rowid; "
                       "insert into b values ('k'); create view v as select x + 1 as z from a",
        }.items():
            path = Path(folder) / name
            connection = sqlite3.connect(path)
            connection.executescript(f"pragma page_size = 512; {script};")
            connection.commit()
            connection.close()
            seed("sqlite", name, path.read_bytes())
        seed("detect", "sqlite", path.read_bytes())


SHEET = ('<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:C3"/><sheetData>'
         '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t xml:space="preserve"> b </t></is></c></row>'
         '<row r="2"><c r="A2" s="1"><v>45322.5</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="e"><v>#N/A</v></c></row>'
         '<row><c t="str"><f>A1</f><v>x &amp; y &#x41;</v></c><c r="XFD3"><v>1E-7</v></c></row></sheetData></worksheet>')
STRINGS = '<sst count="2"><si><t>name</t></si><si><r><rPr><b/></rPr><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>'
STYLES = ('<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd;[Red]@"/></numFmts>'
          '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>')
CONTENT = ('<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
           'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
           '<office:body><office:spreadsheet><table:table table:name="a"><table:table-row table:number-rows-repeated="2">'
           '<table:table-cell office:value-type="float" office:value="1.5"><text:p>1,50</text:p></table:table-cell>'
           '<table:table-cell table:number-columns-repeated="3" office:value-type="date" office:date-value="2024-01-31"/>'
           '<table:covered-table-cell/><table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p>'
           '<text:p>c<text:tab/></text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>'
           '</office:document-content>')


def archives():
    def archive(members, method=zipfile.ZIP_DEFLATED):
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w", method) as target:
            for name, content in members.items():
                target.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content, method)
        return sink.getvalue()
    seed("zip", "one", archive({"a.csv": CSV}))
    seed("zip", "several", archive({"a.csv": CSV, "b/c.json": JSON, "d.txt": "x"}))
    for name, method in {"stored": zipfile.ZIP_STORED, "bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}.items():
        seed("zip", name, archive({"a.csv": CSV}, method))
    seed("detect", "zip", archive({"a.csv": CSV}))
    seed("zip-parts", "two", CSV.replace("\0", "") + "\0" + JSON)
    seed("xlsx-parts", "all", "\0".join([SHEET, STRINGS, STYLES]))
    seed("xlsx-parts", "workbook", "\0".join([
        SHEET, STRINGS, STYLES,
        '<workbook><workbookPr date1904="1"/><sheets><sheet name="a&lt;" sheetId="1" state="hidden" r:id="rId1"/></sheets></workbook>']))
    seed("ods-parts", "content", CONTENT)
    seed("ods", "small", archive({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": CONTENT}))
    main = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns:r="{main}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships><Relationship Id="rId1" Type="{main}/worksheet" Target="worksheets/sheet1.xml"/>'
                                      f'<Relationship Id="rId2" Type="{main}/sharedStrings" Target="sharedStrings.xml"/>'
                                      f'<Relationship Id="rId3" Type="{main}/styles" Target="styles.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": SHEET, "xl/sharedStrings.xml": STRINGS, "xl/styles.xml": STYLES}
    seed("xlsx", "small", archive(parts))
    seed("xlsx", "stored", archive(parts, zipfile.ZIP_STORED))
    seed("detect", "xlsx", archive(parts))


def deflate(data):
    state = zlib.compressobj(6, zlib.DEFLATED, -15)
    return state.compress(data) + state.flush()


def bgzf(data):
    blocks = b""
    for piece in [data[:50], data[50:], b""]:
        body = deflate(piece)
        blocks += struct.pack("<4BI2BH2BHH", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(body) + 25) + body
        blocks += struct.pack("<II", zlib.crc32(piece), len(piece))
    return blocks


def codecs():
    def stream(codec):
        def compress(data):
            sink = pa.BufferOutputStream()
            with pa.CompressedOutputStream(sink, codec) as target:
                target.write(data)
            return sink.getvalue().to_pybytes()
        return compress
    data = CSV.encode()
    compressors = {
        "gzip": lambda data: gzip.compress(data, mtime=0), "zstd": stream("zstd"), "xz": lambda data: lzma.compress(data, preset=0),
        "lzma": lambda data: lzma.compress(data, format=lzma.FORMAT_ALONE, preset=0), "bzip2": bz2.compress, "lz4": stream("lz4")}
    for name, compress in compressors.items():
        seed(name, "one", compress(data))
        seed(name, "json", compress(LINES.encode()))
        seed("detect", name, compress(data))
        if name != "lzma":
            seed(name, "two", compress(data[:40]) + compress(data[40:]))
            seed(name, "rest", compress(data) + b"rest")
    seed("gzip", "bgzf", bgzf(data))
    seed("bzip2", "blocks", bz2.compress(LINES.encode() * 1_400, 1))
    seed("gzip", "named", b"\x1f\x8b\x08\x1c\0\0\0\0\0\3\4\0ab\1\2name\0remark\0" + deflate(data)
         + struct.pack("<II", zlib.crc32(data), len(data)))
    skip = struct.pack("<II", 0x184D2A53, 4) + b"skip"
    for name in ["zstd", "lz4"]:
        seed(name, "skip", skip + compressors[name](data) + skip)
    size = bytes([16])
    raw = {
        0: pa.Codec("snappy").compress(data, asbytes=True), 1: pa.Codec("lz4_raw").compress(data, asbytes=True),
        2: gzip.compress(data, mtime=0),
        3: zlib.compress(data), 4: deflate(data), 5: compressors["zstd"](data), 6: compressors["xz"](data), 7: bz2.compress(data),
        8: compressors["lz4"](data), 9: pa.Codec("brotli").compress(data, asbytes=True)}
    for kind, content in raw.items():
        seed("blocks", f"kind-{kind}", bytes([kind]) + size + content)
    repeated = b"abc" * 300
    seed("blocks", "snappy-repeated", b"\0\xff" + pa.Codec("snappy").compress(repeated, asbytes=True))
    seed("blocks", "lz4-repeated", b"\1\xff" + pa.Codec("lz4_raw").compress(repeated, asbytes=True))
    for width in [0, 1, 3, 8, 12, 32]:
        seed("columns", f"runs-{width}", bytes([width, 7]) + b"\x10" + b"\x05" * ((width + 7) // 8) + b"\x03" + bytes(range(width)))
        seed("columns", f"packed-{width}", bytes([99 + width if width < 29 else 98, 7]) + bytes(range(40)))
    # 128 values in a block of 4 miniblocks, 100 values, first value 7.
    seed("columns", "deltas", b"\xff\x1f" + b"\x80\x01\x04\x64\x0e" + b"\x03" + b"\x03\x00\x05\x40" + bytes(range(256)))


def others():
    seed("files", "alike", "a,b\n1,2\n\0b,a\n3,4\n")
    seed("files", "different", CSV + "\0" + LINES.replace("\0", "") + "\0" + JSON)
    seed("patterns", "name", "*.[cj]s?\0a.csv")
    seed("patterns", "braces", "year={2024,202[!0-3]}/**/p\\*-?\0year=2024")
    seed("patterns", "partition", "a/year=20%324/b=__HIVE_DEFAULT_PARTITION__/c\0é日")
    filters = [
        "i > 100 and t ~ '^A' and not (t contains 'hold')", "d * i >= 1e6 or t in ('BUY', 'SELL')", "length(t) > 3 and year(day) = 2024",
        "if(t = 'BUY', d, 0) > 1", "t like 'A!%%' escape '!'", "i between 1 and 5 or #3 is not empty", "\"t\" starts with* 'x' && !f",
        "anywhere('two') or at >= 2024-01-31T10:22", "t not ilike '_b%' and time < 10:22", "some words", "'it''s'"]
    for number, text in enumerate(filters):
        seed("filter", f"{number}", text)
    formulas = [
        "i * d + 1.5 / (i - 3)", "concat(upper(left(t, 1)), mid(t, 2, 100))", "if(f and i > 1, 'large', lower(t))", "year(day) + month(at)",
        "round(d, 2) - abs(i)", "replace(t, 'a', 'b')", "coalesce(d, i, 0)", "json(t, 'a.0')", "trim(t)", "-(-i) % 3"]
    for number, text in enumerate(formulas):
        seed("formula", f"{number}", text)
    seed("theme", "small", '{"name":"mine","base":"dark","cursor":{"background":"#ff8700","attributes":["bold"]},'
                           '"classes":{"late":{"normal":{"foreground":"#ff5f5f"},"selected":{"foreground":"12"}}}}')
    column = ('{"valueKey":"a","title":"a","width":{"fixed":{"_0":12}},"isHidden":false,"frozenSide":"left","kind":3,"notation":1,'
              '"format":{},"measuredWidth":4}')
    seed("view", "small", '{"columns":[' + column + '],"sort":[{"valueKey":"a","isDescending":true}],"filters":[],"rowHeights":'
                          '[{"row":3,"lines":2}],"marks":[1,2],"movedRows":[[0,3]],"rowOrder":[[0,5]],"theme":"dark","grouping":["a"],'
                          '"version":2,"derived":["z = a * 2"],"aggregates":["sum(a)"],"reading":{"delimiter":";"}}')


def checkpoints():
    """Writes checkpoints of the index cache: the sizes of the file, the largest section and the decoded bytes, then three words for each
    checkpoint."""
    def table(size, largest, count, *points):
        words = struct.pack("<4Q", size << 1, largest << 1, count, len(points))
        for output, source, state in points:
            words += struct.pack("<2Q", output, source)
            if state:
                bits, checksum, window = state
                words += struct.pack("<BBHI", 1, bits, len(window), checksum) + window + bytes(-len(window) % 8)
            else:
                words += bytes(8)
        return words
    seed("checkpoints", "one", table(10, 50, 50, (0, 0, None)))
    seed("checkpoints", "members", table(1000, 100, 250, (0, 0, None), (100, 40, None), (200, 80, None)) + b"the index")
    seed("checkpoints", "states", table(
        10, 20, 50, (0, 0, None), (10, 5, (7, 2**32 - 1, bytes(range(100)))), (20, 6, None), (40, 9, (0, 1, b""))))


def engine():
    """Writes messages between the program and its helper: the kind, and the bytes that follow the header."""
    def text(value):
        value = value.encode() if isinstance(value, str) else value
        return struct.pack("<I", len(value)) + value
    magic = struct.pack("<I", 0x4E455647)
    parameters = [b"\0" + b"\0", b"\1" + struct.pack("<I", 20) + b"\1" + text("7"), b"\2" + text("bytea") + b"\1" + text(b"\0\xff")]
    error = b"\x0d" + text("42601") + text("wrong near é") + text("") + text("hint") + struct.pack("<I", 7)
    columns = [
        text("id") + text("int8") + struct.pack("<Ii", 20, -1) + b"\1" + struct.pack("<Ii", 16384, 1),
        text("name") + text("varchar") + struct.pack("<Ii", 0, 14) + b"\2" + text("main") + text("t") + text("c"), text("n") + text("")
        + struct.pack("<Ii", 0, -1) + b"\0"]
    # These are three rows of two columns, with nulls, values of several types and a cut cell.
    values = [b"1", "é".encode(), None, b"", b"2.5", b"long"]
    ends = [sum(len(value or b"") for value in values[:count]) for count in range(len(values) + 1)]
    cells = struct.pack("<7I", *ends) + b"\x04"
    rows = struct.pack("<5I", 3, 2, 1, ends[-1], 1) + cells + b"\1\0\0\0\2\3" + struct.pack("<IQ", 5, 1000)
    rows += b"".join(value or b"" for value in values)
    messages = {
        "hello": (1, magic + struct.pack("<I", 1)), "connect": (2, text("postgresql") + struct.pack("<II", 5000, 2) + text("host")
                                                               + text("localhost") + text("password") + text("é")),
        "execute": (3, text("select $1") + struct.pack("<QQIBII", 100, 0, 64, 1, 0, 3) + b"".join(parameters)),
        "describe": (4, text("select $1") + struct.pack("<II", 0, 2) + b"\0" + b"\2" + text("date")),
        "cancel": (5, struct.pack("<I", 3)), "close": (6, b""), "answer-hello": (64, magic + struct.pack("<I", 1)),
        "connected": (65, text("SQLite") + text("3.45") + struct.pack("<I", 1) + text("user") + text("bob")),
        "columns": (66, struct.pack("<I", 3) + b"".join(columns) + struct.pack("<I", 1) + text("date") + struct.pack("<Ii", 1082, -1)),
        "rows": (67, rows), "no-columns": (67, struct.pack("<6I", 2**32 - 1, 0, 0, 0, 0, 0)),
        "plain-rows": (67, struct.pack("<5I", 1, 2, 0, 3, 0) + struct.pack("<3I", 0, 1, 3) + b"\0" + b"abc"),
        "done": (68, struct.pack("<QBQ", 3, 1, 1234)), "notice": (69, error), "failed": (70, error), "progress": (71, struct.pack("<QQ", 9, 9)),
    }
    def headed(name):
        kind, content = messages[name]
        return struct.pack("<IB3xI", len(content), kind, 1) + content
    for name, (kind, content) in messages.items():
        seed("messages", name, bytes([kind]) + content)
    seed("message-stream", "requests", b"".join(headed(name) for name in ["hello", "connect", "execute", "cancel", "close"]))
    seed("message-stream", "answers", b"".join(headed(name) for name in ["answer-hello", "connected", "columns", "rows", "done"]))
    seed("message-stream", "cut", headed("failed")[:-2])
    seed("message-stream", "long", struct.pack("<IB3xI", 2**32 - 1, 67, 1))


shutil.rmtree(FOLDER, ignore_errors=True)
for part in [text, parquet, arrow, sqlite, archives, codecs, others, checkpoints, engine]:
    part()
print(f"{written} bytes in {sum(1 for path in FOLDER.rglob('*') if path.is_file())} seeds")
