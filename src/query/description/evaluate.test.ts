import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { readQueryXml } from "../../formats/descriptions/query/query-xml.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { compilePattern } from "../../formats/text/pattern.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { compareValues, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { evaluate, type SourceData } from "./evaluate.ts";
import { resolveMacros } from "./graph.ts";
import { printOutputs, type QueryProduct } from "./outputs/outputs.ts";
import { predicateTest, type CompilePattern } from "../plan/predicate.ts";

/* Queries over a small experiment that is all in memory: what each element makes of rows, as raw text shows it. */

const variable = (
  name: string,
  type: Variable["type"],
  occurrence: Variable["occurrence"],
  more: Partial<Variable> = {},
): Variable => ({
  name,
  type,
  occurrence,
  role: "parameter",
  ...more,
});
const variables = [
  variable("net", "string", "once"),
  variable("release", "version", "once"),
  variable("size", "integer", "multiple", { unit: parseUnit("Byte") }),
  variable("t", "float", "multiple", { role: "result", unit: parseUnit("us") }),
  variable("wait", "duration", "multiple", { role: "result" }),
];

/** net, release, size, t, wait; the run before them. */
const rows: readonly (readonly Value[])[] = [
  [1, "sci", "1.9", 0, 4, 10.2],
  [1, "sci", "1.9", 8, 4.5, null],
  [2, "sci", "1.10", 0, 3, 90_061],
  [2, "sci", "1.10", 8, 3.25, 1],
  [3, "myri", "1.10", 0, 8, 2],
  [3, "myri", "1.10", 16, null, 3],
];
const runs = [1, 2, 3].map((number) => ({
  number,
  created: number,
  performed: Date.UTC(2004, 11, number, 12) * 1000,
  synopsis: `run no ${number}`,
}));

const compile: CompilePattern = (source) => {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text);
};

const data: SourceData = {
  experiment: { name: "e", readers: [], writers: [], variables },
  compile,
  history: async () => [],
  versions: async ({ commit = [] }) => new Set(commit as VersionId[]),
  runs: async () => runs,
  async rows(plan) {
    const at = (of: Variable): number => variables.findIndex(({ name }) => name === of.name) + 1;
    const kept = rows.filter((row) =>
      plan.where.every((each) => predicateTest(each, compile)((of) => row[at(of)] ?? null)),
    );
    const chosen = kept.filter(([run]) => plan.runs?.includes(Number(run)) ?? true);
    return {
      table: tableOf(
        plan.outputs.map((output) => output.variable),
        chosen.map((row) => plan.outputs.map((output) => row[at(output.variable)] ?? null)),
      ),
      chronology: [1, 2, 3],
    };
  },
  async distinct(of, condition) {
    const at = variables.indexOf(of) + 1;
    const values = rows
      .filter((row) => predicateTest(condition, compile)(() => row[at] ?? null))
      .map((row) => row[at] ?? null);
    return [...new Set(values)].filter((value) => value !== null).sort((a, b) => compareValues(a, b, of.type));
  },
};

const size = '<parameter id="size"><value>size</value></parameter>';
const times = `${size}<source id="s"><input>size</input><result>t</result></source>`;

async function answer(elements: string, fixed: Readonly<Record<string, string>> = {}): Promise<string> {
  const query = resolveMacros(
    readQueryXml(`<query id="q">${elements}</query>`, "q.xml"),
    new Map(Object.entries(fixed)),
  );
  return (await textsOf(query)).map((each) => productText(each).replaceAll(" \t", " ").replaceAll("\t", " ")).join("");
}

function productText(product: QueryProduct): string {
  return product.kind === "data" ? String(product.data) : "";
}

async function textsOf(query: Parameters<typeof evaluate>[0]) {
  return printOutputs(await evaluate(query, data));
}

const lines = (...text: string[]): string => text.map((line) => `${line}\n`).join("");
const output = (...ids: string[]): string => `<output>${ids.map((id) => `<input>${id}</input>`).join("")}</output>`;

