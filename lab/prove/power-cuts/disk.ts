/** The writes of a process, as strace records them, and the disk that a power cut leaves. */

import { basename, dirname } from 'node:path';

/** Calls that change files too, of which the store uses none. */
const unknownCalls = ['pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'truncate', 'sync_file_range'];

/** Some of the system calls change files, the others make changes durable. */
export const tracedCalls = [
  ...unknownCalls,
  ...['openat', 'mkdir', 'mkdirat', 'rename', 'renameat2', 'link', 'unlink', 'unlinkat'],
  ...['write', 'writev', 'pwrite64', 'ftruncate', 'fallocate', 'fsync', 'fdatasync'],
];

/** A line of a trace. `isBegun` and `isDone`: both for a call during which no other thread began or ended one. */
export type Call = {
  name: string;
  args: string;
  thread: string;
  isBegun: boolean;
  isDone: boolean;
  fails: boolean;
};

/** Reads what `strace -f -y -xx` writes. */
export function* readTrace(text: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, resumed, end = ''] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    const whole = resumed === undefined ? rest : `${begun.get(thread)}${end}`;
    const isOpen = rest.endsWith(' <unfinished ...>');
    const [, name, args = ''] = /^(\w+)\((.*?)(?: <unfinished \.\.\.>|\) += .*)$/.exec(whole) ?? [];
    if (isOpen) begun.set(thread, rest.slice(0, -' <unfinished ...>'.length));
    if (name === undefined) continue;
    const fails = /\) += (-1|\?)[^)]*/.test(whole.slice(name.length + args.length));
    yield { name, args, thread, isBegun: resumed === undefined, isDone: !isOpen, fails };
  }
}

/** @returns the bytes of each string of hexadecimal escapes, and of each file that a descriptor names. */
export const stringsIn = (args: string): Buffer[] =>
  [...args.matchAll(/["<]((?:\\x[0-9a-f]{2})*)[">]/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll('\\x', ''), 'hex'),
  );

/** `isDurable`: a power cut leaves it. `isDone`: a sync that begins now makes it durable, if it succeeds. */
type Change = { isDurable: boolean; isDone: boolean };
type Write = Change & { offset: number; bytes: Buffer | undefined };
type Inode = { isFolder: boolean; bytes: Buffer; writes: Write[]; size: number };
/** `inode`: undefined where the name is removed. A rename is one change of two names. */
type Rename = Change & {
  folder: string;
  names: readonly (readonly [path: string, inode: Inode | undefined])[];
};

/** @returns a number from 0 to below 1. */
export type Random = () => number;

const sectorBytes = 512;
const loses = ['all', 'nothing', 'end', 'some', 'sectors'] as const;

/**
 * The disk may do what SQLite expects of it (https://www.sqlite.org/atomiccommit.html, section 2, and
 * https://www.sqlite.org/psow.html), or less:
 * - A sector of 512 bytes is written or not. A write leaves the bytes around it as they are (“powersafe overwrite”).
 * - Until a sync, each change of a file, each sector of it, and each name in a folder may be on the disk or not, in any order. Of
 *   several writes of a sector, the last that is there counts. Bytes that were never written are zeros.
 * - `fsync` and `fdatasync` of a file make its earlier writes and its size durable, but not its name: a name is durable after an
 *   `fsync` of its folder. `isJournaled`: a sync makes all earlier names durable too, as on ext4.
 * - A rename takes place as a whole or not at all.
 * - A write that fails may have written any part. After a sync that fails, the system may take what was to be written as written: no
 *   later sync makes it durable (https://wiki.postgresql.org/wiki/Fsync_Errors).
 * The shared memory beside a log (`-shm`) is lost.
 */
export class Disk {
  readonly #names = new Map<string, Inode>();
  readonly #durable = new Map<string, Inode>();
  #renames: Rename[] = [];
  readonly #syncs = new Map<string, Change[]>();
  readonly #written = new Map<string, Write>();
  readonly #root: string;
  readonly #isJournaled: boolean;

  /** @param initial the files below the root, which are durable, with their contents; folders have none. */
  constructor(
    root: string,
    initial: ReadonlyMap<string, Buffer | undefined>,
    { isJournaled }: { isJournaled: boolean },
  ) {
    this.#root = root;
    this.#isJournaled = isJournaled;
    for (const [path, bytes] of initial) {
      const inode = newInode(bytes);
      this.#names.set(path, inode);
      this.#durable.set(path, inode);
    }
  }

  /** Takes the next call of the trace. @returns whether it could change what a power cut leaves. */
  apply(call: Call): boolean {
    const strings = stringsIn(call.args);
    const [first = '', second = ''] = strings
      .map(String)
      .filter((text) => text.startsWith(`${this.#root}/`) || text === this.#root);
    if (first === '' || /-shm$| \(deleted\)$/.test(first)) return false;
    const numbers = call.args
      .slice(call.args.lastIndexOf('>') + 1)
      .split(/[,=]/)
      .map(Number);
    if (unknownCalls.includes(call.name)) throw new Error(`the model of the disk does not know ${call.name}`);
    if (/sync$/.test(call.name)) this.#sync(call, first);
    else if (/write|ftruncate/.test(call.name)) this.#write(call, first, strings.slice(1), numbers);
    else if (call.isDone && !call.fails) return this.#rename(call, first, second);
    return true;
  }

  #write(call: Call, path: string, strings: readonly Buffer[], numbers: readonly number[]): void {
    const inode = this.#names.get(path);
    if (!inode) throw new Error(`${call.name} to ${path}, which the trace has not opened`);
    if (call.isBegun) {
      const isTruncate = call.name === 'ftruncate';
      const bytes = isTruncate ? undefined : Buffer.concat(strings);
      const offset = isTruncate || call.name === 'pwrite64' ? (numbers.at(-1) ?? 0) : inode.size;
      inode.size = isTruncate ? offset : Math.max(inode.size, offset + (bytes?.length ?? 0));
      const write = { isDurable: false, isDone: false, offset, bytes };
      inode.writes.push(write);
      this.#written.set(call.thread, write);
    }
    const write = this.#written.get(call.thread);
    if (call.isDone && write) write.isDone = !call.fails;
  }

