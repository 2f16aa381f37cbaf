import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectorContract } from "../../../test/contracts/collector.ts";
import { fakeShell, type FakeShell } from "../../../test/fakes/shell.ts";
import type { Value } from "../../core/values/value.ts";
import { encodeProfile } from "../../formats/profile/profile.ts";
import { openFiles } from "../../workspace/files/files.ts";
import { openOutputReader } from "../../workspace/import/output-reader.ts";
import { openRegistry } from "../../workspace/plugins/registry.ts";
import { command } from "./command.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-command-test-")));
const reader = openOutputReader(openFiles(folder), openRegistry());

beforeAll(() => {
  writeFileSync(
    join(folder, "io.exp"),
    `*experiment io
*parameter fs string - once
*parameter type string - once
*parameter size int Byte
*result rate float MiByte/s
*result errors int - once
`,
  );
  const rate = `NAMED fs ignore=":"\nTABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n`;
  writeFileSync(join(folder, "rate.inp"), rate);
  writeFileSync(join(folder, "io.inp"), `${rate}NAMED type ignore=":"\nNAMED errors ignore=":"\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = (call: number): string =>
  `fs: ext4\ntype: read\nerrors: ${call}\nsize rate\n64 ${call}.5\n128 ${call + 1}.25\n`;

const bench = (stream: "stdout" | "stderr" = "stdout"): FakeShell =>
  fakeShell({ bench: (_, __, call) => ({ [stream]: new TextEncoder().encode(printed(call)) }) });

const files = { experiment: "io.exp", description: "io.inp" };

collectorContract(command, {
  cmd: "bench",
  failing: "exit 3",
  params: new Map(Object.entries({ ...files, description: "rate.inp" })),
  reader,
  shell: bench,
});

async function documentOf(params: Readonly<Record<string, Value>> = {}, shell = bench()): Promise<unknown> {
  const given = new Map<string, Value>(Object.entries({ ...files, ...params }));
  const job = { cmd: "bench", workload: "", directory: folder, params: given, machine: new Map(), reader };
  return JSON.parse(new TextDecoder().decode(encodeProfile(await command.collect(job, shell))));
}

test("each result of each row is a profile row, with numbers in columns and text in properties", async () => {
  const shared = { fs: "ext4", "type-of-output": "read", type: "mixed", uid: "bench" };
  expect(await documentOf({ warmup: 1, repeat: 2 })).toMatchObject({
    header: { type: "mixed", cmd: "bench", units: { "mixed(rate)": "MiByte/s", "mixed(errors)": "" } },
    resources: {
      "bench#0": { amount: [2.5, 3.25, 3.5, 4.25], size: [64, 128, 64, 128], order: [1, 1, 2, 2] },
      "bench#1": { amount: [2, 2, 3, 3], size: [64, 128, 64, 128], order: [1, 1, 2, 2] },
    },
    resource_type_map: { "bench#0": { ...shared, subtype: "rate" }, "bench#1": { ...shared, subtype: "errors" } },
    collector_info: { name: "command", params: { ...files, stream: "stdout", warmup: 1, repeat: 2 } },
    execution: { status: [0, 0], stdout: printed(3) },
  });
});

test("records the better direction of a result that the experiment defines", async () => {
  writeFileSync(
    join(folder, "better.exp"),
    "*experiment io\n*parameter size int Byte\n*result rate float better=higher\n",
  );
  writeFileSync(join(folder, "better.inp"), `TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n`);
  const document = await documentOf({ experiment: "better.exp", description: "better.inp" });
  expect(document).toMatchObject({ resource_type_map: { "bench#0": { subtype: "rate", better: "higher" } } });
});

test("reads the selected stream", async () => {
  expect(await documentOf({ stream: "stderr" }, bench("stderr"))).toMatchObject({
    resources: { "bench#0": { amount: [1.5, 2.25] } },
  });
  await expect(documentOf({}, bench("stderr"))).rejects.toThrow("no value of the description was found");
});

test("reports what is missing", async () => {
  await expect(documentOf({ description: null })).rejects.toThrow("option description of command");
  await expect(documentOf({ experiment: "no.exp" })).rejects.toThrow("no.exp");
  const flood = fakeShell({ bench: () => ({ truncated: true }) });
  await expect(documentOf({}, flood)).rejects.toThrow("longer than 64 MiB");
});

const bmf =
  '{"copy": {"latency": {"value": 1500000000}}, "sort": {"latency": {"value": 2000000000}, "file-size": {"value": 7}}}';

test("output of a known format needs no descriptions", async () => {
  const shell = fakeShell({ bench: () => ({ stdout: new TextEncoder().encode(bmf) }) });
  const job = { cmd: "bench", workload: "", directory: folder, machine: new Map(), reader };
  for (const from of ["auto", "bmf"]) {
    const run = await command.collect({ ...job, params: new Map([["from", from]]) }, shell);
    expect(JSON.parse(new TextDecoder().decode(encodeProfile(run)))).toMatchObject({
      header: { units: { "mixed(latency)": "s", "mixed(file-size)": "Byte" } },
      resources: { "copy#0": { amount: [1.5], order: [1] }, "sort#0": { amount: [2] }, "sort#1": { amount: [7] } },
      resource_type_map: { "sort#1": { uid: "sort", subtype: "file-size", better: "lower" } },
      collector_info: { params: { from } },
    });
  }
  await expect(command.collect({ ...job, params: new Map([["from", "none"]]) }, shell)).rejects.toMatchObject({
    code: "unknown-plugin",
  });
  const both = new Map([
    ["from", "bmf"],
    ["experiment", "io.exp"],
  ]);
  await expect(command.collect({ ...job, params: both }, shell)).rejects.toMatchObject({
    code: "unusable-combination",
  });
});

test("options of the format are applied and recorded", async () => {
  const table = "case,n,time_ms\na,1,2\na,3,4\n";
  const shell = fakeShell({ bench: () => ({ stdout: new TextEncoder().encode(table) }) });
  const job = { cmd: "bench", workload: "", directory: folder, machine: new Map(), reader };
  const read = (lines: string, from: string | null = "csv"): Promise<unknown> =>
    command
      .collect(
        {
          ...job,
          params: new Map([
            ["from", from],
            ["from-params", lines],
          ]),
        },
        shell,
      )
      .then((run) => JSON.parse(new TextDecoder().decode(encodeProfile(run))));
  expect(await read("results=n")).toMatchObject({
    header: { units: { "mixed(n)": "", "mixed(time)": "s" } },
    collector_info: { params: { from: "csv", "from-params": ["results=n"] } },
  });
  expect(await read("parameters=n")).toMatchObject({ resources: { "bench#0": { amount: [0.002, 0.004], n: [1, 3] } } });
  await expect(read("results")).rejects.toMatchObject({ code: "bad-collector-option" });
  await expect(read("result=n")).rejects.toMatchObject({
    message: "importer csv has no option 'result', did you mean results?",
  });
  await expect(read("results=n", null)).rejects.toMatchObject({ code: "unusable-combination" });
});

test("a result file is read instead of the output; an unchanged one fails", async () => {
  const write = (): void => writeFileSync(join(folder, "out.json"), bmf);
  const shell = fakeShell({ bench: () => (write(), {}), idle: () => ({}) });
  const params = new Map([
    ["from", "auto"],
    ["result", "out.json"],
  ]);
  const job = { workload: "", directory: folder, machine: new Map(), reader, params };
  await expect(command.collect({ ...job, cmd: "idle" }, shell)).rejects.toMatchObject({ code: "no-result-written" });
  const { data } = await command.collect({ ...job, cmd: "bench" }, shell);
  expect(data.length).toBe(3);
  await expect(command.collect({ ...job, cmd: "idle" }, shell)).rejects.toMatchObject({
    message: "'idle' did not write out.json",
  });
});
