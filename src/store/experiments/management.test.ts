import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { ExperimentUpdate, VariableChange } from "../../core/experiments/experiment-update.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Digest } from "../../core/versions/digest.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { plan } from "../../query/plan/query.ts";
import { Experiments } from "./experiments.ts";
import type { Source } from "../catalogue/run-metadata.ts";
import type { RunWriter } from "../catalogue/run-writer.ts";
import { listedEntries, readEntry } from "../ledger/ledger.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

const size: Variable = {
  name: "size",
  role: "parameter",
  occurrence: "multiple",
  type: "integer",
  unit: parseUnit("Byte"),
};
const time: Variable = {
  name: "time",
  role: "result",
  occurrence: "multiple",
  type: "float",
  unit: parseUnit("us"),
  default: null,
};
const rate: Variable = { name: "rate", role: "result", occurrence: "multiple", type: "float", default: null };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string", default: "none" };
const ping: Experiment = { name: "Ping", readers: ["ann"], writers: [], variables: [size, time, rate, host] };
const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };

onEachDialect(
  "experiments are managed",
  (makeDatabase, dialect) => {
    let folder: string;
    let database: TestDatabase;
    let engine: Engine;
    let objects: Objects;
    let experiments: Experiments;
    /** Every import has a different time. */
    let moment = 5;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "perfkeep-management-"));
      database = await makeDatabase();
      engine = await database.open("write");
      await migrate(engine);
      objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
      experiments = database.experiments?.(engine, objects) ?? new Experiments(engine, objects);
      await experiments.create(ping, 1, "ann");
    });

    afterEach(async () => {
      await engine.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    });

    function source(name: string): Source {
      const { digest } = objects.put("attachment", "raw", new TextEncoder().encode(name));
      return {
        path: name,
        sha256: Buffer.from(name).toString("hex").padEnd(64, "0"),
        object: digest,
        bytes: name.length,
      };
    }

    async function importRun(rows: readonly (readonly Value[])[], name: string, force = false): Promise<number> {
      const stored = await experiments.find("ping");
      return experiments.import(stored, 5, how, async (writer) => {
        writer.begin();
        await writer.rows(
          tableOf(
            stored.experiment.variables.slice(0, 3),
            rows.map((row) => [...row, ...Array<null>(3 - row.length).fill(null)]),
          ),
        );
        await writer.end(new Map([["host", name]]), { created: moment++, performed: 5 });
        await writer.claim(1, source(name), force);
        return (await writer.finish())[0] as number;
      });
    }

    async function rows(): Promise<readonly (readonly unknown[])[]> {
      const stored = await experiments.find("ping");
      return rowsOf(await experiments.select(stored, plan({}, stored.experiment)));
    }

    async function update(changes: readonly VariableChange[], more: Partial<ExperimentUpdate> = {}) {
      const stored = await experiments.find("ping");
      return experiments.update(stored, { experiment: "ping", about: {}, access: [], changes, ...more }, 9);
    }

    test("numbers of failed runs are skipped", async () => {
      expect(await importRun([[1]], "a")).toBe(1);
      const stored = await experiments.find("ping");
      let failed: RunWriter | undefined;
      const reopen = async () => {
        await engine.close();
        engine = await database.open("write");
        experiments = database.experiments?.(engine, objects) ?? new Experiments(engine, objects);
      };
      await reopen();
      const broken = experiments.import(stored, 5, how, async (writer) => {
        failed = writer;
        writer.begin();
        throw new Error("broken");
      });
      await expect(broken).rejects.toThrow("broken");
      await reopen();
      await experiments.spendRunNumbers(stored, 2, 6, failed);
      expect(await importRun([[2]], "b")).toBe(4);
    });

    test("updates add, rename and drop variables; in existing runs, new parameters have their default", async () => {
      await importRun([[8, 1.5]], "a");
      const mode: Variable = {
        name: "mode",
        role: "parameter",
        occurrence: "multiple",
        type: "version",
        default: "1.10",
      };
      const day: Variable = { name: "day", role: "parameter", occurrence: "once", type: "date", default: 3 };
      const loss: Variable = { name: "loss", role: "result", occurrence: "multiple", type: "integer", default: 7 };
      await update(
        [
          { kind: "add", variable: mode },
          { kind: "add", variable: day },
          { kind: "add", variable: loss },
          { kind: "drop", name: "rate" },
          { kind: "alter", name: "TIME", newName: "latency", unit: parseUnit("ms") },
        ],
        { about: { synopsis: "new" }, access: [{ action: "grant", level: "admin", who: "@lab" }] },
      );
      const { experiment } = await experiments.find("ping");
      expect(experiment.variables.map((v) => v.name)).toEqual(["size", "latency", "host", "mode", "day", "loss"]);
      expect(experiment).toMatchObject({ synopsis: "new", readers: ["ann"], admins: ["@lab"] });
      expect(await rows()).toEqual([[8, 0.0015, "a", "1.10", 3, null]]);
      const back = await experiments.find("ping");
      expect(back.owner).toBe(dialect === "duckdb" ? "ann" : "owner");
    });

    test("a refused update changes nothing; another dimension is refused only if there are runs", async () => {
      const seconds: VariableChange = { kind: "alter", name: "size", unit: parseUnit("s") };
      await update([seconds]);
      await update([{ kind: "alter", name: "size", unit: parseUnit("Byte") }]);
      await importRun([[8, 1.5]], "a");
      await expect(update([{ kind: "drop", name: "rate" }, seconds])).rejects.toMatchObject({ code: "update-refused" });
      expect((await experiments.find("ping")).experiment.variables).toHaveLength(4);
      expect(await rows()).toEqual([[8, 1.5, null, "a"]]);
    });

    test("a run is restored next to one of the same import with the same file", async () => {
      const stored = await experiments.find("ping");
      await experiments.import(stored, 5, how, async (writer) => {
        for (const time of [1, 2]) {
          writer.begin();
          await writer.rows(tableOf(stored.experiment.variables.slice(0, 3), [[8, time, null]]));
          await writer.end(new Map([["host", "a"]]), { created: 5, performed: 5 });
        }
        await writer.claim(2, source("a"), false);
      });
      await experiments.removeRuns(stored, [1], 6);
      await experiments.restoreRuns(stored, [1], false, 6);
      expect(await rows()).toHaveLength(2);
    });

    test("deleted runs are restored, unless their file has been imported again", async () => {
      const first = await importRun([[8, 1]], "a");
      const stored = await experiments.find("ping");
      await experiments.removeRuns(stored, [first], 6);
      await experiments.restoreRuns(stored, [first], false, 6);
      await expect(importRun([[8, 1]], "a")).rejects.toMatchObject({ code: "already-imported" });
      await experiments.removeRuns(stored, [first], 6);
      const second = await importRun([[8, 2]], "a");
      await expect(experiments.restoreRuns(stored, [first], false, 6)).rejects.toMatchObject({
        code: "already-imported",
        data: { run: String(second) },
      });
      await experiments.restoreRuns(stored, [first], true, 6);
      expect(await rows()).toHaveLength(2);
      await expect(experiments.restoreRuns(stored, [first], true, 6)).rejects.toMatchObject({
        code: "unknown-deleted-run",
      });
    });

    test("runs are found by the bytes of their file, else by its path", async () => {
      const run = await importRun([[8, 1]], "a");
      const stored = await experiments.find("ping");
      expect(await experiments.runsFrom(stored, "elsewhere", source("a").sha256)).toEqual([run]);
      expect(await experiments.runsFrom(stored, "a", "f".repeat(64))).toEqual([run]);
      await expect(experiments.runsFrom(stored, "b")).rejects.toMatchObject({ code: "no-such-source" });
    });

    test("purged runs are removed with all their data, the others stay", async () => {
      const first = await importRun([[8, 1]], "a");
      await importRun([[8, 2]], "b");
      const stored = await experiments.find("ping");
      await experiments.removeRuns(stored, [first], 6);
      expect(await experiments.purgeRuns(stored, 7)).toEqual([first]);
      expect(await experiments.purgeRuns(stored, 7)).toEqual([]);
      expect((await experiments.runs(stored, true)).map((run) => run.number)).toEqual([2]);
      expect(await experiments.check()).toEqual([]);
    });

    test("a deleted experiment is not listed, frees its name, and can be restored with another", async () => {
      await importRun([[8, 1]], "a");
      await experiments.remove(await experiments.find("ping"), 6);
      expect(await experiments.list()).toEqual([]);
      await expect(experiments.find("ping")).rejects.toMatchObject({ code: "unknown-experiment" });
      await experiments.create(ping, 7);
      const deleted = await experiments.findDeleted("PING");
      await expect(experiments.restore(deleted, 8)).rejects.toMatchObject({ code: "experiment-exists" });
      await experiments.restore(deleted, 8, "Pong");
      expect((await experiments.list()).map((each) => [each.name, each.runs])).toEqual([
        ["Ping", 0],
        ["Pong", 1],
      ]);
      await expect(experiments.findDeleted("ping")).rejects.toMatchObject({ code: "unknown-experiment" });
    });

    test("attachments have unique names and kinds", async () => {
      const stored = await experiments.find("ping");
      const { digest } = objects.put("attachment", "input", new TextEncoder().encode("<input/>"));
      await experiments.attach(stored, { name: "In", kind: "input", object: digest, creator: "ann" }, 3);
      await expect(experiments.attach(stored, { name: "in", kind: "query", object: digest }, 3)).rejects.toMatchObject({
        code: "attachment-exists",
      });
      expect(await experiments.attachments(stored)).toEqual([
        { name: "In", kind: "input", object: digest, creator: "ann", created: 3 },
      ]);
      expect(
        new TextDecoder().decode(experiments.attachmentBytes(await experiments.attachment(stored, "IN", "input"))),
      ).toBe("<input/>");
      await expect(experiments.attachment(stored, "in", "query")).rejects.toMatchObject({ code: "unknown-attachment" });
      await experiments.detach(stored, "in", 4);
      expect(await experiments.attachments(stored)).toEqual([]);
    });

    test("parameter sets store once parameters and are replaced completely", async () => {
      const stored = await experiments.find("ping");
      await experiments.storeParameterSet(
        stored,
        "Lab",
        new Map<string, Value>([
          ["host", "x"],
          ["size", 4],
        ]),
        3,
      );
      await experiments.storeParameterSet(stored, "lab", new Map([["host", "y"]]), 3);
      expect(await experiments.parameterSets(stored)).toEqual(["lab"]);
      expect(await experiments.parameterSet(stored, "LAB")).toEqual(new Map([["host", "y"]]));
      await expect(experiments.parameterSet(stored, "la")).rejects.toMatchObject({ code: "unknown-parameter-set" });
      await experiments.deleteParameterSet(stored, "lab", 4);
      expect(await experiments.parameterSets(stored)).toEqual([]);
    });

    test("updating rows change rows with the same keys; rows without a match are added or dropped", async () => {
      await importRun(
        [
          [8, 1],
          [16, 2],
        ],
        "a",
      );
      const stored = await experiments.find("ping");
      const [sizes, times, rates] = stored.experiment.variables as [Variable, Variable, Variable];
      await experiments.import(stored, 5, how, async (writer) => {
        writer.begin();
        await writer.rows(
          tableOf(
            [sizes, times, rates],
            [
              [8, 10, null],
              [null, 11, 5],
            ],
          ),
        );
        await writer.update(
          tableOf(
            [sizes, rates],
            [
              [8, 1],
              [8, 2],
              [32, 3],
              [null, 9],
              [64, 4],
              [32, null],
            ],
          ),
          { keys: ["SIZE"], add: true },
        );
        await writer.update(
          tableOf(
            [sizes, times],
            [
              [16, 200],
              [99, 1],
            ],
          ),
          { keys: ["size"], add: false },
        );
        expect(await writer.end(new Map([["host", "b"]]), { created: moment++, performed: 5 })).toBe(4);
        await writer.claim(1, source("b"), false);
      });
      expect((await rows()).map((row) => row.slice(0, 3))).toEqual([
        [8, 1, null],
        [16, 200, null],
        [8, 10, 2],
        [null, 11, 9],
        [32, null, 3],
        [64, null, 4],
      ]);
      expect(await experiments.check()).toEqual([]);
    });

    test("the ledger is a chain of all changes", async () => {
      const run = await importRun([[8, 1]], "a");
      const stored = await experiments.find("ping");
      await experiments.removeRuns(stored, [run], 6);
      await expect(experiments.removeRuns(stored, [run], 6)).rejects.toMatchObject({ code: "unknown-run" });
      await experiments.purge(stored, 7);
      const entries = (await listedEntries(engine)).map((object) => readEntry(objects, object));
      expect(entries.map(({ entry }) => [entry.number, entry.change.kind, entry.time])).toEqual([
        [1, "create-experiment", 1],
        [2, "import", 5],
        [3, "delete-runs", 6],
        [4, "purge-experiment", 7],
      ]);
      expect(entries.map(({ entry }) => entry.previous)).toEqual([
        undefined,
        ...entries.slice(0, 3).map(({ object }) => object),
      ]);
      expect(entries[0]?.entry.change).toMatchObject({
        description: ping,
        owner: dialect === "duckdb" ? "ann" : "owner",
      });
      expect(entries[1]?.entry.change).toMatchObject({
        how,
        inputs: [{ ...source("a"), runs: [run] }],
        runs: [{ number: run, performed: 5 }],
      });
    });

    test("check reports inconsistencies, and repair fixes those it can", async () => {
      const run = await importRun([[8, 1]], "a");
      const { id, variableIds } = await experiments.find("ping");
      await engine.execute(`insert into data_${id} (run, ordinal) values (77, 1)`);
      await engine.execute("update run set data_sets = 5");
      await engine.execute("delete from claim");
      await engine.execute("insert into claim (experiment, sha256) values ($1, $2)", [id, "e".repeat(64)]);
      await engine.execute(`alter table data_${id} drop column p_${variableIds[2]}`);
      const { object } = source("a");
      await rm(join(folder, "objects", object.slice(0, 2), object.slice(2)));
      const findings = await experiments.check();
      expect(findings.map((finding) => [finding.code, finding.fixable])).toEqual([
        ["column-missing", true],
        ["rows-without-run", true],
        ["wrong-count", true],
        ["claim-without-run", true],
        ["run-without-claim", true],
        ["object-missing", false],
      ]);
      const state = await experiments.state(await experiments.find("ping"));
      expect(await experiments.repair(findings, 9)).toHaveLength(5);
      const last = readEntry(objects, (await listedEntries(engine)).at(-1) as Digest).entry;
      const codes = findings.slice(0, 5).map(({ code }) => code);
      expect([last.time, last.change]).toEqual([9, { kind: "mend", findings: codes }]);
      // Results cached before have another state.
      expect(await experiments.state(await experiments.find("ping"))).not.toEqual(state);
      expect((await experiments.check()).map((finding) => finding.code)).toEqual(["object-missing"]);
      expect(await rows()).toEqual([[8, 1, null, "a"]]);
      expect((await experiments.runs(await experiments.find("ping"), false))[0]).toMatchObject({
        number: run,
        rows: 1,
      });
    });
  },
  true,
);
