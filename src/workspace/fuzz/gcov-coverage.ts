import { copyFileSync, existsSync, readdirSync, realpathSync, rmSync, type Dirent } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { quoteCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";
import { readGcovLines, type LineCount } from "./gcov-json.ts";
import type { Effort, Gauge, HotLine } from "./gauge.ts";

/** Where a program that was built with --coverage has its parts. */
export interface CoveragePlaces {
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

const mostOutputBytes = 128 << 20;
const mostHotLines = 3;
const mostEntries = 200_000;

/** What makes a program built with --coverage write its counters below that folder, instead of beside its objects. */
export function coverageEnvironment(folder: string): Readonly<Record<string, string>> {
  return { GCOV_PREFIX: folder, GCOV_PREFIX_STRIP: "0" };
}

/** Counts executed lines by gcov, which reads what a program built with --coverage writes at its end. */
export class GcovCoverage implements Gauge {
  readonly kind = "coverage";
  readonly unit = "executed lines";
  readonly isExact = true;
  readonly #places: CoveragePlaces;
  readonly #sources: string | null;
  #notes: Map<string, string> | undefined;

  constructor(places: CoveragePlaces) {
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
    return { amount: lines.reduce((sum, { count }) => sum + count, 0), hot: hottest(lines, this.#places.directory) };
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
    const outcome = await shell.run(argv, { directory: folder, captureLimit: mostOutputBytes });
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

function hottest(lines: readonly LineCount[], directory: string): HotLine[] {
  const named = (file: string): string => (file.startsWith(directory + sep) ? relative(directory, file) : file);
  const ordered = lines.toSorted((a, b) => b.count - a.count).slice(0, mostHotLines);
  return ordered.map((line) => ({ ...line, file: named(line.file) }));
}

/** All files below a folder, links not followed; a tree without end is looked at as far as there is patience. */
function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (
    let next = folders.pop();
    next !== undefined && files.length + folders.length < mostEntries;
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
