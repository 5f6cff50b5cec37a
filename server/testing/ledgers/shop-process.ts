/** A shop in a process of its own, because of its clock. Arguments: a database's URL, and a seed. Each message: a `ToPlay`. */

import { openShop, type ToPlay } from './shop.ts';

const [url = '', seed] = process.argv.slice(2);
const opening = openShop(url, Number(seed));
process.on('message', async (toPlay: ToPlay) => process.send?.(await (await opening).play(toPlay)));
// Its nodes end with it.
process.on('disconnect', () => process.exit());