test("a source shows its rows, without those whose result is missing", async () => {
  expect(await answer(times + output("s"))).toBe(
    lines("# size[byte] t[us] ", "0 4.0 ", "8 4.5 ", "0 3.0 ", "8 3.25 ", "0 8.0 "),
  );
});

test.each([
  ["<equal>sci</equal>", "", "# net = 'sci'  ", 4],
  ["<notequal>sci</notequal>", "", "# net != 'sci'  ", 1],
  ["<match>m%</match>", "", "# net LIKE 'm%'  ", 1],
  ["<regexp>^(sci|x)$</regexp>", "", "# net ~ '^(sci|x)$'  ", 4],
  ["<contain>yr</contain>", "", "# net contains 'yr'  ", 1],
  ["<all/>", "", undefined, 5],
  ["<equal>myri</equal><equal>sci</equal>", "or", "# net = 'myri' OR net = 'sci'  ", 5],
  [
    "<notnull/><filter boolean='or'><equal>sci</equal><equal>x</equal></filter>",
    "and",
    "# net is not NULL AND (net = 'sci' OR net = 'x')  ",
    4,
  ],
])("labels filter %s joined by '%s' as %s", async (filter, boolean, label, count) => {
  const joint = boolean === "" ? "" : ` boolean="${boolean}"`;
  const net = `<parameter id="net" show="filter"><value>net</value><filter${joint}>${filter}</filter></parameter>`;
  const text = await answer(
    `${net}${size}<source id="s"><result>t</result><input>size</input><input>net</input></source>${output("s")}`,
  );
  const [first, ...rest] = text.trimEnd().split("\n");
  expect(first).toBe(label ?? "# size[byte] t[us] ");
  expect(rest).toHaveLength(label === undefined ? count : count + 1);
});

test("combines filters of runs and of rows by and, whatever joins those of a source", async () => {
  const net = '<parameter id="net" show="nothing"><value>net</value><filter><equal>myri</equal></filter></parameter>';
  const release =
    '<parameter id="v" show="nothing"><value>release</value><filter><lesser>1.10</lesser></filter></parameter>';
  const zero = '<parameter id="z"><value>size</value><filter><equal>0</equal></filter></parameter>';
  const source =
    '<source id="s" boolean="or"><result>t</result><input>z</input><input>net</input><input>v</input></source>';
  expect(await answer(net + release + zero + source + output("s"))).toBe(
    lines("# size[byte] t[us] ", "0 4.0 ", "0 8.0 "),
  );
});

test("labels values that all rows share; a combiner drops them", async () => {
  const shared = '<parameter id="net" show="filter"><value>net</value></parameter><run id="r"><index>3</index></run>';
  const source = `${size}<source id="s"><result>t</result><input>net</input><input>r</input>
    <input>size</input></source>`;
  expect(await answer(shared + source + output("s"))).toBe(lines("# net = myri  ", "# size[byte] t[us] ", "0 8.0 "));
  expect(await answer(`${shared}${source}<combiner id="c"><input>s</input></combiner>${output("c")}`)).toBe(
    lines("# size[byte] t[us] ", "0 8.0 "),
  );
});

