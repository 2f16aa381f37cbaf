import { understandsOrRefuses } from "../../../../test/contracts/description-language.ts";
import { anyExperiment } from "../../../../test/contracts/arbitrary-experiment.ts";
import { anyExperimentUpdate } from "../../../../test/contracts/arbitrary-experiment-update.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { updatedExperiment } from "../../../core/experiments/apply-update.ts";
import { diffExperiments } from "../../../core/experiments/experiment-diff.ts";
import { parseUnit } from "../../../core/values/unit.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { parseExperimentUpdate } from "./experiment-update.ts";
import { printExperimentUpdate } from "./experiment-print.ts";
import { parseExperimentUpdateXml } from "./experiment-update-xml.ts";
import { printExperimentUpdateXml } from "./experiment-update-xml-print.ts";

const text = `*update ping
Latency and bandwidth
*forget description
*project
*organization Some Lab

*add parameter S_buf int Byte NULL once
size of the buffer
*put machine role=parameter type=string occurrence=once default=SX-5
*alter T_pp unit=us better=lower forget=description
half of the round trip
*alter mode valid={lazy,"rendez vous"} default=- longest=none numeric=no
*alter job only=any unit=none role=result
*rename host platform
*drop N_nodes

*grant read alice,bob
*revoke write @staff
`;

const xml = `<!DOCTYPE experiment_update SYSTEM "pb_experiment_update.dtd">
<experiment_update>
  <experiment>ping</experiment>
  <info>
    <synopsis>Latency and bandwidth</synopsis>
    <description/>
    <performed_by><organization>Some Lab</organization></performed_by>
    <project></project>
  </info>
  <parameter action="add" occurrence="once">
    <name>S_buf</name><synopsis>size of the buffer</synopsis>
    <datatype>integer</datatype><unit><base_unit>byte</base_unit></unit><default/>
  </parameter>
  <parameter occurrence="once">
    <name>machine</name><datatype longest="keep">string</datatype><default>SX-5</default>
  </parameter>
  <variable action="replace" better="lower">
    <name>T_pp</name><unit><base_unit>s</base_unit><scaling>micro</scaling></unit>
    <synopsis>half of the round trip</synopsis><description/>
  </variable>
  <variable action="replace" is_numeric="no">
    <name>mode</name><datatype longest="none"/><valid>lazy</valid><valid>rendez vous</valid><default mandatory="yes"/>
  </variable>
  <result action="replace" valid="only"><name>job</name><unit/></result>
  <variable action="replace"><name>host</name><new_name>platform</new_name></variable>
  <parameter action="drop"><name>N_nodes</name></parameter>
  <access_add><query_access><user>alice</user><user>bob</user></query_access></access_add>
  <access_revoke><input_access><group>staff</group></input_access></access_revoke>
</experiment_update>
`;

const update = {
  experiment: "ping",
  about: { synopsis: "Latency and bandwidth", description: null, project: null, organization: "Some Lab" },
  changes: [
    {
      kind: "add",
      variable: {
        name: "S_buf",
        role: "parameter",
        occurrence: "once",
        type: "integer",
        unit: parseUnit("Byte"),
        default: null,
        synopsis: "size of the buffer",
      },
    },
    {
      kind: "auto",
      name: "machine",
      role: "parameter",
      type: "string",
      occurrence: "once",
      default: { value: "SX-5" },
    },
    {
      kind: "alter",
      name: "T_pp",
      unit: parseUnit("us"),
      better: "lower",
      synopsis: "half of the round trip",
      description: null,
    },
    {
      kind: "alter",
      name: "mode",
      valid: { add: ["lazy", "rendez vous"] },
      default: "none",
      longest: null,
      numeric: false,
    },
    { kind: "alter", name: "job", valid: "any", unit: null, role: "result" },
    { kind: "alter", name: "host", newName: "platform" },
    { kind: "drop", name: "N_nodes" },
  ],
  access: [
    { action: "grant", level: "read", who: "alice" },
    { action: "grant", level: "read", who: "bob" },
    { action: "revoke", level: "write", who: "@staff" },
  ],
};

/** The message of the refusal. */
function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (isFailure(error, "description-error")) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("parseExperimentUpdate", () => {
  test("reads every keyword", () => expect(parseExperimentUpdate(text, "u")).toEqual(update));

  test.each<[string, string]>([
    ["", "u:1:1: there is no *update NAME"],
    ["*updaet x", "u:1:1: unknown keyword '*updaet', did you mean *update?"],
    ["*update", "u:1:1: *update needs a name"],
    ["*update x y", "u:1:11: 'y' is one word too many"],
    ["*update x\n*update y", "u:2:1: a second *update, after 'x'"],
    ["*update x\n*drop y\nhello", "u:3:1: a comment is not allowed here"],
    ["*update x\n*alter y dfault=1", "u:2:10: unknown word 'dfault=', did you mean default?"],
    ["*update x\n*alter y 1", "u:2:10: '1' is not of the form key=value"],
    ["*update x\n*alter y unit=Btye", "u:2:10: unknown unit 'Btye'"],
    ["*update x\n*alter y only={a} valid={b}", "u:2:19: the valid is given twice"],
    ["*update x\n*alter y valid={}", "u:2:10: valid needs a list"],
    ["*update x\n*add thing y int", "u:2:6: 'thing' is none of parameter, result"],
    ["*update x\n*rename y", "u:2:1: *rename needs 2 names"],
    ["*update x\n*grant raed alice", "u:2:8: 'raed' is none of read, write, admin, did you mean read?"],
    ["*update x\n*grant read", "u:2:1: *grant takes read|write|admin and users"],
  ])("reports the position: %j", (source, message) => {
    expect(refusal(() => parseExperimentUpdate(source, "u"))).toContain(message);
  });
});

