import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { rowsOf } from "../../../core/tables/table.ts";
import { parseExperiment } from "../../../formats/descriptions/experiment/experiment.ts";
import { readInput } from "../../../formats/descriptions/input/input.ts";
import { printInputXml } from "../../../formats/descriptions/input/input-xml-print.ts";
import type { ImportEvent } from "../importer.ts";
import { description } from "./description.ts";

/* Nearly valid descriptions, as people and programs write them: each gives a Failure or a complete import. */

const experiment = parseExperiment(
  `*experiment e
*parameter S int Byte
*parameter op string
*parameter note text once
*parameter n int
*parameter hits int once
*parameter ok boolean once
*parameter when timestamp once
*result T float us
*result B float
*result total float s once
`,
  "e.exp",
);

const data = new TextEncoder().encode(`# Benchmarking PingPong at 2020-01-02 03:04:05
n = 4, op=read total 5 ms err
note: first
second

#size,t[usec] B
0 8.80 0.5
8 9.62 0.1
16;x,3
<< a
b >> err
# Benchmarking Bcast
n = 8 op: write T=7.5us
1,2,3
size t
1024 18.80
2048 19.5 7
`);

const sets = `SEP string="# Bench" skip=0
NAMED n
NAMED op alias="op:" ws="= :" len=4 map={read,"r"} map_regexp={"^w",w}
NAMED hits match=err mode=count
NAMED ok regexp="^<<" mode=boolean
NAMED note lines=2
NAMED when match=at len=0
NAMED total regexp="total (.*)" unit=text scale=0.5 filter=","
TABLE S row=size regexp="^#size" pos=1 ws="," columns=3
TABLE T row=size regexp="^#size" pos=+1 ws="," columns=3
DERIVED B = S / (T + n) * 2
`;
const csv = `SEP param=op alias=Benchmarking run=yes
NAMED note begin="<<" end_regexp=">+"
NAMED total match=" err" content=leads unit=text
NAMED when trigger=Bench trigger_skip=0 match="at"
EXPL n row=2 pos="=" rep=1 typed
FIXED ok yes
FILENAME hits match=_n fuzzy=yes
TABLE T row="size t" separator="," pos=1 rows=2
TABLE B separator="," pos=3 scale=2
`;
const stream = `RULES stream
NAMED n match="n =" sticky=no
NAMED op match="op:" store=yes retrigger=yes
NAMED hits match=err mode=count
NAMED total match=total mode=accumulate
NAMED note match="note:" lines=0
NAMED T match="T=" update=auto
TABLE S row=size pos=1 start=1 columns=2
TABLE B row=size pos=2
DERIVED ok of=op map={read,yes} map={write,no}
SEP string="# Bench" run=yes
`;

const seeds = [sets, csv, stream];
const valid = [...seeds, ...seeds.flatMap((seed) => printInputXml(readInput(seed, "in")))];
const numbers = ["0", "1", "2", "3", "-1", "+1", "0.5", "70000", "999999999"];
const strays = [
  '"',
  "<",
  "&",
  "\0",
  "(",
  "[a",
  "\u20ac",
  "=",
  "{a,",
  "</input>",
  "(?=x)",
  "x{1000}",
  "RULES sets\n",
  "RULES stream\n",
];

interface Edit {
  readonly kind: "drop line" | "repeat line" | "number" | "word" | "punctuation";
  readonly at: number;
  readonly from: number;
}

const offset = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const kinds = ["drop line", "repeat line", "number", "number", "word", "word", "punctuation"] as const;
const edits = fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: offset, from: offset }), {
  minLength: 1,
  maxLength: 3,
});

function pick<T>(list: readonly T[], where: number): T {
  return list[Math.floor(where * list.length)] as T;
}

/** Replaces the n-th match of the pattern. */
function replaced(text: string, pattern: RegExp, where: number, by: (found: readonly string[]) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: old } = pick(found, where);
  return text.slice(0, index) + by(found.map((each) => each[0])) + text.slice(index + old.length);
}

function mutated(text: string, { kind, at, from }: Edit): string {
  const lines = text.split("\n");
  const line = Math.floor(at * lines.length);
  if (kind === "drop line") return lines.toSpliced(line, 1).join("\n");
  if (kind === "repeat line") return lines.toSpliced(line, 0, pick(lines, from)).join("\n");
  if (kind === "number") return replaced(text, /\d+/g, at, () => pick(numbers, from));
  if (kind === "word") return replaced(text, /[A-Za-z_]+(?==)/g, at, (words) => pick(words, from));
  const where = Math.floor(at * text.length);
  return text.slice(0, where) + pick(strays, from) + text.slice(where);
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(data);
}

async function outcome(text: string): Promise<readonly ImportEvent[] | string> {
  const events: ImportEvent[] = [];
  try {
    const guide = { experiment, description: readInput(text, "in"), path: "out_n16.dat" };
    for await (const event of description.read(pieces(), new Map(), guide)) events.push(event);
    return events;
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}

/** Every run has ended, and every cell has a value of the right type or none. */
function expectComplete(events: readonly ImportEvent[]): void {
  const warned = events.filter((event) => event.kind !== "notice");
  expect(warned.at(-1)?.kind).toBe("end");
  for (const event of warned) {
    if (event.kind !== "rows") continue;
    const { table } = event;
    for (const row of rowsOf(table)) expect(row).toHaveLength(table.variables.length);
    for (const column of table.columns) {
      if (column.kind === "number") expect(column.values.length).toBeGreaterThanOrEqual(table.length);
    }
    for (const variable of table.variables) expect(variable.occurrence).toBe("multiple");
  }
}

describe("nearly valid descriptions", () => {
  test.each(valid.map((text) => [text.slice(0, 40), text]))("%s is valid unchanged", async (_, text) => {
    const events = await outcome(text);
    expect(typeof events === "string" ? events : "").toBe("");
  });

  test("10,000 of them give a Failure or a complete import", { timeout: 120_000 }, async () => {
    const seen = { imports: 0, failures: 0 };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...valid), edits, async (text, changes) => {
        const result = await outcome(changes.reduce(mutated, text));
        if (typeof result === "string") seen.failures += 1;
        else {
          expectComplete(result);
          seen.imports += 1;
        }
      }),
      { numRuns: 10_000, seed: 7, endOnFailure: true },
    );
    expect(Math.min(seen.imports, seen.failures)).toBeGreaterThan(1000);
  });
});
