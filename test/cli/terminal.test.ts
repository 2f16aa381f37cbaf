import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it, test } from "vitest";
import { displayWidth } from "../../src/core/text/terminal-text.ts";
import { Playground, timeProfile } from "./program.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;
/** Lives in what the terminal gets: controls but colours, links and ends of lines. */
const strangeControls =
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  new RegExp(
    String.raw`(?!\x1b\[\d+m|\x1b\]8;;[\x21-\x7e]*\x1b\\)[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]` +
      String.raw`(?<!\x1b\]8;;[\x21-\x7e]*\x1b)(?<!\x1b\]8;;\x1b)`,
    "u",
  );

const place = new Playground();
const ids: string[] = [];
const subjects = [
  "Begin",
  "日本語の件名 with 😀",
  "evil \x1b[31m and \u202e bidi",
  "Longer than a narrow terminal is wide, for sure",
];

beforeAll(() => {
  for (let at = 0; at < 12; at++) {
    ids.push(place.commit(`${subjects[at % subjects.length]} ${at}`));
    if (at === 0) place.ok("init");
    const files = [["./slow", at < 6 ? 1 : 1.5] as const, ["./flat/a/rather/long/name", 3] as const].map(
      ([cmd, amount], i) => {
        const amounts = [amount * (1 + ((at * 7) % 5) / 1000)];
        return place.write(`${at}-${i}.perf`, timeProfile({ origin: ids[at] as string, amounts, cmd }));
      },
    );
    place.ok("add", ...files);
  }
  place.git("remote", "add", "origin", "https://me:s3cret@github.com/owner/project.git");
}, 60_000);

