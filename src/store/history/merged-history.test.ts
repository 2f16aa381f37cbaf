import fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Variable } from "../../core/variables/variable.ts";
import {
  decodeSharedChange,
  encodeSharedChange,
  sharedChangeDigest,
  type SharedChange,
  type SharedChangeBody,
} from "../../formats/store/sharing/experiment-change.ts";
import { comparableStep, type HistoryStep } from "./history-step.ts";
import { mergedHistory, type NamedChange } from "./merged-history.ts";

const hex = (text: string, algorithm = "sha1"): string => createHash(algorithm).update(text).digest("hex");
const origin = (at: number): Digest => hex(`origin ${at}`) as Digest;
const uid = hex("ping") as Digest;

const variable = (name: string, type: Variable["type"] = "float"): Variable => ({
  name,
  role: "result",
  occurrence: "multiple",
  type,
});
const ping: Experiment = { name: "ping", readers: [], writers: [], variables: [variable("time")] };

/** Changes that may refer to missing things, because their senders knew other changes. */
const whats: fc.Arbitrary<SharedChangeBody> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constant<SharedChangeBody>({ kind: "create-experiment", description: ping, keys: ["time"] }),
  },
  {
    weight: 8,
    arbitrary: fc
      .record({
        file: fc.nat(9),
        wished: fc.integer({ min: 1, max: 12 }),
        force: fc.boolean(),
        runs: fc.integer({ min: 1, max: 3 }),
      })
      .map(imported),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        kind: fc.constantFrom("delete-runs", "undelete-runs", "purge-runs"),
        runs: fc.array(fc.record({ origin: fc.nat(30).map(origin), number: fc.integer({ min: 1, max: 14 }) }), {
          maxLength: 4,
        }),
      })
      .map((what): SharedChangeBody => what),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        name: fc.constantFrom("time", "loss", "load"),
        key: fc.constantFrom("time", "loss", "load"),
        drops: fc.boolean(),
      })
      .map(({ name, key, drops }): SharedChangeBody => ({
        kind: "update-experiment",
        description: {
          ...ping,
          name: `ping-${name}`,
          variables: [variable(name, key === "load" ? "string" : "float")],
        },
        keys: [key],
        added: key === "time" ? [] : [key],
        dropped: drops ? ["loss"] : [],
        fields: drops ? ["name"] : [],
      })),
  },
  fc.constantFrom<SharedChangeBody>({ kind: "delete-experiment" }, { kind: "undelete-experiment", name: "pong" }),
  fc.nat(3).map((at): SharedChangeBody => ({
    kind: "attach",
    attachment: { name: `a${at % 2}`, kind: "input", object: origin(at) },
  })),
  fc.nat(30).map((at): SharedChangeBody => ({ kind: "detach", attached: origin(at) })),
  fc.constantFrom<SharedChangeBody>(
    { kind: "store-parameters", set: "S", contents: [{ key: "loss", content: "1" }] },
    { kind: "delete-parameters", set: "s" },
  ),
);

function imported({
  file,
  wished,
  force,
  runs: count,
}: {
  file: number;
  wished: number;
  force: boolean;
  runs: number;
}): SharedChangeBody {
  const numbers = Array.from({ length: count }, (_, at) => wished + at);
  const inputs = numbers.map((number, at) => ({
    path: `${file + at}.txt`,
    sha256: hex(`${file + at}`, "sha256"),
    object: hex(`${file + at}`) as Digest,
    bytes: 1,
    runs: [number],
  }));
  const runs = numbers.map((number) => ({ number, created: wished, performed: 1 }));
  return {
    kind: "import",
    how: { from: "csv", joined: false, sequential: false, fixed: [], missing: "friendly" },
    inputs,
    runs,
    force,
  };
}

const changeSets = fc.array(
  fc.record({ what: whats, origin: fc.nat(30).map(origin), sent: fc.nat(12), time: fc.nat(5) }),
  {
    maxLength: 40,
  },
);

function named(changes: readonly Omit<SharedChange, "experiment">[]): NamedChange[] {
  return changes.map((each) => {
    const bytes = encodeSharedChange({ experiment: uid, ...each });
    return { digest: sharedChangeDigest(bytes), change: decodeSharedChange(bytes, "x") };
  });
}

const comparable = (steps: readonly HistoryStep[]): string[] => steps.map(comparableStep);

