import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { Failure } from "../core/failures/index.ts";
import { dirname, join } from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import { isatty } from "node:tty";
import { terminalLines, terminalOutput, type TerminalOutput, terminalText } from "../core/text/index.ts";

/** The output streams of the process. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream & { readonly fd: number };
  readonly stderr: NodeJS.WriteStream;
}

export interface OutputOptions {
  readonly file: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Text may contain OSC 8 links. */
  readonly hyperlinks: boolean;
  /** Command line of the pager, if any. */
  readonly pager: readonly string[] | undefined;
  /** How data is escaped on a terminal; default: as text with colours and links. */
  readonly terminal?: TerminalOutput;
}

/** Written under a temporary name first, except for devices and pipes. */
interface OpenFile {
  readonly fd: number;
  readonly temporary?: string;
  readonly path: string;
}

/**
 * Writes data to stdout or the file of `-o`, and messages to stderr. Controls in messages are made visible here, and in
 * data that reaches a terminal all but colours and links, whatever wrote them.
 */
export class Output {
  readonly options: OutputOptions;
  readonly #streams: Streams;
  #file: OpenFile | undefined;
  #pager: ChildProcess | undefined;
  #stdoutIsFile: boolean | undefined;
  readonly #decoder = new TextDecoder();

  constructor(streams: Streams, options: OutputOptions) {
    this.#streams = streams;
    this.options = options;
  }

  /** Node does not detect short or failed writes to files and devices, so these are written synchronously. */
  get #isFile(): boolean {
    const { fd, isTTY } = this.#streams.stdout;
    this.#stdoutIsFile ??= isTTY !== true && isFileOrDevice(fd);
    return this.#stdoutIsFile;
  }

  /** Width for layout: that of the terminal, else 100 columns. */
  get width(): number {
    return this.toTerminal ? (this.#streams.stdout.columns ?? 80) : 100;
  }

  /** Columns that text must fit into: those of the terminal, else Infinity. */
  get room(): number {
    return this.toTerminal ? this.width : Number.POSITIVE_INFINITY;
  }

  /** Whether data is printed to a terminal. */
  get toTerminal(): boolean {
    return this.options.file === undefined && this.#streams.stdout.isTTY === true;
  }

  /** The running pager, if any. */
  get pager(): string | undefined {
    return this.#pager === undefined ? undefined : this.options.pager?.[0];
  }

  data(given: string | Uint8Array): void {
    const data = this.toTerminal ? this.#escaped(given) : given;
    if (this.options.file !== undefined) this.#toFile(this.options.file, data);
    else if (this.#pager?.stdin) this.#pager.stdin.write(data);
    else if (this.#isFile) writeAll(this.#streams.stdout.fd, data, "standard output");
    else this.#streams.stdout.write(data);
  }

  /** Like `data`, for reports of what a command changed: nothing with --quiet, except to the file of -o. */
  report(text: string): void {
    if (!this.options.quiet || this.options.file !== undefined) this.data(text);
  }

  /** Writes a separate file atomically, independent of `-o`. */
  save(path: string, data: string | Uint8Array): void {
    const file = openFile(path);
    try {
      writeAll(file.fd, data, path);
    } catch (error) {
      drop(file);
      throw error;
    }
    commit(file);
  }

  /** Like `save`, creating missing folders. */
  saveBelow(folder: string, path: string, data: string | Uint8Array): void {
    const target = join(folder, path);
    try {
      mkdirSync(dirname(target), { recursive: true });
    } catch (error) {
      throw unwritable(target, error);
    }
    this.save(target, data);
  }

  /** One JSON document with its schema first. */
  document(schema: string, fields: object): void {
    this.data(`${JSON.stringify({ schema, ...fields })}\n`);
  }

  /** Prints a note of one line to stderr, unless --quiet is given. */
  note(text: string): void {
    if (!this.options.quiet) this.#streams.stderr.write(`${terminalText(text)}\n`);
  }

  /** Prints a note with --verbose. */
  detail(text: string): void {
    if (this.options.verbose) this.note(text);
  }

  /** Prints an error to stderr: one line, or several with a stack. */
  error(text: string): void {
    this.#streams.stderr.write(`${terminalLines(text)}\n`);
  }

  /** Starts the pager for all further data, if there is a terminal and a pager. */
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

  /** Waits until everything is written; renames the file of `-o` to its final name. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file) commit(file);
    const pager = this.#pager;
    if (pager) await new Promise<void>((resolve) => pager.once("close", () => resolve()).stdin?.end());
    await Promise.all([flush(this.#streams.stdout), flush(this.#streams.stderr)]);
  }

  /** Deletes the unfinished file of `-o` after a failure. */
  discard(): void {
    if (!this.#file) return;
    drop(this.#file);
    this.#file = undefined;
  }

  /** Bytes are those of files and objects, without colours; a character may be split between two calls. */
  #escaped(data: string | Uint8Array): string {
    if (typeof data === "string") return terminalOutput(data, this.options.terminal ?? "styled");
    return terminalOutput(this.#decoder.decode(data, { stream: true }), "plain");
  }

  #toFile(path: string, data: string | Uint8Array): void {
    this.#file ??= openFile(path);
    try {
      writeAll(this.#file.fd, isatty(this.#file.fd) ? this.#escaped(data) : data, path);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      // Handled like closed standard output.
      this.#streams.stdout.emit("error", error.cause);
    }
  }
}

function drop(file: OpenFile): void {
  closeSync(file.fd);
  if (file.temporary !== undefined) rmSync(file.temporary, { force: true });
}

function commit(file: OpenFile): void {
  const { fd, temporary, path } = file;
  try {
    // Without it, a power cut after the rename could leave an empty file in place of the earlier one.
    if (temporary !== undefined) fsyncSync(fd);
    closeSync(fd);
    if (temporary !== undefined) renameSync(temporary, path);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw unwritable(path, error);
  }
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write("", () => resolve()));
}

function openFile(path: string): OpenFile {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) throw new Failure("cannot-write-output", { path, reason: "it is a folder" });
    return there?.isFile() === false ? { fd: openSync(path, "w"), path } : temporaryFor(path, there);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Writes through symbolic links and keeps the permissions of the target. In containers, a killed process may have had
 * the same number and left its file.
 */
function temporaryFor(path: string, there: Stats | undefined): OpenFile {
  const target = there ? realpathSync(path) : path;
  const temporary = `${target}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
  return { fd: openSync(temporary, "wx", there?.mode), temporary, path: target };
}

function writeAll(fd: number, data: string | Uint8Array, path: string): void {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
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
  // Node has no name for EDQUOT.
  "Unknown system error -122": "the disk quota is exceeded",
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