test.each([
  ["<index>2-3</index>", ["3.0", "3.25", "8.0"]],
  ["<index>2...</index>", ["3.0", "3.25", "8.0"]],
  ["<index>...2</index>", ["4.0", "4.5"]],
  ["<index>1,3</index>", ["4.0", "4.5", "8.0"]],
  ["<synopsis>no [12]$</synopsis>", ["4.0", "4.5", "3.0", "3.25"]],
  [
    "<performed><from><date><day>2</day><month>Dec</month><year>04</year></date></from></performed>",
    ["3.0", "3.25", "8.0"],
  ],
  [
    "<performed><to><date><day>2</day><month>12</month><year>2004</year></date></to></performed>",
    ["4.0", "4.5", "3.0", "3.25"],
  ],
  [
    "<performed><to><date><day>2</day><month>12</month><year>2004</year></date><time>11:59</time></to></performed>",
    ["4.0", "4.5"],
  ],
])("selects runs by %s", async (selection, values) => {
  const elements = (mask: string): string =>
    `<run id="r"${mask}>${selection}</run><source id="s"><result>t</result><input>r</input></source>${output("s")}`;
  const shown = async (mask: string): Promise<string[]> =>
    (await answer(elements(mask)))
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.trim());
  expect(await shown("")).toEqual(values);
  expect(await shown(' mask="exclude"')).toEqual(
    ["4.0", "4.5", "3.0", "3.25", "8.0"].filter((each) => !values.includes(each)),
  );
});

test.each([
  ["avg", ["0 5.0 ", "8 3.875 "]],
  ["sum", ["0 15.0 ", "8 7.75 "]],
  ["min", ["0 3.0 ", "8 3.25 "]],
  ["max", ["0 8.0 ", "8 4.5 "]],
  ["count", ["0 3 ", "8 2 "]],
  ["stddev", ["0 2.64575131106 ", "8 0.883883476483 "]],
  ["variance", ["0 7.0 ", "8 0.78125 "]],
  ["prod", ["0 96.0 ", "8 14.625 "]],
])("takes %s of a source for each parameter", async (type, values) => {
  const text = await answer(`${times}<operator id="o" type="${type}"><input>s</input></operator>${output("o")}`);
  expect(text.split("\n")[0]).toContain(`size[byte] ${type}(t)[`);
  expect(text).toBe(lines(text.split("\n")[0] ?? "", ...values));
});

test("includes every combination of parameters, the first one's values changing fastest", async () => {
  const net = '<parameter id="net" show="data"><value>net</value></parameter>';
  const source = `${size}${net}<source id="s"><result>t</result><input>size</input><input>net</input></source>`;
  const counted = (type: string): string =>
    `${source}<operator id="o" type="${type}"><input>s</input></operator>${output("o")}`;
  expect(await answer(counted("max"))).toBe(
    lines("# size[byte] net[] max(t)[us] ", "0 myri 8.0 ", "8 myri None ", "0 sci 4.0 ", "8 sci 4.5 "),
  );
  expect(await answer(counted("count"))).toBe(
    lines("# size[byte] net[] count(t)[] ", "0 myri 1 ", "8 myri 0 ", "0 sci 2 ", "8 sci 2 "),
  );
});

test("reduces the output of an operator: extremes keep their row, sums empty parameters", async () => {
  const second = (type: string): string =>
    `${times}<operator id="o" type="max"><input>s</input></operator><operator id="p" type="${type}">
      <input>o</input></operator>${output("p")}`;
  expect(await answer(second("min"))).toBe(lines("# size[byte] min(max(t))[us] ", "8 4.5 "));
  expect(await answer(second("sum"))).toBe(lines("# size[byte] sum(max(t))[us] ", "None 12.5 "));
  expect(await answer(second("avg"))).toBe(lines("# avg(max(t))[us] ", "6.25 "));
});

test("scope run reduces each run separately; several inputs are matched by row", async () => {
  const scoped = `${times}<operator id="o" type="max" scope="run"><input>s</input></operator>${output("o")}`;
  expect(await answer(scoped)).toBe(lines("# size[byte] max(t)[us] ", "8 4.5 ", "8 3.25 ", "0 8.0 "));
  const across = `${times}<operator id="a" type="min"><input>s</input></operator><operator id="b" type="max">
    <input>s</input></operator>
    <operator id="o" type="sum"><input>a</input><input>b</input></operator>${output("o")}`;
  expect(await answer(across)).toBe(lines("# size[byte] sum(min(t),max(t))[us] ", "0 11.0 ", "8 7.75 "));
});

