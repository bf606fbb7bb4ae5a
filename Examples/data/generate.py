#!/usr/bin/env python3
"""Generates the sample tables, byte for byte the same on every run:   generate.py [FOLDER]   (default: the folder this is in)

The people, companies and trades are invented. countries.csv and stars.tsv contain facts and were compiled by hand.
"""
import csv
import io
import random
import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent

FIRST_NAMES = """Ada Amara Anika Arjun Astrid Beatriz Bilal Chidi Chloé Dagny Daisuke Eilidh Elif Emeka Esteban Farah Fionn Freya
Gabriela Hanna Haruto Idris Ines Ingrid Ivan Jae-won Jana João Kamala Kerstin Khalid Lena Léa Luca Maeve Magnus Malik Mei Mina
Nadia Naoko Nils Noor Oisín Olu Pelle Petra Priya Quentin Rafael Rania René Rosa Ruth Saga Samir Sanna Søren Suda Tariq Thabo
Tomáš Uma Viktor Wanjiru Xavier Yara Yuki Zofia Zsófia""".split()
LAST_NAMES = """Abara Achterberg Almeida Andersson Banerjee Bauer Beaumont Bianchi Brandt Byrne Castillo Çelik Chen Costa Dahl
Diallo Dvořák Eriksen Farouk Fernández Fischer Gallagher García Haddad Hakimi Hansen Horváth Ibrahim Ito Jansen Johansson Kaya
Keller Khan Kimura Kowalski Kruger Lindqvist López Mbeki Meier Mendes Mwangi Nakamura Ng Nguyễn Novák Nowak O'Brien Okafor Olsen
Öztürk Park Patel Petrov Quist Rahman Ramírez Reyes Rossi Saito Sánchez Schäfer Silva Singh Smit Sørensen Suzuki Tanaka Thapa
Tremblay Ueda Vasquez Virtanen Wagner Walker Weiß Yamamoto Yıldız Zhang Zieliński""".split()


def write_table(name, header, rows, encoding="utf-8", **dialect):
    text = io.StringIO()
    writer = csv.writer(text, **{"lineterminator": "\n", **dialect})
    writer.writerow(header)
    writer.writerows(rows)
    (FOLDER / name).write_bytes(text.getvalue().encode(encoding))


# ------------------------------------------------------------------------------------------------------------- trades.csv

