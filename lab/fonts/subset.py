"""Makes the store's fonts from npm's fontsource package of Literata (see README.md)."""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

parser = ArgumentParser(description=__doc__)
parser.add_argument("package", type=Path, help="the folder node_modules/@fontsource-variable/literata")
parser.add_argument("out", type=Path, help="the folder for the web fonts")
parser.add_argument("drawn", type=Path, help="the file for the font of drawings")
arguments = parser.parse_args()

# After the arguments, because --help must not need fontTools.
from fontTools import subset
from fontTools.merge import Merger
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# The weights of the style sheets.
WEIGHTS = (400, 600)
# Prices have figures of equal width; lining ones are Literata's default.
FEATURES = ["ccmp", "kern", "liga", "locl", "tnum"]
# The characters of each file: those of titles, names and sentences. web/styles/fonts*.css have the same ranges.
PARTS = {
    "latin": "20-7E A0-FF 131 152-153 2C6 2DC 2013-2014 2018-201A 201C-201E 2022 2026 2039-203A 20AC 2122 2212",
    "latin-ext": "100-130 132-151 154-17E 192 1A0-1A1 1AF-1B0 1CD-1DC 1E6-1E7 1EA-1EB 1FA-1FF 218-21B 22A-22D"
    " 230-233 1E80-1E85 1E9E 1EF2-1EF3",
    "cyrillic": "401-44F 451-45F 490-491 4B0-4B1 2116",
    "greek": "384-38A 38C 38E-3A1 3A3-3CE",
}
# Drawings have one weight, without hints: their type is large. The web leaves Vietnamese to the system.
DRAWN = {"weight": 500, "features": ["kern", "liga", "locl"], "parts": {**PARTS, "vietnamese": "1EA0-1EF9"}}
# A character without width, from the top of a line to its bottom, whose two points are too small to be seen: text that begins and ends
# with it has the height of its lines, and not of its letters (server/images/set-words.ts).
STRUT = {"code": 0xE000, "top": 950, "bottom": -250}


def codes(ranges):
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def cut(part, ranges, features, weight, **options):
    source = arguments.package / "files" / f"literata-{part}-wght-normal.woff2"
    # Without a new timestamp: the same source gives the same bytes.
    font = TTFont(source, recalcTimestamp=False)
    name_ids = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options = subset.Options(layout_features=features, notdef_outline=True, name_IDs=name_ids, **options)
    # They are for vertical text and for menus of styles.
    options.drop_tables += ["STAT", "VVAR", "vhea", "vmtx"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(codes(ranges)))
    subsetter.subset(font)
    instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
    return font


def report(font, path):
    print(f"{path.name}: {len(font.getBestCmap())} characters, {path.stat().st_size} bytes")


def add_strut(font):
    pen = TTGlyphPen(None)
    for y in (STRUT["bottom"], STRUT["top"] - 1):
        pen.moveTo((0, y))
        for point in ((0, y + 1), (1, y + 1), (1, y)):
            pen.lineTo(point)
        pen.closePath()
    font.setGlyphOrder([*font.getGlyphOrder(), "strut"])
    font["glyf"]["strut"] = pen.glyph()
    font["hmtx"]["strut"] = (0, 0)
    for table in font["cmap"].tables:
        table.cmap[STRUT["code"]] = "strut"


for part, ranges in PARTS.items():
    font = cut(part, ranges, FEATURES, WEIGHTS)
    font.flavor = "woff2"
    out = arguments.out / f"literata-{part}.woff2"
    font.save(out)
    report(font, out)

with TemporaryDirectory() as folder:
    files = []
    for part, ranges in DRAWN["parts"].items():
        font = cut(part, ranges, DRAWN["features"], DRAWN["weight"], hinting=False)
        font.flavor = None
        files.append(f"{folder}/{part}.ttf")
        font.save(files[-1])
    head = font["head"]
    drawn = Merger().merge(files)
drawn.recalcTimestamp = False
drawn["head"].created, drawn["head"].modified = head.created, head.modified
add_strut(drawn)
drawn.save(arguments.drawn)
report(drawn, arguments.drawn)
