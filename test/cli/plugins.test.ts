import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground } from "./program.ts";

function place(): Playground {
  const project = new Playground();
  project.commit("first");
  project.ok("init");
  return project;
}

test("plug-ins are written, loaded from the configuration, and used by all verbs of their kind", () => {
  const project = place();
  const purposes = [
    "collect stopwatch",
    "import lines",
    "postprocess averages",
    "check by-mean",
    "view totals",
    "vcs own",
  ];
  const told = purposes.map((words) => project.ok("utils", "create", ...words.split(" ")));
  expect(told[0]).toContain("wrote plugins/stopwatch.mjs\nwrote plugins/stopwatch.test.mjs\n");
  expect(readFileSync(join(project.folder, ".perun/local.yml"), "utf8")).toContain("plugins/by-mean.mjs");
  expect(project.ok("utils", "plugins")).toMatch(
    / {2}totals +rows and total amount of each location \(plugins\/totals.mjs\)/,
  );

  project.write("out.txt", "# lines\nsort: 12.5 ms\nread: 40 us\n");
  expect(project.ok("import", "out.txt")).toContain("lines is a new experiment of lines with benchmark, time\n");
  expect(project.ok("query", "lines", "time", "--format", "csv")).toContain("0.0125");
  project.ok("collect", "stopwatch", "-p", "repeat: 3", "--", "true");
  expect(project.ok("show", "0@p", "totals")).toMatch(/true +3 /);
  expect(project.json("postprocessby", "0@p", "averages", "-of", "order")).toMatchObject({
    models: [{ uid: "true", model: "averages", count: 3, mean: 2 }],
  });
  const { changes } = project.json("check", "profiles", "0@p", "0@p", "--method", "by-mean") as { changes: unknown[] };
  expect(changes).toMatchObject([{ location: "true", result: "NoChange", method: "by_mean" }]);
  const head = project.git("rev-parse", "HEAD");
  project.ok("config", "set", "vcs.type", "own");
  expect(project.ok("log")).toContain(`Commit ${head}`);
});

test("readers, generators and detectors are plug-ins, too, and what they answer in a wrong shape is told", () => {
  const project = place();
  project.ownProcesses = true;
  const detector = (answer: string): string =>
    `{ kind: "detector", name: "mine", synopsis: "the middle", options: [], detect: (values) => ${answer} }`;
  const generator = `{ kind: "generator", name: "lengths", synopsis: "numbers",
    options: [], spellings: {}, needsTree: false,
    generate: async () => [1, 2].map((n) => ({ words: String(n), title: "n" + n, facts: new Map([["n", n]]) })) }`;
  const reader =
    `{ kind: "reader", name: "own", synopsis: "a format", options: ` +
    `[], sniff: () => 0, stacks: async () => 1, read: async () => 1 }`;
  const write = (...plugins: string[]): void =>
    void project.write("own.mjs", `export const plugin = () => [${plugins.join(", ")}];`);
  project.ok("config", "set", "plugins", "[own.mjs]");
  write(detector("[{ index: 2, before: 1, after: 2 }]"), generator, reader);
  project.write("series.csv", "at,a\nw,1\nx,1\ny,2\nz,2\n");
  expect(project.ok("changepoints", "series.csv", "--method", "mine")).toContain("y");
  project.write("p.bin", "x");
  const wrong = project.run(["import-profile", "--reader", "own", "p.bin"]);
  expect(wrong).toMatchObject({ status: 4, stderr: expect.stringContaining("own.mjs: reader own: ") });
  write(detector("[{ index: 0.5 }]"), generator, reader);
  expect(project.run(["changepoints", "series.csv", "--method", "mine"]).stderr).toContain(
    "detect returned no list of changes",
  );
  write(`{ kind: "view", name: "v", synopsis: "s", options: [], operand: 3, draw() {} }`);
  expect(project.run(["show", "0@p", "v", "w"]).stderr).toContain("its operand is not the name of an option");
  write(`{ ...${generator}, needsTree: 1 }`);
  expect(project.run(["utils", "plugins"]).stderr).toContain("its needsTree is neither true nor false");
});

