/** The pages name files, functions, settings, addresses and commands. These tests tell each line that names what is not there. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../commands/run-command.ts';
import { deskAddress, deskPaths } from '../../contract/desk/paths.ts';
import { paths, screens } from '../../contract/paths.ts';
import { paymentPaths } from '../../contract/payments.ts';
import { problemCodes } from '../../server/http/problems.ts';
import { retiredSettings } from '../../server/settings/names.ts';
import { secretNames, settingNames } from '../../server/settings/table.ts';

const root = join(import.meta.dirname, '..', '..');
/** Files and folders made by an installation, a build, a run of the store or of the tests (.gitignore). */
const generatedFolders = [
  ...['node_modules', 'build', 'dist', 'data', 'coverage', 'test-results', 'playwright-report'],
];
const files = listFiles('');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const isThere = (file: string): boolean => existsSync(join(root, file));

/** @returns paths from the root of the project, with slashes on every system. */
function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === '.git' || generatedFolders.includes(entry.name) ? [] : listFiles(path);
  });
}

const { scripts, ...packageJson } = JSON.parse(read('package.json'));
const { scripts: labScripts } = JSON.parse(read('lab/package.json'));

const allPages = files.filter((file) => file.endsWith('.md'));
/** A superseded record describes the code of its time, and measurements the code that was measured. */
const isOfItsTime = /^Status: .*\bsuperseded by |Written by `npm run bench`/m;
const pages = allPages.filter((page) => !isOfItsTime.test(read(page)));

/** A text in a page, and its line, such as `docs/proxy.md:12`. */
type Found = { page: string; line: string; text: string };

/** @param pattern its first group, if any, is the text. */
const find = (pattern: RegExp, within: readonly string[] = pages, part = read): Found[] =>
  within.flatMap((page) => {
    const text = part(page);
    return [...text.matchAll(pattern)].map((match) => ({
      page,
      line: `${page}:${text.slice(0, match.index).split('\n').length}`,
      text: match[1] ?? match[0],
    }));
  });

/** The prose (0) or the code blocks (1) of a page, with its line numbers. */
const partOf = (place: 0 | 1) => (page: string) =>
  read(page)
    .split(/(^```.*?^```)/gms)
    .map((part, index) => (index % 2 === place ? part : part.replace(/[^\n]/g, ' ')))
    .join('');
