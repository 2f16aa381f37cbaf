import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { readCommands } from "../reports/annotations.ts";
import { expectJunit } from "../reports/junit.ts";
import { readOpenMetrics } from "../reports/open-metrics.ts";
import { expectSarif } from "../reports/sarif.ts";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

/** A piece of shell of an example; hosted: it needs the service. */
interface Piece {
  readonly script: string;
  readonly hosted: boolean;
  readonly env: Readonly<Record<string, string>>;
}

const examples = [...readFileSync("docs/ci.md", "utf8").matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) =>
  parseDocument(text),
);

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
    return items.flatMap((item) =>
      isScalar(item) ? [{ script: String(item.value), hosted: isHosted(item), env: {} }] : [],
    );
  });
}

/** A repository where `make bench` builds a `./bench` that does nothing, and `perfkeep` on the path. */
function repository(): {
  place: Playground;
  shell: (script: string, env?: Readonly<Record<string, string>>) => ReturnType<typeof spawnSync>;
} {
  const place = new Playground();
  chmodSync(place.write("bench.sh", "#!/bin/sh\nexit 0\n"), 0o755);
  place.write("Makefile", "bench: bench.sh\n\tcp bench.sh bench\n");
  place.commit("bench", "bench.sh");
  place.commit("build", "Makefile");
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
    spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
      cwd: place.folder,
      env: { ...environment, ...env },
      encoding: "utf8",
    });
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
}, 180_000);

test("the lines of the GitLab example do what they say, and a history of one is no success", () => {
  const { place, shell } = repository();
  const pieces = gitlabPieces();
  expect(pieces.filter(({ hosted }) => hosted)).toHaveLength(1);
  const script = pieces.flatMap((piece) => (piece.hosted ? [] : [piece.script])).join("\n");
  const { status, stderr } = shell(script);
  expect(status, String(stderr)).toBe(3);
  expect(readFileSync(join(place.folder, "junit.xml"), "utf8")).toMatch(
    /<testcase classname="time \.\/bench" name="time"><skipped /,
  );
  expect(readFileSync(join(place.folder, "metrics.txt"), "utf8")).toMatch(/# EOF\n$/);
  expect(JSON.parse(readFileSync(join(place.folder, "code-quality.json"), "utf8"))).toEqual([]);
}, 180_000);

test("what needs the service is shell, too", () => {
  const { shell } = repository();
  for (const { script, hosted } of [...githubPieces(), ...gitlabPieces()])
    if (hosted)
      expect(shell(`bash -n <<'END_OF_SCRIPT'\n${script}\nEND_OF_SCRIPT`)).toMatchObject({ status: 0, stderr: "" });
});

/** Each form held against the rules of its service. */
const forms: Readonly<Record<string, (text: string) => void>> = {
  summary: (text) => expect(text).toMatch(/^<!-- perfkeep: [A-Za-z0-9 ._/]+ -->\n/),
  annotations: (text) => expect(readCommands(text)).not.toHaveLength(0),
  junit: (text) => void expectJunit(text),
  sarif: expectSarif,
  openmetrics: (text) => void readOpenMetrics(text),
  "code-quality": (text) => expect(Array.isArray(JSON.parse(text))).toBe(true),
};
const formNames = Object.keys(forms);

describe("checks of profiles, of a repository whose second version is slower", () => {
  const place = new Playground();

  beforeAll(() => {
    place.commit("first");
    place.commit("second");
    place.commit("third");
    place.ok("init");
    for (const [at, amount] of [1, 4, 4.1].entries()) {
      const version = place.git("rev-parse", `HEAD~${2 - at}`);
      place.ok(
        "add",
        "-m",
        version,
        place.write(`${at}.perf`, timeProfile({ origin: version, amounts: [amount], cmd: "./a]](x) 'b'" })),
      );
    }
  });

  test.each(formNames)("check all tells of every version, in the form %s", (format) => {
    const { status, stdout, stderr } = place.run(["check", "all", "--format", format]);
    expect(status, stderr).toBe(1);
    forms[format]?.(stdout);
  });

  test.each(formNames)("check profiles tells of the two, in the form %s", (format) => {
    const { status, stdout, stderr } = place.run(["check", "profiles", "HEAD~2^0@i", "HEAD~1^0@i", "--format", format]);
    expect(status, stderr).toBe(1);
    forms[format]?.(stdout);
    expect(place.run(["check", "profiles", "HEAD~1^0@i", "HEAD^0@i", "--format", format]).status).toBe(3);
  });

  test("changes are told with the versions between which they lie, the last one counts as the state", () => {
    const second = place.git("rev-parse", "--short=8", "HEAD~1");
    const third = place.git("rev-parse", "--short=8", "HEAD");
    const commands = readCommands(place.run(["check", "all", "--format", "annotations"]).stdout);
    expect(commands.map(({ name, message }) => `${name} ${/since \w+/.exec(message)?.[0]}`)).toEqual([
      `error since ${second}`,
      `warning since ${third}`,
      "warning undefined",
    ]);
    const [pair] = readCommands(
      place.run(["check", "profiles", "HEAD~2^0@i", "HEAD~1^0@i", "--format", "annotations"]).stdout,
    );
    expect(pair?.message).toContain(`since ${second}`);
    const families = readOpenMetrics(place.run(["check", "all", "--format", "openmetrics"]).stdout);
    const now = families.get("perfkeep_verdict")?.samples.find(({ value }) => value === 1);
    expect(now?.labels.get("perfkeep_verdict")).not.toBe("worse");
  });

  test("decisions hold for all of them, in every form", () => {
    const key = JSON.stringify('profile ["time","time","./a]](x) \'b\'","","./a]](x) \'b\'","time"]');
    place.write("perfkeep.triage", `${key} * accepted Ada: it is worth it\n`);
    for (const words of [["all"], ["profiles", "HEAD~2^0@i", "HEAD~1^0@i"]])
      for (const form of [[], ["--format", "json"], ["--format", "junit"]])
        expect(place.run(["check", ...words, ...form])).toMatchObject({ status: 0 });
  });
});

describe("where nothing can be compared there is a report that says so", () => {
  const place = new Playground();

  beforeAll(() => {
    place.commit("first");
    place.commit("second");
    place.ok("init");
  });

  test.each([
    ["check series", "no-series"],
    ["compare HEAD~1 HEAD", "nothing-to-compare"],
    ["check head", ""],
    ["check all", ""],
  ])("%s", (command, code) => {
    for (const format of [...formNames, "json"]) {
      const { status, stderr } = place.run([...command.split(" "), "--format", format, "-o", "report"]);
      expect(status, stderr).toBe(3);
      if (code !== "") expect(stderr).toContain(code);
      const text = readFileSync(join(place.folder, "report"), "utf8");
      if (format === "json") expect(Object.keys(JSON.parse(text) as object)[0]).toBe("schema");
      else forms[format]?.(text);
      if (format === "junit") expect(text).toMatch(/errors="1".*[^]*<error message="nothing could be compared: /);
    }
  });

  test("people are told of the error alone", () => {
    expect(place.run(["check", "series"])).toMatchObject({ status: 3, stdout: "" });
    expect(place.run(["compare", "HEAD~1", "HEAD", "--format", "markdown"])).toMatchObject({ status: 3, stdout: "" });
  });
});