COMPANIES = [  # symbol, company, sector, price at the start, venue
    ("AURX", "Aurelia Robotics", "Industrials", 184.20, "XNAS"),
    ("BRKW", "Brookwater Utilities", "Utilities", 58.75, "XNYS"),
    ("CNDR", "Condor Air Lines", "Industrials", 27.40, "XNYS"),
    ("DLPH", "Delphi Quantum", "Technology", 412.60, "XNAS"),
    ("EMBR", "Ember & Oak Foods", "Consumer", 33.15, "XNYS"),
    ("ETOI", "L'Étoile Cosmétiques", "Consumer", 216.80, "XPAR"),
    ("FJRD", "Fjordlys Ørsta", "Energy", 91.35, "XOSL"),
    ("GLDN", "Golden Gate Biologics", "Health Care", 148.90, "XNAS"),
    ("GRTH", "Groth & Söhne Maschinenbau", "Industrials", 76.05, "XETR"),
    ("HANN", "한누리반도체", "Technology", 98.45, "XKRX"),
    ("HELI", "Helios Solar 🌞", "Energy", 41.70, "XNAS"),
    ("HRTZ", "Herzog Versicherung", "Financials", 119.25, "XETR"),
    ("IRON", "Ironbridge Steel", "Materials", 22.85, "XLON"),
    ("JADE", "玉龙矿业", "Materials", 17.62, "XHKG"),
    ("KITE", "Kite Logistics", "Industrials", 64.30, "XNYS"),
    ("KZRA", "Kızıl Ra Enerji", "Energy", 12.48, "XIST"),
    ("LMNA", "Lumina Health", "Health Care", 83.55, "XNYS"),
    ("LYNX", "Lynx Semiconductors", "Technology", 265.10, "XNAS"),
    ("MSKI", "みさき銀行グループ", "Financials", 36.90, "XTKS"),
    ("MRDN", "Meridian & Vale Bank", "Financials", 71.40, "XNYS"),
    ("NIMB", "Nimbus Cloud ☁", "Technology", 322.75, "XNAS"),
    ("NRTH", "Northgate Outfitters", "Consumer", 49.95, "XNYS"),
    ("OLIV", "Olivar São Bento", "Consumer", 8.74, "BVMF"),
    ("ORCA", "Orca Shipping", "Industrials", 19.30, "XOSL"),
    ("PLMR", "Palmer, Rhodes & Co.", "Financials", 205.60, "XNYS"),
    ("PRSM", "Prism Optics", "Technology", 57.85, "XNAS"),
    ("QRTZ", "Quartz Lithium", "Materials", 14.16, "XASX"),
    ("RVRB", "Riverbend Hospitals", "Health Care", 132.20, "XNYS"),
    ("HNNO", "はなの製薬", "Health Care", 54.35, "XTKS"),
    ("SHNM", "東雲電機", "Technology", 143.70, "XTKS"),
    ("SLVR", "Silverline Rail", "Industrials", 88.15, "XLON"),
    ("TDLC", "Tidal Currents 🌊", "Utilities", 29.60, "XLON"),
    ("THYM", "Thyme Kitchens", "Consumer", 16.25, "XNAS"),
    ("UMBR", "Umbra Pictures", "Communication", 38.05, "XNYS"),
    ("VELO", "Vélodrome Télécom", "Communication", 24.65, "XPAR"),
    ("VSTA", "Vista Broadcasting", "Communication", 61.90, "XNAS"),
    ("WRBL", "Warbler Social", "Communication", 173.45, "XNAS"),
    ("XYLO", "Xylo Paper \"Green\" Mills", "Materials", 31.20, "XHEL"),
    ("YRBA", "Yerba Generación", "Utilities", 44.80, "BVMF"),
    ("ZUGR", "Zürcher Grundbesitz", "Financials", 318.50, "XSWX"),
]

NOTES = [  # count, note
    (60, "partial fill, rest cancelled"),
    (45, "risk check passed"),
    (40, "rolled from the open"),
    (30, "client order"),
    (28, "index rebalance"),
    (24, "crossed at the midpoint"),
    (20, "limit moved, then filled"),
    (16, "client said \"at market, now\""),
    (12, "hedge for the 12\" pipe contract"),
    (12, "price improved by 0.02, thanks to the dark pool"),
    (10, "first leg of two\nsecond leg: see the next trade"),
    (8, "called back:\n  - confirmed by phone\n  - ticket stays open"),
    (8, "至急 — 顧客の依頼による"),
    (6, "mit Rückfrage geprüft"),
    (6, "à revoir : prix « indicatif »"),
    (5, "확인 필요"),
    (5, "lucky one 🍀"),
    (3, "; semicolons; and\ttabs are just text here"),
    (1, "A very long one, to see how a cell that does not fit is shown: the client asked for the order to be worked over the day, "
        "in slices of no more than a tenth of the volume, with a limit that follows the index at a distance of half a percent, "
        "and to be told at noon and at the close how far it has come."),
]

TRADERS = ["a.lind", "b.okafor", "c.reyes", "d.khan", "e.rossi", "f.novak", "g.ito", "h.byrne", "j.silva", "k.meier", "l.chen", "m.diallo"]