/** The text between backticks, except in code blocks. */
const codeSpans = find(/`([^`\n]+)`/g, pages, partOf(0));
const linksIn = (within: readonly string[]): Found[] => find(/\[[^\]]*\]\(([^)\s]+)\)/g, within);

/** Fails with the line of each unknown text. */
function expectKnown(found: readonly Found[], isKnown: (found: Found) => boolean): void {
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((one) => !isKnown(one)).map(({ line, text }) => `${line} ${text}`)).toEqual([]);
}

test('every link leads to a file, and to a heading where it names one', () => {
  /** The anchors of headings, as GitHub makes them. */
  const anchorsOf = (page: string) =>
    [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  /** The table of OWASP ASVS names pages from the root. */
  const ofTable = find(/\((docs\/[^)\s]+)\)/g, ['docs/asvs.tsv']).map((link) => ({
    ...link,
    text: `../${link.text}`,
  }));
  expectKnown([...linksIn(allPages), ...ofTable], ({ page, text: target }) => {
    if (/^[a-z]+:/.test(target)) return true;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    return isThere(file) && (anchor === undefined || anchorsOf(file).includes(anchor));
  });
});

/** Names in the pages that the code does not have: of packages, HTTP, nginx, databases, metrics and identity providers. */
const outsideNames = new Set(
  `@fastify/helmet @fastify/under-pressure Migrator enableNonRepudiationChecks LimitsMet deploy/.env Vary
   non_idempotent proxy_next_upstream http_503 LISTEN NOTIFY pg_amcheck pg_basebackup pg_notify checkpoint_timeout
   hot_standby wal_compression ignore_startup_parameters idle_transaction_timeout serial_normalization sql_sequence
   yb_use_hash_splitting_by_default nodejs_eventloop_lag_seconds backchannel_logout_uri
   backchannel_logout_session_required resource_access utils helpers`.split(/\s+/),
);

const sourceFile = /(?:[\w.@-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|css|html|md)(?![\w/])/g;
const isSourceFile = (text: string): boolean => text.match(sourceFile)?.[0] === text;
const packages = { ...packageJson.dependencies, ...packageJson.devDependencies };
/** A media type, or an address below a setting, such as `PUBLIC_URL/auth/callback`. */
const isOtherPath = /^(application|image|multipart|text)\/[a-z-]+$|^[A-Z_]+\//;

test('every path that a page names exists', () => {
  const words = codeSpans
    .flatMap((span) => span.text.split(/\s+/).map((text) => ({ ...span, text })))
    .concat(find(/\[([^\]]*)\]\([^)\s]+\)/g))
    .filter(({ text }) => /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(text))
    .filter(({ text }) => text.includes('/') || isSourceFile(text));

  expectKnown([...words, ...find(sourceFile, pages, partOf(1))], ({ page, text }) => {
    if (generatedFolders.includes(text.split('/', 1)[0] ?? '')) return true;
    if (isSourceFile(text) && files.some((file) => `/${file}`.endsWith(`/${text}`))) return true;
    const isKnown = isOtherPath.test(text) || text in packages || outsideNames.has(text);
    return isKnown || isThere(text) || isThere(join(dirname(page), text));
  });
});

/** @returns the names in a piece of code. */
function namesIn(code: string): string[] {
  if (code.match(sourceFile)) return [];
  if (/^[A-Za-z_$][\w$]*(\.[\w$]+)*(\(\))?$/.test(code)) return code.replace('()', '').split('.');
  // In a longer piece of code, only words that look like names count; the others are values.
  const words = code.match(/(?<![\w$/.-])[A-Za-z_$][\w$]*(?![\w$/-])/g) ?? [];
  return words.filter((name) => /[a-z][A-Z]|_/.test(name));
}

test('every name that a page mentions is in the code', () => {
  const isCode =
    /\.(tsx?|mjs|css|html|json|py|service|conf|cfg|yaml|yml)$|^\.(env\.example|npmrc|gitignore)$/;
  const code = files.filter((file) => isCode.test(file) && !/package-lock|docs\.test\.ts$/.test(file));
  const comment = /(?<=^|\s)\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gms;
  const words = new Set(
    code.flatMap((file) =>
      read(file)
        .replace(comment, '')
        .split(/[^\w$]+/),
    ),
  );

  expectKnown(
    codeSpans.flatMap((span) => namesIn(span.text).map((text) => ({ ...span, text }))),
    ({ text }) => words.has(text) || outsideNames.has(text),
  );
});

test('every address that a page names is one of the store', () => {
  const addresses = [paths, paymentPaths, deskPaths, screens]
    .flatMap((one) => Object.values(one))
    .map((address) => (typeof address === 'string' ? address : address.pattern))
    .concat('/assets/:file', deskAddress)
    .map((address) => address.replace(/:\w+/, '*'));
  const address = /^(?:(?:GET|POST|DELETE|PATCH|PUT) |[A-Z_]+(?=\/))?(\/[\w./{}<>…-]*)/;
  const named = codeSpans.flatMap((span) => {
    const text = address.exec(span.text)?.[1];
    // Folders in which Linux, a service manager or a container keeps files.
    return text === undefined || /^\/(data|etc|srv|tmp|usr|var)(\/|$)/.test(text) ? [] : [{ ...span, text }];
  });

  // The value of a parameter: `{id}`, `<hash>.webp`, `…`, or left out.
  expectKnown(named, ({ text }) =>
    addresses.some((known) => [known, known.replace('/*', '')].includes(text.replace(/[{<…].*/, '*'))),
  );
});

test('README.md leads to every page, and the index of decisions to every record', () => {
  const indexes = ['README.md', 'docs/decisions/README.md'];
  const linked = linksIn(indexes).map(({ page, text }) => join(dirname(page), text.split('#', 1)[0] ?? ''));

  const ofBook = allPages.filter((page) => page.startsWith('docs/'));
  expect(ofBook.filter((page) => !linked.includes(page))).toEqual([]);
});

/** Other variables than settings, old and new: of the build, of compose.yaml, of the tests, and of a shell. */
const variables = new Set<string>([
  ...[
    ...settingNames,
    ...retiredSettings.keys(),
    ...secretNames.map((name) => `${name}_FILE`),
    ...problemCodes,
  ],
  ...[
    'COMMIT',
    'DATABASE_PASSWORD',
    'CHROMIUM_PATH',
    'FIREFOX_PATH',
    'FONTCONFIG_FILE',
    'NODE_EXTRA_CA_CERTS',
    'PGPASSWORD',
    'TOKEN',
  ],
]);

test('every setting that a page names is one of the store', () => {
  const named = codeSpans.filter(({ text }) => /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(text));

  expectKnown([...named, ...find(/(?<![\w$?&-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)=/g)], ({ text }) =>
    variables.has(text),
  );
});

test('every command that a page names exists: npm scripts, and those of the shop with their options', () => {
  expectKnown(find(/\bnpm run (?:-s )?([\w:-]+)/g), ({ text }) => text in scripts);
  const ofLab = find(/\bnpm --prefix lab run (?:-s )?([\w:-]+)/g);
  expect(ofLab.filter(({ text }) => !(text in labScripts))).toEqual([]);

  // A comment, and the part after a pipe or `)`, is removed.
  const named = find(/npm run (?:-s )?shop -- ([^#|)>`\n]+)/g);

  expectKnown(named, ({ text }) => {
    const [noun = '', verb = ''] = text.trim().split(/\s+/);
    const declared = commands[`${noun} ${verb}`] ?? commands[noun];
    // `orders --help` lists the commands of orders.
    const isNoun = noun === '--help' || Object.keys(commands).some((name) => name.startsWith(`${noun} `));
    const options = [...text.matchAll(/(?<=^|\s)--([\w-]+)/g)].map(([, option = '']) => option);
    const known = ['help', ...Object.keys(declared?.options ?? {})];
    return (declared !== undefined || isNoun) && options.every((option) => known.includes(option));
  });
});
