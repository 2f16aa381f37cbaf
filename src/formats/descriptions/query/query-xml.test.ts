import fc from "fast-check";
import { expect, test } from "vitest";
import { anyQuery } from "../../../../test/contracts/query-arbitrary.ts";
import { printQueryXml } from "./query-xml-print.ts";
import { readQueryXml } from "./query-xml.ts";
import { failureText } from "../../../../test/contracts/failure-text.ts";

const failureOf = (text: string): string => failureText(() => readQueryXml(text, "q.xml"));

test("any query round-trips", () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      expect(readQueryXml(printQueryXml(query), "q.xml")).toEqual(query);
    }),
    { numRuns: 300 },
  );
});

test("elements inside a source become its named inputs in order", () => {
  const query = readQueryXml(
    `<query><source id="s"><parameter id="p"><value>n</value></parameter><result>t</result><input>q</input></source>
     <parameter id="q"><value>host</value></parameter></query>`,
    "q.xml",
  );
  expect(query.sources[0]?.inputs).toEqual(["p", "q"]);
  expect(query.parameters.map(({ id }) => id)).toEqual(["q", "p"]);
});

test.each([
  ["<query><outptu/></query>", "q.xml:1:8: <outptu> is not allowed in <query>, did you mean output?"],
  [
    "<query>\n <operator id='o'><input>sorce</input></operator><source id='source'><result>t</result></source></query>",
    "q.xml:2:26: there is no element 'sorce', did you mean source?",
  ],
  [
    "<query><source id='s'><result>t</result></source><source id='s'><result>t</result></source></query>",
    "q.xml:1:50: the id 's' is given twice",
  ],
  [
    "<query><parameter id='p'><value>n</value><filter><gretaer>1</gretaer></filter></parameter></query>",
    "q.xml:1:50: <gretaer> is not allowed in <filter>, did you mean greater?",
  ],
  [
    "<query><parameter id='p'><value>n</value></parameter><output><input>p</input></output></query>",
    "q.xml:1:69: 'p' is a <parameter> and cannot be an input of <output>",
  ],
  [
    "<query><operator id='o'><input>o</input><term><sum/></term></operator></query>",
    "q.xml:1:47: <sum> needs <summand>",
  ],
  ["<experiment/>", "q.xml:1:1: this is <experiment>, not <query>"],
])("%s is refused at its position", (text, message) => {
  expect(failureOf(text)).toBe(message);
});

test("a damaged query is read or refused", () => {
  fc.assert(
    fc.property(anyQuery, fc.nat(), fc.constantFrom("", "<", '"', "&", "</query>", "\0", "x"), (query, at, piece) => {
      const text = printQueryXml(query);
      const offset = at % text.length;
      failureOf(text.slice(0, offset) + piece + text.slice(offset + 1));
    }),
    { numRuns: 300 },
  );
});
