import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Perun } from "./perun-playground.ts";

it("keeps the final newlines of messages, as Perun prints them", () => {
  const place = new Perun();
  const tree = place.git("rev-parse", "HEAD^{tree}");
  place.write("message", "No newline");
  const none = place.git("commit-tree", tree, "-p", place.head, "-F", "message");
  place.git("reset", "-q", "--hard", none);
  expect(place.did("--no-pager", "log").split("Minor Version ")[1]).toMatch(/\n\n {4}No newline\n$/);
  expect(place.did("--no-pager", "status")).toContain(
    "\n\nNo newline\n(no tracked profiles)\n\n(no untracked profiles)",
  );
  place.write("message", "Three\n\n\n");
  place.git("reset", "-q", "--hard", place.git("commit-tree", tree, "-p", none, "-F", "message"));
  expect(place.did("--no-pager", "log").split("Minor Version ")[1]).toMatch(/\n\n {4}Three\n(?: {4}\n){3}$/);
  expect(place.did("--no-pager", "status")).toContain("\n\nThree\n\n\n\n(no tracked profiles)");
});

it("sorts by the paths of stored files and prints them; Perun's cache of pending profiles stays as it is", () => {
  const place = new Perun();
  const cache = place.write(".perun/jobs/.index", "pidx\u0002\0\0\0\0\0\0\0");
  for (const [at, name] of ["a.perf", "b.perf", "c.perf"].entries()) place.profile(name, [at], 1_700_000_000 + at);
  place.did("config", "set", "format.status", "%realpath%");
  const pending = place.did("--no-pager", "status", "-sb", "realpath");
  expect(pending.match(/\.perun\/jobs\/.\.perf/g)).toEqual([2, 1, 0].map((at) => `.perun/jobs/${"abc"[at]}.perf`));
  place.did("add", "0@p-2@p");
  const paths = place.did("--no-pager", "status").match(/\.perun\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}/g) ?? [];
  expect(paths).toHaveLength(3);
  expect(paths).toEqual(paths.toSorted().toReversed());
  place.did("rm", "0@i");
  expect(readFileSync(cache, "latin1")).toBe("pidx\u0002\0\0\0\0\0\0\0");
});

it("lists statistics and temporary files as Perun does", () => {
  const place = new Perun();
  const none = (folder: string): string =>
    `== No results for the given parameters in the .perun/${folder}/ directory ==\n`;
  expect(place.did("utils", "stats", "list-files")).toBe(none("stats"));
  expect(place.did("utils", "temp", "list")).toBe(none("tmp"));
  place.write("entry.json", '{"a": 1}');
  place.did("utils", "stats", "put", "-m", "HEAD~1", "coverage", "id", "entry.json");
  place.did("utils", "stats", "put", "coverage", "id", "entry.json");
  const [head, older] = [place.head, place.git("rev-parse", "HEAD~1")];
  const files = place.did("utils", "stats", "list-files");
  const size = /^ {4}\d\d B {2}/m.exec(files.split("\n")[1] ?? "")?.[0] ?? "";
  const total = String(2 * Number(/\d+/.exec(size)?.[0])).padStart(6);
  expect(files).toBe(
    `Total size of all the displayed files / directories: ${total} B  \n` +
      `${size} | ${head} | coverage\n${size} | ${older} | coverage\n`,
  );
  expect(place.did("utils", "stats", "list-files", "-t", "-f", "-N", "1")).toBe(`${head} | coverage\n`);
  expect(place.did("utils", "stats", "list-files", "-t", "-i", "-f", "-m", "HEAD~1")).toBe("coverage\n");
  expect(place.did("utils", "stats", "list-versions", "-t")).toBe(`${size} | ${head} | 1\n${size} | ${older} | 1\n`);
  place.write(".perun/tmp/b.tmp", "x".repeat(1280));
  place.write(".perun/tmp/dir/a.tmp", "xy");
  place.did("utils", "temp", "protect", "b.tmp");
  expect(place.did("utils", "temp", "list", "-s", "protection")).toBe(
    "Total size of all the displayed files / directories:    1.3 KiB\n" +
      "   1.2 KiB | protected   | b.tmp\n     2 B   | unprotected | dir/a.tmp\n",
  );
  expect(place.did("utils", "temp", "list", "-tfp", "dir")).toBe("dir/a.tmp\n");
  expect(place.did("utils", "temp", "list", "-t", "-fp", "unprotected", "dir")).toBe(
    "     2 B   | unprotected | dir/a.tmp\n",
  );
});

it("prints lists and sections of the configuration as Python does", () => {
  const place = new Perun();
  place.did("config", "set", "cmds", '[./a, "it\'s", "say \\"it\'s\\""]');
  expect(place.did("config", "get", "cmds")).toBe(`cmds: ['./a', "it's", 'say "it\\'s"']\n`);
  place.did("config", "set", "collectors", "[{name: time, params: {warmup: 0, keep: true}}]");
  expect(place.did("config", "get", "collectors")).toBe(
    "collectors: [{'name': 'time', 'params': {'warmup': 0, 'keep': True}}]\n",
  );
  expect(place.did("config", "get", "vcs.type")).toBe("vcs.type: git\n");
});

