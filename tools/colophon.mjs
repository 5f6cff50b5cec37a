#!/usr/bin/env node
// The command of the packed store: `npx colophon serve` and `npx colophon <noun> <verb>` are `npm run serve` and `npm run shop`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const words = process.argv.splice(2);
const script = words[0] === 'serve' ? scripts.serve : scripts.shop;
if (words[0] === 'serve') words.shift();
// A script has the form `node tools/node24.mjs <flags and file>`.
const [, , ...flagsAndFile] = script.split(' ');
const file = fileURLToPath(new URL(`../${flagsAndFile.pop()}`, import.meta.url));
process.argv.push(...flagsAndFile, file, ...words);
await import('./node24.mjs');
