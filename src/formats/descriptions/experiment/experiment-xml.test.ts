import { refusesWith, understandsOrRefuses } from "../../../../test/contracts/description-language.ts";
import { anyExperiment } from "../../../../test/contracts/arbitrary-experiment.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUnit } from "../../../core/values/unit.ts";
import { parseExperiment } from "./experiment.ts";
import { printExperiment } from "./experiment-print.ts";
import { parseExperimentXml } from "./experiment-xml.ts";
import { printExperimentXml } from "./experiment-xml-print.ts";

const document = `<?xml version="1.0" standalone="no"?>
<!DOCTYPE experiment SYSTEM "pb_experiment.dtd">
<experiment>
  <name>ping</name>
  <info>
    <performed_by><name>A. Person</name><organization>Some Lab</organization></performed_by>
    <project>fast messages</project>
    <synopsis>Latency
      of messages</synopsis>
    <description>
      Two nodes,
        one message at a time.
    </description>
  </info>
  <database><host>db.example.org</host><port>5432</port><user>bench</user></database>
  <owner>olga</owner>
  <admin_access><user>carl</user><group>staff</group></admin_access>
  <query_access><user>anna</user></query_access>
  <parameter occurence="once"><name>N</name><datatype size="4">integer</datatype><default>2</default></parameter>
  <parameter><name>mode</name><datatype>string</datatype><valid>eager</valid><valid>None</valid><default/></parameter>
  <parameter is_numeric="yes"><name>job</name><datatype longest="none">string</datatype><default> </default></parameter>
  <result better="higher">
    <name>B</name><datatype>float(4)</datatype>
    <unit><fraction>
      <dividend><product>
        <factor><base_unit>byte</base_unit><scaling>Mi</scaling></factor>
        <factor><fraction>
          <dividend><base_unit>none</base_unit></dividend><divisor><base_unit>process</base_unit></divisor>
        </fraction></factor>
      </product></dividend>
      <divisor><base_unit>s</base_unit><scaling>micro</scaling></divisor>
    </fraction></unit>
    <default>1.5</default>
  </result>
</experiment>
`;

describe("parseExperimentXml", () => {
  test("reads every element", () => {
    const multiple = { role: "parameter", occurrence: "multiple" };
    expect(parseExperimentXml(document, "ping.xml")).toEqual({
      name: "ping",
      synopsis: "Latency of messages",
      description: "Two nodes,\n  one message at a time.",
      performedBy: "A. Person",
      organization: "Some Lab",
      project: "fast messages",
      database: { host: "db.example.org", port: 5432, user: "bench", name: "pb_ping" },
      readers: ["anna"],
      writers: [],
      admins: ["olga", "carl", "@staff"],
      variables: [
        { name: "N", role: "parameter", occurrence: "once", type: "integer", size: 4, default: 2 },
        { ...multiple, name: "mode", type: "string", longest: 256, default: null, valid: ["eager"] },
        { ...multiple, name: "job", type: "string", default: null, numeric: true },
        {
          ...multiple,
          name: "B",
          role: "result",
          type: "float",
          unit: parseUnit("MiByte/process/us"),
          default: 1.5,
          better: "higher",
        },
      ],
    });
  });

  const variable = (inside: string): string =>
    `<experiment><name>x</name>\n<parameter><name>a</name>${inside}</parameter></experiment>`;

  test.each<[string, string]>([
    ["<query/>", "f.xml:1:1: <query> is not an experiment description"],
    [
      "<experiment>\n  <nam>x</nam></experiment>",
      "f.xml:2:3: <nam> is not allowed in <experiment>, did you mean name?",
    ],
    ["<experiment>\n  <info/></experiment>", "f.xml:1:1: <experiment> needs a <name>"],
    ["<experiment>hello<name>x</name></experiment>", "the text 'hello' is not allowed in <experiment>"],
    ["<experiment><name>x</name>\n<attachment/></experiment>", "f.xml:2:1: <attachment> was never used"],
    ["<experiment><name>1x</name></experiment>", "f.xml:1:13: '1x' is not a valid name"],
    ["<experiment><name>x</name>\n<name>y</name></experiment>", "f.xml:2:1: a second <name> in <experiment>"],
    ["<experiment><name>x</name></experiment>", "f.xml:1:1: there is no <result>, at least one is needed"],
    [
      "<experiment><name>x</name><database><passwd>s</passwd></database></experiment>",
      "a password is not allowed in a description",
    ],
    ["<experiment><name>x</name><database><port>1</port></database></experiment>", "<database> needs a <host>"],
    ["<experiment><name>x</name><query_access><user>@a</user></query_access></experiment>", "'@a' is not a user"],
    [variable(""), "f.xml:2:1: <parameter> needs a <datatype>"],
    [variable("<datatype>gaga</datatype>"), "f.xml:2:26: unknown type 'gaga'"],
    [variable("<datatype>flaot</datatype>"), "unknown type 'flaot', did you mean float?"],
    [variable('<datatype size="3">integer</datatype>'), "size '3' is none of 2, 4, 8"],
    [variable('<datatype longest="x">string</datatype>'), "longest 'x' is not a number of characters"],
    [variable("<datatype>integer</datatype><default>ten</default>"), "f.xml:2:54: 'ten' is not a valid integer"],
    [
      variable("<datatype>integer</datatype><valid>1</valid><default>2</default>"),
      "the default '2' is not among the valid values",
    ],
    [variable(`<datatype>string</datatype><default>${"x".repeat(257)}</default>`), "it is longer than 256 characters"],
    [variable("<datatype>string</datatype><unit><base_unit>s</base_unit></unit>"), "a string has no unit"],
    [variable("<datatype>float</datatype><unit/>"), "<unit> needs one of <base_unit>, <fraction>, <product>"],
    [
      variable("<datatype>float</datatype><unit><base_unit>bite</base_unit></unit>"),
      "unknown base unit 'bite', did you mean byte, bit?",
    ],
    [
      variable("<datatype>float</datatype><unit><base_unit>s</base_unit><scaling>mikro</scaling></unit>"),
      "unknown scaling 'mikro', did you mean micro?",
    ],
    [
      variable("<datatype>float</datatype><unit><base_unit>%</base_unit><scaling>K</scaling></unit>"),
      "'%' cannot be scaled",
    ],
    [variable('<datatype>float</datatype><default kind="x">1</default>'), "<default> has no attribute 'kind'"],
    ['<experiment><name>x</name><parameter occurrence="twice"/></experiment>', "<parameter> needs a <name>"],
    [
      '<experiment><name>x</name><parameter occurrence="twice"><name>a</name><datatype>text</datatype></parameter>' +
        "</experiment>",
      "occurrence 'twice' is none of once, multiple",
    ],
    ["<experiment>", "f.xml:1:"],
  ])("reports the position: %j", (source, message) => {
    refusesWith(message, () => parseExperimentXml(source, "f.xml"));
  });
});

