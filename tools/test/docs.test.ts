/** The pages name files, functions, settings, addresses and npm scripts. These tests fail when one of them is renamed. */

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
  'node_modules',
  'build',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
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

/** A record that is superseded, or a part of it, describes the tree of its time; measurements the tree that was measured. */
const isOfItsTime = (page: string): boolean =>
  /^Status: .*\bsuperseded by /m.test(read(page)) || read(page).includes('Written by `npm run bench`');
const allPages = files.filter((file) => file.endsWith('.md'));
const pages = allPages.filter((page) => !isOfItsTime(page));

const codeBlock = /^```.*?^```/gms;
const codeBlocksOf = (page: string): string[] => read(page).match(codeBlock) ?? [];
/** The text between backticks, except in code blocks. */
function codeSpansOf(page: string): string[] {
  const prose = read(page).replace(codeBlock, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}
function linksOf(page: string): { text: string; target: string }[] {
  const links = read(page).matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g);
  return [...links].map(([, text = '', target = '']) => ({ text, target }));
}

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

test.each(allPages)('every link of %s leads to a file, and to a heading where it names one', (page) => {
  const broken = linksOf(page).filter(({ target }) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });

  expect(broken).toEqual([]);
});

/** Names that the pages mention and the code does not have. */
const outsideNames = new Set([
  // Packages and what they export that are an alternative to what the store has.
  ...[
    '@fastify/helmet',
    '@fastify/under-pressure',
    'busboy',
    'Migrator',
    'enableNonRepudiationChecks',
    'fontkit',
  ],
  // An alert of an earlier version, which the changelog names.
  'LimitsMet',
  // The owner's settings beside compose.yaml.
  'deploy/.env',
  // HTTP headers.
  ...['Accept', 'Allow', 'Host', 'Origin', 'Vary', 'Via'],
  // systemd.
  ...['ExecStart', 'serverFactory', 'ProtectSystem', 'ReadWritePaths', 'TimeoutStopSec'],
  // nginx.
  ...['proxy_next_upstream', 'non_idempotent', 'http_503'],
  // PostgreSQL and PgBouncer.
  ...[
    'LISTEN',
    'NOTIFY',
    'pg_amcheck',
    'pg_basebackup',
    'pg_dump',
    'ignore_startup_parameters',
    'idle_transaction_timeout',
  ],
  ...['checkpoint_timeout', 'hot_standby', 'pg_notify', 'psql', 'wal_compression'],
  // CockroachDB and YugabyteDB.
  ...['serial_normalization', 'sql_sequence', 'yb_use_hash_splitting_by_default'],
  // Metrics of prom-client.
  ...['nodejs_eventloop_lag_seconds', 'process_cpu_seconds_total'],
  // The registration of a client at an identity provider.
  ...['backchannel_logout_uri', 'backchannel_logout_session_required', 'resource_access'],
  // Examples of names that no file or field has.
  ...['utils', 'helpers', 'publisher'],
]);

