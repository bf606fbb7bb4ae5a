#!/usr/bin/env python3
"""Writes 60 rows of trades.csv in every format that gridview reads:   make-samples.py [FOLDER]   (default: samples, beside this file)

Needs DuckDB, pyarrow and openpyxl, which `.make/setup test` installs in .build/python.
"""
import bz2
import contextlib
import csv
import gzip
import io
import json
import lzma
import re
import shutil
import sqlite3
import struct
import sys
import unicodedata
import zipfile
import zlib
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from xml.sax.saxutils import escape

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

HERE = Path(__file__).parent
FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples"
TITLES = ["id", "timestamp", "symbol", "company", "sector", "side", "quantity", "price", "change", "settled", "trader"]


def read():
    """Returns rows of values; `None` stands for a missing value."""
    with open(HERE / "trades.csv", newline="") as file:
        rows = list(csv.DictReader(file))[7::83][:60]
    return [[
        int(row["id"]), datetime.fromisoformat(row["timestamp"]), row["symbol"], row["company"], row["sector"], row["side"],
        int(row["quantity"]), Decimal(row["price"]), Decimal(row["change %"]) if row["change %"] else None, row["settled"] == "true",
        row["trader"] or None,
    ] for row in rows]


def text(value):
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def delimited(rows, delimiter=","):
    target = io.StringIO()
    writer = csv.writer(target, delimiter=delimiter, lineterminator="\n")
    writer.writerow(TITLES)
    writer.writerows([text(value) for value in row] for row in rows)
    return target.getvalue().encode()