test("renderers are formats of what draws figures, by name and, for pictures, by the ending of a file", () => {
  const project = place();
  const create = (kind: string, name: string): void => void project.ok("utils", "create", kind, name);
  for (const [kind, name] of Object.entries({
    render: "tabs",
    generate: "doublings",
    read: "call-tree",
    detect: "windows",
  }))
    create(kind, name);
  project.ok("config", "set", "generators.workload", "[{id: twice, type: doublings, to: 3}]");
  project.ok("run", "job", "-c", "echo", "-w", "twice", "-C", "time", "--params", "time", "{warmup: 0, repeat: 1}");
  expect(project.ok("show", "0@p", "--headers", "workload,subtype", "--format", "TABS")).toMatch(
    /\n\nworkload\tsubtype\n1\treal\n/,
  );
  project.write("results.csv", "size,seconds\n1,2\n2,3\n");
  project.ok("import", "results.csv", "-e", "sizes");
  const plot = ["plot", "sizes", "seconds", "--x", "size", "-o"];
  project.ok(...plot, "chart.tsv");
  expect(readFileSync(join(project.folder, "chart.tsv"), "utf8")).toContain("\nseconds\t1\t2\t");
  expect(project.run([...plot, "chart.nope"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("[unknown-choice]"),
  });
  expect(project.run(["changepoints", "series.csv", "--format", "jpeg"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("svg, png, tabs ["),
  });
  expect(project.run(["status", "--format", "tabs"]).status).toBe(2);
  project.write("tree.txt", "# call-tree\nmain 5\n  parse 3\n");
  expect(project.ok("convert", "tree.txt", "--to", "folded")).toBe("main 5\nmain;parse 3\n");
  expect(project.ok("import-profile", "tree.txt")).toContain("of call-tree pending");
  project.write(
    "series.csv",
    `at,a\n${Array.from({ length: 30 }, (_, at) => `v${at},${at < 15 ? 10 : 20}\n`).join("")}`,
  );
  expect(project.ok("changepoints", "series.csv", "--method", "windows", "--format", "tabs")).toContain("\tv15\t");
});

test("plug-ins that came with a clone are not loaded, and what perfkeep does by itself needs none", () => {
  const project = place();
  project.write(
    "evil.mjs",
    `import { writeFileSync } from "node:fs"; writeFileSync("canary", ""); export const plugin = () => null;`,
  );
  project.write(".perun/local.yml", "vcs:\n  type: git\n  url: ../\nplugins: [evil.mjs]\n");
  for (const words of [
    ["show", "0@p", "nice"],
    ["utils", "plugins"],
    ["collect", "mine", "--", "true"],
    ["check", "head", "--method", "x"],
    ["show", "0@p", "--format", "x"],
    ["plot", "a", "b", "--x", "c", "-o", "x.unheard"],
  ]) {
    const { status, stderr } = project.run(words);
    expect([words, status, stderr]).toEqual([
      words,
      77,
      expect.stringContaining("contains unconfirmed commands: plugins: evil.mjs"),
    ]);
  }
  expect(project.run(["postprocessby", "0@p", "mine"]).status).toBe(77);
  expect(project.run(["status"]).status).toBe(0);
  expect(existsSync(join(project.folder, "canary"))).toBe(false);
  project.ok("trust");
  expect(project.run(["utils", "plugins"])).toMatchObject({
    status: 4,
    stderr: expect.stringMatching(/^perfkeep: error: evil.mjs: plugin\(\) returns no object; .*\[bad-plugin\]\n$/),
  });
});

test("nothing is overwritten, no name is taken twice, and nothing is written outside", () => {
  const project = place();
  project.ok("utils", "create", "view", "totals");
  const code = (...words: string[]): string =>
    /\[([a-z-]+)\]\n$/.exec(project.run(["utils", "create", ...words]).stderr)?.[1] ?? "";
  expect(code("view", "totals")).toBe("plugin-exists");
  expect(code("collect", "totals")).toBe("plugin-exists");
  expect(code("check", "average-amount")).toBe("bad-plugin-name");
  expect(code("check", "AAT")).toBe("bad-plugin-name");
  for (const name of ["../x", "a/b", "Totals", "a--b", "", "x".repeat(61)])
    expect([name, code("view", name)]).toEqual([name, "bad-plugin-name"]);
  expect(code("engine", "x")).toBe("unknown-choice");
  expect(code("view", "x", "--phase", "before")).toBe("unusable-combination");
  const other = place();
  symlinkSync(project.home, join(other.folder, "plugins"));
  expect(other.run(["utils", "create", "view", "out"]).stderr).toContain("link that leads out of the project");
  expect(existsSync(join(project.home, "out.mjs"))).toBe(false);
});

test("a failing plug-in is told in one line, with its trace only on request", () => {
  const project = place();
  project.ok("utils", "create", "view", "totals");
  const file = join(project.folder, "plugins/totals.mjs");
  project.write(
    "plugins/totals.mjs",
    readFileSync(file, "utf8").replace("return {\n        title", "undefined.no;\n      return {\n        title"),
  );
  project.ok("collect", "time", "-p", "{warmup: 0, repeat: 1}", "--", "true");
  const shown = project.run(["show", "0@p", "totals"]);
  expect([shown.status, shown.stderr.trimEnd().split("\n").length]).toEqual([4, 1]);
  expect(shown.stderr).toContain("plugins/totals.mjs: view totals: TypeError: ");
});

test("renderers get their options from the command line", () => {
  const project = place();
  project.ok("config", "set", "plugins", "[own.mjs]");
  const option =
    `{ name: "sign", role: "parameter", occurrence: "once", ` +
    `type: "string", default: "-", synopsis: "of each row" }`;
  const render =
    `async (figure, _, values) => figure.blocks.flatMap(({ rows = [] ` +
    `}) => rows.map((row) => values.get("sign") + row[0])).join("\\n")`;
  project.write(
    "own.mjs",
    `export const plugin = () => ({ kind: "renderer", name: "list", synopsis: "s", options: ` +
      `[${option}], mediaType: "text/plain", extension: "list", render: ${render} });`,
  );
  project.write(
    "series.csv",
    `at,=a\n${Array.from({ length: 30 }, (_, at) => `v${at},${at < 15 ? 10 : 20}\n`).join("")}`,
  );
  const points = ["changepoints", "series.csv"];
  expect(project.ok(...points, "--format", "list")).toBe("-=a");
  expect(project.ok(...points, "--format", "list", "--format-opt", "sign=* ")).toBe("* =a");
  project.ok(...points, "-o", "points.list", "--format-opt", "sign=+");
  expect(readFileSync(join(project.folder, "points.list"), "utf8")).toBe("+=a");
  expect(project.ok(...points, "--format", "csv", "--format-opt", "for_spreadsheet=true")).toContain("\n'=a,15");
  expect(project.run([...points, "--format", "list", "--format-opt", "size=3"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("renderer list has no option 'size'; its options: sign"),
  });
  expect(project.run(["check", "series", "--format", "junit", "--format-opt", "a=b"]).stderr).toContain(
    "[unusable-combination]",
  );
  expect(project.run([...points, "--format-opt", "sign"]).stderr).toContain(
    "option --format-opt: 'sign' is not NAME=VALUE",
  );
});