const sourceFile = /(?:[\w.@-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|css|html|md)(?![\w/])/g;
const isGenerated = (path: string): boolean => generatedFolders.includes(path.split('/', 1)[0] ?? '');
const isMediaType = (path: string): boolean => /^(application|image|multipart|text)\/[a-z-]+$/.test(path);
const isDependency = (name: string): boolean =>
  [packageJson.dependencies, packageJson.devDependencies].some((dependencies) => name in dependencies);
/** Such as `PUBLIC_URL/auth/callback`: an address, not a path. */
const startsWithSetting = (path: string): boolean => /^[A-Z_]+\//.test(path);
const isFileNamed = (name: string): boolean => files.some((file) => `/${file}`.endsWith(`/${name}`));

test.each(pages)('every path that %s names exists', (page) => {
  const words = [
    ...codeSpansOf(page).flatMap((code) => code.split(/\s+/)),
    ...linksOf(page).map(({ text }) => text),
  ];
  const named = words.filter((word) => /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(word));
  const withFolder = named.filter(
    (word) => word.includes('/') && !isGenerated(word) && !isMediaType(word) && !startsWithSetting(word),
  );
  const withoutFolder = named.filter((word) => !word.includes('/') && word.match(sourceFile)?.[0] === word);
  const inBlocks = codeBlocksOf(page)
    .flatMap((block) => block.match(sourceFile) ?? [])
    .filter((path) => !isGenerated(path));

  const missing = [
    ...withFolder.filter(
      (path) =>
        !existsSync(join(root, path)) &&
        !existsSync(join(root, dirname(page), path)) &&
        !isDependency(path) &&
        !outsideNames.has(path),
    ),
    ...[...withoutFolder, ...inBlocks].filter((path) => !isFileNamed(path)),
  ];
  expect(missing).toEqual([]);
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

test.each(pages)('every name that %s mentions is in the code', (page) => {
  const names = codeSpansOf(page).flatMap((code) => {
    if (code.match(sourceFile)) return [];
    if (/^[A-Za-z_$][\w$]*(\.[\w$]+)*(\(\))?$/.test(code)) return code.replace('()', '').split('.');
    // A longer piece of code: only words that are names by their spelling count, the others are values.
    const words = code.match(/(?<![\w$/.-])[A-Za-z_$][\w$]*(?![\w$/-])/g) ?? [];
    return words.filter((name) => /[a-z][A-Z]|_/.test(name));
  });

  expect(names.filter((name) => !codeWords.has(name) && !outsideNames.has(name))).toEqual([]);
});

/** The folders in which Linux, a service manager and a container keep files. */
const isOfTheSystem = (path: string): boolean => /^\/(data|etc|srv|tmp|usr|var)(\/|$)/.test(path);
const addresses = [paths, deskPaths, screens]
  .flatMap((one) => Object.values(one))
  .map((address) => (typeof address === 'string' ? address : address.pattern))
  .concat('/assets/:file', deskAddress)
  .map((address) => address.replace(/:\w+/, '*'));

test.each(pages)('every address that %s names is one of the store', (page) => {
  const named = codeSpansOf(page).flatMap((code) => {
    const [, address] =
      /^(?:(?:GET|POST|DELETE|PATCH|PUT) |[A-Z_]+(?=\/))?(\/[\w./{}<>…-]*)/.exec(code) ?? [];
    return address === undefined || isOfTheSystem(address) ? [] : [address];
  });

  // The value of a parameter: `{id}`, `<hash>.webp`, `…`, or left out.
  const isKnown = (address: string): boolean =>
    addresses.some((known) => [known, known.replace('/*', '')].includes(address.replace(/[{<…].*/, '*')));
  expect(named.filter((address) => !isKnown(address))).toEqual([]);
});

test.each(pages)('every npm script that %s names exists', (page) => {
  const named = [...read(page).matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test))\b/g)].map(
    ([, run, short]) => run ?? short ?? '',
  );

  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('docs/README.md leads to every page, and to every record of decisions', () => {
  const linkedFrom = (page: string) =>
    linksOf(page).map(({ target }) => join(dirname(page), target.split('#', 1)[0] ?? ''));
  const isOfBook = (page: string) => page.startsWith('docs/') && !page.endsWith('README.md');

  const linked = [...linkedFrom('docs/README.md'), ...linkedFrom('docs/decisions/README.md')];
  expect(linked).toContain('docs/decisions/README.md');
  expect(allPages.filter((page) => isOfBook(page) && !linked.includes(page))).toEqual([]);
});

const settings = new Set<string>([...settingNames, ...secretNames.map((name) => `${name}_FILE`)]);
/** Variables of the build, of compose.yaml, of the tests, of the image workers, and of a shell. */
const otherNames = new Set([
  'COMMIT',
  'DATABASE_PASSWORD',
  'CHROMIUM_PATH',
  'FIREFOX_PATH',
  'FONTCONFIG_FILE',
  'TOKEN',
]);

test.each(pages)('every setting that %s names is one of the store', (page) => {
  const spans = codeSpansOf(page);
  const set = [...codeBlocksOf(page), ...spans]
    .flatMap((code) => [...code.matchAll(/(?<![\w$?&-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)=/g)])
    .map(([, name = '']) => name);
  const named = spans.filter((code) => /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$/.test(code));

  const isKnown = (name: string) => settings.has(name) || problemCodes.has(name) || otherNames.has(name);
  expect([...new Set([...set, ...named])].filter((name) => !isKnown(name))).toEqual([]);
});

/** The command lines of `npm run shop` in a page: the words that follow `--`, without a comment and what a pipe or `)` follows. */
function shopLinesOf(page: string): string[][] {
  const lines = [...codeBlocksOf(page), ...codeSpansOf(page)].join('\n').split('\n');
  return lines.flatMap((line) => {
    const [, words] = /npm run (?:-s )?shop -- ([^#|)>]+)/.exec(line) ?? [];
    return words === undefined ? [] : [words.trim().split(/\s+/)];
  });
}

test.each(pages.filter((page) => shopLinesOf(page).length > 0))(
  'every command of the shop in %s exists, with its options',
  (page) => {
    const wrong = shopLinesOf(page).filter((words) => {
      const [noun = '', verb = ''] = words;
      const declared = commands[`${noun} ${verb}`] ?? commands[noun];
      const given = words
        .filter((word) => word.startsWith('--'))
        .map((word) => /[\w-]+/.exec(word.slice(2))?.[0] ?? '');
      const known = ['help', ...Object.keys(declared?.options ?? {})];
      return !(declared || isNoun(noun)) || given.some((option) => !known.includes(option));
    });

    expect(wrong.map((words) => words.join(' '))).toEqual([]);
  },
);

/** `orders --help` lists the commands of orders. */
const isNoun = (noun: string): boolean =>
  noun === '--help' || Object.keys(commands).some((name) => name.startsWith(`${noun} `));
