import { expect, test } from "vitest";
import type { PluginOptions } from "../../../commands/jobs/collect.ts";
import { runVerb } from "../../parse.ts";
import { openRegistry } from "../../../workspace/plugins/registry.ts";
import type { Session } from "../../session.ts";
import { collectorParams, collectorSpecs } from "./collect.ts";

const fixed = { role: "parameter", occurrence: "once", synopsis: "s" } as const;

function collector(
  name: string,
  options: readonly Pick<PluginOptions["options"][number], "name" | "type" | "default">[],
): PluginOptions {
  return { name, synopsis: "s", options: options.map((option) => ({ ...fixed, ...option })) };
}

/** The parameters of a command line. */
async function paramsOf(of: PluginOptions, ...words: string[]): Promise<unknown> {
  const session = { configured: () => session, output: { data: () => {} } } as unknown as Session;
  let params: string[] = [];
  const verb = { name: of.name, summary: "s", options: collectorSpecs(of) };
  const run = async (_: Session, args: Parameters<typeof collectorParams>[1]): Promise<number> => {
    params = collectorParams(of, args);
    return 0;
  };
  await runVerb("perun collect", { ...verb, run }, words, session);
  return params.length === 0 ? null : JSON.parse((params[0] ?? "").replace("--params=", ""));
}

const memory = collector("memory", [
  { name: "sampling", type: "float", default: 0.001 },
  { name: "no-func", type: "text", default: null },
  { name: "all", type: "boolean", default: false },
  { name: "keep-output", type: "boolean", default: true },
]);
const complexity = collector("complexity", [
  { name: "files", type: "text", default: null },
  { name: "sampling", type: "text", default: null },
  { name: "internal-storage-size", type: "integer", default: 20_000 },
]);
const trace = collector("trace", [
  { name: "quiet", type: "boolean", default: false },
  { name: "with-usdt", type: "boolean", default: null },
  { name: "no-profile", type: "boolean", default: false },
  { name: "verbose-trace", type: "boolean", default: false },
]);

test.each([
  ["nothing", memory, [], null],
  ["letters with attached values", memory, ["-s0.5", "-a"], { sampling: "0.5", all: true }],
  ["repeated options", memory, ["--no-func", "f(int)", "--no-func=g"], { "no-func": ["f(int)", "g"] }],
  ["a switch that is on by default", memory, ["--keep-output", "false"], { "keep-output": "false" }],
  [
    "two words",
    complexity,
    ["-s", "f", "2", "-f", "a.c", "-s", "g", "10"],
    { files: ["a.c"], sampling: ["f 2", "g 10"] },
  ],
  ["multi-letter flags", complexity, ["-is", "7"], { "internal-storage-size": "7" }],
  ["letters of general options", trace, ["-q", "-vt"], { "verbose-trace": true }],
  ["a switch without a default", trace, ["--no-with-usdt"], { "with-usdt": false }],
  ["a name that starts with no", trace, ["-np"], { "no-profile": true }],
])("accepts collector options in Perun's spelling: %s", async (_, of, words, expected) => {
  expect(await paramsOf(of, ...words)).toEqual(expected);
});

test.each([
  ["time", "-w -r"],
  ["memory", "-s --no-source --no-func -a"],
  ["kperf", "-s -w -r"],
  ["complexity", "-t -f -r -if -is -id -s"],
  ["trace", "-e -s -f -u -d -g --with-usdt -b -l -t -z -k -vt -q -w -o -i -sc -np -mcg -cg -mt -nds"],
])("collector %s accepts every option of Perun", async (name, letters) => {
  const specs = collectorSpecs(await openRegistry().get("collector", name));
  const known = specs.flatMap(({ flags, also = [] }) => [...flags.split(/[ ,]+/), ...also]);
  expect(known).toEqual(expect.arrayContaining(letters.split(" ")));
});
