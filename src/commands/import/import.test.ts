import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lineImporter, recordingPreview } from "../../../test/fakes/line-importer.ts";
import { forgetDatabase, memory, memoryAddress, memoryEngine } from "../../../test/fakes/memory-engine.ts";
import type { Failure } from "../../core/failures/failure.ts";
import type { ChartBlock } from "../../core/figures/figure.ts";
import { emptyPlot, type PlotResult } from "../../core/experiments/plot-description.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { builtins, type BuiltIn } from "../../plugins/builtin.ts";
import { findExperiment } from "../../store/catalogue/catalogue.ts";
import { RunWriter } from "../../store/catalogue/run-writer.ts";
import { listedEntries, readEntry } from "../../store/ledger/ledger.ts";
import { experimentHome, withExperiments, type ExperimentHome } from "../../workspace/experiments/experiments.ts";
import { openRegistry } from "../../workspace/plugins/registry.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { createExperiment } from "../experiments/create-experiment.ts";
import { deleteExperiment } from "../experiments/delete-experiment.ts";
import { importFiles } from "./import.ts";
import { replayImport } from "./replay.ts";
import type { ImportOptions } from "./options.ts";
import { infoExperiment } from "../experiments/info-experiment.ts";
import { listExperiments } from "../experiments/list-experiments.ts";
import { plot } from "../query/plot.ts";
import { query } from "../query/query.ts";

const description =
  "*experiment net\n*parameter S_size int Byte\n*parameter N_proc int - 1 occurrence=once\n*result T_lat float us\n";

const input = "FIXED N_proc 1\nTABLE S_size pos=1\nTABLE T_lat pos=2\n";

function options(files: readonly string[], more: Partial<ImportOptions> = {}): ImportOptions {
  return { experiment: "net", inputs: [{ description: { file: "net.inp" }, files }], ...more };
}