describe.skipIf(!hasScript)(`in a terminal${hasScript ? "" : " (script of util-linux is missing)"}`, () => {
  /** What the program prints to a terminal of so many columns. */
  const seen = (columns: number, words: string, env: Readonly<Record<string, string>> = {}): string => {
    const command = `stty cols ${columns} rows 24; exec "$NODE" "$PROGRAM" ${words}`;
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
      cwd: place.folder,
      env: {
        ...Object.fromEntries(
          Object.entries(process.env).filter(
            ([name]) => !/^(PERFKEEP|GIT|CI$|.*HYPERLINK|VTE|WT_|TERM|NO_COLOR|PAGER)/.test(name),
          ),
        ),
        HOME: place.home,
        TZ: "UTC",
        LC_ALL: "C.UTF-8",
        TERM: "xterm-256color",
        NO_COLOR: "1",
        PAGER: "cat",
        SHELL: "/bin/sh",
        NODE: process.execPath,
        PROGRAM: place.program,
        ...env,
      },
      encoding: "utf8",
      input: "",
      timeout: 20_000,
    });
    return stdout.replaceAll("\r\n", "\n").replace("^D\b\b", "");
  };

  it.each([40, 80, 200])("tables fit into %i columns and hold no controls of others", (columns) => {
    for (const words of ["log --short --trend", "status"]) {
      const text = seen(columns, words);
      expect(text).not.toMatch(strangeControls);
      const table =
        words === "status" ? text.split("\n").filter((line) => /@i|═/.test(line)) : text.trimEnd().split("\n");
      expect(table.length).toBeGreaterThan(2);
      for (const line of table) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    }
  });

  it("data of experiments and objects holds no controls in any format, but does in a pipe", () => {
    const evil = "\x1b[2J\x1b[31m \x9b1m \u202e x";
    place.write("evil.exp", "*experiment evil\n*parameter who string\n*result rate float\n");
    place.ok("experiment", "create", "evil.exp");
    place.write("evil.csv", `who,rate\n"${evil}",1\n"=1+1",2\n`);
    place.ok("import", "-e", "evil", "evil.csv");
    expect(place.ok("export", "evil", "--format", "csv")).toContain(evil);
    for (const words of [
      ...["csv", "json", "ndjson", "ascii"].map((format) => `export evil --format ${format}`),
      ...["text", "csv", "json", "ndjson", "markdown"].flatMap((format) => [
        `query evil who rate --format ${format}`,
        `sql "select who, rate from evil" --format ${format}`,
      ]),
      "export evil --format csv -o /dev/tty",
      `sql "select 'x' as '${evil}'" --format csv`,
      "log --format json",
      "status --format json",
    ]) {
      const text = seen(100, words).replaceAll("\t", " ");
      expect(text, words).not.toMatch(strangeControls);
      // oxlint-disable-next-line no-control-regex -- colours of data
      expect(text, words).not.toMatch(/\x1b\[(?:31|1)m/);
      if (words.includes("evil")) expect(text, words).toMatch(/31m/);
    }
    for (const words of [
      ["query", "evil", "who"],
      ["sql", "select who from evil"],
      ["export", "evil", "who"],
    ]) {
      expect(place.ok(...words, "--format", "csv", "--for-spreadsheet")).toContain("'=1+1");
      expect(place.ok(...words, "--format", "csv")).not.toContain("'=1+1");
    }
    expect(place.run(["query", "evil", "--for-spreadsheet"]).status).toBe(2);
  });

  it("trends are drawn, in ASCII where nothing else can be shown", () => {
    expect(seen(80, "trend --charts 0")).toMatch(/▁{6}█{6}/);
    expect(seen(80, "log --trend -n 1")).toMatch(/▁{6}█{6} 1\.5\d* s/);
    for (const words of ["trend", "log --trend"])
      expect(seen(80, `${words} --cmd ./slow`, { LC_ALL: "C" })).toMatch(/^[\n\x20-\x7e]+$/);
    for (const words of ["log --short", "status", "check all"])
      expect(seen(80, words, { TERM: "dumb" })).toMatch(/^[\n\x20-\x7e]+$/);
  });

  it("versions are links to their forge where the terminal shows them, without the password of the remote", () => {
    const link = `\x1b]8;;https://github.com/owner/project/commit/${ids[11]}\x1b\\`;
    const vte = { VTE_VERSION: "7000" };
    expect(seen(80, "log --short", vte)).toContain(`${link}${ids[11]?.slice(0, 8)}\x1b]8;;\x1b\\`);
    expect(seen(80, "status", vte)).toContain(`${link}${ids[11]}`);
    const told = `${link.replace(ids[11] ?? "", ids[6] ?? "")}${ids[6]?.slice(0, 8)}\x1b]8;;\x1b\\`;
    for (const words of ["trend", "trend --cmd ./slow", "check series", `check head ${ids[6]}`]) {
      expect(seen(120, words, vte)).toContain(told);
      // oxlint-disable-next-line no-control-regex -- links begin with one
      expect(seen(120, words, vte).replaceAll(/\x1b\]8;;[\x21-\x7e]*\x1b\\/g, "")).toBe(seen(120, words));
    }
    const long = seen(80, "log", vte);
    expect(long).toContain(`${link}${ids[11]}`);
    expect(long).not.toContain("s3cret");
    expect(long).not.toMatch(strangeControls);
    for (const words of ["log", "status --hyperlinks never"])
      expect(seen(80, words, words === "log" ? {} : vte)).not.toContain("\x1b]8");
    expect(seen(80, "log --short", { ...vte, NO_HYPERLINK: "1" })).not.toContain("\x1b]8");
  });

  it("a pipe gets no links but those that are asked for", () => {
    expect(place.run(["log"], { env: { VTE_VERSION: "7000" } }).stdout).not.toContain("\x1b");
    expect(place.ok("log", "--hyperlinks", "always")).toContain("\x1b]8;;https://github.com/");
    expect(place.ok("log", "--short", "--compat", "perun", "--hyperlinks", "always")).not.toContain("\x1b");
  });
});

