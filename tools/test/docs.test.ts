/** The pages name files, functions, settings, addresses and npm scripts. These tests tell each line that names what is not there. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../commands/run-command.ts';
import { deskAddress, deskPaths } from '../../contract/desk/paths.ts';
import { paths, screens } from '../../contract/paths.ts';
import { problemCodes } from '../../server/http/problems.ts';
import { secretNames, settingNames } from '../../server/settings/table.ts';

const root = join(import.meta.dirname, '..', '..');
/** Made by an installation, a build, a run of the store or of the tests (.gitignore). */
const generatedFolders = [
  ...['node_modules', 'build', 'dist', 'data', 'coverage', 'test-results', 'playwright-report'],
];
const files = listFiles('');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** @returns paths from the root of the project, with slashes on every system. */
function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === '.git' || generatedFolders.includes(entry.name) ? [] : listFiles(path);
  });
}

const { scripts, ...packageJson } = JSON.parse(read('package.json'));
const { scripts: labScripts = {} } = JSON.parse(read('lab/package.json'));

/** A record that is superseded, or a part of it, describes the tree of its time; measurements the tree that was measured. */
const isOfItsTime = (page: string): boolean =>
  /^Status: .*\bsuperseded by /m.test(read(page)) || read(page).includes('Written by `npm run bench`');
const allPages = files.filter((file) => file.endsWith('.md'));
const pages = allPages.filter((page) => !isOfItsTime(page));

/** The prose or the code blocks of a page, on the lines that they have there. */
const partOf = (page: string, kind: 'prose' | 'code'): string =>
  read(page)
    .split(/(^```.*?^```)/gms)
    .map((part, index) => (index % 2 === (kind === 'code' ? 1 : 0) ? part : part.replace(/[^\n]/g, ' ')))
    .join('');

/** A text in a page, and its line, such as `docs/proxy.md:12`. */
type Found = { page: string; line: string; text: string };

/** @param pattern its first group is the text, where it has one. */
const find = (page: string, text: string, pattern: RegExp): Found[] =>
  [...text.matchAll(pattern)].map((match) => ({
    page,
    line: `${page}:${text.slice(0, match.index).split('\n').length}`,
    text: match[1] ?? match[0],
  }));

