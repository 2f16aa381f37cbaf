import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepChanges, Perun } from "./perun-playground.ts";
import { timeProfile } from "./program.ts";

const rule = `${"═".repeat(62)}▣`;

describe("the front end perun", () => {
  it("is put on the path", () => {
    expect((JSON.parse(readFileSync("package.json", "utf8")) as { bin: object }).bin).toHaveProperty(
      "perun",
      "dist/cli.js",
    );
  });

  it("tells status and log byte for byte as Perun does", () => {
    const place = new Perun();
    place.profile("a.perf", [1, 2], 1_700_000_000);
    place.profile("b.perf", [3, 4], 1_700_000_060);
    place.did("--no-pager", "add", "--keep-profile", "0@p", "1@p");
    keepChanges(place, [
      "sort PerformanceChange.Degradation time 1.0s 7.0s 7.0 no 0.0 0.0 @ ./sort big",
      "swap PerformanceChange.Optimization time 8.0s 0.01s 0.00125 r_square 0.5 0.0 @ ./sort big",
    ]);
    expect(place.did("--no-pager", "--no-color", "status")).toBe(
      [
        `On major version main (minor version: ${place.head})`,
        "",
        "Author: Ada <ada@example.org> 2020-09-13 14:26:40",
        `Parent: ${place.git("rev-parse", "HEAD~1")}`,
        "",
        "Sort by merging",
        "",
        "with a longer text",
        "",
        "2 tracked profiles (2 time):",
        "",
        rule,
        "  id ┃   type   ┃ collector  ┃ (        time       ) ┃ source ┃",
        rule,
        " 0@i ┃ [time  ] ┃ time       ┃ (2023-11-14 22:14:20) ┃ b.perf ┃",
        rule,
        " 1@i ┃ [time  ] ┃ time       ┃ (2023-11-14 22:13:20) ┃ a.perf ┃",
        rule,
        "",
        "2 untracked profiles (2 time):",
        "",
        rule,
        "  id ┃   type   ┃ collector  ┃ (        time       ) ┃ source ┃",
        rule,
        " 0@p ┃ [time  ] ┃ time       ┃ (2023-11-14 22:14:20) ┃ b.perf ┃",
        rule,
        " 1@p ┃ [time  ] ┃ time       ┃ (2023-11-14 22:13:20) ┃ a.perf ┃",
        rule,
        "",
        "2 changes | +-",
        "1 optimization(+), 1 degradation(-)",
        "",
        "at sort:",
        "└ 7.0x: time Degradation from: 1.0s -> to: 7.0s ($ ./sort big)",
        "at swap:",
        "└ 0.0x: time Optimization from: 8.0s -> to: 0.01s (with confidence r_square = 0.5) ($ ./sort big)",
        "",
        "",
      ].join("\n"),
    );
    const [begin, sort] = [place.git("rev-parse", "HEAD~1"), place.head];
    expect(place.did("log")).toBe(
      `Minor Version ${sort}\n2 tracked profiles (2 time)\nAuthor: Ada ` +
        `<ada@example.org> 2020-09-13 14:26:40\nParent: ${begin}\n\n` +
        `    Sort by merging\n    \n    with a longer text\n    \n` +
        `Minor Version ${begin}\n(no tracked profiles)\nAuthor: Ada ` +
        `<ada@example.org> 2020-09-13 13:26:40\n\n    Begin\n    \n`,
    );
    expect(place.did("log", "-s")).toBe(
      [
        "checksum (a|m|x|t profiles)       desc       changes ",
        `${sort.slice(0, 8)} (2|0|0|2 profiles) Sort by merging +-       `,
        `${begin.slice(0, 8)} (--no--profiles--) Begin                    `,
        "",
      ].join("\n"),
    );
  });

  it("takes the options of groups before the sub-command, and the same letters behind it", () => {
    const place = new Perun();
    expect(place.did("config", "--local", "set", "cmds", "./sort")).toBe("");
    expect(place.did("config", "-l", "get", "cmds")).toBe("cmds: ['./sort']\n");
    expect(place.refused("config", "-h", "get", "cmds")).toEqual([1, "unset-config-key"]);
    place.profile("a.perf", [1, 2], 1_700_000_000);
    place.profile("b.perf", [9, 9], 1_700_000_060);
    expect(
      place.did(
        "show",
        "-m",
        "HEAD",
        "1@p",
        "tableof",
        "-ts",
        "-f",
        "github",
        "resources",
        "-h",
        "amount",
        "-s",
        "amount",
      ),
    ).toBe("|   amount |\n|----------|\n|        1 |\n|        2 |\n");
    place.did("show", "1@p", "tableof", "resources", "-f", "amount", "2");
    const table = readdirSync(place.folder).find((name) => name.startsWith("tableof_of_time-[sort]-[big]-20")) ?? "";
    expect(readFileSync(join(place.folder, table), "utf8")).toMatch(/^ +amount[^]*\n +2 .*[^\n]$/);
    place.did("show", "1@p", "bars", "mean", "-o", "amount", "-p", "amount", "-gt", "<b>bars</b>", "-xl", "x", "-v");
    expect(readFileSync(join(place.folder, "bars.html"), "utf8")).toMatch(/^<!doctype html>[^]*&#60;b&#62;bars&#60;/);
    place.did(
      "show",
      "-m",
      "HEAD",
      "1@p",
      "flow",
      "count",
      "-o",
      "amount",
      "-t",
      "amount",
      "--no-accumulate",
      "-f",
      "f.html",
    );
    expect(readFileSync(join(place.folder, "f.html"), "utf8")).toContain("count of amount<");
    place.did("show", "1@p", "scatter", "-o", "amount", "-p", "amount");
    expect(readdirSync(place.folder).filter((name) => /^scatter_.*\.html$/.test(name))).toHaveLength(1);
    expect(place.refused("show", "1@p", "bars", "-q")).toEqual([2, "bad-usage"]);
    place.did("show", "1@p", "tableof", "-of", "t.tex", "-f", "latex", "resources", "-h", "amount");
    expect(readFileSync(join(place.folder, "t.tex"), "utf8")).toContain("\\begin{tabular}{r}");
    expect(place.did("check", "-f", "profiles", "1@p", "0@p")).toContain("└ 6.0x: time Degradation");
    expect(place.did("check", "-m", "all-param", "-f", "profiles", "1@p", "0@p")).toContain("└ 6.0x: time Degradation");
    expect(place.did("--no-color", "add", "-m", "HEAD", "0@p-1@p")).toMatch(/registered at/);
    expect(place.did("rm", "a.perf", "-m", "HEAD")).toContain("a.perf removed");
  });

  it("keeps the order that status was asked for, which tags count in", () => {
    const place = new Perun();
    expect(place.did("status", "-sb", "source")).toContain("no tracked profiles");
    expect(place.did("config", "get", "format.sort_profiles_by")).toBe("format.sort_profiles_by: source\n");
  });

  it("collects by the collector's own options, and derives with Perun's numbers", () => {
    const place = new Perun();
    place.did("collect", "-c", "true", "-w", "x", "-w", "y", "-ot", "of-%workload%", "time", "-w", "0", "-r3");
    const pending = place.did("status");
    expect(pending).toContain("2 untracked profiles (2 time)");
    expect(pending).toMatch(/of-\[x\]\.perf/);
    expect(
      place.did("show", "0@p", "tableof", "-ts", "resources", "-f", "subtype", "real").trimEnd().split("\n"),
    ).toHaveLength(5);
    expect(place.did("collect", "-pn", "100%", "-c", "true", "time", "--warmup=0", "--repeat", "1")).toMatch(
      /^100%\.perf pending/,
    );
    place.did(
      "postprocessby",
      "-m",
      "HEAD",
      "0@p",
      "moving-average",
      "-of",
      "amount",
      "-per",
      "order",
      "sma",
      "-ww",
      "2",
    );
    expect(place.did("collect", "time", "--help")).toContain("-r, --repeat <integer>");
    expect(place.did("postprocessby", "0@p", "regression_analysis", "--help")).toContain("--regression-models");
  });

  it("runs jobs and matrices by Perun's letters", () => {
    const place = new Perun();
    const job = [
      "run",
      "-c",
      "-m",
      "HEAD",
      "job",
      "-b",
      "true",
      "-c",
      "time",
      "-w",
      "x",
      "-cp",
      "time",
      "{warmup: 0, repeat: 3}",
    ];
    place.did(...job, "-p", "moving-average", "-pp", "moving-average", "per-key: order");
    const names = place.did("status").match(/time-\[true\]-\[x\]/g) ?? [];
    expect(names.length).toBe(2);
    expect(place.did("show", "0@p", "tableof", "-ts", "models")).toContain("moving_average");
    place.did("config", "set", "cmds", "true");
    place.did("config", "set", "collectors", "[{name: time, params: {warmup: 0, repeat: 1}}]");
    expect(place.did("run", "matrix", "-q")).toMatch(/time-\[true\].*pending/);
    expect(place.refused("run", "-m", "HEAD", "matrix", "-q")).toEqual([2, "unusable-combination"]);
    expect(place.refused("run", "-f", "matrix")).toEqual([2, "unusable-combination"]);
    expect(place.refused("run", "job", "-b", "true", "-c", "time", "-a", "x")).toEqual([2, "unusable-combination"]);
  });

  it("fuzzes by Perun's letters, and ends well whatever it finds", () => {
    const place = new Perun();
    place.write("in/a.txt", "a b\n");
    place.write("in/b.dat", "x\n");
    const job = [
      "fuzz",
      "-b",
      "cmp in/a.txt",
      "-w",
      "in",
      "-wf",
      "[.]txt$",
      "-c",
      "time",
      "-cp",
      "time",
      "{warmup: 0, repeat: 1}",
      "-o",
      "out",
    ];
    expect(place.did(...job, "-h", "2", "-t", "60", "-N", "100", "-mpr", "unitary", "-np", "--runs", "6")).toMatch(
      /[1-9]\d* faults?/,
    );
    expect(place.refused("fuzz", "-b", "cat", "-w", "in/nothing", "-o", "out2")[0]).toBeGreaterThan(0);
  });

  it("writes plug-ins, and shows statistics and temporary files", () => {
    const place = new Perun();
    expect(place.did("utils", "create", "check", "by_mean", "-nb", "-na", "-ne")).toContain(
      "wrote plugins/by-mean.mjs",
    );
    expect(existsSync(join(place.folder, "plugins/by-mean.test.mjs"))).toBe(true);
    place.did("utils", "create", "collect", "phased", "-na");
    const phased = readFileSync(join(place.folder, "plugins/phased.mjs"), "utf8");
    expect([phased.includes("async before("), phased.includes("async after("), phased.includes("@")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(place.did("collect", "-c", "true", "phased", "--repeat", "1")).toContain("pending");
    place.write(".perun/tmp/trace/locks", "x");
    for (const words of [["temp"], ["utils", "temp"]])
      expect(place.did(...words, "list", "-fp", "unprotected")).toContain("trace/locks");
    for (const words of [["stats"], ["utils", "stats"]])
      expect(place.tell(...words, "list-versions", "-N", "0").status).toBe(0);
  });

  it.each([["collect"], ["run"], ["check"], ["show"], ["showdiff"], ["postprocessby"], ["config"], ["utils"]])(
    "prints the help of the group %s without a sub-command",
    (...words) => {
      const place = new Perun();
      expect(place.did(...words)).toContain(`Usage: perun ${words.join(" ")}`);
    },
  );

  it("prints the help of nested groups, but refuses options without a sub-command", () => {
    const place = new Perun();
    expect(place.did("utils", "stats", "delete")).toContain("Usage: perun utils stats delete");
    expect(place.refused("check", "-f")).toEqual([2, "bad-usage"]);
  });

  it("centres the head of tags of two digits, as Perun does", () => {
    const place = new Perun();
    for (let i = 0; i < 11; i++) place.profile(`${i}.perf`, [i], 1_700_000_000 + i);
    const lines = place.did("--no-pager", "status").split("\n");
    expect(lines.filter((line) => / id |0@p/.test(line)).map((line) => line.slice(0, 8))).toEqual([
      "  id  ┃ ",
      "  0@p ┃ ",
      " 10@p ┃ ",
    ]);
  });

  it("reads values after = of options of two letters as Perun does", () => {
    const place = new Perun();
    place.profile("a.perf", [1, 2], 1_700_000_000);
    place.did("show", "0@p", "bars", "-o", "amount", "-p", "amount", "-xl=Axis", "-f", "b.html");
    expect(readFileSync(join(place.folder, "b.html"), "utf8")).toContain("Axis");
    place.did("collect", "-pn=named", "-c", "true", "time");
    expect(readdirSync(join(place.folder, ".perun/jobs")).some((name) => name.startsWith("named"))).toBe(true);
  });

  it("refuses what means nothing here, with a reason, and ends with 2 for wrong words and 1 for all else", () => {
    const place = new Perun();
    const refused = [
      ["-m", "file.json", "id", "status"],
      ["showdiff", "a", "b", "table", "-g", "workload"],
      ["collect", "-c", "true", "-a", "x", "time"],
      ["collect", "-op", "full", "-c", "true", "time"],
      ["collect", "--optimization-cache-off", "-c", "true", "time"],
      ["check", "-m", "all-param", "head"],
      ["check", "-f", "head"],
      ["check", "-c", "profiles", "a", "b"],
      ["utils", "create", "view", "x", "-st", "time"],
      ["show", "-m", "HEAD", "x", "raw", "-s", "amount"],
    ];
    for (const words of refused)
      expect([words, ...place.refused(...words)]).toEqual([words, 2, "unusable-combination"]);
    expect(place.refused("collect", "-c")).toEqual([2, "bad-usage"]);
    expect(place.refused("check", "--no-such", "head")).toEqual([2, "bad-usage"]);
    expect(place.refused("stat")).toEqual([2, "unknown-verb"]);
    expect(place.refused("collect", "-c", "true", "tim")).toEqual([2, "unknown-plugin"]);
    expect(place.refused("log", "no-such-branch")[0]).toBe(1);
    expect(place.refused("add", "nothing.perf")[0]).toBe(1);
    expect(place.tell("-d", "log", "no-such-branch").stderr).toMatch(/\n +at /);
    expect(place.did("check", "head")).toContain("no profiles");
    expect(place.did("--version")).toMatch(/^perun \(perfkeep\) \d/);
    expect(place.did("--help")).toContain("postprocessby");
    expect(place.did("run", "--help")).toMatch(
      /Options before the sub-command:\n[^]*-c --crawl-parents\n +also measure all/,
    );
    expect(place.did("collect", "--help")).toContain("memory");
  });

  it("answers questions about profiles with -y, but never those about commands", () => {
    const place = new Perun();
    place.write("out/one.perf", timeProfile({ origin: place.head, amounts: [1] }));
    place.write("out/two.perf", timeProfile({ origin: place.head, amounts: [1] }));
    expect(place.refused("add", "o")).toEqual([2, "ambiguous-profile"]);
    expect(place.did("-y", "add", "o")).toContain("one.perf registered");
    place.write(
      ".perun/local.yml",
      "vcs:\n  type: git\n  url: ../\ncmds: [touch canary]\ncollectors: [{name: time}]\n",
    );
    expect(place.refused("-y", "collect", "time")).toEqual([1, "not-trusted"]);
    expect(existsSync(join(place.folder, "canary"))).toBe(false);
  });
});