it("prints tables with Perun's columns, order and digits", () => {
  const place = new Perun();
  const resources = [
    { amount: 0.123456789, order: 2, type: "time", uid: "b", time: "0.250" },
    { amount: 12345678.5, order: 10, type: "time", uid: "a", time: "0.5" },
  ];
  const profile = { header: { type: "time", cmd: "x", workload: "", units: {} }, postprocessors: [], resources };
  const models = [
    { uid: "b", model: "constant", r_square: 1.0 },
    { uid: "a", model: "linear", coeffs: [{ name: "b0", value: 0.5 }] },
  ];
  const document = { origin: place.head, ...profile, collector_info: { name: "time", params: {} }, models };
  place.write(".perun/jobs/a.perf", JSON.stringify(document));
  expect(place.did("show", "0@p", "tableof", "-ts", "resources")).toBe(
    [
      "     amount    order    snapshots    time  type    uid",
      "-----------  -------  -----------  ------  ------  -----",
      "0.123457           2            0    0.25  time    b",
      "1.23457e+07       10            0    0.5   time    a",
      "",
    ].join("\n"),
  );
  expect(place.did("show", "0@p", "tableof", "-ts", "models")).toBe(
    [
      "  coeffs    coeffs:b0  model       r_square  uid",
      "--------  -----------  --------  ----------  -----",
      "   nan          nan    constant           1  b",
      "     0.5          0.5  linear           nan  a",
      "",
    ].join("\n"),
  );
});

it("takes options of Perun in every spelling, and refuses what means nothing with the way to get the same", () => {
  const place = new Perun();
  const resources = Array.from({ length: 30 }, (_, at) => ({
    amount: at,
    "structure-unit-size": at,
    type: "mixed",
    uid: "f",
  }));
  const header = { type: "mixed", cmd: "x", workload: "", units: {} };
  const document = {
    origin: place.head,
    header,
    postprocessors: [],
    resources,
    collector_info: { name: "c", params: {} },
  };
  place.write(".perun/jobs/a.perf", JSON.stringify(document));
  const derived = (...words: string[]): string => place.did("postprocessby", "a.perf", ...words);
  expect(derived("regression-analysis", "--regression_models=linear")).toContain("f: linear");
  expect(derived("regressogram", "-bm=auto", "-sf=median")).toContain("f: regressogram");
  expect(derived("kernel-regression", "estimator-settings", "--bandwidth-method", "aic")).toContain(
    "kernel_regression",
  );
  expect(derived("kernel-regression", "method-selection", "--bandwidth-method=silverman")).toContain(
    "kernel_regression",
  );
  for (const words of [
    ["kernel-regression", "kernel-smoothing", "--bandwidth-method", "aic"],
    ["kernel-regression", "kernel-ridge", "-gr", "2", "2"],
    ["moving-average", "--min_periods", "0", "sma"],
  ])
    expect([words, place.refused("postprocessby", "a.perf", ...words)[0]]).toEqual([words, 2]);
  expect(place.did("check", "-m", "best-model", "head")).toContain("no profiles");
  for (const option of ["-z", "-k", "-vt", "-w", "-i", "-np", "-mcg", "-cg", "-mt", "-nds"])
    expect([option, place.tell("collect", "-c", "true", "trace", option).stderr]).toEqual([
      option,
      expect.stringMatching(/error: .*; (?:omit|remove) it.* \[unusable-combination\]/),
    ]);
  for (const option of ["-sc", "-q", "--no-usdt"])
    expect([option, place.tell("collect", "-c", "nothing-there", "trace", option).stderr]).toEqual([
      option,
      expect.not.stringContaining("unusable-combination"),
    ]);
});

it("refuses what Perun refuses, and finds programs and workloads below", () => {
  const place = new Perun();
  place.profile("a.perf", [1], 1_700_000_000);
  expect(place.refused("show", "0@p", "bars")).toEqual([2, "bad-usage"]);
  expect(place.refused("show", "0@p", "flow", "-t", "order")).toEqual([2, "bad-usage"]);
  expect(place.refused("fuzz", "-b", "cat", "-w", "file", "-o", "out", "--source-path", "nothing")[0]).toBe(2);
  place.write("sub/_build/tool", "#!/bin/sh\n");
  chmodSync(join(place.folder, "sub/_build/tool"), 0o755);
  place.write("_build/notes.txt", "x");
  place.write("sub/deep/_workload/in.txt", "x");
  rmSync(join(place.folder, ".perun"), { recursive: true });
  place.did("init", "-t", "user");
  expect(place.did("config", "get", "cmds")).toBe("cmds: ['./sub/_build/tool']\n");
  expect(place.did("config", "get", "workloads")).toBe("workloads: ['sub/deep/_workload/in.txt']\n");
});

it("uses names as asked, and keeps what has that name", () => {
  const place = new Perun();
  const collect = (...words: string[]): string => place.did("collect", "-c", "true", ...words, "time", "-w0", "-r1");
  expect(collect("-pn", "mine.perf")).toMatch(/^mine\.perf pending/);
  expect(collect("-pn=mine")).toMatch(/^mine-\w+\.perf pending/);
  expect(collect("-ot", "%collector%-of-%cmd%")).toMatch(/^time-of-\[true\]\.perf pending/);
  place.did("add", "mine.perf");
  expect(collect("-pn", "mine")).toMatch(/^mine-\w+\.perf pending/);
  place.did("add", ".perun/jobs/time-of-[true].perf");
  expect(place.did("log", "-s")).toContain("2|0|0|2 profiles");
});
