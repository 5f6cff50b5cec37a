"""Makes the store's web fonts from npm's fontsource package of Literata (see README.md)."""

from argparse import ArgumentParser
from pathlib import Path

parser = ArgumentParser(description=__doc__)
parser.add_argument("package", type=Path, help="the folder node_modules/@fontsource-variable/literata")
parser.add_argument("out", type=Path, help="the folder for the fonts")
arguments = parser.parse_args()

# After the arguments, because --help must not need fontTools.
from fontTools import subset
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


def codes(ranges):
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def cut(part, ranges):
    source = arguments.package / "files" / f"literata-{part}-wght-normal.woff2"
    # Without a new timestamp: the same source gives the same bytes.
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(layout_features=FEATURES, notdef_outline=True, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    # They are for vertical text and for menus of styles.
    options.drop_tables += ["STAT", "VVAR", "vhea", "vmtx"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(codes(ranges)))
    subsetter.subset(font)
    instancer.instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
    font.flavor = "woff2"
    out = arguments.out / f"literata-{part}.woff2"
    font.save(out)
    print(f"{out.name}: {len(font.getBestCmap())} characters, {out.stat().st_size} bytes")


for part, ranges in PARTS.items():
    cut(part, ranges)