test("sort orders the rows of all inputs by the named columns", async () => {
  const sorted = (more: string): string =>
    `${times}<operator id="o" type="sort" ${more}><input>s</input></operator>${output("o")}`;
  expect(await answer(sorted('value="size,t"'))).toBe(
    lines("# size[byte] t[us] ", "0 3.0 ", "0 4.0 ", "0 8.0 ", "8 3.25 ", "8 4.5 "),
  );
  expect(await answer(sorted('value="t" variant="descending"'))).toBe(
    lines("# size[byte] t[us] ", "0 8.0 ", "8 4.5 ", "0 4.0 ", "8 3.25 ", "0 3.0 "),
  );
});

test("scale and offset change results and their names", async () => {
  const changed = (type: string, value: string): string =>
    `${times}<operator id="o" type="${type}" value="${value}"><input>s</input></operator>${output("o")}`;
  expect(await answer(changed("scale", "1/4"))).toContain("# size[byte] t*0.25[us] \n0 1.0 \n");
  expect(
    await answer(changed("offset", "(f)"), {}).catch((error: unknown) => isFailure(error, "query-not-possible")),
  ).toBe(true);
  expect(await answer(`<fixed id="f"><content>1</content></fixed>${changed("offset", "f")}`, { f: "-2" })).toContain(
    "# size[byte] t+-2.0[us] \n0 2.0 \n",
  );
});

test("combiners merge inputs by column or append them", async () => {
  const parts = `${times}<operator id="a" type="min"><input>s</input></operator><operator id="b" type="max">
    <input>s</input></operator>`;
  const combined = (more: string, omit = ""): string =>
    `${parts}<combiner id="c" ${more}><input>a</input><input>b</input>${omit}</combiner>${output("c")}`;
  expect(await answer(combined(""))).toBe(
    lines("# size|a[byte] min(t)|a[us] max(t)|b[us] ", "0 3.0 8.0 ", "8 3.25 4.5 "),
  );
  expect(await answer(combined('parameters="all"', '<omit input="b">t</omit>'))).toBe(
    lines("# size|a[byte] size|b[byte] min(t)|a[us] ", "0 0 3.0 ", "8 8 3.25 "),
  );
  expect(await answer(combined('datasets="append"'))).toBe(
    lines("# size[byte] min(t)[us] ", "0 3.0 ", "8 3.25 ", "0 8.0 ", "8 4.5 "),
  );
});

test("a sweep makes one clone per value; versions are in order of history", async () => {
  const swept = `<parameter id="v" show="filter"><value>release</value><sweep/></parameter>${size}
    <source id="s"><result>t</result><input>size</input><input>v</input></source><operator id="o" type="max">
      <input>s</input></operator>`;
  expect(await answer(swept + output("o"))).toBe(
    lines(
      "# release = '1.9'  ",
      "# size[byte] max(t)[us] ",
      "0 4.0 ",
      "8 4.5 ",
      "# release = '1.10'  ",
      "# size[byte] max(t)[us] ",
      "0 8.0 ",
      "8 3.25 ",
    ),
  );
  const extern = '<output><input sweep_resolve="extern">o</input><filename unify="filter">f</filename></output>';
  const texts = await textsOf(readQueryXml(`<query>${swept}${extern}</query>`, "q.xml"));
  expect(texts.map(({ file }) => file)).toEqual(["f_release=1.9.dat", "f_release=1.10.dat"]);
});

test("keeps the run order of the experiment, whatever the order of sources", async () => {
  const sources = [3, 1].map(
    (run) =>
      `<run id="r${run}"><index>${run}</index></run><source id="s${run}"><result>t</result>
        <input>r${run}</input></source>`,
  );
  const ask = (
    type: string,
  ): string => `${sources.join("")}<operator id="all"><input>s3</input><input>s1</input></operator>
    <operator id="o" type="${type}"><input>all</input></operator>${output("o")}`;
  expect(await answer(ask("latest"))).toBe(lines("# latest(t)[us] ", "8.0 "));
  expect(await answer(ask("oldest"))).toBe(lines("# oldest(t)[us] ", "4.0 ", "4.5 "));
});

