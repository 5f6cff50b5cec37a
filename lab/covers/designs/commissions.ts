/** The designs, and the commissions: the design and the palette of each demo book, chosen so that neighbours differ. */
import {
  blossomBoard,
  combedBoard,
  foliageBoard,
  petalBoard,
  quatrefoilBoard,
  scallopedBoard,
  slippedBoard,
  starBoard,
} from './boards.ts';
import type { Design } from './design.ts';
import { herbarium, sunburst } from './emblems.ts';
import { cornerArcs, tiles, uprightBands } from './geometry.ts';
import type { PaletteName } from './palettes.ts';
import { diagonalCut, greatInitial, threeBands, woodType } from './posters.ts';
import { hillScene, mountainScene, nightMountains, nightSea, seaScene } from './scenes.ts';
import { flowerBorder, plainEdition, whiteCover } from './title-pages.ts';

/** All designs, by name. */
export const designs = {
  scallopedBoard,
  quatrefoilBoard,
  petalBoard,
  blossomBoard,
  combedBoard,
  foliageBoard,
  starBoard,
  slippedBoard,
  whiteCover,
  flowerBorder,
  plainEdition,
  greatInitial,
  woodType,
  diagonalCut,
  threeBands,
  cornerArcs,
  tiles,
  uprightBands,
  seaScene,
  mountainScene,
  hillScene,
  nightSea,
  nightMountains,
  herbarium,
  sunburst,
} as const satisfies Record<string, Design>;

export type DesignName = keyof typeof designs;

const commissioned: Readonly<Record<string, readonly [DesignName, PaletteName]>> = {
  'The Great Gatsby': ['sunburst', 'midnight'],
  'Jane Eyre': ['foliageBoard', 'bottle'],
  'Mrs Dalloway': ['tiles', 'sage'],
  'Moby-Dick; or, The Whale': ['seaScene', 'cobalt'],
  'Rubáiyát of Omar Khayyám': ['petalBoard', 'terracotta'],
  'Memórias Póstumas de Brás Cubas': ['cornerArcs', 'teal'],
  'Преступление и наказание': ['woodType', 'vermilion'],
  'The Pillow Book': ['blossomBoard', 'rose'],
  'Die Verwandlung': ['greatInitial', 'mustard'],
  Ὀδύσσεια: ['flowerBorder', 'indigo'],
  紅樓夢: ['slippedBoard', 'oxblood'],
  'Les Misérables': ['whiteCover', 'linen'],
  Dracula: ['nightMountains', 'black'],
  'Pride and Prejudice': ['herbarium', 'sky'],
  'Frankenstein; or, The Modern Prometheus': ['diagonalCut', 'bottle'],
  Кобзар: ['hillScene', 'cobalt'],
  'Frygt og Bæven': ['plainEdition', 'sage'],
  'La coscienza di Zeno': ['tiles', 'terracotta'],
  'Madame Bovary': ['uprightBands', 'plum'],
  'The Recognition of Śakuntalā': ['petalBoard', 'mustard'],
  'Quo Vadis': ['greatInitial', 'linen'],
  'Война и мир': ['flowerBorder', 'oxblood'],
  'Kinder- und Hausmärchen': ['combedBoard', 'vermilion'],
  'R.U.R. (Rossum’s Universal Robots)': ['woodType', 'black'],
  Shahnameh: ['starBoard', 'midnight'],
  'Au Bonheur des Dames': ['whiteCover', 'rose'],
  'Walden; or, Life in the Woods': ['herbarium', 'bottle'],
  'Os Lusíadas': ['nightSea', 'teal'],
  'Le Père Goriot': ['threeBands', 'terracotta'],
  'Noli Me Tángere': ['plainEdition', 'cobalt'],
  'Three Men in a Boat (To Say Nothing of the Dog)': ['seaScene', 'sky'],
  'Osudy dobrého vojáka Švejka za světové války': ['diagonalCut', 'oxblood'],
  'The Tale of Genji': ['scallopedBoard', 'plum'],
  'Truyện Kiều': ['blossomBoard', 'vermilion'],
  Ulysses: ['cornerArcs', 'prussian'],
  'Mai ve Siyah': ['starBoard', 'black'],
  'A kőszívű ember fiai': ['greatInitial', 'bottle'],
  'Вишнёвый сад': ['herbarium', 'rose'],
  'La Divina Commedia': ['flowerBorder', 'black'],
  'My Ántonia': ['hillScene', 'terracotta'],
  'Du côté de chez Swann': ['whiteCover', 'oxblood'],
  'The Narrow Road to the Deep North': ['mountainScene', 'sky'],
  'Duineser Elegien': ['plainEdition', 'vermilion'],
  'The Interesting Narrative of the Life of Olaudah Equiano, or Gustavus Vassa, the African': [
    'threeBands',
    'cobalt',
  ],
  Middlemarch: ['quatrefoilBoard', 'teal'],
  Sult: ['woodType', 'mustard'],
  西遊記: ['slippedBoard', 'prussian'],
  'The Time Machine': ['cornerArcs', 'black'],
  'Leaves of Grass': ['foliageBoard', 'sage'],
  'Pan Tadeusz': ['flowerBorder', 'bottle'],
  'Alice’s Adventures in Wonderland': ['tiles', 'rose'],
  'The Picture of Dorian Gray': ['herbarium', 'plum'],
  'Gösta Berlings saga': ['uprightBands', 'sky'],
  Gitanjali: ['sunburst', 'terracotta'],
  'A Vindication of the Rights of Woman': ['greatInitial', 'vermilion'],
  'Tao Te Ching': ['scallopedBoard', 'indigo'],
  Botchan: ['mountainScene', 'vermilion'],
  Meditations: ['plainEdition', 'black'],
  Kalevala: ['combedBoard', 'bottle'],
  'Don Quijote de la Mancha': ['hillScene', 'mustard'],
};

/** By title. A map, because a book may have the title "constructor". */
export const commissions = new Map(Object.entries(commissioned));
