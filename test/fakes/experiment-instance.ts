import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { Failure } from "../../src/core/failures/failure.ts";
import { diffExperiments } from "../../src/core/experiments/experiment-diff.ts";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import { tableOf } from "../../src/core/tables/table-builder.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import type { StoredExperiment } from "../../src/store/catalogue/catalogue.ts";
import { experimentDigest } from "../../src/store/dump/dump-members.ts";
import { comparableStep, type HistoryStep } from "../../src/store/history/history-step.ts";
import { LedgerReader, type MergedExperiments } from "../../src/store/history/merge-experiments.ts";
import { mergedHistory } from "../../src/store/history/merged-history.ts";
import { KnownChanges } from "../../src/store/history/known-changes.ts";
import { localHistories, type LocalHistories } from "../../src/store/history/local-history.ts";
import { Experiments } from "../../src/store/experiments/experiments.ts";
import type { RunMetadata } from "../../src/store/catalogue/run-metadata.ts";
import type { RunWriter } from "../../src/store/catalogue/run-writer.ts";
import { Objects } from "../../src/store/objects/objects.ts";
import { rebuild, type ImportReplay } from "../../src/store/ledger/rebuild.ts";
import { migrate } from "../../src/store/schema/schema.ts";
import { openInMemory } from "./memory-engine.ts";

let clock = 1_700_000_000_000_000;

/** A second later. */
export const tick = (): number => (clock += 1_000_000);

const variables: Experiment["variables"] = [
  { name: "size", role: "parameter", occurrence: "multiple", type: "integer" },
  { name: "time", role: "result", occurrence: "multiple", type: "float" },
  { name: "host", role: "parameter", occurrence: "once", type: "string", default: null },
];
export const ping: Experiment = { name: "ping", readers: [], writers: [], variables };
export const smallPing: Experiment = { ...ping, variables: variables.slice(0, 2) };
const how = { from: "lines", joined: false, sequential: false, fixed: [], missing: "friendly" };

/** An importer: each line of a file is a run, each number a row. A file with `bad` fails. */
async function write(writer: RunWriter, { experiment }: StoredExperiment, text: string): Promise<void> {
  if (text.startsWith("bad")) throw new Failure("nothing-found", { file: "bad" });
  writer.begin();
  const { variables: all } = experiment;
  const columns = all.filter(({ occurrence }) => occurrence === "multiple");
  const rows = text.split(" ").map((word) => columns.map(({ type }) => (type === "string" ? word : Number(word))));
  await writer.rows(tableOf(columns, rows));
}

/** An instance with an open database; its imports are lines of numbers. */
export class Instance {
  readonly engine: Engine;
  readonly objects: Objects;
  readonly all: Experiments;
  readonly known: KnownChanges;
  readonly home: string;

  static async open(): Promise<Instance> {
    const home = mkdtempSync(join(tmpdir(), "perfkeep-instance-"));
    mkdirSync(join(home, "objects"));
    const engine = await openInMemory();
    await migrate(engine);
    return new Instance(home, engine);
  }

  constructor(home: string, engine: Engine) {
    this.home = home;
    this.engine = engine;
    this.objects = new Objects(join(home, "objects"), join(home, "quarantine"));
    this.all = new Experiments(engine, this.objects);
    this.known = new KnownChanges(join(home, "known"));
  }

  async import(text: string, name = "ping", force = false): Promise<number> {
    const stored = await this.all.find(name);
    const { digest: object } = this.objects.put("attachment", "raw", new TextEncoder().encode(text));
    const sha256 = createHash("sha256").update(text).digest("hex");
    const now = tick();
    return this.all.import(stored, now, how, async (writer) => {
      await write(writer, stored, text);
      await writer.end(new Map(), { created: now, performed: now });
      await writer.claim(1, { path: `${text}.txt`, sha256, object, bytes: text.length }, force);
      return (await writer.finish())[0] as number;
    });
  }

  async update(change: (before: Experiment) => Experiment, name = "ping"): Promise<void> {
    const stored = await this.all.find(name);
    await this.all.update(stored, diffExperiments(stored.experiment, change(stored.experiment)), tick());
  }

  replay(): ImportReplay {
    return async (stored, change, writer) => {
      for (const [at, { object, path, sha256, bytes }] of change.inputs.entries()) {
        await write(writer, stored, new TextDecoder().decode(this.objects.get(object).body));
        const { number: _, ...facts } = change.runs[at]!;
        await writer.end(new Map(), facts as RunMetadata);
        await writer.claim(1, { path, sha256, object, bytes }, true);
      }
    };
  }

  join(): Promise<MergedExperiments> {
    return this.all.mergeChanges(this.known, tick(), { replay: this.replay(), replayOthers: this.replay() });
  }

  /** Receives all changes and files of `other`. */
  async hear(other: Instance): Promise<void> {
    await other.all.addLocalChanges(other.known, tick());
    await this.all.addLocalChanges(this.known, tick());
    cpSync(join(other.home, "objects"), join(this.home, "objects"), { recursive: true, force: false });
    for (const uid of other.known.experiments()) this.known.add(other.known.of(uid).values());
  }

  async rows(name = "ping"): Promise<string[]> {
    const runs = await this.all.runs(await this.all.find(name), false);
    return runs.map(({ number, sources }) => `${number} ${sources.map(({ path }) => path).join()}`);
  }

  /** Digests of all experiments by uid, including deleted ones. */
  async digests(engine: Engine = this.engine): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const { uid, id, steps } of (await this.histories()).byUid.values())
      if (steps.at(-1)?.change.kind !== "purge-experiment") found[uid] = await experimentDigest(engine, { id });
    return found;
  }

  async histories(): Promise<LocalHistories> {
    return localHistories(await new LedgerReader(this.engine, this.objects).entries());
  }

  /** The digests after a rebuild. */
  async rebuilt(): Promise<Record<string, string>> {
    const engine = await openInMemory();
    try {
      const entries = await new LedgerReader(this.engine, this.objects).entries();
      await rebuild(engine, entries, this.replay(), () => {});
      return await this.digests(engine);
    } finally {
      await engine.close();
    }
  }

  async close(): Promise<void> {
    await this.all.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

export async function several<T>(count: number, work: (all: Instance[]) => Promise<T>): Promise<T> {
  const all: Instance[] = [];
  for (let at = 0; at < count; at++) all.push(await Instance.open());
  try {
    return await work(all);
  } finally {
    for (const each of all) await each.close();
  }
}

/** Exchanges and applies all changes between all instances. */
export async function settle(...all: Instance[]): Promise<void> {
  for (let round = 0; round < 2; round++)
    for (const one of all) for (const other of all) if (one !== other) await one.hear(other);
  for (const each of all) await each.join();
}

/** Checks that all instances have the same state, and that it matches their changes. */
export async function requireSame(all: readonly Instance[]): Promise<void> {
  const [first, ...others] = all;
  const digests = await first!.digests();
  for (const each of others) expect(await each.digests()).toEqual(digests);
  for (const each of all) {
    expect(await each.join()).toMatchObject({ steps: 0 });
    for (const { uid, steps } of (await each.histories()).byUid.values()) {
      const merged = mergedHistory(each.known.of(uid).values());
      const comparable = (some: readonly HistoryStep[]): string[] => some.map(comparableStep).sort();
      if (merged[0]?.change.kind !== "purge-experiment") expect(comparable(steps)).toEqual(comparable(merged));
    }
    expect(await each.all.check()).toEqual([]);
  }
}
