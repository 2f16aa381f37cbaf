import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Value } from "../../core/values/value.ts";
import { dataTypes } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { plan } from "../../query/plan/query.ts";
import { Experiments } from "./experiments.ts";
import type { RunMetadata, Source } from "../catalogue/run-metadata.ts";
import type { RunWriter } from "../catalogue/run-writer.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

const size: Variable = {
  name: "S_size",
  role: "parameter",
  occurrence: "multiple",
  type: "integer",
  unit: parseUnit("Byte"),
};
const latency: Variable = {
  name: "T_lat",
  role: "result",
  occurrence: "multiple",
  type: "float",
  unit: parseUnit("us"),
  default: null,
};
const host: Variable = {
  name: "host",
  role: "parameter",
  occurrence: "once",
  type: "string",
  default: "none",
  valid: ["none", "alpha"],
};
const release: Variable = {
  name: "release",
  role: "parameter",
  occurrence: "once",
  type: "version",
  default: null,
  synopsis: "of the library",
};
const netlat: Experiment = {
  name: "NetLat",
  synopsis: "latency",
  performedBy: 'R. "O\'Brien"',
  database: { name: "x.db" },
  readers: ["ann", "bob"],
  writers: [],
  variables: [size, latency, host, release],
};

const facts: RunMetadata = { created: 1763717000000000, performed: 1763716000000000, label: "nightly" };
const version = "0123456789012345678901234567890123456789" as VersionId;

function source(name: string): Source {
  return { path: name, sha256: name.padEnd(64, "0"), object: "f".repeat(40) as Digest, bytes: 10 };
}

const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
const defaultOf = (v: Variable): Value => v.default ?? null;