def dump(rows):
    """Returns the text format of COPY in PostgreSQL, with a line of titles and a column of notes with tabs and line breaks."""
    def field(value):
        return "\\N" if value is None else text(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    lines = [TITLES + ["note"]] + [[*row, f"{row[2]}\t{row[5]}\nat {row[7]}"] for row in rows]
    return "".join("\t".join(map(field, line)) + "\n" for line in lines)


def table(rows):
    types = [pa.int64(), pa.timestamp("us"), *4 * [pa.string()], pa.int32(), pa.decimal128(10, 2), pa.decimal128(6, 2), pa.bool_(),
             pa.string()]
    return pa.table([pa.array(column, kind) for column, kind in zip(zip(*rows), types)], TITLES)


def compressed(codec, data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as target:
        target.write(data)
    return sink.getvalue().to_pybytes()


def blocks(data, size=2000):
    """Returns a gzip file in the blocks of bgzip. Each block has its length, and the last block is empty."""
    def block(data):
        deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
        content = deflater.compress(data) + deflater.flush()
        head = struct.pack("<4BI2BH2B2H", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(content) + 25)
        return head + content + struct.pack("<2I", zlib.crc32(data), len(data))
    return b"".join(block(data[start:start + size]) for start in range(0, len(data), size)) + block(b"")


def archive(members, path):
    with zipfile.ZipFile(path, "w") as target:
        for name, content in members.items():
            # The format of OpenDocument requires that the media type is not compressed.
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            target.writestr(zipfile.ZipInfo(name, (2026, 3, 6, 17, 0, 0)), content, method)


def record(row):
    """Returns a row as a JSON object. Numbers keep their digits."""
    def value(value):
        if isinstance(value, Decimal):
            return str(value)
        return json.dumps(text(value) if isinstance(value, datetime) else value, ensure_ascii=False)
    return "{" + ", ".join(f'"{title}": {value(field)}' for title, field in zip(TITLES, row)) + "}"


def nested(row):
    """Returns a row as a JSON object that contains objects and an array."""
    company = {"symbol": row[2], "name": row[3], "sector": row[4]}
    order = {"side": row[5], "quantity": row[6], "price": float(row[7])}
    tags = [tag for tag, isTrue in [("settled", row[9]), ("large", row[6] >= 1000)] if isTrue]
    value = {"id": row[0], "timestamp": str(row[1]), "company": company, "order": order, "trader": row[10], "tags": tags}
    return json.dumps(value, ensure_ascii=False)


def width(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def aligned(rows, separator, numbers=frozenset()):
    """Returns lines of padded texts, and the widths of the columns. Cells in the columns of `numbers` are aligned right."""
    widths = [max(map(width, column)) for column in zip(*rows)]
    def cell(column, text):
        padding = " " * (widths[column] - width(text))
        return padding + text if column in numbers else text + padding
    return [separator.join(cell(column, text) for column, text in enumerate(row)) for row in rows], widths


def psql(rows):
    lines, widths = aligned([TITLES] + rows, " | ", {0, 6, 7, 8})
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([f" {lines[0]} ", f"-{rule}-", *(f" {line} " for line in lines[1:]), f"({len(rows)} rows)", ""])


def mysql(rows):
    lines, widths = aligned([TITLES] + [[value or "NULL" for value in row] for row in rows], " | ", {0, 6, 7, 8})
    rule = "+" + "".join("-" * (width + 2) + "+" for width in widths)
    return "\n".join([rule, f"| {lines[0]} |", rule, *(f"| {line} |" for line in lines[1:]), rule, ""])


def duckdb_box(trades):
    target = io.StringIO()
    with contextlib.redirect_stdout(target), duckdb.connect() as connection:
        connection.from_arrow(trades).show(max_rows=len(trades), max_width=10_000, max_col_width=100)
    return target.getvalue()


def markdown(rows):
    lines = ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in [TITLES] + rows]
    rule = "|" + "|".join("---:" if column in {0, 6, 7, 8} else "---" for column in range(len(TITLES))) + "|"
    return "\n".join([lines[0], rule, *lines[1:], ""])


def logfmt(rows):
    def pair(title, text):
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'{title}="{quoted}"' if " " in text or '"' in text or "=" in text else f"{title}={text}"
    return "".join(" ".join(pair(title, text) for title, text in zip(TITLES, row) if text) + "\n" for row in rows)


def access_log(rows):
    lines = []
    for number, row in enumerate(rows):
        moment = row[1].strftime("%d/%b/%Y:%H:%M:%S +0000")
        lines.append(f'10.0.0.{number} - {row[10] or "-"} [{moment}] "GET /trades/{row[0]} HTTP/1.1" 200 {row[6]} "-" "{row[2]}"\n')
    return "".join(lines)


def syslog(rows):
    return "".join(f"{row[1]:%b %e %H:%M:%S} {row[2].lower()} trades[{row[0]}]: {row[5]} {row[6]} at {row[7]}\n" for row in rows)


def journal(rows):
    """The export format of journalctl, with a binary field because of its line end."""
    def field(name, value):
        return f"{name}={value}\n".encode()

    def entry(number, row):
        message = f"{row[2].lower()}\ntrade {row[0]}".encode()
        time = int(row[1].replace(tzinfo=timezone.utc).timestamp()) * 1_000_000
        return (field("__CURSOR", f"s=1;i={number}") + field("__REALTIME_TIMESTAMP", time) + field("_HOSTNAME", "desk")
                + field("PRIORITY", 6) + b"MESSAGE\n" + struct.pack("<Q", len(message)) + message + b"\n"
                + (field("TRADER", row[10]) if row[10] else b"") + b"\n")
    return b"".join(entry(number, row) for number, row in enumerate(rows))


def program_log(rows):
    return "".join(f"{row[1]:%Y-%m-%d %H:%M:%S},000 INFO     {row[2].lower()}: {row[5]} {row[6]} at {row[7]}, trade {row[0]}\n" for row in rows)


def lines(rows):
    return "".join(f"{row[1]:%A}: {row[5].lower()} {row[6]} {row[3]} at {row[7]}\n" for row in rows)


def workbook(sheets, path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in [TITLES] + rows:
            sheet.append([float(value) if isinstance(value, Decimal) else value for value in row])
    target = io.BytesIO()
    book.save(target)
    # The time of writing is left out, so that the file is the same on every run.
    with zipfile.ZipFile(target) as source:
        members = {name: re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2026-03-06T17:00:00Z", source.read(name)) for name in source.namelist()}
    archive(members, path)


def open_document(rows, path):
    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, bool):
            return (f'<table:table-cell office:value-type="boolean" office:boolean-value="{text(value)}"><text:p>{text(value)}</text:p>'
                    "</table:table-cell>")
        if isinstance(value, datetime):
            return (f'<table:table-cell office:value-type="date" office:date-value="{value.isoformat()}"><text:p>{value}</text:p>'
                    "</table:table-cell>")
        if isinstance(value, (int, Decimal)):
            return f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
    names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ["office", "table", "text"]}
    spaces = " ".join(f'xmlns:{name}="{space}"' for name, space in names.items())
    lines = "".join("<table:table-row>" + "".join(map(cell, row)) + "</table:table-row>" for row in [TITLES] + rows)
    content = (f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} office:version="1.3">'
               f'<office:body><office:spreadsheet>'
               f'<table:table table:name="trades">{lines}</table:table></office:spreadsheet></office:body></office:document-content>')
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = ('<?xml version="1.0" encoding="UTF-8"?>'
                '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
                f'manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
                '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>')
    archive({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content}, path)


def database(tables, path):
    connection = sqlite3.connect(path)
    connection.execute("pragma page_size = 1024")
    def stored(value):
        return float(value) if isinstance(value, Decimal) else text(value) if isinstance(value, datetime) else value
    for name, rows in tables.items():
        connection.execute(
            f"create table {name} (id integer primary key, timestamp text, symbol text, company text, sector text, side text, "
            "quantity integer, price real, change real, settled integer, trader text)")
        values = [[stored(value) for value in row] for row in rows]
        connection.executemany(f"insert into {name} values ({', '.join('?' * len(TITLES))})", values)
    connection.commit()
    connection.execute("vacuum")
    connection.close()


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    rows = read()
    texts = [[text(value) for value in row] for row in rows]
    data = delimited(rows)

    def write(suffix, content):
        (FOLDER / f"trades.{suffix}").write_bytes(content if isinstance(content, bytes) else content.encode())

    write("csv", data)
    write("tsv", delimited(rows, "\t"))
    write("dump.tsv", dump(rows))
    write("csv.gz", gzip.compress(data, mtime=0))
    write("csv.zst", compressed("zstd", data))
    write("csv.xz", lzma.compress(data))
    write("csv.lzma", lzma.compress(data, format=lzma.FORMAT_ALONE))
    write("csv.bz2", bz2.compress(data))
    write("csv.lz4", compressed("lz4", data))
    write("csv.bgz", blocks(data))
    write("jsonl", "".join(record(row) + "\n" for row in rows))
    write("json", '{"trades": [\n' + ",\n".join(record(row) for row in rows) + "\n]}\n")
    write("nested.json", "[\n" + ",\n".join(map(nested, rows)) + "\n]\n")
    write("md", markdown(texts))
    write("mysql.txt", mysql(texts))
    write("duckdb.txt", duckdb_box(table(rows)))
    write("lines.txt", lines(rows))
    write("psql.txt", psql(texts))
    write("logfmt", logfmt(texts))
    # A blank at the same position in all rows ends a column, so times are written without a blank. A dash stands for an empty cell. Company
    # names are left out.
    narrow = [[value or "-" for value in [row[0], row[1].replace(" ", "T"), row[2]] + row[4:]] for row in texts]
    fixed, _ = aligned([TITLES[:3] + TITLES[4:]] + narrow, "  ", {0, 5, 6, 7})
    write("fixed.txt", "".join(line.rstrip() + "\n" for line in fixed))
    write("access.log", access_log(rows))
    write("syslog", syslog(rows))
    write("export", journal(rows))
    write("log", program_log(rows))
    sides = {side: [row for row in rows if row[5] == side] for side in ["BUY", "SELL"]}
    workbook({"trades": rows}, FOLDER / "trades.xlsx")
    workbook(sides, FOLDER / "by-side.xlsx")
    open_document(rows, FOLDER / "trades.ods")
    archive({"trades.csv": data}, FOLDER / "trades.zip")
    database({"trades": rows}, FOLDER / "trades.db")
    database(sides, FOLDER / "by-side.db")

    whole = table(rows)
    pa.parquet.write_table(whole, FOLDER / "trades.parquet", store_schema=False)
    pa.feather.write_feather(whole, FOLDER / "trades.feather", compression="lz4")
    with pa.OSFile(str(FOLDER / "trades.arrow"), "wb") as sink, pa.ipc.new_file(sink, whole.schema) as writer:
        writer.write_table(whole)
    with pa.OSFile(str(FOLDER / "trades.arrows"), "wb") as sink, pa.ipc.new_stream(sink, whole.schema) as writer:
        writer.write_table(whole)
    for day in sorted({row[1].date() for row in rows}):
        part = FOLDER / "by-day" / f"day={day}"
        part.mkdir(parents=True)
        pa.parquet.write_table(table([row for row in rows if row[1].date() == day]), part / "part-0.parquet", store_schema=False)


main()
