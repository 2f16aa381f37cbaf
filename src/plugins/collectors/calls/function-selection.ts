import { Failure } from "../../../core/failures/index.ts";
import { nearest } from "../../../core/text/index.ts";
import { matchesName, type FunctionSymbol } from "../../../formats/traces/index.ts";

/**
 * A selected function in user syntax: `LIBRARY#FUNCTION:ARGUMENT#SAMPLE`, where only FUNCTION is required.
 */
export interface FunctionChoice {
  readonly text: string;
  /** Path or file name; null: any watched file. */
  readonly library: string | null;
  readonly name: string;
  /** Record every Nth call; null: the global sampling. */
  readonly every: number | null;
  /** Number, from 1, of the integer argument with the size of the structure. */
  readonly argument: number | null;
}

/** A program or library whose functions are traced. */
export interface WatchedFile {
  readonly path: string;
  readonly symbols: readonly FunctionSymbol[];
}

/** What to record of a function: every Nth call, and the argument with this number. */
export interface Watching {
  readonly every: number;
  readonly argument: number | null;
}

export const maxSampling = 1_000_000_000;

/** Parses a function selection. Names of lambdas contain `#` in braces. Fails with `bad-collector-option`. */
export function readChoice(plugin: string, option: string, text: string): FunctionChoice {
  const [, library, rest = ""] = /^([^#{(<]+)#(?!\d+$)(.+)$/.exec(text) ?? ["", null, text];
  const [, called = "", sample] = /^(.*?)(?:#(\d{1,10}))?$/s.exec(rest) ?? [];
  const [, name = "", argument] = /^(.*?)(?:(?<!:):(\d))?$/s.exec(called) ?? [];
  const every = sample === undefined ? null : Number(sample);
  const argumentNumber = argument === undefined ? null : Number(argument);
  if (name === "" || every === 0 || (every ?? 1) > maxSampling || argumentNumber === 0 || (argumentNumber ?? 1) > 6)
    throw badChoice(plugin, option, text);
  return { text, library: library ?? null, name, every, argument: argumentNumber };
}

function badChoice(plugin: string, option: string, value: string): Failure {
  const expected = "a function as LIBRARY#FUNCTION:ARGUMENT#SAMPLE, where only FUNCTION is required";
  return new Failure("bad-collector-option", {
    plugin,
    option,
    value: value.slice(0, 80),
    expected,
    example: "insert#10",
  });
}

/** The selected functions by file and address; a later choice wins. Fails with `unknown-function`. */
export function chosenFunctions(
  choices: readonly FunctionChoice[],
  files: readonly WatchedFile[],
  every: number,
): ReadonlyMap<WatchedFile, ReadonlyMap<bigint, Watching>> {
  const chosen = new Map(files.map((file) => [file, new Map<bigint, Watching>()] as const));
  for (const choice of choices) {
    let isKnown = false;
    for (const file of files.filter(({ path }) => isOf(choice.library, path)))
      for (const symbol of file.symbols.filter((symbol) => matchesName(symbol, choice.name))) {
        chosen.get(file)!.set(symbol.address, { every: choice.every ?? every, argument: choice.argument });
        isKnown = true;
      }
    if (!isKnown) throw unknownFunction(choice, files);
  }
  return chosen;
}

function isOf(library: string | null, path: string): boolean {
  return library === null || path === library || path.endsWith(`/${library}`);
}

function unknownFunction({ name, library }: FunctionChoice, files: readonly WatchedFile[]): Failure {
  const possible = files.filter(({ path }) => isOf(library, path));
  const paths = files.map(({ path }) => path);
  const names = possible.flatMap(({ symbols }) =>
    symbols.slice(0, 5000).map((symbol) => symbol.prototype.replace(/\(.*$/s, "")),
  );
  return new Failure("unknown-function", {
    name: name.slice(0, 200),
    where: library ?? (paths.length > 0 ? paths.join(", ") : "the program"),
    near: nearest(name, [...new Set(names)])[0],
  });
}

/** The non-blank lines of a multi-line option. */
export function linesOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
