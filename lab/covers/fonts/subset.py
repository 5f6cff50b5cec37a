"""Makes the covers' fonts from npm's fontsource packages (see README.md)."""

from argparse import ArgumentParser
from glob import glob
from pathlib import Path

parser = ArgumentParser(description=__doc__)
parser.add_argument("packages", type=Path, help="the folder node_modules/@fontsource")
parser.add_argument("out", type=Path, help="the folder for the fonts")
arguments = parser.parse_args()

# After the arguments, because --help must not need fontTools.
from fontTools import merge, subset
from fontTools.ttLib import TTFont

PACKAGES, OUT = arguments.packages, arguments.out
PARTS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"]
# Latin with all its extensions, Cyrillic, Greek with breathings and accents, and punctuation.
RANGES = [(0x20, 0x7E), (0xA0, 0x24F), (0x2BB, 0x2BC), (0x370, 0x3FF), (0x400, 0x45F), (0x462, 0x463)]
RANGES += [(0x472, 0x475), (0x490, 0x4E9), (0x1E00, 0x1FFF), (0x2010, 0x2026), (0x2032, 0x2033)]
RANGES += [(0x2039, 0x203A), (0x2044, 0x2044), (0x20AC, 0x20AC), (0x2116, 0x2116), (0x2122, 0x2122)]
LETTERS = {code for first, last in RANGES for code in range(first, last + 1)}
IDEOGRAPHS = set(map(ord, "紅樓夢曹雪芹西遊記吳承恩"))
# The licence of Playfair Display reserves this name, so a changed copy must have another name.
RENAMED = {"playfair-display": "Colophon Didone"}


def plain_kerning(font):
    """Leaves only pair kerning, for one script, in plain lookups: opentype.js 2 reads no extension lookups."""
    if "GPOS" not in font:
        return
    table = font["GPOS"].table
    for lookup in table.LookupList.Lookup:
        if lookup.LookupType == 9 and lookup.SubTable[0].ExtSubTable.LookupType == 2:
            lookup.LookupType = 2
            lookup.SubTable = [part.ExtSubTable for part in lookup.SubTable]
    pairs = [lookup for lookup in table.LookupList.Lookup if lookup.LookupType == 2]
    features = [record for record in table.FeatureList.FeatureRecord if record.FeatureTag == "kern"][:1]
    if not pairs or not features:
        del font["GPOS"]
        return
    features[0].Feature.LookupListIndex = list(range(len(pairs)))
    table.LookupList.Lookup = pairs
    table.FeatureList.FeatureRecord = features
    script = next(record for record in table.ScriptList.ScriptRecord if record.ScriptTag == "DFLT")
    script.Script.DefaultLangSys.FeatureIndex = [0]
    script.Script.LangSysRecord = []
    table.ScriptList.ScriptRecord = [script]


def cut(files, letters, family, out):
    options = subset.Options(layout_features=["kern"], hinting=False, glyph_names=False, notdef_outline=True)
    options.drop_tables += ["GSUB", "GDEF", "STAT", "DSIG", "gasp", "vhea", "vmtx"]
    parts, found = [], set()
    for file in files:
        codes = (set(TTFont(file, lazy=True).getBestCmap()) & letters) - found
        if not codes:
            continue
        found |= codes
        font = TTFont(file)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=codes)
        subsetter.subset(font)
        plain_kerning(font)
        font.flavor = None
        parts.append(OUT / f"{out}.{len(parts)}.part")
        font.save(parts[-1])
    font = merge.Merger().merge([str(part) for part in parts])
    font["post"].formatType = 3
    if family in RENAMED:
        for record in font["name"].names:
            if record.nameID in (1, 3, 4, 6, 16):
                name = RENAMED[family]
                record.string = name.replace(" ", "") if record.nameID == 6 else name
    font.flavor = "woff"
    font.save(OUT / f"{out}.woff")
    for part in parts:
        part.unlink()
    print(f"{out}.woff: {len(found)} characters")


def cut_family(family, weight, style, out):
    folder = PACKAGES / family / "files"
    files = [folder / f"{family}-{part}-{weight}-{style}.woff2" for part in PARTS]
    cut([file for file in files if file.exists()], LETTERS, family, out)


cut_family("eb-garamond", 400, "normal", "eb-garamond-regular")
cut_family("eb-garamond", 400, "italic", "eb-garamond-italic")
cut_family("eb-garamond", 600, "normal", "eb-garamond-semibold")
cut_family("playfair-display", 700, "normal", "colophon-didone-bold")
cut_family("jost", 500, "normal", "jost-medium")
cut_family("inter-tight", 700, "normal", "inter-tight-bold")
cut_family("sofia-sans-extra-condensed", 800, "normal", "sofia-sans-extra-condensed-extrabold")
noto = sorted(glob(str(PACKAGES / "noto-serif-tc" / "files" / "*-600-normal.woff2")))
cut(noto, IDEOGRAPHS, "noto-serif-tc", "noto-serif-tc-semibold")
