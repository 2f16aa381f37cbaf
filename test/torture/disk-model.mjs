/**
 * A model of a disk: the system calls of a traced command as changes of files and folders, each of which a power cut
 * may lose unless a later sync has made it durable.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The calls to trace. */
export const tracedCalls = (
  "openat open creat close lseek write writev pwrite64 fsync fdatasync sync_file_range rename renameat renameat2 " +
  "link linkat symlink unlink unlinkat rmdir mkdir mkdirat truncate ftruncate copy_file_range sendfile fallocate"
).split(" ");

/** Files by number; folders by number, as maps from names to numbers. The root is number 0. */
export class Disk {
  files = new Map();
  folders = new Map([[0, new Map()]]);
  #last = 0;
  /** Files whose bytes no copy shares, which writes change in place. */
  #own = new Set();

  /** The entries of a folder that `isMember` accepts, and all below them. */
  static read(root, isMember) {
    const disk = new Disk();
    const walk = (path, number, names) => {
      for (const name of names) disk.folders.get(number).set(name, disk.#readOne(join(path, name), walk));
    };
    walk(root, 0, readdirSync(root).filter(isMember).sort());
    return disk;
  }

  #readOne(path, walk) {
    const stats = lstatSync(path);
    if (stats.isDirectory()) {
      const number = this.addFolder();
      walk(path, number, readdirSync(path).sort());
      return number;
    }
    return this.addFile(stats.isSymbolicLink() ? { target: readlinkSync(path) } : readFileSync(path));
  }

  addFile(content = Buffer.alloc(0), number = ++this.#last) {
    this.files.set(number, content);
    return number;
  }

  addFolder(number = ++this.#last) {
    this.folders.set(number, new Map());
    return number;
  }

  copy() {
    const other = new Disk();
    other.files = new Map(this.files);
    other.folders = new Map([...this.folders].map(([number, names]) => [number, new Map(names)]));
    other.#last = this.#last;
    this.#own.clear();
    return other;
  }

  /** The number of a path below the root; undefined if there is nothing. */
  find(path) {
    return path
      .split("/")
      .filter(Boolean)
      .reduce((at, name) => this.folders.get(at)?.get(name), 0);
  }

  apply(change) {
    // What was made in this trace is not there yet, and its making may be lost.
    const namesOf = (folder) => this.folders.get(folder) ?? this.folders.get(this.addFolder(folder));
    const names = change.folder === undefined ? undefined : namesOf(change.folder);
    if (change.kind === "enter") {
      if (change.isFolder) namesOf(change.node);
      names.set(change.name, change.node);
    } else if (change.kind === "leave") names.delete(change.name);
    else if (change.kind === "rename") {
      const from = namesOf(change.from.folder);
      if (from.get(change.from.name) === change.node) from.delete(change.from.name);
      names.set(change.name, change.node);
    } else if (change.kind === "write") this.#write(change);
    else if (change.kind === "truncate") this.files.set(change.node, resized(this.#file(change.node), change.size));
  }

  #write({ node, at, bytes }) {
    const [content, end] = [this.#file(node), at + bytes.length];
    if (!this.#own.has(node) || end > content.length)
      this.files.set(node, resized(content, Math.max(content.length, end)));
    this.#own.add(node);
    bytes.copy(this.files.get(node), at);
    digests.delete(this.files.get(node));
  }

  #file(number) {
    return this.files.get(number) ?? Buffer.alloc(0);
  }

  /** All files by path, in order. A folder has a path that ends with a slash. */
  *list(number = 0, prefix = "") {
    for (const [name, node] of [...this.folders.get(number)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const path = `${prefix}${name}`;
      if (this.folders.has(node)) {
        yield [`${path}/`, null];
        yield* this.list(node, `${path}/`);
      } else yield [path, this.#file(node)];
    }
  }

  /** A digest of the files and folders whose paths `isMember` accepts. */
  digest(isMember = () => true) {
    const hash = createHash("sha1");
    for (const [path, content] of this.list())
      if (isMember(path)) hash.update(`${path}\0${Buffer.isBuffer(content) ? digestOf(content) : content?.target}\0`);
    return hash.digest("hex");
  }

  /** Writes everything into a new folder. */
  save(root, isMember = () => true) {
    mkdirSync(root);
    for (const [path, content] of this.list()) {
      if (!isMember(path)) continue;
      if (content === null) mkdirSync(join(root, path));
      else if (Buffer.isBuffer(content)) writeFileSync(join(root, path), content);
      else symlinkSync(content.target, join(root, path));
    }
  }
}

/** The digests of the bytes of files, which several disks may share. */
const digests = new WeakMap();

function digestOf(content) {
  if (!digests.has(content)) digests.set(content, createHash("sha1").update(content).digest("hex"));
  return digests.get(content);
}

function resized(content, size) {
  const result = Buffer.alloc(size);
  content.copy(result, 0, 0, Math.min(size, content.length));
  return result;
}

/**
 * The changes below `root` in a log of `strace -f -y -xx`, in order. `begin`: the disk before, which is changed to the
 * disk after. Changes: `enter`, `leave`, `rename` of names, `write`, `truncate` of files, `sync` of either, and `said`,
 * when the command has printed something.
 */
export function changesOf(log, root, begin) {
  const reader = new LogReader(root, begin);
  for (const line of wholeLines(log)) reader.take(line);
  return reader.changes;
}

/** The lines of a log of `strace -f`; joins the two of a call during which another thread made one. */
export function* wholeLines(log) {
  const open = new Map();
  for (const raw of log.split("\n")) {
    const line = raw.replace(/<((?:\\x[0-9a-f]{2})+)>/g, (_, text) => `<${fromHex(text).toString()}>`);
    const [, thread, rest] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest === undefined) continue;
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest);
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    if (begun) open.set(thread, begun[1]);
    else yield { thread, text: resumed ? `${open.get(thread) ?? ""}${resumed[1]}` : rest };
  }
}

class LogReader {
  changes = [];
  #positions = new Map();
  #main;

  constructor(root, disk) {
    this.root = `${root}/`;
    this.disk = disk;
  }

  take({ thread, text }) {
    this.#main ??= thread;
    const [, call, words, result] = /^(\w+)\((.*)\) += (.*)$/.exec(text) ?? [];
    if (call === undefined || result.startsWith("-1 ") || result.startsWith("?")) return;
    if (/^writev?$/.test(call) && words.startsWith("1<") && thread === this.#main) this.changes.push({ kind: "said" });
    const paths = strings(words).map((path) => this.#below(path, thread));
    const held = /^(\d+)<([^>]*)>/.exec(words);
    if (held && !/^(?:openat|mkdirat|unlinkat|renameat2?|linkat)$/.test(call)) this.#onFile(call, held, words, result);
    else this.#onNames(call, paths, words, result);
  }

  /** Of relative paths, only those of the command itself are known: it does not leave its folder. */
  #below(path, thread) {
    if (!path.startsWith("/")) return thread === this.#main ? path : null;
    if (`${path}/` === this.root) return "";
    return path.startsWith(this.root) ? path.slice(this.root.length) : null;
  }

  #place(path) {
    return { folder: this.disk.find(dirname(path) === "." ? "" : dirname(path)), name: basename(path) };
  }

  #change(change) {
    this.disk.apply(change);
    this.changes.push(change);
  }

  #onNames(call, [first, second], words, result) {
    if (first === undefined || first === null) return;
    if (/^(?:open|openat|creat)$/.test(call)) return this.#open(first, words, result);
    if (call.startsWith("mkdir"))
      return this.#change({ kind: "enter", ...this.#place(first), node: this.disk.addFolder(), isFolder: true });
    if (/^(?:unlink|unlinkat|rmdir)$/.test(call)) return this.#change({ kind: "leave", ...this.#place(first) });
    if (call === "truncate")
      return this.#change({ kind: "truncate", node: this.disk.find(first), size: Number(words.split(", ").at(-1)) });
    if (second === undefined || second === null) return;
    const node = this.disk.find(first);
    if (call.startsWith("link")) this.#change({ kind: "enter", ...this.#place(second), node });
    else if (call.startsWith("rename") && this.disk.find(second) !== node)
      this.#change({ kind: "rename", from: this.#place(first), ...this.#place(second), node });
  }