onEachDialect("experiments in a database", (makeDatabase) => {
  let folder: string;
  let database: TestDatabase;
  let engine: Engine;
  let experiments: Experiments;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "perfkeep-experiments-"));
    database = await makeDatabase();
    engine = await database.open("write");
    await migrate(engine);
    experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
  });
  afterEach(async () => {
    await engine.close();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function importRun(
    rows: readonly (readonly Value[])[],
    once: ReadonlyMap<string, Value>,
    from: Source,
    more: Partial<RunMetadata> = {},
    force = false,
  ) {
    const stored = await experiments.find("netlat");
    const write = async (writer: RunWriter): Promise<void> => {
      writer.begin();
      await writer.rows(
        tableOf(
          [size, latency].map((v) => stored.experiment.variables.find((w) => w.name === v.name) as Variable),
          rows,
        ),
      );
      await writer.end(once, { ...facts, ...more });
      await writer.claim(1, from, force);
    };
    return experiments.import(stored, 5, how, write, { names: false });
  }

  async function ask(question: Parameters<typeof plan>[0]) {
    const stored = await experiments.find("NetLat");
    const answer = await experiments.select(stored, plan(question, stored.experiment));
    return {
      names: answer.variables.map((v) => v.name),
      units: answer.variables.map((v) => v.unit),
      rows: rowsOf(answer),
    };
  }

  test("are read back as described", async () => {
    await experiments.create(netlat, 1);
    expect((await experiments.find("nEtLaT")).experiment).toEqual(netlat);
    await experiments.create({ ...netlat, name: "'; drop table run; --" }, 1);
    expect((await experiments.list()).map((each) => each.name)).toEqual(["'; drop table run; --", "NetLat"]);
  });

  test("are read in parts that a run may be divided into, in order", async () => {
    const stored = await experiments.create(netlat, 1);
    const rowsOfRun = [5, 1, 7];
    for (const [at, count] of rowsOfRun.entries())
      await importRun(
        Array.from({ length: count }, (_, row) => [at * 100 + row, row / 2]),
        new Map(),
        source(`run${at}`),
      );
    const query = plan({ results: ["S_size", "T_lat"] }, stored.experiment);
    const parts: ReturnType<typeof rowsOf>[] = [];
    await experiments.selectInParts(stored, { ...query, runs: [3, 1] }, 4, (part) => void parts.push(rowsOf(part)));
    expect(parts.map(({ length }) => length)).toEqual([4, 1, 4, 3]);
    expect(parts.flat()).toEqual(rowsOf(await experiments.select(stored, { ...query, runs: [1, 3] })));
    expect(parts.flat().map(([first]) => first)).toEqual([0, 1, 2, 3, 4, 200, 201, 202, 203, 204, 205, 206]);
  });

  test("have unique names; an unknown name lists similar ones", async () => {
    await experiments.create(netlat, 1);
    await expect(experiments.create({ ...netlat, name: "NETLAT" }, 1)).rejects.toMatchObject({
      code: "experiment-exists",
    });
    await expect(experiments.find("netlate")).rejects.toMatchObject({
      code: "unknown-experiment",
      data: { near: "NetLat" },
    });
  });

  test("store variables of every type, with their defaults", async () => {
    const values: Readonly<Record<string, Value>> = {
      integer: 2 ** 40,
      float: Number.NaN,
      boolean: true,
      date: 5,
      timeofday: 1.5,
      duration: 90,
      timestamp: 7,
      binary: "AA==",
      version: "1.2rc1",
    };
    const variables = dataTypes.flatMap((type): Variable[] => {
      const value = values[type] ?? "a,'b' ";
      return (["once", "multiple"] as const).map((occurrence) => ({
        name: `${type}_${occurrence}`,
        role: "result",
        occurrence,
        type,
        default: value,
      }));
    });
    const every: Experiment = { name: "every", readers: [], writers: [], variables };
    const stored = await experiments.create(every, 1);
    expect((await experiments.find("every")).experiment).toEqual(every);
    const multiple = variables.filter((v) => v.occurrence === "multiple");
    await experiments.import(stored, 2, how, async (writer) => {
      writer.begin();
      await writer.rows(tableOf(multiple, [multiple.map(defaultOf), multiple.map(() => null)]));
      await writer.end(
        new Map(variables.filter((v) => v.occurrence === "once").map((v) => [v.name, defaultOf(v)])),
        facts,
      );
    });
    const answer = await experiments.select(stored, plan({}, every));
    expect(answer.variables.map((v) => v.type)).toEqual(variables.map((v) => v.type));
    expect(rowsOf(answer)).toEqual([
      variables.map(defaultOf),
      variables.map((v) => (v.occurrence === "once" ? defaultOf(v) : null)),
    ]);
  });

  test("store runs, whose values and metadata can be queried", async () => {
    await experiments.create(netlat, 1);
    await importRun(
      [
        [8, 1.5],
        [16, null],
      ],
      new Map([
        ["host", "alpha"],
        ["release", "1.10"],
      ]),
      source("a"),
      { version, dirty: true },
    );
    await importRun(
      [[8, 2.5]],
      new Map([
        ["host", "none"],
        ["release", "1.9"],
      ]),
      source("b"),
    );
    expect((await ask({})).rows).toEqual([
      [8, 1.5, "alpha", "1.10"],
      [16, null, "alpha", "1.10"],
      [8, 2.5, "none", "1.9"],
    ]);
    expect((await ask({ results: ["run", "commit", "dirty", "label", "performed"] })).rows).toEqual([
      [1, version, true, "nightly", facts.performed],
      [2, null, null, "nightly", facts.performed],
    ]);
    expect(await experiments.list()).toMatchObject([{ name: "NetLat", runs: 2, rows: 3, modified: 5 }]);
    const runs = await experiments.runs(await experiments.find("NetLat"), false);
    expect(runs).toMatchObject([
      { number: 1, rows: 2, version, dirty: true, active: true, sources: [source("a")] },
      { number: 2, rows: 1 },
    ]);
  });

  test("support groups, conditions, runs, versions and units", async () => {
    await experiments.create(netlat, 1);
    await importRun(
      [
        [8, 1],
        [1024, 2],
        [1024, 4],
      ],
      new Map([["release", "1.10"]]),
      source("a"),
      { version },
    );
    await importRun(
      [
        [8, 3],
        [2048, 8],
      ],
      new Map([["release", "1.9"]]),
      source("b"),
    );
    const grouped = await ask({ results: ["T_lat"], by: ["S_size"], statistics: ["mean", "count"] });
    expect(grouped.names).toEqual(["S_size", "T_lat.mean", "T_lat.count"]);
    expect(grouped.units).toEqual([size.unit, latency.unit, undefined]);
    expect(grouped.rows).toEqual([
      [8, 2, 2],
      [1024, 3, 2],
      [2048, 8, 1],
    ]);
    expect((await ask({ results: ["T_lat"], where: ["S_size>=1KiByte"], sort: ["-T_lat"], limit: 2 })).rows).toEqual([
      [8],
      [4],
    ]);
    expect((await ask({ results: ["T_lat"], statistics: ["max"], by: ["release"] })).rows).toEqual([
      ["1.9", 8],
      ["1.10", 4],
    ]);
    expect(
      (await ask({ results: ["T_lat"], where: ["release<1.10"], statistics: ["q50", "median", "q100"] })).rows,
    ).toEqual([[5.5, 5.5, 8]]);
    expect((await ask({ statistics: ["count"], by: ["commit"] })).rows).toEqual([
      [version, 3],
      [null, 2],
    ]);
    expect((await ask({ statistics: ["count"], versions: [version] })).rows).toEqual([[3]]);
    expect((await ask({ statistics: ["count"], runs: [2, 7] })).rows).toEqual([[2]]);
    expect((await ask({ statistics: ["count"], versions: [] })).rows).toEqual([[0]]);
    expect((await ask({ statistics: ["count"], by: ["host"], where: ["release~.1"] })).rows).toEqual([[null, 3]]);
  });

  test("refuse the same file twice, unless forced or its run is deleted", async () => {
    await experiments.create(netlat, 1);
    const rows = [[8, 1]];
    await importRun(rows, new Map(), source("a"));
    await expect(importRun(rows, new Map(), source("a"))).rejects.toMatchObject({
      code: "already-imported",
      data: { run: "1" },
    });
    expect((await ask({ statistics: ["count"] })).rows).toEqual([[1]]);
    await importRun(rows, new Map(), source("a"), {}, true);
    const stored = await experiments.find("NetLat");
    const active = (await experiments.runs(stored, false)).map((run) => run.number);
    await experiments.removeRuns(stored, [active[0] as number], 6);
    await expect(importRun(rows, new Map(), source("a"))).rejects.toMatchObject({ code: "already-imported" });
    await experiments.removeRuns(stored, [active[1] as number], 6);
    await importRun(rows, new Map(), source("a"));
    expect((await ask({ statistics: ["count"] })).rows).toEqual([[1]]);
    expect(await experiments.runs(stored, true)).toHaveLength(3);
    await expect(experiments.removeRuns(stored, [99], 6)).rejects.toMatchObject({ code: "unknown-run" });
  });

  test("store nothing of a failed import", async () => {
    await experiments.create(netlat, 1);
    const stored = await experiments.find("NetLat");
    const failing = experiments.import(stored, 5, how, async (writer) => {
      writer.begin();
      await writer.rows(
        tableOf(
          [size, latency],
          Array.from({ length: 70_000 }, (_, i) => [i, i]),
        ),
      );
      await writer.end(new Map(), facts);
      await writer.claim(1, source("a"), false);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect((await ask({ statistics: ["count"] })).rows).toEqual([[0]]);
    expect(await experiments.runs(stored, true)).toEqual([]);
    await importRun([[1, 1]], new Map(), source("a"));
  });

  test("are removed with all their data", async () => {
    await experiments.create(netlat, 1);
    await experiments.create({ ...netlat, name: "other" }, 1);
    await importRun([[8, 1]], new Map(), source("a"));
    await experiments.purge(await experiments.find("NetLat"), 7);
    await expect(experiments.find("NetLat")).rejects.toMatchObject({ code: "unknown-experiment" });
    expect((await experiments.list()).map((each) => each.name)).toEqual(["other"]);
    await experiments.create(netlat, 1);
    await importRun([[8, 1]], new Map(), source("a"));
  });
});