  #sync(call: Call, path: string): void {
    const inode = this.#names.get(path);
    if (call.isBegun) {
      const names = this.#renames.filter(({ folder }) => this.#isJournaled || folder === path);
      const changes = [...(inode?.writes ?? []), ...names].filter(({ isDone }) => isDone);
      this.#syncs.set(call.thread, changes);
    }
    if (!call.isDone) return;
    for (const change of this.#syncs.get(call.thread) ?? []) {
      change.isDurable ||= !call.fails;
      change.isDone &&= !call.fails;
    }
    if (inode) {
      const kept = inode.writes.findIndex(({ isDurable }) => !isDurable);
      const durable = inode.writes.splice(0, kept < 0 ? inode.writes.length : kept);
      inode.bytes = written(inode.bytes, durable);
    }
    const kept = this.#renames.findIndex(({ isDurable }) => !isDurable);
    const durable = this.#renames.splice(0, kept < 0 ? this.#renames.length : kept);
    for (const { names } of durable) setNames(this.#durable, names);
  }

  #rename({ name, args }: Call, from: string, to: string): boolean {
    const inode = this.#names.get(from);
    const isNew = name === 'openat' && !inode && args.includes('O_CREAT');
    if (name === 'openat' && inode && args.includes('O_TRUNC')) {
      inode.writes.push({ isDurable: false, isDone: true, offset: 0, bytes: undefined });
      inode.size = 0;
      return true;
    }
    const names: [string, Inode | undefined][] = [];
    if (isNew) names.push([from, newInode(Buffer.alloc(0))]);
    else if (name.startsWith('mkdir')) names.push([from, newInode(undefined)]);
    else if (name === 'link') names.push([to, inode]);
    else if (name.startsWith('rename')) names.push([from, undefined], [to, inode]);
    else if (name.startsWith('unlink')) names.push([from, undefined]);
    if (names.length === 0 || from === this.#root) return false;
    setNames(this.#names, names);
    this.#renames.push({ isDurable: false, isDone: true, folder: dirname(names.at(-1)?.[0] ?? ''), names });
    return true;
  }

  /** @returns the files that a power cut at this moment may leave, by path; folders have no content. */
  cut(random: Random): Map<string, Buffer | undefined> {
    const names = new Map(this.#durable);
    for (const rename of choose(this.#renames, random)) setNames(names, rename.names);
    const left = new Map<string, Buffer | undefined>();
    const contents = new Map<Inode, Buffer>();
    const isReached = (path: string): boolean =>
      path === this.#root || (names.get(path)?.isFolder === true && isReached(dirname(path)));
    for (const [path, inode] of names) {
      if (!isReached(dirname(path)) || basename(path).endsWith('-shm')) continue;
      const bytes = contents.get(inode) ?? written(inode.bytes, choose(inode.writes, random));
      // A file may have two names.
      contents.set(inode, bytes);
      left.set(path, inode.isFolder ? undefined : bytes);
    }
    return left;
  }
}

const newInode = (bytes: Buffer | undefined): Inode => ({
  isFolder: bytes === undefined,
  bytes: bytes ?? Buffer.alloc(0),
  writes: [],
  size: bytes?.length ?? 0,
});

function setNames(names: Map<string, Inode>, changes: Rename['names']): void {
  for (const [path, inode] of changes) {
    if (inode) names.set(path, inode);
    else names.delete(path);
  }
}

/** @returns the changes that are on the disk: the durable ones, and of the others any. */
function choose<One extends Change>(changes: readonly One[], random: Random): One[] {
  const lost = loses[Math.floor(random() * loses.length)] ?? 'all';
  const end = Math.floor(random() * (changes.length + 1));
  const share = random();
  return changes.flatMap((change, index) => {
    if (change.isDurable || lost === 'nothing') return [change];
    if (lost === 'sectors' && 'bytes' in change) return sectorsOf(change, share, random) as unknown as One[];
    const isThere = lost === 'end' ? index < end : lost !== 'all' && random() < share;
    return isThere ? [change] : [];
  });
}

/** @returns some of the parts of a write, which ends where the disk's sectors do. */
function sectorsOf(change: Change, share: number, random: Random): Change[] {
  const { offset, bytes, ...rest } = change as Write;
  if (!bytes) return random() < share ? [change] : [];
  const parts: Write[] = [];
  for (let from = offset; from < offset + bytes.length; ) {
    const until = Math.min((Math.floor(from / sectorBytes) + 1) * sectorBytes, offset + bytes.length);
    const part = bytes.subarray(from - offset, until - offset);
    if (random() < share) parts.push({ ...rest, offset: from, bytes: part });
    from = until;
  }
  return parts;
}

function written(content: Buffer, writes: readonly Write[]): Buffer {
  if (writes.length === 0) return content;
  const ends = writes.map(({ offset, bytes }) => offset + (bytes?.length ?? 0));
  const space = Buffer.alloc(Math.max(content.length, ...ends));
  content.copy(space);
  let size = content.length;
  for (const { offset, bytes } of writes) {
    if (!bytes) {
      space.fill(0, Math.min(offset, size));
      size = offset;
      continue;
    }
    bytes.copy(space, offset);
    size = Math.max(size, offset + bytes.length);
  }
  return space.subarray(0, size);
}