  #open(path, words, result) {
    const fd = /^\d+/.exec(result)?.[0];
    const there = this.disk.find(path);
    if (there === undefined && words.includes("O_CREAT"))
      this.#change({ kind: "enter", ...this.#place(path), node: this.disk.addFile() });
    else if (there !== undefined && words.includes("O_TRUNC")) this.#change({ kind: "truncate", node: there, size: 0 });
    const node = this.disk.find(path);
    if (node !== undefined) this.#positions.set(fd, { node, at: words.includes("O_APPEND") ? null : 0 });
  }

  #onFile(call, [, fd, name], words, result) {
    const held = this.#positions.get(fd);
    if (call === "close") return void this.#positions.delete(fd);
    if (held === undefined || !name.startsWith(this.root.slice(0, -1))) return;
    const { node } = held;
    if (call === "lseek") held.at = Number(result);
    else if (/^f(?:data)?sync$/.test(call)) this.#change({ kind: "sync", node });
    else if (call === "ftruncate") this.#change({ kind: "truncate", node, size: Number(words.split(", ").at(-1)) });
    else if (/write/.test(call)) this.#write(call, held, words, Number(result));
  }

  #write(call, held, words, length) {
    const bytes = Buffer.concat(bytesOf(words)).subarray(0, length);
    const at =
      call === "pwrite64" ? Number(words.split(", ").at(-1)) : (held.at ?? this.disk.files.get(held.node).length);
    if (call !== "pwrite64" && held.at !== null) held.at += length;
    this.#change({ kind: "write", node: held.node, at, bytes });
  }
}

function bytesOf(words) {
  return [...words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text]) => fromHex(text));
}

function fromHex(text) {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}

function strings(words) {
  return bytesOf(words)
    .slice(0, 2)
    .map((bytes) => bytes.toString());
}

/** Changes that the syncs up to a moment have made durable. */
export function durableUntil(changes, end) {
  const synced = new Map();
  for (let at = 0; at < end; at++) if (changes[at].kind === "sync") synced.set(changes[at].node, at);
  return (at) => (synced.get(isOfName(changes[at]) ? changes[at].folder : changes[at].node) ?? -1) > at;
}

export function isOfName({ kind }) {
  return kind === "enter" || kind === "leave" || kind === "rename";
}
