import { quoteCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";
import type { Effort, Gauge, HotLine } from "./gauge.ts";
import { copyFileSync, existsSync, readdirSync, realpathSync, rmSync, type Dirent } from "node:fs";
import { basename, dirname, join, relative, sep, isAbsolute, resolve } from "node:path";

/** Where a program that was built with --coverage has its parts. */
export interface CoveragePaths {
  /** Where the program writes its counters: that of `coverageEnvironment`. */
  readonly folder: string;
  /** Searched for the notes of the compiler (.gcno) where they are no longer where it wrote them. */
  readonly notes: string;
  /** Sources are named relative to it where they lie below it. */
  readonly directory: string;
  /** Only lines of sources below it count; null: all but those of the system. */
  readonly sources: string | null;
  readonly shell: Shell;
}

const maxOutputBytes = 128 << 20;
const maxHotLines = 3;
const maxEntries = 200_000;

/** What makes a program built with --coverage write its counters below that folder, instead of beside its objects. */
export function coverageEnvironment(folder: string): Readonly<Record<string, string>> {
  return { GCOV_PREFIX: folder, GCOV_PREFIX_STRIP: "0" };
}

/** Counts executed lines by gcov, which reads what a program built with --coverage writes at its end. */
export class GcovCoverage implements Gauge {
  readonly kind = "coverage";
  readonly unit = "executed lines";
  readonly isExact = true;
  readonly #places: CoveragePaths;
  readonly #sources: string | null;
  #notes: Map<string, string> | undefined;

  constructor(places: CoveragePaths) {
    this.#places = places;
    this.#sources = places.sources === null ? null : realOrGiven(places.sources);
  }

  /** Counters add up from run to run, so those of the last one have to go. */
  reset(): void {
    for (const path of this.counters()) rmSync(path);
  }

  /** The files of counters that the last run wrote. */
  counters(): string[] {
    return filesBelow(this.#places.folder).filter((path) => path.endsWith(".gcda"));
  }

  async effort(): Promise<Effort> {
    const counters = this.counters();
    // A program that did not reach its end has written nothing.
    if (counters.length === 0) return { amount: 0, hot: [] };
    for (const path of counters) this.#placeNotes(path);
    const lines = (await this.#lines(counters)).filter(({ file }) => this.#counts(file));
    return {
      amount: lines.reduce((sum, { count }) => sum + count, 0),
      hot: hottestLines(lines, this.#places.directory),
    };
  }

  /** gcov looks for the notes beside the counters. */
  #placeNotes(counters: string): void {
    const target = counters.replace(/\.gcda$/, ".gcno");
    if (existsSync(target)) return;
    const original = join(sep, relative(this.#places.folder, target));
    const found = existsSync(original) ? original : this.#foundNotes().get(basename(target));
    if (found === undefined)
      throw new Failure("coverage-unreadable", {
        reason: `there is no ${basename(target)} in ${dirname(original)} or ${this.#places.notes}`,
      });
    copyFileSync(found, target);
  }

  #foundNotes(): Map<string, string> {
    this.#notes ??= new Map(
      filesBelow(this.#places.notes)
        .filter((path) => path.endsWith(".gcno"))
        .map((path) => [basename(path), path]),
    );
    return this.#notes;
  }

  async #lines(counters: readonly string[]): Promise<LineCount[]> {
    const { folder, shell } = this.#places;
    const argv = ["gcov", "--json-format", "--stdout", ...counters.map((path) => relative(folder, path))];
    const outcome = await shell.run(argv, { directory: folder, captureLimit: maxOutputBytes });
    const command = quoteCommand(argv.slice(0, 3));
    if (outcome.truncated) throw new Failure("coverage-unreadable", { reason: `${command} printed more than 128 MiB` });
    if (outcome.status !== 0)
      throw new Failure("coverage-unreadable", {
        reason: `${command} ${endingOf(outcome)}: ${lastLine(outcome.stderr)}`,
      });
    return readGcovLines(outcome.stdout);
  }

  #counts(file: string): boolean {
    if (this.#sources === null) return !file.startsWith("/usr/");
    return realOrGiven(file).startsWith(this.#sources + sep);
  }
}

function hottestLines(lines: readonly LineCount[], directory: string): HotLine[] {
  const named = (file: string): string => (file.startsWith(directory + sep) ? relative(directory, file) : file);
  const ordered = lines.toSorted((a, b) => b.count - a.count).slice(0, maxHotLines);
  return ordered.map((line) => ({ ...line, file: named(line.file) }));
}

/** All files below a folder, links not followed; a tree without end is looked at as far as there is patience. */
function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (
    let next = folders.pop();
    next !== undefined && files.length + folders.length < maxEntries;
    next = folders.pop()
  ) {
    for (const entry of entriesIn(next)) {
      if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules")
        folders.push(join(next, entry.name));
      else if (entry.isFile()) files.push(join(next, entry.name));
    }
  }
  return files;
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** How often a line was executed. */
interface LineCount {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/**
 * What `gcov --json-format --stdout` prints: for each object one JSON document on a line (GCC's manual, "JSON
 * intermediate format", version 1 and 2). A line that several objects or instances of a template have is the sum. Fails
 * with `coverage-unreadable`.
 */
export function readGcovLines(output: Uint8Array): LineCount[] {
  const lines = new Map<string, LineCount>();
  for (const text of new TextDecoder().decode(output).split("\n")) {
    if (text.trim() === "") continue;
    for (const counted of linesOf(parseJson(text))) {
      const key = `${counted.line} ${counted.file}`;
      lines.set(key, { ...counted, count: counted.count + (lines.get(key)?.count ?? 0) });
    }
  }
  return [...lines.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("coverage-unreadable", { reason: `gcov did not print JSON but '${text.slice(0, 80)}'` }, error);
  }
}

function linesOf(document: unknown): LineCount[] {
  const folder = member(document, "current_working_directory");
  return asList(member(document, "files")).flatMap((file) => {
    const name = member(file, "file");
    if (typeof name !== "string") return [];
    const path = isAbsolute(name) ? name : resolve(typeof folder === "string" ? folder : "/", name);
    return asList(member(file, "lines")).map((line) => ({
      file: path,
      line: asNumber(member(line, "line_number")),
      count: asNumber(member(line, "count")),
    }));
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
