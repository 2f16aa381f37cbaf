import { refusesWith, understandsOrRefuses } from "../../../../test/contracts/description-language.ts";
import { anyExperiment } from "../../../../test/contracts/arbitrary-experiment.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUnit } from "../../../core/values/unit.ts";
import { printExperiment } from "./experiment-print.ts";
import { parseExperiment } from "./experiment.ts";

const text = `# measured on the cluster
*database bench@db.example.org:5432 performance
*experiment ping
Latency of messages
Two nodes,
  one message at a time.
*performed_by "A. Person"
*project fast messages
*read anna,bert carl
*write anna
*admin carl,@staff

*parameter S_msg int Byte
message size
*parameter mode string - eager valid={eager,"rendez vous"}
*parameter N_nodes int - 2 once size=4
*parameter job string numeric longest=20
*parameter when timestamp - NULL occurrence=once
*result T_pp float us better=lower
half of the round trip
`;

function numbered(start: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${start}${at} int`).join("\n");
}

describe("parseExperiment", () => {
  test("reads every keyword", () => {
    const experiment = parseExperiment(text, "ping.exp");
    expect(experiment).toMatchObject({
      name: "ping",
      synopsis: "Latency of messages",
      description: "Two nodes,\none message at a time.",
      performedBy: "A. Person",
      project: "fast messages",
      database: { host: "db.example.org", port: 5432, user: "bench", name: "performance" },
      readers: ["anna", "bert", "carl"],
      writers: ["anna"],
      admins: ["carl", "@staff"],
    });
    const common = { role: "parameter", occurrence: "multiple" };
    expect(experiment.variables).toEqual([
      { ...common, name: "S_msg", type: "integer", unit: parseUnit("Byte"), synopsis: "message size" },
      { ...common, name: "mode", type: "string", default: "eager", valid: ["eager", "rendez vous"] },
      { ...common, occurrence: "once", name: "N_nodes", type: "integer", size: 4, default: 2 },
      { ...common, name: "job", type: "string", numeric: true, longest: 20 },
      { ...common, occurrence: "once", name: "when", type: "timestamp", default: null },
      {
        ...common,
        role: "result",
        name: "T_pp",
        type: "float",
        unit: parseUnit("us"),
        better: "lower",
        synopsis: "half of the round trip",
      },
    ]);
  });

  test.each<[string, string]>([
    ["*experment x", "f.exp:1:1: unknown keyword '*experment', did you mean *experiment?"],
    ["*experiment x\n  *parameter", "f.exp:2:3: *parameter needs a name and a type"],
    ["*experiment x\n*parameter a", "f.exp:2:1: *parameter a needs a type"],
    ["*experiment x\n*parameter a itn", "f.exp:2:14: unknown type 'itn', did you mean int?"],
    [
      "*experiment x\n*parameter a int Btye/s",
      "f.exp:2:18: unknown unit 'Btye': no such unit, in 'Btye/s', did you mean Byte",
    ],
    ["*experiment x\n*parameter a int - ten", "f.exp:2:20: 'ten' is not a valid integer: it is no whole number"],
    ["*experiment x\n*parameter a string Byte", "f.exp:2:21: a string has no unit"],
    ["*experiment x\n*parameter a int - 1 sometimes", "f.exp:2:22: 'sometimes' is one word too many"],
    ["*experiment x\n*parameter a int once occurrence=often", "f.exp:2:23: the occurrence is given twice"],
    ["*experiment x\n*parameter a int occurrence=often", "f.exp:2:18: occurrence 'often' is neither once nor multiple"],
    ["*experiment x\n*parameter a int - 1 once more", "f.exp:2:27: 'more' is one word too many"],
    ["*experiment x\n*parameter a int - 1 vaild={1}", "f.exp:2:22: unknown word 'vaild=', did you mean valid?"],
    ["*experiment x\n*parameter a int - 3 valid={1,2}", "f.exp:2:20: the default '3' is not among the valid values"],
    ["*experiment x\n*parameter a int valid={1", "f.exp:2:24: this list is not closed"],
    ["*experiment x\n*parameter a int - 1 size=3", "f.exp:2:22: size '3' is none of 2, 4, 8"],
    ['*experiment x\n*parameter a string - "abc', "f.exp:2:23: this quote is not closed on its line"],
    ["*experiment x\n*parameter A int\n*result a int", "f.exp:3:1: 'a' is already defined as 'A'"],
    ["*experiment x\n*parameter a int default=1 - 2", "f.exp:2:30: the default is given twice"],
    ["*experiment x\n*parameter a int", "f.exp:2:1: there is no *result, at least one is needed"],
    ["*experiment 1st", "f.exp:1:13: '1st' is not a valid name"],
    ["*experiment a\n*experiment b", "f.exp:2:1: a second *experiment, after 'a'"],
    ["*experiment x\n*parameter a int numeric", "f.exp:2:18: every integer is numeric"],
    ["*experiment x\n*parameter a int longest=3", "f.exp:2:18: values of type integer have no length"],
    ["*experiment x\n*parameter a string longest=0", "f.exp:2:21: longest '0' is not a number of characters"],
    [
      '*experiment x\n*parameter a string - "abc" longest=2',
      "f.exp:2:23: 'abc' is not a valid string: it is longer than 2 characters",
    ],
    ["*database me:secret@host b", "f.exp:1:11: a password is not allowed in a description"],
    ["*database a:99999 b", "f.exp:1:11: 'a:99999' is not a host and port"],
    [`*experiment x\n${numbered("*result T", 1001)}`, "f.exp:1002:1: more than 1000 parameters and results"],
    ["hello", "f.exp:1:1: a comment comes before the first keyword"],
    ["", "f.exp:1:1: there is no *experiment NAME"],
  ])("reports the position: %j", (source, message) => {
    refusesWith(message, () => parseExperiment(source, "f.exp"));
  });
});

test("parse(print(x)) = x", () => {
  fc.assert(
    fc.property(anyExperiment, (each) => {
      expect(parseExperiment(printExperiment(each), "x.exp")).toEqual(each);
    }),
  );
});

test("any text gives an experiment or a description error", () => {
  understandsOrRefuses(
    (source) => parseExperiment(source, "x.exp"),
    [
      "*experiment",
      "*parameter",
      "*result",
      "a",
      "int",
      "float",
      "Byte",
      '"',
      "{",
      "}",
      "=",
      "valid=",
      "\n",
      " ",
      "\\",
      "-",
      "1",
      "once",
      "\u0000",
    ],
  );
});
