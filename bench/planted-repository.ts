// A real repository of a small C program whose versions really change its code, one of which makes it slower.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { seededRandom } from "../src/math/sampling/seeded-random.ts";

export interface PlantedRepository {
  /** Ids of versions, the oldest first; the first one is good, the last one bad. */
  readonly versions: readonly string[];
  /** The place of the version that made the program slower. */
  readonly first: number;
  /** Places of versions that cannot be built. */
  readonly broken: ReadonlySet<number>;
}

/**
 * How it is built in a tree of it. The program takes the number of its rounds, and tells on standard error how many
 * microseconds of the processor it took.
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
 * A repository of `count` versions behind a first one, of which one at random does more by `effect` (0.1: 10 % more).
 * The same for the same seed.
 */
export function plantRepository(folder: string, seed: number, count: number, effect: number): PlantedRepository {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const first = 1 + below(count);
  const broken = brokenPlaces(below, count, first);
  const parts = Array.from({ length: partCount }, (): Part => newPart(below));
  const pieces = [commitOf(0, "start", [["work.c", mainText()], ...parts.map((part, at) => fileOf(part, at))])];
  for (let place = 1, mended: number | null = null; place <= count; place++) {
    const at: number = mended ?? below(partCount);
    const part: Part = parts[at]!;
    const subject = place === first ? slowDown(part, effect) : changePart(part, below);
    part.isBroken = broken.has(place);
    mended = part.isBroken ? at : null;
    pieces.push(commitOf(place, subject, [fileOf(part, at), ["NOTES", `${place}\n`]]));
  }
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "-q", "-b", "main"]);
  git(folder, ["fast-import", "--quiet"], pieces.join(""));
  git(folder, ["reset", "-q", "--hard", "main"]);
  return { versions: git(folder, ["rev-list", "--reverse", "main"]).trim().split("\n"), first, broken };
}

/** About one in twelve, neither an end nor one next to the slower version, which could then not be told from it. */
function brokenPlaces(below: (end: number) => number, count: number, first: number): Set<number> {
  const places = Array.from({ length: Math.floor(count / 12) }, () => 1 + below(count - 1));
  return new Set(places.filter((place) => place !== first && place !== first - 1));
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

/** Changes code, names, or what lies where, but not how much is done. */
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

function commitOf(place: number, subject: string, files: readonly (readonly [string, string])[]): string {
  const when = `Ada <ada@example.org> ${1_700_000_000 + place * 60} +0000`;
  const blobs = files.map(([name, text]) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join("");
  return `commit refs/heads/main\nauthor ${when}\ncommitter ${when}\ndata ${subject.length}\n${subject}\n${blobs}\n`;
}

/** What git says to that. */
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
