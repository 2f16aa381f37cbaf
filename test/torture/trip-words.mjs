/** Hostile words of round trips, and descriptions and data that are generated from them. */

const day = 86_400;

const names = [
  "plain",
  "Plain",
  "a b",
  "ünï",
  "\u00e9",
  "e\u0301",
  "日本語",
  "🚀",
  "-x",
  "--output=x",
  "__proto__",
  "constructor",
  "select",
  "a'b",
  'a"b',
  "a;drop table run",
  "a?b",
  "a#b%20",
  "$(id)",
  "con",
  "x".repeat(200),
  "ü".repeat(120),
  "a\\b",
  ".hidden",
  "%type%",
  "<a&b>",
  "a,b",
  "\u202Eabc",
];

/** File names: those above, and some that no experiment can have. */
const paths = [...names, "a\nb", "a\tb", "sub/deep/er", " lead", "trail ", "*", "a=b", "@b", "~", "[a]", "{a,b}"];

/** Seconds since 1970: those that most commands accept, and those that they refuse. */
const times = [0, 1, 951_782_400.123_456, 1_483_228_799.999_999, 1_700_000_000, 2 ** 31 - 1, 2 ** 31, 4_102_444_800];
const refusedTimes = [-1, -day * 365 * 60, 2 ** 32, 10_413_792_000, 16_725_225_600, 253_402_300_799, 7_952_342_400];

/** Times as users write them. */
const dates = [
  "1970-01-01",
  "1969-12-31T23:59:59.999999Z",
  "1700-02-28T23:59:59",
  "2000-02-29",
  "2038-01-19T03:14:08+14:00",
  "2024-03-10T02:30:00-12:00",
  "2105-12-31T23:59:59.000001Z",
  "2254-12-31",
];
const refusedDates = [
  "2016-12-31T23:59:60Z",
  "2024-02-29T24:00:00",
  "2023-02-29",
  "2300-01-01T00:00:00Z",
  "2500-06-01",
  "0001-01-01",
  "9999-12-31T23:59:59.999999Z",
  "10000-01-01",
  "-0044-03-15",
];

const integers = ["0", "-0", "1", "+7", "00012", "9007199254740993", "-9223372036854775807", "9223372036854775807"];
const floats = [
  "0",
  "-0",
  "1e308",
  "5e-324",
  "-1.5",
  "0.1",
  "9007199254740993",
  ".5",
  "nan",
  "-inf",
  "inf",
  "1.7e-310",
];
const words = [
  "x",
  "True",
  "1.2.3",
  "0x1F",
  "NULL",
  "-",
  "ﬀ",
  "\u00e9",
  "e\u0301",
  "%",
  "#x",
  "ü".repeat(90),
  "\u202Eabc",
];

/** Values in tables by type. */
const values = {
  int: integers,
  float: floats,
  duration: ["0", "-0", "1.5", "1e-9", "86400"],
  string: words,
  text: words,
  date: dates.map((date) => date.slice(0, 10)),
  timestamp: dates,
  timeofday: ["00:00", "12:34:56.789", "23:59:59.999999"],
  boolean: ["true", "false", "yes", "no", "1"],
  version: ["1.2.3", "1.2.3-rc1", "0.0.0", "10.0", "v2"],
};
const refusedValues = [...refusedDates, "1e400", "9223372036854775808", "-9223372036854775808", "x", "24:00:01", "~"];

const zones = ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "Etc/GMT+12"];

const units = ["-", "Byte", "KiByte", "s", "us", "MiByte/s", "1/s", "%"];

const identifiers = [
  "plain",
  "__proto__",
  "constructor",
  "select",
  "ünï",
  "\u00e9",
  "e\u0301",
  "a.b",
  "a-b",
  "con",
  "run",
];

/** Names of variables: most are plain, so that most experiments are accepted. */
const variableNames = ["Size", "ünï", "__proto__", "constructor", "group", "e\u0301", "x".repeat(100), "a.b", "日本語"];