describe("printExperimentXml", () => {
  test("parse(print(x)) = x", () => {
    fc.assert(
      fc.property(anyExperiment, (each) => {
        expect(parseExperimentXml(printExperimentXml(each), "x.xml")).toEqual(each);
      }),
    );
  });

  test("both syntaxes are equivalent", () => {
    fc.assert(
      fc.property(anyExperiment, (each) => {
        const there = parseExperimentXml(printExperimentXml(parseExperiment(printExperiment(each), "x.exp")), "x.xml");
        expect(parseExperiment(printExperiment(there), "y.exp")).toEqual(each);
      }),
    );
  });

  test("writes what perfbase writes", () => {
    const text = "*experiment x\n*parameter n int\n*result B float MByte/s NULL valid={1,2}\nhow fast\n";
    expect(printExperimentXml(parseExperiment(text, "x.exp"))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<experiment>
  <name>x</name>
  <parameter>
    <name>n</name>
    <datatype>integer</datatype>
  </parameter>
  <result>
    <name>B</name>
    <synopsis>how fast</synopsis>
    <datatype>float</datatype>
    <unit>
      <fraction>
        <dividend>
          <base_unit>byte</base_unit>
          <scaling>Mega</scaling>
        </dividend>
        <divisor>
          <base_unit>s</base_unit>
        </divisor>
      </fraction>
    </unit>
    <valid>1</valid>
    <valid>2</valid>
    <valid>None</valid>
    <default/>
  </result>
</experiment>
`);
  });

  test("refuses control characters", () => {
    const experiment = parseExperimentXml(document, "ping.xml");
    expect(() => printExperimentXml({ ...experiment, project: "\u0001" })).toThrow("control character 1");
  });
});

test("any text gives an experiment or a description error", () => {
  const words = [
    "<experiment>",
    "</experiment>",
    "<name>",
    "</name>",
    "<parameter",
    ">",
    "/>",
    "</parameter>",
    "<datatype>",
    "</datatype>",
  ];
  understandsOrRefuses(
    (source) => parseExperimentXml(`<experiment><name>a</name>${source}</experiment>`, "x.xml"),
    [
      ...words,
      "<unit>",
      "</unit>",
      "<base_unit>",
      "float",
      "a",
      ' size="4"',
      "<default>",
      "</default>",
      "<valid/>",
      "&lt;",
      "&x;",
      "\u0000",
    ],
  );
});