def trades(rng):
    """Yields the trades of five days. Each price follows from the last one, and the change is relative to the first price of the day."""
    count, days = 5_000, [date(2026, 3, 2) + timedelta(days=day) for day in range(5)]
    price = {symbol: start for symbol, _, _, start, _ in COMPANIES}
    weights = [rng.uniform(0.4, 2.0) for _ in COMPANIES]
    note_weights = [weight for weight, _ in NOTES]
    number = 100_000
    for day in days:
        opening = {}
        moments = sorted(busy_second(rng) for _ in range(count // len(days)))
        for second in moments:
            symbol, company, sector, _, venue = rng.choices(COMPANIES, weights)[0]
            price[symbol] = max(0.5, price[symbol] * (1 + rng.gauss(0.0002, 0.006)))
            first = opening.setdefault(symbol, price[symbol])
            change = "" if first == price[symbol] else f"{(price[symbol] / first - 1) * 100:+.2f}"
            quantity = rng.choice([1, 5, 10, 25, 50, 100, 100, 100, 200, 250, 500, 1_000]) * rng.randint(1, 12)
            side = "BUY" if rng.random() < 0.53 else "SELL"
            settled = rng.random() < (0.995 if day < days[3] else 0.6 if day == days[3] else 0.08)
            note = rng.choices(NOTES, note_weights)[0][1] if rng.random() < 0.28 else ""
            moment = datetime.combine(day, time()) + timedelta(seconds=second)
            number += rng.choice([1, 1, 1, 1, 2, 3])
            yield [number, moment, symbol, company, sector, side, quantity, f"{price[symbol]:.2f}", change, venue,
                   "true" if settled else "false", rng.choice(TRADERS) if rng.random() < 0.94 else "", note]


def busy_second(rng):
    """Returns a random second of the day. There are more trades near the open and the close than at noon."""
    start, end = 8 * 3600, int(16.5 * 3600)
    return start + int((end - start) * rng.betavariate(0.7, 0.7))


# ---------------------------------------------------------------------------------------------------------- employees.csv

DIVISIONS = {
    "Research": {"Materials": ["Alloys", "Ceramics", "Polymers"], "Optics": ["Lenses", "Sensors"], "Methods": ["Statistics"]},
    "Production": {"Assembly": ["Line A", "Line B", "Line C"], "Quality": ["Inspection", "Calibration"],
                   "Logistics": ["Inbound", "Outbound"]},
    "Sales": {"Americas": ["North", "South"], "EMEA": ["DACH", "Iberia", "Nordics", "Gulf"], "Asia-Pacific": ["Japan", "Oceania"]},
    "Services": {"IT": ["Platform", "Desk"], "Finance": ["Accounts", "Treasury"], "People": ["Hiring", "Training"]},
}
TITLES = [("Associate", 42_000, 50), ("Specialist", 56_000, 30), ("Senior Specialist", 71_000, 14), ("Lead", 88_000, 6)]
CITIES = ["Bergen", "Cádiz", "Graz", "Kraków", "Łódź", "Malmö", "Nagoya", "Porto", "Québec", "Zürich"]


def employees(rng):
    number, seen = 1_000, set()
    for division, departments in DIVISIONS.items():
        for department, teams in departments.items():
            for team in teams:
                manager = ""
                for place in range(rng.randint(18, 52)):
                    name = unused_name(rng, seen)
                    title, base, _ = TITLES[3] if place == 0 else rng.choices(TITLES[:3], [weight for _, _, weight in TITLES[:3]])[0]
                    hired = date(2005, 1, 10) + timedelta(days=int(7_600 * rng.random() ** 0.7))
                    years = (date(2026, 3, 1) - hired).days / 365
                    salary = round(base * rng.uniform(0.9, 1.15) * (1 + 0.012 * years), -2)
                    number += rng.randint(1, 4)
                    yield [number, name, division, department, team, title, hired, f"{salary:.0f}",
                           f"{rng.choice([0, 0, 2.5, 5, 7.5, 10, 12.5])}", "yes" if rng.random() < 0.3 else "no",
                           rng.choice(CITIES), manager, rng.choice(12 * [""] + ["part-time, 60 %", "on leave", "mentor"])]
                    manager = manager or name


def unused_name(rng, seen):
    while True:
        name = f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
        if name not in seen:
            seen.add(name)
            return name


# ---------------------------------------------------------------------------------------------------------- inventory.csv

GOODS = [  # article, group, unit, price
    ("Schraube Senkkopf", "Befestigung", "Stk", 0.08), ("Mutter sechskant", "Befestigung", "Stk", 0.05),
    ("Dübel", "Befestigung", "Stk", 0.11), ("Winkel verzinkt", "Befestigung", "Stk", 1.35), ("Rohr Stahl", "Rohre", "m", 7.90),
    ("Rohr Kupfer", "Rohre", "m", 14.25),
    ("Bogen 90°", "Rohre", "Stk", 3.40), ("Dichtung", "Rohre", "Stk", 0.62), ("Säge", "Werkzeug", "Stk", 24.90),
    ("Schlüssel Ø 12", "Werkzeug", "Stk", 11.80), ("Meißel", "Werkzeug", "Stk", 9.45), ("Öl, Mehrzweck", "Chemie", "l", 12.60),
    ("Reiniger »Blitz«", "Chemie", "l", 5.95), ("Kleber", "Chemie", "kg", 18.70), ("Kabel 3×1,5 mm²", "Elektro", "m", 1.18),
    ("Schalter", "Elektro", "Stk", 4.85), ("Lampe ½ W", "Elektro", "Stk", 6.20), ("Sicherung 16 A", "Elektro", "Stk", 2.10),
]
SUPPLIERS = ["Müller & Söhne", "Großhandel Weiß", "Aciéries Réunies", "Ferretería Muñoz", "Østergaard A/S", "Façonnage Français"]


def inventory(rng):
    number = 10_000
    for turn in range(22):
        for article, group, unit, price in GOODS:
            number += rng.randint(1, 9)
            amount, cost = max(0, int(rng.gauss(240, 190))), price * rng.uniform(0.8, 1.9)
            counted = date(2026, 1, 5) + timedelta(days=rng.randint(0, 55))
            yield [f"{number:07d}", f"{article} {'ABCDEFGHIJKLMNOPQRSTUV'[turn]}{rng.randint(1, 99)}", group, f"{amount}", unit, german(cost),
                   german(cost * amount), f"{counted:%d.%m.%Y}", rng.choice(SUPPLIERS), "ja" if amount < 60 else "nein",
                   rng.choice(["", "", "", "", "", "Regal 7; oben", "„bruchgefährdet“", "unter 5 € bestellen"])]


def german(number):
    return f"{number:,.2f}".translate(str.maketrans(",.", ".,"))


# ---------------------------------------------------------------------------------------------------------------- log.csv

REQUESTS = [("GET", "/"), ("GET", "/items"), ("GET", "/items/{}"), ("POST", "/orders"), ("GET", "/orders/{}"), ("PUT", "/cart/{}"),
            ("DELETE", "/cart/{}"), ("POST", "/login"), ("GET", "/search?q=lamp"), ("GET", "/health")]
FAILURES = {500: "unexpected state: order has no lines", 502: "the pricing service did not answer", 503: "too many connections, try again",
            404: "", 401: "wrong password", 429: "slow down"}


def log(rng):
    moment, broken = datetime(2026, 3, 6, 6, 0, 0), 0
    for _ in range(3_000):
        moment += timedelta(milliseconds=int(rng.expovariate(1 / 900)) + 1)
        # Problems come in bursts, as in real logs. Search, filters and the histogram can find them.
        broken = max(0, broken - 1) or (60 if rng.random() < 0.002 else 0)
        method, path = rng.choice(REQUESTS)
        status = rng.choice([500, 502, 502, 503]) if broken and rng.random() < 0.6 else rng.choices(
            [200, 201, 204, 304, 401, 404, 429], [780, 50, 30, 70, 15, 45, 10])[0]
        took = rng.lognormvariate(3.2, 0.9) * (12 if broken else 1)
        level = "ERROR" if status >= 500 else "WARN" if status in (401, 429) or took > 900 else "DEBUG" if path == "/health" else "INFO"
        yield [f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z", level, rng.choice(["web-1", "web-2", "web-3"]), method,
               path.format(rng.randint(100, 9_999)), status, f"{took:.1f}", rng.randint(120, 48_000) if status < 400 else "",
               FAILURES.get(status, "")]


# -------------------------------------------------------------------------------------------------------------- messy.csv

def messy():
    """Returns rows with errors of real files, one error per row, which the note names. The file ends inside a quoted field."""
    lines = [
        b"id,name,amount,name,,note\n",
        b"1,plain,10.00,again,x,all is well here\n",
        b"2,short row\n",
        b"3,long row,30.00,again,x,two more fields follow,extra,and another\n",
        b"\n",
        b"5,the line above is empty,50.00,,,\n",
        b"6,12\" pipe,60.00,again,x,a quote inside an unquoted field\n",
        b"7,\"say \"hello\" there\",70.00,again,x,quotes not doubled\n",
        b"8,\"ends\" early,80.00,again,x,text after the closing quote\n",
        b"9, \"blank first\",90.00,again,x,a blank before the opening quote\n",
        b"10,\"two\nlines\",100.00,again,x,a line break in a cell\n",
        b"11,\"three\r\nand\r\nmore\",110.00,again,x,CRLF inside a cell\n",
        b"12,ends with CRLF,120.00,again,x,mixed line ends\r\n",
        b"13,ends with CR alone,130.00,again,x,mixed line ends\r",
        b"14,caf\xe9,140.00,again,x,Latin-1 byte in UTF-8\n",
        b"15,\xff\xfe\xc0\x80,150.00,again,x,bytes that are never UTF-8\n",
        b"16,cut \xe6\x97,160.00,again,x,a character cut in two\n",
        b"17,nul \x00 here,170.00,again,x,a NUL\n",
        b"18,\x1b[31mred\x1b[0m \x1b]0;title\x07,180.00,again,x,escape sequences: must show as marks\n",
        b"19,bell\x07 backspace\x08 delete\x7f,190.00,again,x,control characters\n",
        b"20,tab\there,200.00,again,x,a tab in a comma file\n",
        "21,\u202egnp.exe\u202c,210.00,again,x,a right-to-left override\n".encode(),
        "22,\u2067\u05e9\u05dc\u05d5\u05dd\u2069 \u200fmarks,220.00,again,x,bidi isolates and marks\n".encode(),
        "23,zero\u200bwidth\u200d\ufeffjoiner,230.00,again,x,characters without width\n".encode(),
        "24,e\u0301e\u0302\u0323 Z\u0351\u036b\u0343a\u0312\u0321l\u0334g\u0321o\u0337,240.00,again,x,combining marks\n".encode(),
        "25,👩‍👩‍👧‍👦 🇳🇴 👍🏽 ❤️,250.00,again,x,emoji of several code points\n".encode(),
        "26,日本語の名前,260.00,again,x,wide characters\n".encode(),
        "27,\u0085next\u2028line\u2029ends,270.00,again,x,line ends that are not\n".encode(),
        "28,\u0663\u0664,٢٨٠,again,x,digits of another script\n".encode(),
        b"29,  padded  ,  290.00  ,again,x,blanks around\n",
        b"30,\"\",300.00,,x,an empty quoted field\n",
        b"31,\"\"\"\",310.00,again,x,one quote and nothing else\n",
        b"32,1e5,n/a,again,x,not a number\n",
        b"33,007,-0.0,again,x,leading zeros\n",
        b"34,=1+1,3.400e2,again,x,a formula stays text\n",
        b"35," + b"long " * 60 + b",350.00,again,x,a long cell\n",
        b"36,\"the quote never closes,360.00,again,x,so the rest is one field\n",
        b"37,swallowed,370.00,again,x,by the line above",
    ]
    return b"".join(lines)


def main():
    write_table("trades.csv", ["id", "timestamp", "symbol", "company", "sector", "side", "quantity", "price", "change %", "venue", "settled",
                               "trader", "note"], trades(random.Random(1)))
    write_table("employees.csv", ["id", "name", "division", "department", "team", "title", "hired", "salary", "bonus %", "remote", "city",
                                  "lead", "remark"], employees(random.Random(2)))
    write_table("inventory.csv", ["Artikelnr.", "Bezeichnung", "Gruppe", "Bestand", "Einheit", "Preis €", "Wert €", "gezählt am", "Lieferant",
                                  "nachbestellen", "Bemerkung"], inventory(random.Random(3)),
                encoding="cp1252", delimiter=";", lineterminator="\r\n")
    write_table("log.csv", ["time", "level", "host", "method", "path", "status", "ms", "bytes", "message"], log(random.Random(4)))
    (FOLDER / "messy.csv").write_bytes(messy())


if __name__ == "__main__":
    main()
