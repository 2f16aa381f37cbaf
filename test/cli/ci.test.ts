import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { Playground, scratchFolder } from "./program.ts";

/** A piece of shell of an example; hosted: it needs the service. */
interface Piece {
  readonly script: string;
  readonly hosted: boolean;
  readonly env: Readonly<Record<string, string>>;
}

const examples = [...readFileSync("docs/ci.md", "utf8").matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => parseDocument(text));

const isHosted = (node: unknown): boolean => isScalar(node) && node.comment?.trim() === "hosted";

function githubPieces(): Piece[] {
  const steps = examples[0]?.getIn(["jobs", "compare", "steps"]);
  const maps = isSeq(steps) ? steps.items.filter((item): item is YAMLMap => isMap(item)) : [];
  return maps.flatMap((step) => {
    const script = step.get("run");
    if (typeof script !== "string") return [];
    const env = step.toJSON() as { env?: Record<string, string> };
    return [{ script, hosted: isHosted(step.get("name", true)), env: env.env ?? {} }];
  });
}

function gitlabPieces(): Piece[] {
  return ["before_script", "script"].flatMap((section) => {
    const lines = examples[1]?.getIn(["performance", section]);
    const items = isSeq(lines) ? lines.items : [];
    return items.flatMap((item) => (isScalar(item) ? [{ script: String(item.value), hosted: isHosted(item), env: {} }] : []));
  });
}

/** A repository of two commits with a `./bench` that does nothing, and `perfkeep` on the path. */
function repository(): {
  place: Playground;
  shell: (script: string, env?: Readonly<Record<string, string>>) => ReturnType<typeof spawnSync>;
} {
  const place = new Playground();
  chmodSync(place.write("bench", "#!/bin/sh\nexit 0\n"), 0o755);
  place.commit("bench", "bench");
  place.commit("second");
  const tools = new Playground(scratchFolder());
  chmodSync(tools.write("perfkeep", `#!/bin/sh\nexec '${process.execPath}' '${place.program}' "$@"\n`), 0o755);
  const environment = {
    PATH: `${tools.folder}:${process.env["PATH"]}`,
    HOME: place.home,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const shell = (script: string, env = {}): ReturnType<typeof spawnSync> =>
    spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: place.folder, env: { ...environment, ...env }, encoding: "utf8" });
  return { place, shell };
}

test("the steps of the GitHub example do what they say", () => {
  const { place, shell } = repository();
  const files = new Playground(scratchFolder());
  const [outputs, summary] = [files.write("outputs", ""), files.write("summary", "")];
  const pieces = githubPieces();
  expect(pieces.map(({ hosted }) => hosted)).toEqual([true, false, false, true, false]);
  const [measure, report, decide] = pieces.filter(({ hosted }) => !hosted);
  const env = { BASE: place.git("rev-parse", "HEAD~1"), GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary };

  expect(shell(measure?.script ?? "", env)).toMatchObject({ status: 0 });
  const status = /^status=([013])$/m.exec(readFileSync(outputs, "utf8"))?.[1] ?? "none";
  expect(["0", "1", "3"]).toContain(status);

  expect(shell(report?.script ?? "", env)).toMatchObject({ status: 0 });
  expect(readFileSync(summary, "utf8")).toMatch(/^<!-- perfkeep: compare [^]*time \.\/bench/);
  expect(JSON.parse(readFileSync(join(place.folder, "perfkeep.sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });

  expect(decide?.env).toEqual({ STATUS: "${{ steps.measure.outputs.status }}" });
  for (const [given, expected] of [
    ["0", 0],
    ["1", 1],
    ["3", 0],
    ["4", 4],
  ] as const)
    expect(shell(decide?.script ?? "", { STATUS: given }).status).toBe(expected);
}, 60_000);

test("the lines of the GitLab example do what they say, and a history of one is no success", () => {
  const { place, shell } = repository();
  const pieces = gitlabPieces();
  expect(pieces.filter(({ hosted }) => hosted)).toHaveLength(1);
  const script = pieces.flatMap((piece) => (piece.hosted ? [] : [piece.script])).join("\n");
  const { status, stderr } = shell(script);
  expect(status, String(stderr)).toBe(3);
  expect(readFileSync(join(place.folder, "junit.xml"), "utf8")).toMatch(/<testcase classname="time \.\/bench" name="time"><skipped /);
  expect(readFileSync(join(place.folder, "metrics.txt"), "utf8")).toMatch(/# EOF\n$/);
  expect(JSON.parse(readFileSync(join(place.folder, "code-quality.json"), "utf8"))).toEqual([]);
}, 60_000);

test("what needs the service is shell, too", () => {
  const { shell } = repository();
  for (const { script, hosted } of [...githubPieces(), ...gitlabPieces()])
    if (hosted) expect(shell(`bash -n <<'END_OF_SCRIPT'\n${script}\nEND_OF_SCRIPT`)).toMatchObject({ status: 0, stderr: "" });
});
