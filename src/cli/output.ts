import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { Failure } from "../core/failures/failure.ts";
import { dirname, join } from "node:path";
import { spawn, type ChildProcess } from "node:child_process";

/** The streams of this process; the only place that prints. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly stderr: NodeJS.WriteStream;
}

export interface OutputOptions {
  readonly file: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Links (OSC 8) may stand in text. */
  readonly hyperlinks: boolean;
  /** Command line of the program that pages long text, or undefined for none. */
  readonly pager: readonly string[] | undefined;
}

/** Written under a temporary name first; a device or a pipe, which is never replaced, has none. */
interface OpenFile {
  readonly fd: number;
  readonly temporary?: string;
  readonly path: string;
}

/**
 * Data goes to stdout or the file of `-o`; everything else to stderr. Text is expected to be escaped for its medium
 * already.
 */
export class Output {
  readonly options: OutputOptions;
  readonly #streams: Streams;
  #file: OpenFile | undefined;
  #pager: ChildProcess | undefined;
  #stdoutIsFile: boolean | undefined;

  constructor(streams: Streams, options: OutputOptions) {
    this.#streams = streams;
    this.options = options;
  }

  /**
   * Node writes to a file only once and does not notice when the disk took a part of it, nor in time when a device took
   * nothing.
   */
  get #isFile(): boolean {
    const { fd, isTTY } = this.#streams.stdout;
    this.#stdoutIsFile ??= isTTY !== true && isFileOrDevice(fd);
    return this.#stdoutIsFile;
  }

  /** Width to lay text out for: the terminal's, 100 where there is none, nothing to fit in a file. */
  get width(): number {
    return this.toTerminal ? (this.#streams.stdout.columns ?? 80) : 100;
  }

  /** Columns that text has to fit into: the terminal's; Infinity where there is none. */
  get room(): number {
    return this.toTerminal ? this.width : Number.POSITIVE_INFINITY;
  }

  /** True when data is read by a person at a terminal. */
  get toTerminal(): boolean {
    return this.options.file === undefined && this.#streams.stdout.isTTY === true;
  }

  /** The program that data goes through from here on, or undefined. */
  get pager(): string | undefined {
    return this.#pager === undefined ? undefined : this.options.pager?.[0];
  }

  data(content: string | Uint8Array): void {
    if (this.options.file !== undefined) this.#toFile(this.options.file, content);
    else if (this.#pager?.stdin) this.#pager.stdin.write(content);
    else if (this.#isFile) writeAll(this.#streams.stdout.fd, content, "standard output");
    else this.#streams.stdout.write(content);
  }

  /** A file of its own, whatever `-o` says; it is there whole or not at all. */
  save(path: string, content: string | Uint8Array): void {
    const file = opened(path);
    try {
      writeAll(file.fd, content, path);
    } catch (error) {
      dropped(file);
      throw error;
    }
    moved(file);
  }

  /** Like `save`, with the folders that lack on the way. */
  saveBelow(folder: string, path: string, content: string | Uint8Array): void {
    const place = join(folder, path);
    try {
      mkdirSync(dirname(place), { recursive: true });
    } catch (error) {
      throw unwritable(place, error);
    }
    this.save(place, content);
  }

  /** One JSON document with its schema first. */
  document(schema: string, fields: object): void {
    this.data(`${JSON.stringify({ schema, ...fields })}\n`);
  }

  /** A remark for the person at the terminal. */
  note(text: string): void {
    if (!this.options.quiet) this.#streams.stderr.write(`${text}\n`);
  }

  /** A remark only for those who asked for more. */
  detail(text: string): void {
    if (this.options.verbose) this.note(text);
  }

  error(line: string): void {
    this.#streams.stderr.write(`${line}\n`);
  }

  /** From here on data goes through the pager, when there is a terminal and one is wanted. */
  page(): void {
    if (!this.toTerminal || this.options.pager === undefined) return;
    const [program = "", ...words] = this.options.pager;
    const pager = spawn(program, words, {
      stdio: ["pipe", "inherit", "inherit"],
      env: { LESS: "FRX", ...process.env },
    });
    pager.on("error", () => (this.#pager = undefined));
    pager.stdin.on("error", () => {});
    this.#pager = pager;
  }

  /** Waits until everything is written; moves a file of `-o` to its place. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file) moved(file);
    const pager = this.#pager;
    if (pager) await new Promise<void>((resolve) => pager.once("close", () => resolve()).stdin?.end());
    await Promise.all([flushed(this.#streams.stdout), flushed(this.#streams.stderr)]);
  }

  /** Forgets an unfinished file: the command failed. */
  discard(): void {
    if (!this.#file) return;
    dropped(this.#file);
    this.#file = undefined;
  }

  #toFile(path: string, content: string | Uint8Array): void {
    this.#file ??= opened(path);
    try {
      writeAll(this.#file.fd, content, path);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      // As when the reader of standard output has had enough.
      this.#streams.stdout.emit("error", error.cause);
    }
  }
}

function dropped(file: OpenFile): void {
  closeSync(file.fd);
  if (file.temporary !== undefined) rmSync(file.temporary, { force: true });
}

function moved(file: OpenFile): void {
  try {
    closeSync(file.fd);
    if (file.temporary !== undefined) renameSync(file.temporary, file.path);
  } catch (error) {
    throw unwritable(file.path, error);
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write("", () => resolve()));
}

function opened(path: string): OpenFile {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) throw new Failure("cannot-write-output", { path, reason: "it is a folder" });
    return there?.isFile() === false ? { fd: openSync(path, "w"), path } : beside(path, there);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A link stays: the file that it leads to gets the new content. A file that only its owner may read stays so. */
function beside(path: string, there: Stats | undefined): OpenFile {
  const place = there ? realpathSync(path) : path;
  const temporary = `${place}.${process.pid}.part`;
  return { fd: openSync(temporary, "wx", there?.mode), temporary, path: place };
}

function writeAll(fd: number, content: string | Uint8Array, path: string): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  } catch (error) {
    throw unwritable(path, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "permission denied",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
};

function unwritable(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return new Failure("cannot-write-output", { path, reason: reasons[code] ?? code }, error);
}

function isBrokenPipe(error: unknown): error is Error {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === "EPIPE";
}

function isFileOrDevice(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || stats.isCharacterDevice();
  } catch {
    return false;
  }
}
