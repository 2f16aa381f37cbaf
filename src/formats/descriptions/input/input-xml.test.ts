import { describe, expect, test } from "vitest";
import { refusesWith } from "../../../../test/contracts/description-language.ts";
import type { InputDescription } from "./input-description.ts";
import { readInput } from "./input.ts";

function read(inner: string, attributes = ""): InputDescription {
  return readInput(`<input${attributes}>\n${inner}\n</input>`, "i");
}

const name = "<name>x</name>";

describe("readInput", () => {
  test("reads the head", () => {
    const head = `<experiment> E </experiment><synopsis>s</synopsis><description>\n  one\n  two\n</description>
      <database><host>h</host><port>5432</port><user>u</user></database>
      <fixed_value>${name}<content> two words </content></fixed_value>`;
    expect(read(head, " id='n'")).toMatchObject({
      rules: "stream",
      id: "n",
      experiment: "E",
      synopsis: "s",
      description: "one\ntwo",
      database: { host: "h", port: 5432, user: "u" },
      locations: [{ kind: "fixed", name: "x", value: "two words" }],
    });
  });

  test("counts columns from 0 and rows after the matched one", () => {
    const values = "<pos>0</pos>|<pos>-2</pos>||<match>t=</match>|<pos back='yes'>1</pos>"
      .split("|")
      .map((position) => `<tabular_value>${name}${position}</tabular_value>`);
    const { locations } = read(`<tabular_location columns="9" rows="2" is_separator="yes">
      <match># P</match><regexp>^-</regexp><skip>2</skip><ws>;</ws>${values.join("")}</tabular_location>`);
    expect(locations).toMatchObject([
      {
        kind: "table",
        rows: [
          { kind: "keyword", text: "# P" },
          { kind: "pattern", source: "^-" },
        ],
        start: 2,
        columns: 9,
        most: 2,
        separator: ";",
        startsRun: true,
        values: [
          { position: { kind: "number", number: 1 } },
          { position: { kind: "relative", offset: 2 } },
          { position: { kind: "relative", offset: 1 } },
          { position: { kind: "keyword", text: "t=" } },
          { position: { kind: "relative", offset: -1 } },
        ],
      },
    ]);
  });

  test("an empty match of a table matches every line", () => {
    const table = (skip: string): string =>
      `<tabular_location><match></match>${skip}<tabular_value>${name}</tabular_value></tabular_location>`;
    expect(read(table("")).locations).toMatchObject([{ rows: [], start: 0 }]);
    expect(read(table("<skip>3</skip>")).locations).toMatchObject([
      { rows: [{ kind: "pattern", source: ".*" }], start: 3 },
    ]);
  });

  test("reads named locations", () => {
    const { locations } = read(`
      <named_location sticky="no" store_set="yes" update="auto" retrigger="no" len="-1" scale="1e3"
        unit="KiByte" content="leads">
        ${name}<match terminator=","> a = </match><regexp>b+</regexp><ws>, ;</ws>
        <trigger><match>t</match><skip>-1</skip></trigger><filter case="ignore">f</filter>
        <map><content_in>off</content_in><content_out>no</content_out></map>
        <map><mapping><content_in match="regexp">o.</content_in><content_out>yes</content_out></mapping></map>
      </named_location>
      <named_location>${name}<match marker="begin" skip="1">B</match><match marker="end">E</match></named_location>
      <named_location mode="count">${name}<match>c</match></named_location>`);
    expect(locations).toMatchObject([
      {
        kind: "named",
        storesRow: true,
        sticky: false,
        update: "auto",
        retrigger: false,
        scale: 1000,
        leads: true,
        matches: [{ text: " a = ", terminator: "," }],
        patterns: ["b+"],
        blanks: ",;",
        triggers: [{ mark: { kind: "keyword", text: "t" }, skip: -1 }],
        filters: [{ source: "f", ignoreCase: true }],
        maps: [
          { from: { kind: "keyword", text: "off" }, to: "no" },
          { from: { kind: "pattern", source: "o." }, to: "yes" },
        ],
      },
      { block: { begin: [{ mark: { text: "B" }, skip: 1 }], end: [{ mark: { text: "E" }, skip: 0 }] } },
      { mode: "count" },
    ]);
    expect(locations[0]).not.toHaveProperty("length");
  });

  test("reads separations by the rules of the description", () => {
    const separation = "<set_separation><match>***</match><skip>1</skip></set_separation>";
    expect(read(separation).locations).toMatchObject([{ kind: "separation", run: true, skip: 1 }]);
    expect(read(separation, " rules='sets'")).toMatchObject({ rules: "sets", locations: [{ run: false }] });
  });

  test("reads explicit and filename locations, maps of a parameter, and splits", () => {
    const { locations } = read(`
      <explicit_location typed="yes">${name}<row>3</row><pos>2</pos></explicit_location>
      <explicit_location>${name}<match>N of</match><pos>:</pos><rep>5</rep></explicit_location>
      <filename_location match="fuzzy" len="3">${name}<match>a_b</match>
        <match match="exact" terminator=".">c</match></filename_location>
      <filename_location folder="1">${name}<key>np</key></filename_location>
      <derived_parameter retrigger="sticky">${name}<map value="os"><mapping>
        <content_in value="os">L</content_in><content_out>e</content_out></mapping></map></derived_parameter>
      <split_location>${name}<enter><named_location>${name}</named_location></enter>
        <leave><named_location>${name}</named_location></leave>
        <store><name>f</name><name store="diff">t</name></store></split_location>`);
    expect(locations).toMatchObject([
      { kind: "explicit", row: { number: 3 }, position: { number: 2 }, typed: true },
      { kind: "explicit", row: { text: "N of" }, position: { text: ":" }, repetition: 5 },
      {
        kind: "filename",
        length: 3,
        matches: [
          { text: "a_b", fuzzy: true },
          { text: "c", terminator: "." },
        ],
      },
      { kind: "filename", keys: ["np"], folder: 1 },
      { kind: "derived", from: { parameter: "os", maps: [{ to: "e" }] }, retrigger: "sticky" },
      {
        kind: "split",
        stores: [
          { name: "f", store: "current" },
          { name: "t", store: "diff" },
        ],
      },
    ]);
  });

  test("warns about outdated attributes", () => {
    const { notices, locations } = read(`<named_location mode="set">${name}<match>a</match></named_location>`);
    expect(notices).toEqual(["i:2:1: mode='set' is an old spelling of store_set='yes'"]);
    expect(locations).toMatchObject([{ storesRow: true }]);
  });

  test.each<[string, string]>([
    ["", "i:1:1: there is no location"],
    ["<named_locaton/>", "i:2:1: <named_locaton> is not allowed in <input>, did you mean named_location?"],
    ["<named_location><match>a</match></named_location>", "i:2:1: <named_location> needs a <name>"],
    ["<named_location><name>1x</name></named_location>", "i:2:23: '1x' is not a valid name"],
    [`<named_location>${name}<match></match></named_location>`, "i:2:38: <match> needs a text within one line"],
    [`<named_location>${name}<regexp>(?=a)</regexp></named_location>`, "i:2:39: invalid regular expression '(?=a)'"],
    [
      `<named_location strore_set="yes">${name}</named_location>`,
      "i:2:1: <named_location> has no attribute 'strore_set', did you mean store_set?",
    ],
    [`<named_location mode="sum">${name}</named_location>`, "i:2:1: mode 'sum' is none of assign"],
    [`<named_location mode="count" len="3">${name}</named_location>`, "i:2:1: mode count takes no value"],
    [`<named_location len="x">${name}</named_location>`, "i:2:1: len 'x' is not an integer"],
    [`<named_location unit="Btye">${name}</named_location>`, "i:2:1: unknown unit 'Btye'"],
    [`<named_location>${name}<ignore>x</ignore></named_location>`, "i:2:31: <ignore> has no effect"],
    [
      `<named_location>${name}<match marker="begin">a</match></named_location>`,
      "i:2:1: <named_location> has no mark with marker='end'",
    ],
    [`<named_location>${name}text</named_location>`, "the text 'text' is not allowed in <named_location>"],
    ["<database><passwd>p</passwd></database>", "i:2:11: a password is not allowed in a description"],
    [
      `<explicit_location>${name}<row>0</row><pos>1</pos></explicit_location>`,
      "i:2:1: <explicit_location> needs one <row> from 1 on",
    ],
    [`<tabular_location><row>1</row></tabular_location>`, "i:2:1: <tabular_location> needs a <tabular_value>"],
    [
      `<tabular_location><skip>2</skip><tabular_value>${name}</tabular_value></tabular_location>`,
      "<skip> needs <match>, <regexp> or <row>",
    ],
    [
      `<tabular_location><tabular_value>${name}<pos>x</pos></tabular_value></tabular_location>`,
      "pos 'x' is not an integer",
    ],
    ["<set_separation/>", "i:2:1: <set_separation> needs one <match> or <regexp>"],
    [`<derived_parameter>${name}</derived_parameter>`, "i:2:1: <derived_parameter> needs either <term> or <map>"],
    [
      `<derived_parameter>${name}<term><function type="sqr"/></term></derived_parameter>`,
      "i:2:40: unknown function 'sqr', did you mean sqrt?",
    ],
    [
      `<derived_parameter>${name}<term><constant>x</constant></term></derived_parameter>`,
      "i:2:50: constant 'x' is neither a number nor e nor pi",
    ],
    [
      `<split_location>${name}<enter/><leave/><store><name>a</name></store></split_location>`,
      "i:2:31: <enter> needs a location",
    ],
  ])("reports the position: %j", (source, message) => {
    refusesWith(message, () => read(source));
  });

  test("refuses other documents", () => {
    expect(() => readInput("<query/>", "i")).toThrow("i:1:1: <query> is not an input description");
  });
});
