import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { records } from "../../src/core/tables/table-records.ts";
import { profileOf } from "../../src/formats/profile/build-profile.ts";
import { jsonObject } from "../../src/core/values/json.ts";
import { initProject, openProject, type Project } from "../../src/project.ts";

let folder: string;
let project: Project;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-library-")));
  for (const words of [
    ["init", "-q"],
    ["commit", "-q", "--allow-empty", "-m", "one"],
    ["commit", "-q", "--allow-empty", "-m", "two"],
  ])
    expect(
      spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], { cwd: folder }).status,
    ).toBe(0);
  project = await initProject(folder, {}, { environment: { HOME: folder, PATH: process.env["PATH"] } });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test("commands are measured, postprocessed and registered", async () => {
  const { kept, failed } = await project.measure("time", "true", { params: { repeat: 2, warmup: 0 } });
  expect([kept.map(({ cmd }) => cmd), failed]).toEqual([["true"], []]);
  const made = await project.postprocess(kept[0]!.name, "moving-average", { "of-key": "amount", "per-key": "order" });
  expect((await project.read(made.name)).models.length).toBeGreaterThan(0);
  expect(await project.add([kept[0]!.name])).toMatchObject([{ state: "added" }]);
  const { registered, pending } = await project.status();
  expect([registered.length, pending.map(({ name }) => name)]).toEqual([1, [made.name]]);
});

test("what can be added is, and the first that cannot is told", async () => {
  const run = profileOf({
    type: "time",
    cmd: "a",
    workload: "",
    units: { time: "s" },
    collector: { name: "own", params: jsonObject({}) },
    subjects: [
      {
        properties: jsonObject({ uid: "main", type: "time" }),
        columns: [{ name: "amount", type: "float", values: [1, 2] }],
      },
    ],
  });
  const old = await project.keep(run, { minor: "HEAD~1" });
  const now = await project.keep(run);
  const both = project.add([old.name, now.name], { minor: "HEAD" });
  await expect(both).rejects.toMatchObject({ code: "wrong-origin" });
  expect((await project.status()).registered.map(({ name }) => name)).toEqual([now.name]);
  await project.add(old.name);
  const history = [];
  for await (const { profiles } of project.history()) history.push(profiles.length);
  expect(history).toEqual([1, 1]);
  expect(records((await project.read("0@i", "HEAD~1")).data)).toMatchObject([{ amount: 1 }, { amount: 2 }]);
});

test("descriptions make experiments that are asked and drawn", async () => {
  const experiment = file("io.exp", "*experiment io\n*parameter size int byte\n*result rate float\n");
  expect((await project.createExperiment(experiment)).name).toBe("io");
  const input = file("io.inp", 'TABLE size row="size" pos=1\nTABLE rate row="size" pos=2\n');
  const { runs } = await project.importFiles(input, file("out.txt", "size rate\n1 10\n2 30\n"), { experiment: "io" });
  expect(runs).toMatchObject([{ run: 1, dataSets: 2 }]);
  expect((await project.experiments()).map(({ name }) => name)).toEqual(["io"]);
  expect(records((await project.query("io", { where: ["size>1"] })).table)).toMatchObject([{ size: 2, rate: 30 }]);
  expect(await project.render(await project.plot("io", "rate", { x: "size" }), "csv")).toContain("\r\nrate,2,30,");
});

test("a folder without an instance, options that there are not, and hostile names are refused", async () => {
  await expect(openProject(tmpdir()).status()).rejects.toMatchObject({ code: "no-instance" });
  await expect(project.measure("time", "true", { params: { nope: 1 } })).rejects.toMatchObject({
    code: "unknown-collector-option",
  });
  await expect(project.detect([1, 2], "threshold", { test: "odd" })).rejects.toMatchObject({
    code: "bad-collector-option",
  });
  await expect(project.show("0@p", "__proto__")).rejects.toMatchObject({ code: "unknown-plugin" });
  await expect(initProject(folder, { template: "nope" })).rejects.toMatchObject({ code: "unknown-choice" });
});