test("looks up run properties by run number", async () => {
  const ask = (type: string, value: string): string => `${times}<operator id="m" type="min"><input>s</input></operator>
    <operator id="i" type="runindex"><input>m</input></operator><operator id="o" type="${type}" value="${value}">
      <input>i</input></operator>${output("o")}`;
  expect(await answer(ask("param", "release"))).toBe(lines("# size[byte] release[] ", "0 1.10 ", "8 1.10 "));
  expect(await answer(ask("resolve", "synopsis"))).toBe(
    lines("# size[byte] synopsis[] ", "0 run no 2 ", "8 run no 2 "),
  );
  expect(await answer(ask("resolve", "performed"))).toContain("0 2004-12-02 12:00:00 ");
  const refused = async (type: string, value: string): Promise<string> => {
    const failure = await answer(ask(type, value)).catch((error: unknown) => error);
    return isFailure(failure) ? failure.message : "";
  };
  expect(await refused("param", "size")).toContain("'size' has a value for each row");
  expect(await refused("param", "relaese")).toContain("did you mean release?");
  expect(await refused("resolve", "creator")).toContain("runs have no property 'creator'");
});

const twofold = `<parameter id="v" show="filter"><value>release</value><sweep/></parameter>
  <parameter id="n" show="filter"><value>net</value><sweep/></parameter>
  <source id="s"><result>t</result><input>v</input><input>n</input></source>`;

test("a combiner groups a sweep: by one parameter outside, by the others inside", async () => {
  const grouped = `${twofold}<combiner id="c" datasets="append" sweep_group="n"><input>s</input></combiner>`;
  expect(await answer(grouped + output("c"))).toBe(
    lines("# net = 'myri'  ", "# t[us] ", "8.0 ", "# net = 'sci'  ", "# t[us] ", "4.0 ", "4.5 ", "3.0 ", "3.25 "),
  );
  const failure = await answer(grouped.replace('sweep_group="n"', 'sweep_group="w"') + output("c")).catch(
    (error: unknown) => error,
  );
  expect(isFailure(failure) ? failure.message : failure).toContain("none of its inputs is swept by 'w'");
});

