import fc from "fast-check";
import { expect, test } from "vitest";
import type { Digest } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { Experiment } from "../../../core/experiments/experiment.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import { decodeLedgerEntry, encodeLedgerEntry, type LedgerChange, type LedgerEntry } from "./ledger.ts";

const object = "a".repeat(40) as Digest;

const experiment: Experiment = {
  name: "net",
  synopsis: 'of "all"',
  description: "two\nlines",
  database: { host: "h", port: 5432, user: "u", name: "d" },
  readers: ["ann"],
  writers: [],
  admins: ["@lab"],
  variables: [
    {
      name: "n",
      role: "parameter",
      occurrence: "once",
      type: "integer",
      size: 2,
      default: null,
      valid: [1, 9007199254740993n],
    },
    {
      name: "t",
      role: "result",
      occurrence: "multiple",
      type: "float",
      unit: parseUnit("MiByte/s"),
      default: Number.NaN,
      better: "higher",
    },
    { name: "day", role: "result", occurrence: "multiple", type: "date", default: -1 },
    { name: "s", role: "parameter", occurrence: "multiple", type: "string", longest: 256, numeric: true, default: "" },
    { name: "on", role: "parameter", occurrence: "multiple", type: "boolean", default: false },
  ],
};

const changes: readonly LedgerChange[] = [
  { kind: "create-experiment", description: experiment, variables: [1, 2, 3, 4, 5], owner: "ann" },
  { kind: "update-experiment", description: experiment, variables: [1, 2, 3, 4, 5] },
  {
    kind: "create-experiment",
    description: experiment,
    variables: [1, 2, 3, 4, 5],
    uid: object,
    keys: ["n", "t", "day", "s", `on#${object}`],
  },
  {
    kind: "import",
    how: {
      joined: true,
      sequential: false,
      fixed: [["n", "1"]],
      missing: "ask",
      cells: "ignore",
      answers: ["", "x"],
      encoding: "latin1",
    },
    inputs: [
      {
        path: "-",
        sha256: "b".repeat(64),
        object,
        bytes: 0,
        modified: 10_400_000_000_000_000,
        description: object,
        runs: [1, 2],
      },
    ],
    runs: [
      {
        number: 1,
        created: 5,
        performed: -1,
        performer: "ann",
        label: "l",
        version: "c".repeat(40),
        dirty: false,
        description: object,
      },
    ],
    force: false,
  },
  { kind: "delete-runs", runs: [1] },
  { kind: "undelete-runs", runs: [1], force: true },
  { kind: "purge-runs", runs: [] },
  { kind: "spend-numbers", runs: [4, 5] },
  { kind: "mend", findings: ["wrong-count", "claim-without-run"] },
  { kind: "delete-experiment" },
  { kind: "undelete-experiment", name: "other" },
  { kind: "purge-experiment" },
  { kind: "attach", attachment: { name: "a", kind: "query", synopsis: "s", file: "f", object, creator: "ann" } },
  { kind: "detach", name: "a" },
  {
    kind: "store-parameters",
    set: "lab",
    contents: [
      { variable: 1, content: "1" },
      { variable: 4, content: null },
    ],
  },
  { kind: "delete-parameters", set: "lab" },
];

const entryOf = (change: LedgerChange): LedgerEntry => ({
  schema: "perfkeep.ledger/1",
  database: "8d2f",
  number: 2,
  previous: object,
  time: 1_700_000_000_000_000,
  experiment: 1,
  change,
});

test.each(changes.map((change) => [change.kind, change] as const))("an entry of %s round-trips", (_, change) => {
  expect(decodeLedgerEntry(encodeLedgerEntry(entryOf(change)), "x")).toEqual(entryOf(change));
});

test("unknown fields are ignored, such as the `program` of early imports", () => {
  const entry = entryOf({ kind: "delete-experiment" });
  const said = { ...entry, change: { ...entry.change, program: "0.1" } };
  expect(decodeLedgerEntry(new TextEncoder().encode(JSON.stringify(said)), "x")).toEqual(entry);
});

const spoilt: readonly (readonly [string, string])[] = [
  ["", "it is not JSON"],
  ["[]", "it is not an object"],
  ['{"schema":"perfkeep.ledger/2"}', "'schema' is not perfkeep.ledger/1"],
  ['{"schema":"perfkeep.ledger/1","database":"d","number":1.5}', "'number' is not a whole number"],
  [
    '{"schema":"perfkeep.ledger/1","database":"d","number":1,"time":1,"experiment":1,"change":{"kind":"eat"}}',
    "unknown kind 'eat'",
  ],
  [
    '{"schema":"perfkeep.ledger/1","database":"d","number":1,"previous":"../x","time":1,"experiment":1,"change":{}}',
    "'previous' is not the name of an object",
  ],
];

test.each(spoilt)("%j is refused: %s", (text, problem) => {
  expect(() => decodeLedgerEntry(new TextEncoder().encode(text), "x")).toThrow(problem);
});

test("a mutated entry is read or refused", () => {
  const bytes = fc.constantFrom(...changes).map((change) => encodeLedgerEntry(entryOf(change)));
  const mutation = fc.tuple(fc.nat(), fc.constantFrom(...'0"{}[],:-nx\\'));
  fc.assert(
    fc.property(bytes, fc.array(mutation, { minLength: 1, maxLength: 4 }), (whole, mutations) => {
      const mutated = Uint8Array.from(whole);
      for (const [at, character] of mutations) mutated[at % mutated.length] = character.charCodeAt(0);
      try {
        decodeLedgerEntry(mutated, "x");
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
    { numRuns: 3000 },
  );
});