/** Makes words and texts from seeded random numbers. */
export class TripWords {
  #files = 0;

  constructor(random) {
    this.random = random;
  }

  chance(share) {
    return this.random() < share;
  }

  below(limit) {
    return Math.floor(this.random() * limit);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  name = () => this.pick(names);
  path = () => this.pick(paths);
  seconds = () => this.pick(this.chance(0.03) ? refusedTimes : times);
  date = () => this.pick(this.chance(0.1) ? refusedDates : dates);
  zone = () => this.pick(zones);
  line = () => this.pick(paths).replace(/\n/g, " ");

  /** The name of a new experiment: most are accepted. */
  experiment(number) {
    if (this.chance(0.05)) return this.pick(names);
    const name = this.pick(identifiers);
    return this.chance(0.4) ? name : `${this.chance(0.1) ? name.toUpperCase() : name}-${number}`;
  }

  value(type) {
    return this.pick(this.chance(0.04) ? refusedValues : values[type]);
  }

  /** A variable: its name, type, unit, default and whether it has one value per run. */
  variable(role, name) {
    const type =
      role === "result" ? this.pick(["float", "float", "int", "duration", "string"]) : this.pick(Object.keys(values));
    const unit = ["int", "float"].includes(type) ? this.pick(units) : "-";
    const fallback = this.chance(0.5) ? "NULL" : "-";
    const hasOne = role === "parameter" && this.chance(0.2);
    const isNumber = type === "int" || type === "float" || type === "duration";
    return { role, name, type, unit, fallback, hasOne, better: role === "result" && isNumber && this.chance(0.3) };
  }

  /** The variables of an experiment. */
  variables() {
    const hostile = () => (this.chance(0.1) ? this.pick(variableNames) : undefined);
    const parameters = Array.from({ length: 1 + this.below(3) }, (_, at) =>
      this.variable("parameter", hostile() ?? `p${at}`),
    );
    // Without it, an experiment without table columns has nothing to import.
    return [...parameters, { ...this.variable("result", hostile() ?? "r"), fallback: "NULL" }];
  }

  /** An experiment description in one of its two spellings. */
  description(name, variables) {
    if (this.chance(0.35)) return experimentXml(name, variables, this.line());
    const lines = variables.map((each) => `*${each.role} ${variableLine(each)}\n${this.chance(0.2) ? "# c\n" : ""}`);
    const head = this.chance(0.2) ? `*performed_by ${this.line()}\n*project ${this.line()}\n` : "";
    return `*experiment ${name}\n${escaped(this.line())}\n${head}${lines.join("")}`;
  }

  /** An input description in one of its two spellings, of rows with the values of all variables. */
  input(variables) {
    const rules = this.chance(0.3) ? "stream" : "sets";
    if (this.chance(0.35)) {
      const values = variables.map(
        ({ name }, at) => `<tabular_value><name>${xml(name)}</name><pos>${at}</pos></tabular_value>`,
      );
      return `<input id="in" rules="${rules}"><tabular_location>${values.join("")}</tabular_location></input>\n`;
    }
    const lines = variables.map(({ name }, at) => `TABLE ${quoted(name)} pos=${at + 1}\n`);
    return `RULES ${rules}\n${this.chance(0.2) ? `SYNOPSIS ${this.line()}\n` : ""}${lines.join("")}`;
  }

  rows(variables) {
    const row = () => variables.map(({ type }) => this.value(type)).join(" ");
    return `${Array.from({ length: this.chance(0.05) ? 0 : 1 + this.below(4) }, row).join("\n")}\n`;
  }

  /** Changes of an experiment with these variables; `after`: its variables if they are accepted. */
  update(name, variables) {
    const one = this.pick(variables);
    const added = this.variable(this.pick(["parameter", "result"]), `v${this.#files++}`);
    const without = variables.filter((each) => each !== one);
    const renamed = { ...one, name: this.chance(0.2) ? one.name.toUpperCase() : `n${this.#files++}` };
    const unit = this.pick(units);
    const [change, after] = this.pick([
      [
        `*add ${added.role} ${variableLine({ ...added, fallback: "NULL" })}`,
        [...variables, { ...added, fallback: "NULL" }],
      ],
      [`*rename ${one.name} ${renamed.name}`, variables.map((each) => (each === one ? renamed : each))],
      [`*drop ${one.name}`, without],
      [`*alter ${one.name} unit=${unit === "-" ? "none" : unit}`, variables],
      [`*alter ${one.name} default=${quoted(this.value(one.type))}`, variables],
      [`*alter ${one.name} forget=synopsis better=none\n${escaped(this.line())}`, variables],
      [`*alter ${one.name} only={${quoted(this.value(one.type))},${quoted(this.value(one.type))}}`, variables],
      [`*grant read ${quoted(this.name())}`, variables],
      [`*forget synopsis description`, variables],
    ]);
    if (this.chance(0.2)) return { text: updateXml(name, one, added, this.line()), after: variables };
    return { text: `*update ${name}\n${this.chance(0.5) ? `${escaped(this.line())}\n` : ""}${change}\n`, after };
  }

  /** Output of a benchmark that is imported without a description, and the name of its format. */
  known() {
    const name = this.line();
    const number = this.pick(floats);
    const heading = `${this.pick(variableNames)},${name.replaceAll(",", ";")},t`;
    const json = JSON.stringify({ [name]: this.pick(words), p: 2 ** 53 + 2, t: 5e-324, constructor: null });
    const results = [{ command: name, times: [0.25, 5e-324], mean: 0.25, median: 0.25, exit_codes: [0] }];
    const go = `goos: linux\npkg: ${name}\nBenchmark${name.replace(/\s/g, "_")}-8 \t 1000\t ${number} ns/op\nPASS\n`;
    return this.pick([
      ["csv", `${heading}\n1,${this.pick(words)},${number}\n2,,${number}\n`],
      ["ndjson", `${json}\n${json.replace("5e-324", "-0")}\n`],
      ["hyperfine", JSON.stringify({ results })],
      ["go-bench", go],
    ]);
  }
}

function variableLine({ name, type, unit, fallback, hasOne, better }) {
  return `${name} ${type} ${unit} ${fallback}${hasOne ? " once" : ""}${better ? " better=lower" : ""}`;
}

const escaped = (line) => line.replace(/^[*#\\]/, "\\$&");

const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&")}"`;

const xml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function updateXml(name, one, added, synopsis) {
  const text = `<synopsis>${xml(synopsis)}</synopsis>`;
  const type = "<datatype>integer</datatype><default></default>";
  const addition = `<${added.role} action="add"><name>${added.name}</name>${type}</${added.role}>`;
  const altered = `<variable action="replace"><name>${xml(one.name)}</name>${text}</variable>`;
  const changes = `<info>${text}</info>${addition}${altered}`;
  return `<experiment_update><experiment>${xml(name)}</experiment>${changes}</experiment_update>\n`;
}

const xmlTypes = { int: "integer" };

function experimentXml(name, variables, synopsis) {
  const elements = variables.map(({ role, name: each, type, fallback, hasOne, better }) =>
    [
      `<${role}${hasOne ? ' occurrence="once"' : ""}${better ? ' better="lower"' : ""}><name>${xml(each)}</name>`,
      `<datatype>${xmlTypes[type] ?? type}</datatype>${fallback === "NULL" ? "<default></default>" : ""}</${role}>`,
    ].join(""),
  );
  const info = `<info><synopsis>${xml(synopsis)}</synopsis></info>`;
  return `<experiment><name>${xml(name)}</name>${info}${elements.join("")}</experiment>\n`;
}