describe("parseExperimentUpdateXml", () => {
  test("reads every element", () => expect(parseExperimentUpdateXml(xml, "u")).toEqual(update));

  test("changes the level of a user, and revokes all levels", () => {
    const access = (inside: string): unknown =>
      parseExperimentUpdateXml(`<experiment_update><experiment>x</experiment>${inside}</experiment_update>`, "u")
        .access;
    const revoke = (level: string): object => ({ action: "revoke", level, who: "eve" });
    const change = "<access_change><input_access><user>eve</user></input_access></access_change>";
    expect(access(change)).toEqual([revoke("read"), revoke("admin"), { action: "grant", level: "write", who: "eve" }]);
    expect(access("<access_revoke><user>eve</user></access_revoke>")).toEqual([
      revoke("read"),
      revoke("write"),
      revoke("admin"),
    ]);
  });

  test.each<[string, string]>([
    ["<parameter action='dorp'><name>a</name></parameter>", "did you mean drop?"],
    ["<parameter action='drop'><name>a</name><default/></parameter>", "<default> is not allowed in <parameter>"],
    ["<parameter><name>a</name><datatype>gaga</datatype></parameter>", "u:1:71: unknown type 'gaga'"],
    [
      "<parameter><name>a</name><datatype>integer</datatype><default>ten</default></parameter>",
      "'ten' is not a valid integer",
    ],
    ["<parameter><name>a</name><default mandatory='yes'>1</default></parameter>", "a default excludes mandatory='yes'"],
    ["<variable action='add'><name>a</name></variable>", "a new variable is a <parameter> or a <result>"],
    ["<access_add><user>a</user></access_add>", "<user> is not allowed in <access_add>"],
  ])("reports the position: %j", (inside, message) => {
    const source = `<experiment_update><experiment>x</experiment>${inside}</experiment_update>`;
    expect(refusal(() => parseExperimentUpdateXml(source, "u"))).toContain(message);
  });
});

describe("both syntaxes", () => {
  test("print the description they read", () => {
    const each = parseExperimentUpdate(text, "u");
    expect(parseExperimentUpdateXml(printExperimentUpdateXml(each), "u")).toEqual(each);
    expect(printExperimentUpdate(parseExperimentUpdateXml(xml, "u"))).toContain(
      "*alter T_pp unit=us better=lower forget={description}",
    );
  });

  test("parse(print(x)) = x across both syntaxes", () => {
    fc.assert(
      fc.property(anyExperimentUpdate, (each) => {
        const asText = parseExperimentUpdate(printExperimentUpdate(each), "u");
        expect(asText).toEqual(each);
        expect(parseExperimentUpdateXml(printExperimentUpdateXml(asText), "u")).toEqual(each);
      }),
    );
  });

  test("any text gives an update or a description error", () => {
    const words = [
      "*add ",
      "*alter ",
      "*put ",
      "*rename ",
      "*drop ",
      "*grant ",
      "a",
      "read",
      "int",
      " ",
      "\n",
      '"',
      "=",
      "{",
      "}",
      "valid",
      "-",
    ];
    understandsOrRefuses(
      (source) => parseExperimentUpdate(`*update a\n${source}`, "u"),
      [...words, "unit=", "default=", "forget="],
    );
    const tags = [
      "<parameter",
      "</parameter>",
      ">",
      "/>",
      "<name>",
      "</name>",
      "a",
      "<valid>",
      "</valid>",
      "<default/>",
      ' action="drop"',
    ];
    const root = (source: string): string =>
      `<experiment_update><experiment>a</experiment>${source}</experiment_update>`;
    understandsOrRefuses(
      (source) => parseExperimentUpdateXml(root(source), "u"),
      [...tags, "<access_add>", "</access_add>", "<info>"],
    );
  });

  test("applying the diff of two experiments gives the second", () => {
    fc.assert(
      fc.property(anyExperiment, anyExperiment, (current, wanted) => {
        const there = current.variables.slice(1).map((variable) => likened(variable, wanted.variables));
        const target = {
          ...wanted,
          name: current.name,
          variables: [...there, ...fresh(wanted.variables, current.variables)],
        };
        fc.pre(target.variables.some(({ role }) => role === "parameter"));
        const after = updatedExperiment(current, diffExperiments(current, target));
        const { database: _, readers, writers, admins, ...about } = target;
        expect(after).toMatchObject({ ...about, variables: expect.arrayContaining([...target.variables]) });
        expect(after.variables).toHaveLength(target.variables.length);
        expect([new Set(after.readers), new Set(after.writers)]).toEqual([new Set(readers), new Set(writers)]);
        if (admins) expect(new Set(after.admins)).toEqual(new Set(admins));
      }),
    );
  });
});

/** The variable with the alterable properties of another one with the same type, size and occurrence. */
function likened(variable: Variable, others: readonly Variable[]): Variable {
  const like = others.find(
    ({ type, size, occurrence }) =>
      variable.type === type && variable.size === size && variable.occurrence === occurrence,
  );
  return { ...(like ?? variable), name: variable.name };
}

/** The variables whose names are not taken. */
function fresh<T extends { readonly name: string }>(variables: readonly T[], others: readonly T[]): T[] {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  return variables.map((variable) =>
    taken.has(variable.name.toLowerCase()) ? { ...variable, name: `${variable.name}_fresh` } : variable,
  );
}
