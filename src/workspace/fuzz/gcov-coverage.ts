import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";
import type { Effort, Gauge, HotLine } from "./gauge.ts";
import { copyFileSync, existsSync, readdirSync, realpathSync, rmSync, type Dirent } from "node:fs";
import { basename, dirname, join, relative, sep, isAbsolute, resolve } from "node:path";

/** Paths of a program built with --coverage. */
export interface CoveragePaths {
  /** Folder of counters, as set by `coverageEnvironment`. */
  readonly folder: string;
  /** Folder to search for compiler notes (.gcno) that were moved. */
  readonly notes: string;
  /** Sources below it are displayName relative to it. */
  readonly directory: string;
  /** Counts only lines of sources below it; null: all but system sources. */
  readonly sources: string | null;
  readonly shell: Shell;
}

const maxOutputBytes = 128 << 20;
const maxHotLines = 3;
const maxEntries = 200_000;

/**
 * Environment that makes a program built with --coverage write its counters below a folder instead of next to its
 * objects.
 */
export function coverageEnvironment(folder: string): Readonly<Record<string, string>> {
  return { GCOV_PREFIX: folder, GCOV_PREFIX_STRIP: "0" };
}

/** Counts executed lines with gcov, which reads the counters of a program built with --coverage. */
export class GcovCoverage implements Gauge {
  readonly kind = "coverage";
  readonly unit = "executed lines";
  readonly isExact = true;
  readonly #paths: CoveragePaths;
  readonly #sources: string | null;
  #notes: Map<string, string> | undefined;

  constructor(paths: CoveragePaths) {
    this.#paths = paths;
    this.#sources = paths.sources === null ? null : realOrGiven(paths.sources);
  }

  /** Counters accumulate over runs, so removes those of the last one. */
  reset(): void {
    for (const path of this.counters()) rmSync(path);
  }

  /** Counter files of the last run. */
  counters(): string[] {
    return filesBelow(this.#paths.folder).filter((path) => path.endsWith(".gcda"));
  }

  async effort(): Promise<Effort> {
    const counters = this.counters();
    // A program that was killed has written no counters.
    if (counters.length === 0) return { amount: 0, hot: [] };
    for (const path of counters) this.#copyNotes(path);
    const lines = (await this.#lines(counters)).filter(({ file }) => this.#isCounted(file));
    return {
      amount: lines.reduce((sum, { count }) => sum + count, 0),
      hot: hottestLines(lines, this.#paths.directory),
    };
  }

  /** gcov expects the notes next to the counters. */
  #copyNotes(counters: string): void {
    const target = counters.replace(/\.gcda$/, ".gcno");
    if (existsSync(target)) return;
    const original = join(sep, relative(this.#paths.folder, target));
    const notes = existsSync(original) ? original : this.#notesByName().get(basename(target));
    if (notes === undefined)
      throw new Failure("coverage-unreadable", {
        reason: `there is no ${basename(target)} in ${dirname(original)} or ${this.#paths.notes}`,
      });
    copyFileSync(notes, target);
  }

  #notesByName(): Map<string, string> {
    this.#notes ??= new Map(
      filesBelow(this.#paths.notes)
        .filter((path) => path.endsWith(".gcno"))
        .map((path) => [basename(path), path]),
    );
    return this.#notes;
  }

  async #lines(counters: readonly string[]): Promise<LineCount[]> {
    const { folder, shell } = this.#paths;
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

  #isCounted(file: string): boolean {
    if (this.#sources === null) return !file.startsWith("/usr/");
    return realOrGiven(file).startsWith(this.#sources + sep);
  }
}

function hottestLines(lines: readonly LineCount[], directory: string): HotLine[] {
  const displayName = (file: string): string => (file.startsWith(directory + sep) ? relative(directory, file) : file);
  const top = lines.toSorted((a, b) => b.count - a.count).slice(0, maxHotLines);
  return top.map((line) => ({ ...line, file: displayName(line.file) }));
}

/** Files below a folder; does not follow links, and stops at `maxEntries`. */
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

/** Execution count of a line. */
interface LineCount {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly count: number;
}

/**
 * Parses the output of `gcov --json-format --stdout`: one JSON document per object and line (GCC manual, "JSON
 * intermediate format", versions 1 and 2). Sums the counts of a line over objects and template instances. Fails with
 * `coverage-unreadable`.
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
