import { existsSync, readFileSync } from "node:fs";
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
    place.write("ping.exp", "*experiment ping\n*parameter net string - once\n*parameter size int Byte\n*result time float us\n");
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
    expect(place.ok("query", "-d", "q.xml", "-f", "f.net=myri")).toBe("# net = 'myri'  \n# size[byte]\tmin(time)[us]\t\n8 \t7.0 \t\n");
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

  test.each([
    [["query"], 2, "there is nothing to ask"],
    [["query", "ping", "-f", "f.net=x"], 2, "--fixed without the description of a query"],
    [["query", "-d", "q.xml", "--stat", "max"], 2, "--stat beside the description of a query"],
    [["query", "-d", "q.xml", "-f", "f.ent=x"], 4, "did you mean f.net?"],
    [["query", "-d", "q.xml", "-e", "pnig"], 5, "did you mean ping?"],
    [["query", "-d", "ping.exp"], 4, "ping.exp:1:1: it is no XML"],
  ])("%j ends with %i and says what is wrong", (words, status, message) => {
    const ended = place.run(words);
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).toContain(message);
  });
});
