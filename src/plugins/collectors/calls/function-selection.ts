import { Failure } from "../../../core/failures/failure.ts";
import { nearest } from "../../../core/text/name-suggestions.ts";
import { matchesName, type FunctionSymbol } from "../../../formats/traces/symbol-table.ts";

/**
 * A function that is to be watched, as a person writes it: `LIBRARY#FUNCTION:ARGUMENT#SAMPLE`, of which only the
 * function is needed.
 */
export interface FunctionChoice {
  readonly text: string;
  /** File or its name; null: any of those that are watched. */
  readonly library: string | null;
  readonly name: string;
  /** Each so manieth call; null: what holds for all. */
  readonly every: number | null;
  /** The integer argument, from 1, that tells the size of the structure. */
  readonly argument: number | null;
}

/** A program or library whose functions are watched. */
export interface WatchedFile {
  readonly path: string;
  readonly symbols: readonly FunctionSymbol[];
}

/** What is recorded of a function: each so manieth call, and which argument. */
export interface Watching {
  readonly every: number;
  readonly argument: number | null;
}

export const mostSampling = 1_000_000_000;

/** Fails with `bad-collector-option`. Names of lambdas have a `#` of their own, in braces. */
export function readChoice(plugin: string, option: string, text: string): FunctionChoice {
  const [, library, rest = ""] = /^([^#{(<]+)#(?!\d+$)(.+)$/.exec(text) ?? ["", null, text];
  const [, called = "", sample] = /^(.*?)(?:#(\d{1,10}))?$/s.exec(rest) ?? [];
  const [, name = "", argument] = /^(.*?)(?:(?<!:):(\d))?$/s.exec(called) ?? [];
  const every = sample === undefined ? null : Number(sample);
  const place = argument === undefined ? null : Number(argument);
  if (name === "" || every === 0 || (every ?? 1) > mostSampling || place === 0 || (place ?? 1) > 6)
    throw badChoice(plugin, option, text);
  return { text, library: library ?? null, name, every, argument: place };
}

function badChoice(plugin: string, option: string, value: string): Failure {
  const expected = "a function as LIBRARY#FUNCTION:ARGUMENT#SAMPLE, of which only FUNCTION is needed";
  return new Failure("bad-collector-option", {
    plugin,
    option,
    value: value.slice(0, 80),
    expected,
    example: "insert#10",
  });
}

/** The functions meant, by file and address. Fails with `unknown-function`. */
export function chosenFunctions(
  choices: readonly FunctionChoice[],
  files: readonly WatchedFile[],
  every: number,
): ReadonlyMap<WatchedFile, ReadonlyMap<bigint, Watching>> {
  const chosen = new Map(files.map((file) => [file, new Map<bigint, Watching>()] as const));
  for (const choice of choices) {
    let found = false;
    for (const file of files.filter(({ path }) => isOf(choice.library, path)))
      for (const symbol of file.symbols.filter((symbol) => matchesName(symbol, choice.name))) {
        chosen.get(file)!.set(symbol.address, { every: choice.every ?? every, argument: choice.argument });
        found = true;
      }
    if (!found) throw unknownFunction(choice, files);
  }
  return chosen;
}

function isOf(library: string | null, path: string): boolean {
  return library === null || path === library || path.endsWith(`/${library}`);
}

function unknownFunction({ name, library }: FunctionChoice, files: readonly WatchedFile[]): Failure {
  const possible = files.filter(({ path }) => isOf(library, path));
  const places = files.map(({ path }) => path);
  const names = possible.flatMap(({ symbols }) =>
    symbols.slice(0, 5000).map((symbol) => symbol.prototype.replace(/\(.*$/s, "")),
  );
  return new Failure("unknown-function", {
    name: name.slice(0, 200),
    where: library ?? (places.length > 0 ? places.join(", ") : "the program"),
    near: nearest(name, [...new Set(names)])[0],
  });
}

/** The lines of an option that may have several, without blank ones. */
export function linesOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