test("a set of changes gives one history, regardless of order and repetition", () => {
  fc.assert(
    fc.property(changeSets, fc.infiniteStream(fc.nat(1000)), (changes, numbers) => {
      const all = named(changes);
      const shuffled = [...all, ...all.slice(0, 3)]
        .map((each) => [numbers.next().value, each] as const)
        .sort(([a], [b]) => a - b)
        .map(([, each]) => each);
      expect(comparable(mergedHistory(shuffled))).toEqual(comparable(mergedHistory(all)));
    }),
    { seed: 9, numRuns: 500 },
  );
});

test("a merged history is possible on one instance, and loses no file", () => {
  fc.assert(
    fc.property(changeSets, (changes) => {
      const all = named(changes);
      const steps = mergedHistory(all);
      const active = new Map<number, boolean>();
      let last = 0;
      let [names, isHidden]: [string[], boolean] = [[], false];
      for (const [at, { change }] of steps.entries()) {
        expect(change.kind === "create-experiment").toBe(at === 0);
        if (change.kind === "create-experiment" || change.kind === "update-experiment") {
          names = change.description.variables.map(({ name }) => name);
          expect([new Set(names).size, new Set(change.keys).size]).toEqual([names.length, names.length]);
        }
        if (change.kind === "import") {
          for (const { number } of change.runs) {
            expect(number).toBeGreaterThan(last);
            active.set((last = number), true);
          }
          expect(change.inputs.flatMap(({ runs }) => runs)).toEqual(change.runs.map(({ number }) => number));
        }
        if (change.kind === "delete-runs" || change.kind === "undelete-runs")
          for (const run of change.runs) {
            expect(active.get(run)).toBe(change.kind === "delete-runs");
            active.set(run, change.kind !== "delete-runs");
          }
        if (change.kind === "purge-runs")
          for (const run of change.runs) expect([active.get(run), active.delete(run)]).toEqual([false, true]);
        if (change.kind === "delete-experiment" || change.kind === "undelete-experiment") {
          expect(isHidden).toBe(change.kind === "undelete-experiment");
          isHidden = !isHidden;
        }
      }
      requireFiles(all, steps);
    }),
    { seed: 10, numRuns: 500 },
  );
});

/** The files of every import after the creation of the experiment. */
function requireFiles(all: readonly NamedChange[], steps: readonly HistoryStep[]): void {
  const ordered = [...all].sort((a, b) => a.change.sent - b.change.sent || (a.digest < b.digest ? -1 : 1));
  const first = ordered.filter(
    ({ change }, at) => ordered.findIndex((other) => other.change.origin === change.origin) === at,
  );
  const from = first.findIndex(({ change }) => change.what.kind === "create-experiment");
  const files = (what: { readonly kind: string; readonly inputs?: readonly { readonly sha256: string }[] }): string[] =>
    what.kind === "import" ? (what.inputs ?? []).map(({ sha256 }) => sha256) : [];
  const kept = new Set(steps.flatMap(({ change }) => files(change)));
  for (const { change } of from < 0 ? [] : first.slice(from))
    for (const file of files(change.what)) expect(kept).toContain(file);
}

test("a purge overrides everything, and nothing happens before the creation", () => {
  const purge = named([{ origin: origin(99), sent: 0, time: 1, what: { kind: "purge-experiment" } }]);
  const create = named([
    { origin: origin(1), sent: 5, time: 1, what: { kind: "create-experiment", description: ping, keys: ["time"] } },
  ]);
  expect(mergedHistory([...create, ...purge]).map(({ change }) => change.kind)).toEqual(["purge-experiment"]);
  const hide = named([{ origin: origin(2), sent: 1, time: 1, what: { kind: "delete-experiment" } }]);
  expect(mergedHistory(hide)).toEqual([]);
  expect(mergedHistory([...hide, ...create]).map(({ change }) => change.kind)).toEqual(["create-experiment"]);
});

test("impossible run numbers are not assigned", () => {
  const far = named([
    { origin: origin(1), sent: 1, time: 1, what: { kind: "create-experiment", description: ping, keys: ["time"] } },
    { origin: origin(2), sent: 2, time: 1, what: imported({ file: 1, wished: 2 ** 50, force: false, runs: 1 }) },
    { origin: origin(3), sent: 3, time: 1, what: imported({ file: 2, wished: 5, force: false, runs: 1 }) },
  ]);
  expect(mergedHistory(far).flatMap(({ change }) => (change.kind === "import" ? change.runs : []))).toMatchObject([
    { number: 1, was: 2 ** 50 },
    { number: 5 },
  ]);
});