describe("import", () => {
  let folder: string;
  let database: string;
  let workspace: Workspace;
  beforeEach(async () => {
    database = memoryAddress();
    folder = mkdtempSync(join(tmpdir(), "perfkeep-import-"));
    const list = builtins.filter((plugin) => plugin.kind === "engine" || plugin.kind === "vcs");
    const importer: BuiltIn<"importer"> = { kind: "importer", name: "description", load: async () => lineImporter };
    const environment = {
      PERFKEEP_HOME: join(folder, "home"),
      PERFKEEP_DB: database,
      USER: "ann",
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CEILING_DIRECTORIES: folder,
    };
    workspace = new Workspace(
      { directory: folder, environment, now: () => 1763717000000, random: () => 0.5, command: "test" },
      openRegistry([...list, memoryEngine, importer]),
    );
    write("net.exp", description);
    write("net.inp", input);
    await createExperiment(workspace, { file: "net.exp" });
  });
  afterEach(async () => {
    await forgetDatabase(database);
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  async function replayAll(home: ExperimentHome): Promise<void> {
    const engine = await memory.open(home.database, "write");
    const net = await findExperiment(engine, "net");
    for (const object of await listedEntries(engine)) {
      const { change } = readEntry(home.objects, object).entry;
      if (change.kind !== "import") continue;
      const numbers = change.runs.map(({ number }) => number);
      const writer = new RunWriter(engine, net, { numbers, updates: true });
      await engine.transaction(() =>
        replayImport(writer, net, change, { registry: workspace.registry, objects: home.objects }),
      );
    }
    await engine.close();
  }

  async function stored(request: Partial<Parameters<typeof query>[1]> = {}): Promise<unknown[][]> {
    return rowsOf((await query(workspace, { experiment: "net", ...request })).table);
  }

  test("stores every file as separate runs with their source", async () => {
    write("a.txt", "proc 4\n8 1.5\n16 2.5\n");
    write("b.txt", "8 3\nrun\n8 4\n");
    const result = await importFiles(
      workspace,
      options(["a.txt", "b.txt"], { label: "nightly", performed: "2024-02-03T04:05:06Z" }),
    );
    expect(result).toEqual({
      experiment: "net",
      stored: true,
      runs: [
        { file: "a.txt", run: 1, label: "nightly", dataSets: 2 },
        { file: "b.txt", run: 2, label: "nightly-2", dataSets: 1 },
        { file: "b.txt", run: 3, label: "nightly-3", dataSets: 1 },
      ],
    });
    expect(await stored()).toEqual([
      [8, 4, 1.5],
      [16, 4, 2.5],
      [8, 1, 3],
      [8, 1, 4],
    ]);
    const { runs } = await infoExperiment(workspace, { experiment: "NET", deleted: false });
    const sha256 = createHash("sha256").update("8 3\nrun\n8 4\n").digest("hex");
    expect(runs[2]).toMatchObject({
      number: 3,
      label: "nightly-3",
      performer: "ann",
      performed: Date.UTC(2024, 1, 3, 4, 5, 6) * 1000,
    });
    expect(runs[2]?.sources).toMatchObject([{ path: "b.txt", sha256, bytes: 12 }]);
    expect(await listExperiments(workspace, {})).toMatchObject([{ name: "net", runs: 3, rows: 4 }]);
  });

  test("stores the bytes and the description as objects", async () => {
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"]));
    const { runs } = await infoExperiment(workspace, { experiment: "net", deleted: false });
    const { Objects } = await import("../../store/objects/objects.ts");
    const objects = new Objects(join(folder, "home", "objects"), join(folder, "home", "quarantine"));
    const raw = objects.get(runs[0]?.sources[0]?.object as never);
    expect([raw.kind, raw.type, new TextDecoder().decode(raw.body)]).toEqual(["attachment", "raw", "8 1.5\n"]);
    const kept = objects.get(runs[0]?.description as never);
    expect([kept.kind, kept.type, new TextDecoder().decode(kept.body)]).toEqual(["attachment", "input", input]);
  });

  test("refuses duplicates under any name and stores nothing", async () => {
    write("a.txt", "8 1.5\n");
    write("b.txt", "8 1.5\n");
    write("c.txt", "9 9\n");
    await importFiles(workspace, options(["a.txt"]));
    await expect(importFiles(workspace, options(["c.txt", "b.txt"]))).rejects.toMatchObject({
      code: "already-imported",
      data: { path: "b.txt", run: "1" },
    });
    await expect(importFiles(workspace, options(["b.txt"], { preview: recordingPreview() }))).rejects.toMatchObject({
      code: "already-imported",
    });
    expect(await stored()).toEqual([[8, 1, 1.5]]);
    await importFiles(workspace, options(["c.txt", "b.txt"], { force: true }));
    expect(await stored()).toHaveLength(3);
    await deleteExperiment(workspace, { experiment: "net", target: { runs: [1] }, purge: false });
    expect(await stored()).toHaveLength(2);
  });

  test("stops waiting for a busy database once the input is invalid", async () => {
    write("a.txt", "8 1.5\nbad\n");
    const home = experimentHome(workspace);
    await withExperiments(workspace, home, "read", async () => {
      await expect(importFiles(workspace, options(["a.txt"]))).rejects.toMatchObject({ code: "nothing-found" });
    });
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"]));
    expect(await stored()).toEqual([[8, 1, 1.5]]);
  });

  test("stores nothing if one of many files is invalid", async () => {
    write("a.txt", "8 1.5\n");
    write("b.txt", "8 1.5\nbad\n");
    await expect(importFiles(workspace, options(["a.txt", "b.txt"]))).rejects.toMatchObject({ code: "nothing-found" });
    await expect(importFiles(workspace, options(["a.txt", "none.txt"]))).rejects.toMatchObject({
      code: "unreadable-file",
    });
    await expect(stored()).rejects.toMatchObject({ code: "nothing-selected" });
    await importFiles(workspace, options(["a.txt"]));
  });

  test("prefers fixed values to those of the input", async () => {
    write("a.txt", "proc 4\n8 1.5\n");
    await importFiles(
      workspace,
      options(["a.txt"], {
        fixed: [
          ["n_proc", "7"],
          ["s_size", "1KiByte"],
        ],
      }),
    );
    expect(await stored()).toEqual([[1024, 7, 1.5]]);
    await expect(importFiles(workspace, options(["a.txt"], { fixed: [["N_prok", "7"]] }))).rejects.toMatchObject({
      code: "unknown-variable",
    });
    await expect(importFiles(workspace, options(["a.txt"], { fixed: [["N_proc", "x"]] }))).rejects.toMatchObject({
      code: "bad-content",
    });
  });

  test("makes a row of single values without a table, and uses them for tables that follow", async () => {
    write("a.txt", "32\n");
    await importFiles(workspace, options(["a.txt"]));
    expect(await stored()).toEqual([[32, 1, null]]);
  });

  test("previews without storing", async () => {
    write("a.txt", "proc 4\n8 1.5\n#odd\n16 2.5\n");
    const seen = recordingPreview();
    const notices: unknown[] = [];
    const result = await importFiles(
      workspace,
      options(["a.txt"], { preview: seen, notice: (...each) => notices.push(each) }),
    );
    expect(result).toMatchObject({ stored: false, runs: [{ file: "a.txt", dataSets: 2 }] });
    expect(seen.received).toEqual(["begin", [[8, 1.5]], [[16, 2.5]], [["N_proc"], [[4]]]]);
    expect(notices).toEqual([["a.txt", 1, "#odd"]]);
    await expect(stored()).rejects.toMatchObject({ code: "nothing-selected" });
  });

  test("validates dry runs like imports", async () => {
    write("a.txt", "8 1.5\n");
    const dry = (files: string[], more = {}) =>
      importFiles(workspace, options(files, { preview: recordingPreview(), ...more }));
    await expect(dry(["a.txt"], { performed: "yesterday" })).rejects.toMatchObject({ code: "bad-content" });
    await expect(dry(["a.txt", "a.txt"])).rejects.toMatchObject({ code: "given-twice", data: { path: "a.txt" } });
    expect((await dry(["a.txt", "a.txt"], { force: true })).runs).toHaveLength(2);
  });

  test("reads several descriptions as one run, and links each file to its description", async () => {
    write("proc.inp", "NAMED N_proc\n");
    write("net.inp", "TABLE S_size pos=1\nTABLE T_lat pos=2\n");
    write("a.txt", "8 1.5\n");
    write("m.txt", "proc 16\n");
    const inputs = [
      { description: { file: "net.inp" }, files: ["a.txt"] },
      { description: { file: "proc.inp" }, files: ["m.txt"] },
    ];
    const result = await importFiles(workspace, options([], { inputs }));
    expect(result.runs).toMatchObject([{ file: "a.txt", beside: ["m.txt"], run: 1, dataSets: 1 }]);
    expect(await stored()).toEqual([[8, 16, 1.5]]);
    const { runs } = await infoExperiment(workspace, { experiment: "net", deleted: false });
    expect(runs[0]?.sources.map(({ path }) => path)).toEqual(["a.txt", "m.txt"]);
    await expect(importFiles(workspace, options(["m.txt"]))).rejects.toMatchObject({ code: "already-imported" });
    const join = importFiles(workspace, options([], { inputs, join: true }));
    await expect(join).rejects.toMatchObject({ code: "unusable-combination" });
  });

  test("concatenates files to one run, terminating their last lines", async () => {
    write("a.txt", "proc 4\n8 1.5");
    write("b.txt", "16 2.5\n");
    const result = await importFiles(workspace, options(["a.txt", "b.txt"], { join: true }));
    expect(result.runs).toMatchObject([{ file: "a.txt", beside: ["b.txt"], run: 1, dataSets: 2 }]);
    expect(await stored()).toEqual([
      [8, 4, 1.5],
      [16, 4, 2.5],
    ]);
  });

  test("distinguishes identical inputs from an already imported file", async () => {
    for (const name of ["a.txt", "b.txt"]) write(name, "8 1.5\n");
    const twice = { code: "given-twice", data: { path: "b.txt", other: "a.txt" } };
    await expect(importFiles(workspace, options(["a.txt", "b.txt"]))).rejects.toMatchObject(twice);
    await expect(importFiles(workspace, options(["a.txt", "b.txt"], { force: ["a.txt"] }))).rejects.toMatchObject(
      twice,
    );
    await expect(stored()).rejects.toMatchObject({ code: "nothing-selected" });
    expect((await importFiles(workspace, options(["a.txt", "b.txt"], { force: ["b.txt"] }))).runs).toHaveLength(2);
    await expect(importFiles(workspace, options(["b.txt"]))).rejects.toMatchObject({
      code: "already-imported",
      data: { run: "1" },
    });
  });

  test("allows duplicates of selected files", async () => {
    write("a.txt", "8 1.5\n");
    write("b.txt", "9 1.5\n");
    await importFiles(workspace, options(["a.txt", "b.txt"]));
    const again = importFiles(workspace, options(["a.txt", "b.txt"], { force: ["a.txt"] }));
    await expect(again).rejects.toMatchObject({ code: "already-imported", data: { path: "b.txt" } });
    await importFiles(workspace, options(["a.txt"], { force: ["a.txt"] }));
    expect(await stored()).toHaveLength(3);
  });

  test("refuses times that dumps and pushes could not give back", async () => {
    write("a.txt", "8 1.5\n");
    const refused = { code: "time-out-of-range" };
    utimesSync(join(folder, "a.txt"), 1e10, 1e10);
    await expect(importFiles(workspace, options(["a.txt"]))).rejects.toMatchObject(refused);
    utimesSync(join(folder, "a.txt"), 1e9, 1e9);
    const now = vi.spyOn(workspace.world, "now").mockReturnValue(Date.UTC(2500, 0, 1));
    await expect(importFiles(workspace, options(["a.txt"]))).rejects.toMatchObject(refused);
    now.mockRestore();
    await importFiles(workspace, options(["a.txt"]));
    expect(await stored()).toHaveLength(1);
  });

  test("takes the time from the file, and the experiment from the description or the environment", async () => {
    write("a.txt", "8 1.5\n");
    utimesSync(join(folder, "a.txt"), 1_000_000, 1_000_000);
    write("net.inp", `EXPERIMENT net\n${input}`);
    const { experiment: _, ...unnamed } = options(["a.txt"], { performed: { from: "file" } });
    await importFiles(workspace, unnamed);
    const { runs } = await infoExperiment(workspace, { experiment: "net", deleted: false });
    expect(runs[0]?.performed).toBe(1e12);
    write("net.inp", input);
    await expect(importFiles(workspace, { ...unnamed, force: true })).rejects.toMatchObject({
      code: "no-experiment-named",
    });
    Object.assign(workspace.world.environment, { PB_EXPERIMENT: "net" });
    expect((await importFiles(workspace, { ...unnamed, force: true })).experiment).toBe("net");
  });

  test("prompts for missing values", async () => {
    write("net.inp", "TABLE S_size pos=1\nTABLE T_lat pos=2\n");
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"], { missing: { definition: "ask" }, ask: async () => "3" }));
    expect(await stored()).toEqual([[8, 3, 1.5]]);
    await expect(
      importFiles(workspace, options(["a.txt"], { force: true, missing: { definition: "abort" } })),
    ).rejects.toMatchObject({
      code: "missing-definition",
    });
  });

  test("stores single parameters as a set, and prefers fixed values to sets", async () => {
    write("few.inp", "NAMED N_proc\n");
    write("p.txt", "proc 12\n");
    const inputs = [{ description: { file: "few.inp" }, files: ["p.txt"] }];
    const kept = await importFiles(workspace, options([], { inputs, storeSet: "big" }));
    expect(kept).toMatchObject({ runs: [], parameterSet: { name: "big", contents: 1 } });
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"], { parameterSets: ["BIG"] }));
    await importFiles(workspace, options(["a.txt"], { parameterSets: ["big"], fixed: [["N_proc", "2"]], force: true }));
    expect(await stored()).toEqual([
      [8, 12, 1.5],
      [8, 2, 1.5],
    ]);
    await expect(importFiles(workspace, options(["a.txt"], { parameterSets: ["bgi"] }))).rejects.toMatchObject({
      code: "unknown-parameter-set",
    });
  });

  test("reports found values before refusing a run", async () => {
    write(
      "net.exp",
      ["*experiment nets", "*parameter S_size int Byte", "*parameter N_proc int - 1 occurrence=once valid={1,2}"]
        .concat("*result T_lat float us", "")
        .join("\n"),
    );
    await createExperiment(workspace, { file: "net.exp" });
    write("a.txt", "proc 2\n8 1.5\n");
    const received = async (more: Partial<ImportOptions>) => {
      const found: unknown[] = [];
      const preview = { ...recordingPreview(), foundOnce: async (once: Table) => void found.push(...rowsOf(once)) };
      const code = await importFiles(workspace, options(["a.txt"], { experiment: "nets", preview, ...more })).then(
        () => "stored",
        (error: Failure) => error.code,
      );
      return [found, code, preview.received.length];
    };
    expect(await received({})).toEqual([[[2]], "stored", 3]);
    expect(await received({ fixed: [["N_proc", "7"]] })).toEqual([[[null]], "content-not-allowed", 1]);
    write("a.txt", "8 1.5\nproc 7\n");
    expect(await received({})).toEqual([[[null]], "content-not-allowed", 2]);
    write("net.inp", "NAMED N_proc\nTABLE S_size pos=1\nTABLE T_lat pos=2\n");
    write("a.txt", "8 1.5\n");
    expect(await received({})).toEqual([[[null]], "stored", 3]);
    expect(await received({ missing: { value: "default" } })).toEqual([[[1]], "stored", 3]);
    expect(await received({ missing: { value: "abort" } })).toEqual([[[null]], "missing-content", 2]);
  });

  test("takes the synopsis of runs from the description by default", async () => {
    write("net.inp", `SYNOPSIS "two nodes"\n${input}`);
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"]));
    await importFiles(workspace, options(["a.txt"], { synopsis: "again", force: true }));
    const { runs } = await infoExperiment(workspace, { experiment: "net", deleted: false });
    expect(runs.map(({ synopsis }) => synopsis)).toEqual(["two nodes", "again"]);
  });

  test("consumes the numbers of failed runs on request", async () => {
    const next = async () => (await importFiles(workspace, options(["a.txt"], { force: true }))).runs[0]?.run;
    const failing = (files: string[], more: Partial<ImportOptions> = {}) =>
      expect(importFiles(workspace, options(files, { likePerfbase: true, ...more }))).rejects;
    write("a.txt", "8 1.5\n");
    write("b.txt", "bad\n");
    write("c.txt", "8 1.5\nrun\n9 1.5\nbad\n");
    expect(await next()).toBe(1);
    await failing(["b.txt"], { likePerfbase: false }).toMatchObject({ code: "nothing-found" });
    expect(await next()).toBe(2);
    await failing(["b.txt"]).toMatchObject({ code: "nothing-found" });
    expect(await next()).toBe(4);
    await failing(["c.txt"]).toMatchObject({ code: "nothing-found" });
    expect(await next()).toBe(7);
    await failing(["none.txt"]).toMatchObject({ code: "unreadable-file" });
    await failing(["a.txt"]).toMatchObject({ code: "already-imported" });
    await failing(["b.txt"], { preview: recordingPreview() }).toMatchObject({ code: "nothing-found" });
    expect(await next()).toBe(8);
  });

  test("reads with an attached description", async () => {
    write("a.txt", "8 1.5\n");
    const home = experimentHome(workspace);
    const object = home.objects.put("attachment", "input", new TextEncoder().encode(input)).digest;
    await withExperiments(workspace, home, "write", async (experiments) => {
      const net = await experiments.find("net");
      await experiments.attach(net, { name: "tab", kind: "input", object }, 1);
      await experiments.attach(net, { name: "ask", kind: "query", object }, 1);
    });
    const attached = (name: string) => options([], { inputs: [{ description: { attached: name }, files: ["a.txt"] }] });
    await importFiles(workspace, attached("TAB"));
    expect(await stored()).toEqual([[8, 1, 1.5]]);
    await expect(importFiles(workspace, attached("ask"))).rejects.toMatchObject({ code: "wrong-attachment" });
    await expect(importFiles(workspace, attached("none"))).rejects.toMatchObject({ code: "unknown-attachment" });
  });

  test("stores nothing of a large file with an invalid end", async () => {
    const many = Array.from({ length: 70_000 }, (_, row) => `${row} 1`).join("\n");
    write("a.txt", `${many}\nbad\n`);
    await expect(importFiles(workspace, options(["a.txt"]))).rejects.toMatchObject({ code: "nothing-found" });
    await expect(stored()).rejects.toMatchObject({ code: "nothing-selected" });
  });

  test("replays imports to the same runs", async () => {
    write("a.txt", "proc 4\n8 1.5\nrun\n9 2\n");
    write("b.txt", "16 2.5\n");
    write("c.txt", "17 2.5\n");
    await importFiles(workspace, options(["a.txt", "b.txt"], { label: "x", fixed: [["N_proc", "6"]] }));
    await importFiles(workspace, options(["b.txt", "c.txt"], { join: true, force: true }));
    const state = async () => [
      await stored(),
      (await infoExperiment(workspace, { experiment: "net", deleted: false })).runs,
    ];
    const before = await state();
    const home = experimentHome(workspace);
    await withExperiments(workspace, home, "write", async (experiments) => {
      const net = await experiments.find("net");
      const runs = (await experiments.runs(net, false)).map(({ number }) => number);
      await experiments.removeRuns(net, runs, 1);
      await experiments.purgeRuns(net, 1);
    });
    await replayAll(home);
    expect(await state()).toEqual(before);
  });

  test("distinguishes an experiment without runs from a query without matches", async () => {
    await expect(stored()).rejects.toThrow("'net' has no runs yet");
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"]));
    await expect(stored({ where: ["S_size=9"] })).rejects.toThrow("no row of 'net' matches");
  });

  test("keeps an intact object and replaces a damaged one", async () => {
    write("a.txt", "8 1.5\n");
    await importFiles(workspace, options(["a.txt"]));
    const { runs } = await infoExperiment(workspace, { experiment: "net", deleted: false });
    const digest = String(runs[0]?.sources[0]?.object);
    const path = join(folder, "home", "objects", digest.slice(0, 2), digest.slice(2));
    const { ino } = statSync(path);
    const intact = readFileSync(path);
    await importFiles(workspace, options(["a.txt"], { force: true }));
    expect(statSync(path).ino).toBe(ino);
    chmodSync(path, 0o644);
    writeFileSync(path, intact.subarray(0, 9));
    await importFiles(workspace, options(["a.txt"], { force: true }));
    expect(readFileSync(path)).toEqual(intact);
    expect(readdirSync(join(folder, "home", "objects")).filter((name) => name.length !== 2)).toEqual([]);
  });

  test("plots by run facts", async () => {
    write("a.txt", "8 1.5\n");
    write("b.txt", "8 2.5\n");
    await importFiles(workspace, options(["a.txt", "b.txt"]));
    const seriesOf = async (x: string, y: string, series: string[], more: Partial<PlotResult> = {}) => {
      const { figure } = await plot(workspace, {
        ...emptyPlot,
        experiment: "net",
        x: { name: x },
        results: [{ name: y, ...more }],
        series,
      });
      return (figure.blocks[0] as ChartBlock).series.map((each) => [each.label, ...each.y]);
    };
    expect(await seriesOf("@run", "t_lat", [], { statistic: "mean" })).toEqual([["T_lat", 1.5, 2.5]]);
    expect(await seriesOf("s_size", "T_lat", ["@run"], { statistic: "none" })).toEqual([
      ["run=1", 1.5],
      ["run=2", 2.5],
    ]);
  });
});
