import { readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { compilePattern } from "../../formats/text/pattern.ts";

/** A file of the user that mutations start from. */
export interface InitialSample {
  readonly path: string;
  /** Its name without what file systems, shells and programs could take amiss. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SampleChoice {
  /** Files and folders, relative to `directory`. */
  readonly paths: readonly string[];
  readonly directory: string;
  /** Of the files in folders only those whose name below the folder this pattern finds something in. */
  readonly only?: string;
  /** And none in which one of these does. */
  readonly without: readonly string[];
}

const mostSamples = 1000;
export const largestSample: number = 64 << 20;
const deepest = 50;

/**
 * The files that the choice names, each once, in the order given and in folders of name; hidden files are passed over
 * there and links not followed. Fails with `no-samples`, `bad-sample`, `pattern-error`.
 */
export function initialSamples(choice: SampleChoice): InitialSample[] {
  const [only, without] = [
    choice.only === undefined ? undefined : compilePattern(choice.only),
    choice.without.map((one) => compilePattern(one)),
  ];
  const isWanted = (name: string): boolean =>
    (only?.test(name) ?? true) && !without.some((pattern) => pattern.test(name));
  const paths = new Set(choice.paths.flatMap((path) => filesAt(resolve(choice.directory, path), path, isWanted)));
  if (paths.size === 0) throw new Failure("no-samples", { what: choice.paths.join(", ") });
  if (paths.size > mostSamples)
    throw new Failure("bad-sample", { file: choice.paths.join(", "), reason: `it is more than ${mostSamples} files` });
  return [...paths].map((path) => ({ path, name: harmless(basename(path)), bytes: read(path) }));
}

function filesAt(path: string, given: string, isWanted: (name: string) => boolean): string[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return [...filesBelow(path, "", isWanted, 0)];
  if (facts?.isFile()) return [path];
  throw new Failure("bad-sample", {
    file: given,
    reason: facts ? "it is neither a file nor a folder" : "there is no such file",
  });
}

function* filesBelow(
  folder: string,
  below: string,
  isWanted: (name: string) => boolean,
  depth: number,
): Generator<string> {
  if (depth > deepest) return;
  for (const entry of entriesIn(folder)) {
    const [path, name] = [join(folder, entry.name), below === "" ? entry.name : `${below}/${entry.name}`];
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* filesBelow(path, name, isWanted, depth + 1);
    else if (entry.isFile() && isWanted(name)) yield path;
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new Failure(
      "bad-sample",
      { file: folder, reason: (error as NodeJS.ErrnoException).code ?? "it cannot be read" },
      error,
    );
  }
}

function read(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > largestSample)
      throw new Failure("bad-sample", { file: path, reason: `it has more than ${largestSample >> 20} MiB` });
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "bad-sample",
      { file: path, reason: (error as NodeJS.ErrnoException).code ?? "it cannot be read" },
      error,
    );
  }
}

const longestName = 60;

/** Letters, digits and `._-`, not beginning with a mark; the ending, which programs look at, stays. */
function harmless(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, "_").replace(/^[.-]+/, "");
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? "";
  return `${plain.slice(0, plain.length - ending.length).slice(0, longestName)}${ending}` || "sample";
}
