// A repository of a small C program whose commits change its code; one of them makes it slower.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";

export interface PlantedRepository {
  /** Ids of the commits, oldest first; the first one is good, the last one bad. */
  readonly versions: readonly string[];
  /** Index of the commit that made the program slower. */
  readonly first: number;
  /** Indexes of commits that cannot be built. */
  readonly broken: ReadonlySet<number>;
}

/**
 * The build command. The program takes its number of rounds as argument and prints its CPU time in microseconds to
 * standard error.
 */
export const buildCommand = "cc -O1 work.c -o work";

const partCount = 8;
const roundsOfPart = 100;

/** One file of the program. */
interface Part {
  shift: number;
  factor: bigint;
  rounds: number;
  variable: string;
  unused: number;
  isBroken: boolean;
}

/**
 * Creates a repository with `count` commits after the first one, one of which does more work by `effect` (0.1: 10 %
 * more). Deterministic for a seed.
 */
export function plantRepository(folder: string, seed: number, count: number, effect: number): PlantedRepository {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const first = 1 + below(count);
  const broken = brokenIndexes(below, count, first);
  const parts = Array.from({ length: partCount }, (): Part => newPart(below));
  const pieces = [commitOf(0, "start", [["work.c", mainText()], ...parts.map((part, at) => fileOf(part, at))])];
  for (let index = 1, repaired: number | null = null; index <= count; index++) {
    const at: number = repaired ?? below(partCount);
    const part: Part = parts[at]!;
    const subject = index === first ? slowDown(part, effect) : changePart(part, below);
    part.isBroken = broken.has(index);
    repaired = part.isBroken ? at : null;
    pieces.push(commitOf(index, subject, [fileOf(part, at), ["NOTES", `${index}\n`]]));
  }
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "-q", "-b", "main"]);
  git(folder, ["fast-import", "--quiet"], pieces.join(""));
  git(folder, ["reset", "-q", "--hard", "main"]);
  return { versions: git(folder, ["rev-list", "--reverse", "main"]).trim().split("\n"), first, broken };
}

/**
 * About one in twelve commits, except the ends and the neighbour of the slower commit, which must stay distinguishable.
 */
function brokenIndexes(below: (end: number) => number, count: number, first: number): Set<number> {
  const indexes = Array.from({ length: Math.floor(count / 12) }, () => 1 + below(count - 1));
  return new Set(indexes.filter((index) => index !== first && index !== first - 1));
}

function newPart(below: (end: number) => number): Part {
  return {
    shift: 7 + below(20),
    factor: oddFactor(below),
    rounds: roundsOfPart,
    variable: "x",
    unused: 0,
    isBroken: false,
  };
}

function oddFactor(below: (end: number) => number): bigint {
  return (BigInt(below(2 ** 31)) << 32n) | BigInt(2 * below(2 ** 31) + 1);
}

function slowDown(part: Part, effect: number): string {
  part.rounds += Math.round(partCount * roundsOfPart * effect);
  return "Mix more thoroughly";
}

/** Changes code, names or code layout, but not the amount of work. */
function changePart(part: Part, below: (end: number) => number): string {
  switch (below(4)) {
    case 0:
      part.factor = oddFactor(below);
      return "Choose a better factor";
    case 1:
      part.shift = 7 + below(20);
      return "Choose a better shift";
    case 2:
      part.unused += 1;
      return "Add a function for later";
    default:
      part.variable = `x${below(1000)}`;
      return "Choose a better name";
  }
}

function fileOf({ shift, factor, rounds, variable, unused, isBroken }: Part, at: number): readonly [string, string] {
  const later = Array.from(
    { length: unused },
    (_, each) => `uint64_t later${at}_${each}(uint64_t x) { return x * ${each + 3} + 1; }\n`,
  );
  const end = isBroken ? "" : ";";
  return [
    `part${at}.c`,
    `${later.join("")}uint64_t part${at}(uint64_t ${variable}) {
  for (int i = 0; i < ${rounds}; i++) ${variable} = (${variable} ^ (${variable} >> ${shift})) * ${factor}ull + i;
  return ${variable}${end}\n}\n`,
  ];
}

function mainText(): string {
  const names = Array.from({ length: partCount }, (_, at) => `part${at}`);
  return `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
${names.map((name) => `#include "${name}.c"\n`).join("")}
int main(int count, char **words) {
  uint64_t x = 1;
  for (long left = atol(words[count - 1]); left > 0; left--) {
${names.map((name) => `    x += ${name}(x);\n`).join("")}  }
  printf("%llu\\n", (unsigned long long)x);
  fprintf(stderr, "%ld\\n", (long)clock() * (1000000 / CLOCKS_PER_SEC));
  return 0;
}\n`;
}

function commitOf(index: number, subject: string, files: readonly (readonly [string, string])[]): string {
  const when = `Ada <ada@example.org> ${1_700_000_000 + index * 60} +0000`;
  const blobs = files.map(([name, text]) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join("");
  return `commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${subject.length}\n${subject}\n${blobs}\n`;
}

/** Runs git and returns its standard output. */
export function git(folder: string, words: readonly string[], input?: string): string {
  const settings = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const ended = spawnSync("git", words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...settings },
    ...(input === undefined ? {} : { input }),
  });
  if (ended.status !== 0) throw new Error(`git ${words[0]}: ${ended.stderr}`);
  return ended.stdout;
}