test("concatenated rows keep the labels that all inputs share, in perfbase those of the first", async () => {
  const joined = `${twofold}<combiner id="c" datasets="append"><input>s</input></combiner>${output("c")}`;
  expect(await answer(joined)).toMatch(/^# t\[us\]/);
  const query = readQueryXml(`<query id="q">${joined}</query>`, "q.xml");
  const [first] = await evaluate(query, data, "perfbase");
  expect(first?.inputs[0]?.variants[0]?.vector.labels.map(({ text }) => text)).toEqual([
    "release = '1.9'",
    "net = 'myri'",
  ]);
});

test("an operator aggregates the variants of its input if its sweep is intern", async () => {
  const swept = `<parameter id="v" show="filter"><value>release</value><sweep/></parameter>${size}
    <source id="s"><result>t</result><input>size</input><input>v</input></source><operator id="m" type="min">
      <input>s</input></operator>`;
  const diff = (sweep: string): string =>
    `${swept}<operator id="o" type="diff" sweep="${sweep}"><input>m</input></operator>${output("o")}`;
  expect(await answer(diff("intern"))).toBe(lines("# size[byte] min(t)-min(t)[us] ", "0 1.0 ", "8 1.25 "));
  const failure = await answer(diff("inward")).catch((error: unknown) => error);
  expect(isFailure(failure) ? failure.message : failure).toContain("its sweep is 'inward'");
});

test("a series numbers the rows of each run", async () => {
  const series = '<series id="n"><name>no</name><base>10</base><increment>5</increment></series>';
  const text = await answer(`${series}<source id="s"><result>t</result><input>n</input></source>${output("s")}`);
  expect(text).toBe(lines("# no[] t[us] ", "10 4.0 ", "15 4.5 ", "10 3.0 ", "15 3.25 ", "10 8.0 "));
});

test("shows durations as clock times", async () => {
  const text = await answer(`<source id="s"><result>wait</result></source>${output("s")}`);
  expect(text).toBe(lines("# wait[] ", "0:00:10.200000 ", "1 day, 1:01:01 ", "0:00:01 ", "0:00:02 ", "0:00:03 "));
});

test("escapes XML output", async () => {
  const net =
    '<parameter id="net" show="filter"><value>net</value><filter><lesser>&lt;x&amp;</lesser></filter></parameter>';
  const none = `${net}${size}<source id="s"><result>t</result><input>size</input><input>net</input></source>
    <output target="xml"><input>s</input></output>`;
  expect(await answer(none)).toBe("<output>\n</output>\n");
  const unequal = net.replace("lesser>&lt;x&amp;</lesser", "notequal>&lt;x&amp;</notequal");
  const one = `${unequal}<run id="r"><index>3</index></run>${size}
    <source id="s"><result>t</result><input>size</input><input>net</input><input>r</input></source>
      <output target="xml"><input>s</input></output>`;
  expect(await answer(one)).toBe(
    lines(
      "<output>",
      "  <data>",
      "    <filter>net != '&lt;x&amp;'</filter>",
      "    <dataset>",
      '      <value name="size" unit="byte">0</value>',
      '      <value name="t" unit="us">8.0</value>',
      "    </dataset>",
      "  </data>",
      "</output>",
    ),
  );
});

test.each([
  [
    `${times}<operator id="o" type="agv"><input>s</input></operator>${output("o")}`,
    "unknown operator 'agv', did you mean avg?",
  ],
  [
    `<operator id="a"><input>b</input></operator><operator id="b"><input>a</input></operator>${output("a")}`,
    "the elements of the query form a cycle: a -> b -> a",
  ],
  [`${times}<operator id="o" type="avg" value="3"><input>s</input></operator>${output("o")}`, "avg takes no value"],
  [`<source id="s"><result>tt</result></source>${output("s")}`, "no parameter or result 'tt', did you mean t?"],
  [`${times}<output target="gnuplto"><input>s</input></output>`, "there is no target 'gnuplto'"],
  [`${times}<output><input>s</input><filename>../x</filename></output>`, "the file '../x' is outside of this folder"],
  [
    `${times}<source id="w"><result>wait</result><input>size</input></source><operator id="o"><input>s</input>
      <input>w</input></operator>${output("o")}`,
    "'t' of 's' and 'wait' of 'w' have different roles or types",
  ],
  [
    `<parameter id="p"><value>size</value><filter><regexp>1</regexp></filter></parameter><source id="s">
      <result>t</result><input>p</input></source>${output("s")}`,
    "only texts can be searched",
  ],
  [
    `<run id="r"><index>1-</index></run><source id="s"><result>t</result><input>r</input></source>${output("s")}`,
    "'1-' selects no runs by index",
  ],
])("rejects %s", async (elements, message) => {
  const failure = await answer(elements).catch((error: unknown) => error);
  expect(isFailure(failure) ? failure.message : failure).toContain(message);
});

test("does not evaluate unused elements", async () => {
  expect(await answer(`${times}<operator id="o" type="unheard"><input>s</input></operator>${output("s")}`)).toContain(
    "4.0",
  );
});

test("rejects an unknown fixed value", async () => {
  const failure = await answer(`<fixed id="f.size"><content>1</content></fixed>${times}${output("s")}`, {
    "f.sise": "1",
  }).catch((error: unknown) => error);
  expect(isFailure(failure, "unknown-element") ? failure.message : failure).toBe(
    "the query has no fixed value 'f.sise', did you mean f.size?",
  );
});