describe("trends", () => {
  it("are a line each, what got worse first, and a chart with its changes for one", () => {
    const [, , slow, flat] = place.ok("trend").split("\n");
    expect(slow).toMatch(/^time \.\/slow +time +▁{6}█{6} .*\+50\.\d % +worse/);
    expect(slow).toContain(ids[6]?.slice(0, 8));
    expect(flat).toMatch(/^time \.\/flat.* same/);
    const chart = place.ok("trend", "--cmd", "./slow");
    expect(chart).toMatch(/time \[s\]\n/);
    expect(chart).toMatch(new RegExp(`${ids[6]?.slice(0, 8)} +2020-\\d\\d-\\d\\d +worse .*Ada +evil .* 6`));
    expect(place.ok("trend", "--charts", "2").match(/time \[s\]/g)).toHaveLength(2);
  });

  it("tell values in the unit in which they read best, and to programs in that of the series", () => {
    const small = new Playground();
    const origin = small.commit("one");
    small.ok("init");
    small.ok("add", small.write("a.perf", timeProfile({ origin, amounts: [0.0005] })));
    expect(small.ok("trend", "--charts", "0")).toContain(" 500 us ");
    expect(small.ok("trend", "--charts", "1")).toContain("time [us]");
    expect(small.ok("log", "--trend")).toContain(" 500 us ");
    expect(small.ok("trend", "--format", "csv")).toContain(",0.0005 s,");
  });

  it("are those of a range, as numbers and as a picture", () => {
    const { series } = place.json("trend", `${ids[8]}..`) as {
      series: { points: { commit: string; value: number }[]; verdicts: { since: unknown }[] }[];
    };
    expect(series.map(({ points }) => points.length)).toEqual([3, 3]);
    expect(series[0]?.points.at(-1)?.commit).toBe(ids[11]);
    const picture = place.ok("trend", "--cmd", "./slow", "--format", "svg");
    expect(picture).toMatch(/^<svg /);
    expect(picture).toContain("bidi 6");
  });

  it("refuse what says nothing: no series, options of trends without them", () => {
    expect(place.run(["trend", "--cmd", "./none"])).toMatchObject({ stdout: "" });
    expect(place.run(["trend", "--cmd", "./none"]).stderr).toContain("[no-series]");
    expect(place.run(["log", "--cmd", "./slow"]).stderr).toContain("--cmd without --trend");
    expect(place.run(["log", "--trend", "--cmd", "./none"])).toMatchObject({ status: 0 });
    expect(place.ok("log", "--trend", "-n", "1", ids[8] as string)).toMatch(/▁{6}█{3} 1\.5\d* s time \.\/slow time/);
    expect(place.ok("log", "--trend", "--cmd", "./slow")).toMatch(
      /▁{6}█ 1\.5\d* s \+50\.\d % worse time \.\/slow time/,
    );
  });
});

test("changepoints draws a series with its levels, and pictures of the first few", () => {
  const rows = Array.from({ length: 24 }, (_, at) => `v${at},${(at < 12 ? 10 : 20) + (at % 3) / 10},${at % 5}`);
  const table = place.write("two.csv", ["at,a,b", ...rows].join("\n"));
  const one = place.write("one.csv", ["at,a", ...rows.map((row) => row.slice(0, row.lastIndexOf(",")))].join("\n"));
  expect(place.ok("changepoints", one)).toMatch(/^a\n[^]*level {3}▲ change\n\n[^]*\na +12  v12 /);
  expect(place.ok("changepoints", table)).toMatch(/^series /);
  expect(place.ok("changepoints", table, "--format", "svg").match(/>v12</g)?.length).toBeGreaterThanOrEqual(2);
  expect(place.ok("changepoints", table, "--charts", "2", "--format", "csv")).toMatch(/^series,/);
  expect(place.ok("changepoints", table, "--format", "svg")).toContain("prefers-color-scheme: dark");
  expect(place.ok("changepoints", table, "--format", "svg", "--dark")).not.toContain("prefers-color-scheme");
  expect(place.run(["changepoints", table, "--dark"]).stderr).toContain("[unusable-combination]");
});
