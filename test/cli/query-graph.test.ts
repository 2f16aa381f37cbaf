import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Playground } from "./program.ts";

const query = (filename: string): string => `<query id="fastest">
  <experiment>ping</experiment>
  <fixed id="f.net"><content>sci</content></fixed>
  <parameter id="p.net" show="filter"><value>net</value><filter><equal>f.net</equal></filter></parameter>
  <parameter id="p.size"><value>size</value></parameter>
  <source id="src"><result>time</result><input>p.size</input><input>p.net</input></source>
  <operator id="min" type="min"><input>src</input></operator>
  <operator id="sort" type="sort"><input>min</input></operator>
  <output><input>sort</input>${filename}</output>
</query>
`;

const sci = "# net = 'sci'  \n# size[byte]\tmin(time)[us]\t\n8 \t1.25 \t\n16 \t2.5 \t\n";

describe("queries as graphs", () => {
  const place = new Playground();

  beforeAll(() => {
    place.commit("first");
    place.ok("init");
    place.write(
      "ping.exp",
      "*experiment ping\n*parameter net string - once\n*parameter size int Byte\n*result time float us\n",
    );
    place.write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n");
    place.write("a.txt", "8 1.5\n16 2.5\n8 1.25\n");
    place.write("b.txt", "8 7\n");
    place.write("q.xml", query(""));
    place.ok("experiment", "create", "ping.exp");
    place.ok("import", "-e", "ping", "-d", "ping.inp", "-f", "net=sci", "a.txt");
    place.ok("import", "-e", "ping", "-d", "ping.inp", "-f", "net=myri", "b.txt");
  });

  test("a described query is evaluated and printed as perfbase prints it", () => {
    expect(place.ok("query", "-d", "q.xml")).toBe(sci);
    expect(place.ok("query", "-d", "q.xml", "-f", "f.net=myri")).toBe(
      "# net = 'myri'  \n# size[byte]\tmin(time)[us]\t\n8 \t7.0 \t\n",
    );
  });

  test("whole numbers make fractions, and whole numbers as in perfbase", () => {
    const source = (id: string, index: number): string =>
      `<run id="r${id}"><index>${index}</index></run><source ` +
      `id="${id}"><result>size</result><input>r${id}</input></source>`;
    const div = `<operator id="d" type="div" match="index"><input>b</input><input>a</input></operator>`;
    const scaled = `<operator id="b2" type="offset" value="3"><input>b</input></operator>`;
    const divided = div.replace("<input>b<", "<input>b2<");
    const graph = `${source("a", 1)}${source("b", 2)}${scaled}${divided}<output><input>d</input></output>`;
    place.write("div.xml", `<query id="div"><experiment>ping</experiment>${graph}</query>`);
    expect(place.ok("query", "-d", "div.xml")).toBe("# size+3.0/size[]\t\n1.375 \t\n");
    expect(place.ok("query", "-d", "div.xml", "--compat", "perfbase")).toBe("# size+3.0/size[byte/byte]\t\n1 \t\n");
    expect(place.run(["query", "ping", "--compat", "perfbase"]).status).toBe(2);
  });

  test("a question is printed as a query that is kept and answers the same", () => {
    const question = [
      "query",
      "ping",
      "time",
      "--by",
      "size",
      "--stat",
      "max,q50",
      "--where",
      "net=sci and (size>=1KiByte or size=8)",
    ];
    expect(place.ok(...question, "--format", "csv")).toBe("size [Byte],time.max [us],time.q50 [us]\r\n8,1.5,1.375\r\n");
    expect(place.ok(...question, "--format", "html")).toContain("<title>ping: size, time.max, time.q50</title>");
    const text = place.ok(...question, "--print", "text");
    expect(text).toContain('OPERATOR statistics statistics rows value="max,q50"');
    place.write("asked.txt", text);
    expect(place.run([...question, "--print", "text", "--format", "json"]).stderr).toContain("remove --format");
    place.write("asked.xml", place.ok(...question, "--print", "xml"));
    const answer =
      "# net = 'sci' AND (size >= 1KiByte OR size = 8byte)  \n# " +
      "size[byte]\ttime.max[us]\ttime.q50[us]\t\n8 \t1.5 \t1.375 \t\n";
    expect(place.ok("query", "-d", "asked.txt")).toBe(answer);
    expect(place.ok("query", "-d", "asked.xml")).toBe(answer);
  });

  test("what the database is asked is told, and what is done outside of it", () => {
    const plan = place.ok("query", "-d", "q.xml", "--explain");
    expect(plan).toMatch(
      new RegExp(
        String.raw`^src > min: one statement\n  rows\n  where .*net = "sci".*\n  group by size\n` +
          String.raw`  select size, min\(.*\n` +
          String.raw`  SQL: select .* min\(d\.p_\d+\) .* group by .*\n  \$1 = "sci"\n` +
          String.raw`sort: outside the database\n$`,
      ),
    );
    const sources = ["EXPERIMENT ping", "PARAMETER p size", "SOURCE a p result=time", "SOURCE b p result=time"];
    place.write("joined.txt", [...sources, "OPERATOR d percentof a b", "OPERATOR m avg d", "OUTPUT m", ""].join("\n"));
    expect(place.ok("query", "-d", "joined.txt", "--explain")).toMatch(
      new RegExp(
        String.raw`^a > b > d > m: one statement\n  join on size = size#2 of\n  - rows\n(?:  .*\n)+  select avg\(.*\n` +
          String.raw`  SQL: select avg\(.* from \(select .*\) j0 ` +
          String.raw`join \(select .*\) j1 on .* where .*\n(?:  \$\d = 100\n)+$`,
      ),
    );
    const outside = ["query", "-d", "joined.txt", "--compat", "perfbase"];
    expect(place.ok(...outside, "--explain")).toMatch(/\nm: outside the database\n$/);
    expect(place.ok("query", "-d", "joined.txt")).toBe(place.ok(...outside));
    expect(place.ok("query", "ping", "time", "--stat", "mean", "--where", "size>=8", "--explain")).toMatch(
      /^ping: one statement\n  rows\n  where size >= 8\n  select avg\(time\)\n  SQL: select avg.*\n  \$1 = 8\n$/,
    );
  });

  test("an attached query is found by its name", () => {
    place.ok("attach", "put", "ping", "q.xml", "--name", "fastest");
    expect(place.ok("query", "-n", "fastest", "-e", "ping")).toBe(sci);
  });

  test("an output with a file goes there", () => {
    place.write("file.xml", query("<filename>fast</filename>"));
    expect(place.ok("query", "-d", "file.xml")).toBe("");
    expect(readFileSync(join(place.folder, "fast.dat"), "utf8")).toBe(sci);
    place.write("far.xml", query("<filename>../fast</filename>"));
    expect(place.run(["query", "-d", "far.xml"]).status).toBe(4);
    expect(existsSync(join(place.folder, "..", "fast.dat"))).toBe(false);
  });

  test("outputs of several targets come from one query, each in its file", () => {
    const output = (target: string, more = ""): string =>
      `<output target="${target}" ${more}><input>sort</input><filename>out</filename></output>`;
    const targets = [
      "gnuplot",
      "opendoc",
      "json",
      "latex",
      "csv",
      "markdown",
      "parquet",
      "svg",
      "png",
      "html",
      "text",
      "xml",
    ];
    const outputs = targets.map((target) => output(target, target === "gnuplot" ? 'format="eps"' : "")).join("");
    place.write("all.xml", query("").replace("<output><input>sort</input></output>", outputs));
    const ended = place.run(["query", "-d", "all.xml"], { env: { PATH: place.folder } });
    expect([ended.status, ended.stdout]).toEqual([0, ""]);
    expect(ended.stderr).toContain("out.eps was not drawn: gnuplot is not installed; out.gp is the script for it");
    const begin = (ending: string): string => readFileSync(join(place.folder, `out.${ending}`), "latin1").slice(0, 60);
    expect(begin("gp")).toMatch(/^set terminal postscript eps/);
    expect(begin("ods")).toMatch(/^PK.*mimetypeapplication\/vnd/s);
    expect(begin("json")).toMatch(/^\{"schema":"perfkeep.vectors\/1"/);
    expect(begin("tex")).toMatch(/^% net = sci\n\\begin\{tabular\}/);
    expect(begin("csv")).toBe("size [Byte],min(time) [us]\r\n8,1.25\r\n16,2.5\r\n");
    expect(begin("md")).toContain("size");
    expect(begin("parquet")).toMatch(/^PAR1/);
    expect(begin("svg")).toMatch(/^<svg/);
    expect(begin("png")).toMatch(/^\u0089PNG/);
    expect(begin("html")).toMatch(/^<!doctype html>/i);
    expect(begin("txt")).not.toContain("\u001b");
    expect(begin("xml")).toMatch(/^<output>/);
  });

  test("a chart with too many curves names what splits it", () => {
    place.write("many.exp", "*experiment many\n*parameter day date\n*parameter n int\n*result t float\n");
    place.write("many.csv", Array.from({ length: 13 }, (_, at) => `2026-01-0${1 + (at % 3)} ${at} ${at}\n`).join(""));
    place.write("many.inp", "TABLE day pos=1\nTABLE n pos=2\nTABLE t pos=3\n");
    place.ok("experiment", "create", "many.exp");
    place.ok("import", "-e", "many", "-d", "many.inp", "many.csv");
    const [day, n] = ["day", "n"].map((name) => `<parameter id="p.${name}"><value>${name}</value></parameter>`);
    const source = `<source id="s"><result>t</result><input>p.day</input><input>p.n</input></source>`;
    const output = `<output target="svg"><filename>many</filename><input>s</input></output>`;
    place.write("many.xml", `<query id="m"><experiment>many</experiment>${day}${n}${source}${output}</query>`);
    const { status, stderr } = place.run(["query", "-d", "many.xml"]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("many.svg: 13 curves in one chart: a sweep of")]);
    expect(readFileSync(join(place.folder, "many.svg"), "utf8")).toContain("2026-01-02");
  });

  test("nothing is written when one output cannot be made", () => {
    place.write("half.xml", query('<filename>whole</filename></output><output target="parquet"><input>sort</input>'));
    const ended = place.run(["query", "-d", "half.xml"]);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(ended.stderr).toContain("target 'parquet' needs a file name");
    expect(existsSync(join(place.folder, "whole.dat"))).toBe(false);
  });

  test.each(["pie", "parket"])("a target '%s' that is not there is refused", (target) => {
    place.write("other.xml", query("").replace("<output>", `<output target="${target}">`));
    expect(place.run(["query", "-d", "other.xml"]).stderr).toContain(`there is no target '${target}'`);
  });

  const hasGnuplot = (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, "gnuplot")));

  test.runIf(hasGnuplot)("gnuplot draws the script, and hostile texts in it do nothing else", () => {
    const title = "`touch a1` ' \" ; system('touch a2') $(touch a3) {/Symbol m} @x | touch a4".replaceAll(
      '"',
      "&quot;",
    );
    const attributes = `target="gnuplot" format="svg" title="${title}"`;
    place.write("drawn.xml", query("<filename>drawn</filename>").replace("<output>", `<output ${attributes}>`));
    const ended = place.run(["query", "-d", "drawn.xml"]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(place.folder, "drawn.svg"), "utf8")).toContain("</svg>");
    expect(readdirSync(place.folder).filter((name) => /^a\d$/.test(name))).toEqual([]);
  });

  test("what gnuplot says to a script is told", () => {
    place.write("bin/gnuplot", '#!/bin/sh\necho "$@" >seen; echo "line 3: no such terminal" >&2; exit 1\n');
    chmodSync(join(place.folder, "bin/gnuplot"), 0o755);
    place.write(
      "plot.xml",
      query("<filename>plot</filename>").replace("<output>", '<output target="gnuplot" format="png">'),
    );
    const ended = place.run(["query", "-d", "plot.xml"], {
      env: { PATH: `${join(place.folder, "bin")}:/usr/bin:/bin` },
    });
    expect(ended.status).toBe(0);
    expect(ended.stderr).toContain(
      "plot.png was not drawn: gnuplot ended with status 1 (line 3: no such terminal); plot.gp is the script for it",
    );
    expect(readFileSync(join(place.folder, "seen"), "utf8")).toBe("-d ./plot.gp\n");
  });

  test.each([
    [["query"], 2, "no query given"],
    [["query", "ping", "-f", "f.net=x"], 2, "--fixed without a query description"],
    [["query", "-d", "q.xml", "--stat", "max"], 2, "--stat with a query description"],
    [["query", "-d", "q.xml", "-f", "f.ent=x"], 4, "did you mean f.net?"],
    [["query", "-d", "q.xml", "-e", "pnig"], 5, "did you mean ping?"],
    [["query", "-d", "ping.exp"], 4, "ping.exp:1:1: unknown keyword"],
  ])("%j ends with %i and says what is wrong", (words, status, message) => {
    const ended = place.run(words);
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).toContain(message);
  });
});