/** The text between backticks, except in code blocks. */
const codeSpansOf = (page: string): Found[] => find(page, partOf(page, 'prose'), /`([^`\n]+)`/g);
const linksOf = (page: string): Found[] => find(page, read(page), /\[[^\]]*\]\(([^)\s]+)\)/g);
const linkTextsOf = (page: string): Found[] => find(page, read(page), /\[([^\]]*)\]\([^)\s]+\)/g);

/** @returns a text for each that is not known, with its line. */
const faults = (found: readonly Found[], isKnown: (found: Found) => boolean): string[] =>
  found.filter((one) => !isKnown(one)).map(({ line, text }) => `${line} ${text}`);

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

test('every link leads to a file, and to a heading where it names one', () => {
  const isThere = ({ page, text: target }: Found): boolean => {
    if (/^[a-z]+:/.test(target)) return true;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    return existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).includes(anchor));
  };

  expect(faults(allPages.flatMap(linksOf), isThere)).toEqual([]);
});

/** Names that the pages mention and the code does not have: of packages, HTTP, nginx, databases, metrics and identity providers. */
const outsideNames = new Set(
  `@fastify/helmet @fastify/under-pressure Migrator enableNonRepudiationChecks LimitsMet deploy/.env Vary
   non_idempotent proxy_next_upstream http_503 LISTEN NOTIFY pg_amcheck pg_basebackup pg_notify checkpoint_timeout
   hot_standby wal_compression ignore_startup_parameters idle_transaction_timeout serial_normalization sql_sequence
   yb_use_hash_splitting_by_default nodejs_eventloop_lag_seconds backchannel_logout_uri
   backchannel_logout_session_required resource_access`.split(/\s+/),
);

const sourceFile = /(?:[\w.@-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|css|html|md)(?![\w/])/g;
const isGenerated = (path: string): boolean => generatedFolders.includes(path.split('/', 1)[0] ?? '');
const isFileNamed = (name: string): boolean => files.some((file) => `/${file}`.endsWith(`/${name}`));
const packages = { ...packageJson.dependencies, ...packageJson.devDependencies };
/** A media type, or an address below a setting, such as `PUBLIC_URL/auth/callback`. */
const isOtherPath = (path: string): boolean =>
  /^(application|image|multipart|text)\/[a-z-]+$|^[A-Z_]+\//.test(path);

test('every path that a page names exists', () => {
  const isKnown = ({ page, text: path }: Found): boolean =>
    isGenerated(path) ||
    isOtherPath(path) ||
    [path, join(dirname(page), path)].some((file) => existsSync(join(root, file))) ||
    path in packages ||
    outsideNames.has(path);
  const words = pages
    .flatMap((page) => [
      ...codeSpansOf(page).flatMap((span) => span.text.split(/\s+/).map((text) => ({ ...span, text }))),
      ...linkTextsOf(page),
    ])
    .filter(({ text }) => /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(text));
  const inBlocks = pages.flatMap((page) => find(page, partOf(page, 'code'), sourceFile));
  const names = words.filter(({ text }) => !text.includes('/') && text.match(sourceFile)?.[0] === text);

  expect([
    ...faults(
      words.filter(({ text }) => text.includes('/')),
      isKnown,
    ),
    ...faults([...names, ...inBlocks], ({ text }) => isGenerated(text) || isFileNamed(text)),
  ]).toEqual([]);
});

/** Every word of the code and its configuration, comments left out. */
const codeWords = new Set(
  files
    .filter((file) =>
      /\.(tsx?|mjs|css|html|json|py|service|conf|cfg|yaml|yml)$|^\.(env\.example|npmrc|gitignore)$/.test(
        file,
      ),
    )
    .filter((file) => file !== 'package-lock.json' && file !== 'tools/test/docs.test.ts')
    .flatMap((file) => withoutComments(read(file)).split(/[^\w$]+/)),
);

function withoutComments(code: string): string {
  return code.replace(/(?<=^|\s)\/\*.*?\*\//gms, '').replace(/(?<=^|\s)\/\/.*$/gm, '');
}

/** @returns the names in a piece of code. */
function namesIn(code: string): string[] {
  if (code.match(sourceFile)) return [];
  if (/^[A-Za-z_$][\w$]*(\.[\w$]+)*(\(\))?$/.test(code)) return code.replace('()', '').split('.');
  // A longer piece of code: only words that are names by their spelling count, the others are values.
  const words = code.match(/(?<![\w$/.-])[A-Za-z_$][\w$]*(?![\w$/-])/g) ?? [];
  return words.filter((name) => /[a-z][A-Z]|_/.test(name));
}

test('every name that a page mentions is in the code', () => {
  const named = pages
    .flatMap(codeSpansOf)
    .flatMap((found) => namesIn(found.text).map((text) => ({ ...found, text })));

  expect(faults(named, ({ text }) => codeWords.has(text) || outsideNames.has(text))).toEqual([]);
});

/** The folders in which Linux, a service manager and a container keep files. */
const isOfTheSystem = (path: string): boolean => /^\/(data|etc|srv|tmp|usr|var)(\/|$)/.test(path);
const addresses = [paths, deskPaths, screens]
  .flatMap((one) => Object.values(one))
  .map((address) => (typeof address === 'string' ? address : address.pattern))
  .concat('/assets/:file', deskAddress)
  .map((address) => address.replace(/:\w+/, '*'));

test('every address that a page names is one of the store', () => {
  const named = pages.flatMap(codeSpansOf).flatMap((found) => {
    const [, text] =
      /^(?:(?:GET|POST|DELETE|PATCH|PUT) |[A-Z_]+(?=\/))?(\/[\w./{}<>…-]*)/.exec(found.text) ?? [];
    return text === undefined ? [] : [{ ...found, text }];
  });

  // The value of a parameter: `{id}`, `<hash>.webp`, `…`, or left out.
  const isKnown = ({ text }: Found): boolean =>
    isOfTheSystem(text) ||
    addresses.some((known) => [known, known.replace('/*', '')].includes(text.replace(/[{<…].*/, '*')));
  expect(faults(named, isKnown)).toEqual([]);
});

test('every npm script that a page names exists', () => {
  const missing = (names: RegExp, known: object) =>
    faults(
      pages.flatMap((page) => find(page, read(page), names)),
      ({ text }) => text in known,
    );

  expect([
    ...missing(/\bnpm run (?:-s )?([\w:-]+)/g, scripts),
    ...missing(/\bnpm --prefix lab run (?:-s )?([\w:-]+)/g, labScripts),
  ]).toEqual([]);
});

test('docs/README.md leads to every page, and to every record of decisions', () => {
  const linkedFrom = (page: string) =>
    linksOf(page).map(({ text }) => join(dirname(page), text.split('#', 1)[0] ?? ''));
  const isOfBook = (page: string) => page.startsWith('docs/') && !page.endsWith('README.md');

  const linked = [...linkedFrom('docs/README.md'), ...linkedFrom('docs/decisions/README.md')];
  expect(linked).toContain('docs/decisions/README.md');
  expect(allPages.filter((page) => isOfBook(page) && !linked.includes(page))).toEqual([]);
});

const settings = new Set<string>([...settingNames, ...secretNames.map((name) => `${name}_FILE`)]);
/** Variables of the build, of compose.yaml, of the tests, of the image workers, and of a shell. */
const otherNames = new Set([
  ...['COMMIT', 'DATABASE_PASSWORD', 'CHROMIUM_PATH', 'FIREFOX_PATH', 'FONTCONFIG_FILE', 'TOKEN'],
]);

test('every setting that a page names is one of the store', () => {
  const set = /(?<![\w$?&-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)=/g;
  const named = pages.flatMap((page) => [
    ...find(page, read(page), set),
    ...codeSpansOf(page).filter(({ text }) => /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(text)),
  ]);

  const isKnown = ({ text }: Found) => settings.has(text) || problemCodes.has(text) || otherNames.has(text);
  expect(faults(named, isKnown)).toEqual([]);
});

test('every command of the shop that a page names exists, with its options', () => {
  // A comment, and what a pipe or `)` follows, is left out.
  const named = pages.flatMap((page) => find(page, read(page), /npm run (?:-s )?shop -- ([^#|)>`\n]+)/g));

  const isKnown = ({ text }: Found): boolean => {
    const words = text.trim().split(/\s+/);
    const [noun = '', verb = ''] = words;
    const declared = commands[`${noun} ${verb}`] ?? commands[noun];
    const given = words
      .filter((word) => word.startsWith('--'))
      .map((word) => /[\w-]+/.exec(word.slice(2))?.[0] ?? '');
    const known = ['help', ...Object.keys(declared?.options ?? {})];
    return (declared !== undefined || isNoun(noun)) && given.every((option) => known.includes(option));
  };
  expect(named.length).toBeGreaterThan(10);
  expect(faults(named, isKnown)).toEqual([]);
});

/** `orders --help` lists the commands of orders. */
const isNoun = (noun: string): boolean =>
  noun === '--help' || Object.keys(commands).some((name) => name.startsWith(`${noun} `));
