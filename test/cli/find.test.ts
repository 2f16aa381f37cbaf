import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { onEachEngine } from "../servers/databases.ts";
import { Playground } from "./program.ts";

const description = [
  "*experiment io",
  "*parameter host string - once",
  "*parameter lib version - once NULL",
  "*parameter op string",
  "*parameter size int Byte",
  "*result rate float MByte/s",
  "*result label string - NULL once",
  "",
];

const input =
  'NAMED host ws=":"\nNAMED lib ws=":"\nTABLE op row="op size" ' +
  'pos=1\nTABLE size row="op size" pos=2\nTABLE rate row="op size" pos=3\n';

onEachEngine("find", (makePlace) => {
  const place = new Playground();
  const runs = (...words: string[]): number[] => {
    const ended = place.run(["find", "io", "run", ...words, "--format", "json"]);
    if (ended.status === 5) return [];
    if (ended.status !== 0) throw new Error(ended.stderr);
    return (JSON.parse(ended.stdout) as { runs: { run: number }[] }).runs.map(({ run }) => run);
  };
  let head: string;

  beforeAll(async () => {
    const { url, environment } = await makePlace();
    head = place.commit("one");
    place.ok("init");
    place.environment = { PERFKEEP_DB: url, ...environment };
    place.write("io.exp", description.join("\n"));
    place.write("io.inp", input);
    place.write("a.out", "host: node7\nlib: 1.9\nop size rate\nwrite 1024 0.5\nread 1024 1.5\nread 4096 2.5\n");
    place.write("b.out", "host: node8\nlib: 1.10\nop size rate\nwrite 1024 8.5\n");
    place.write("c.out", "host: node9\nop size rate\nwrite 4096 0.25\n");
    place.ok("experiment", "create", "io.exp");
    place.ok(
      "import",
      "-e",
      "io",
      "-d",
      "io.inp",
      "--synopsis",
      "quiet night",
      "--performed",
      "2004-11-23 18:30",
      "a.out",
    );
    place.ok("import", "-e", "io", "-d", "io.inp", "--label", "second", "--performed", "2004-11-24", "b.out");
    place.ok("import", "-e", "io", "-d", "io.inp", "--performed", "2004-12-01", "c.out");
  });

  it("finds runs by contents: of the run, and of data sets together", () => {
    expect(runs()).toEqual([1, 2, 3]);
    expect(runs("--where", "host!=node8")).toEqual([1, 3]);
    expect([runs("--branch", "main"), runs("--until", "2020-01-01"), runs("--first-parent")]).toEqual([
      [1, 2, 3],
      [],
      [1, 2, 3],
    ]);
    expect(runs("--where", "lib>=1.10")).toEqual([2]);
    expect(runs("--where", "lib is null")).toEqual([3]);
    expect(runs("--where", "size=4KiByte")).toEqual([1, 3]);
    expect(runs("--where", "op=write", "--where", "size=4096")).toEqual([3]);
    expect(runs("--where", "rate>2", "--where", "host=node7")).toEqual([1]);
    expect(runs("--where", `host="' or 1=1 --"`)).toEqual([]);
  });

  it("finds runs by what is known of them", () => {
    expect(runs("--synopsis", "^quiet")).toEqual([1]);
    expect(runs("--label", "sec.nd")).toEqual([2]);
    expect(runs("--file", "[bc]\\.out$")).toEqual([2, 3]);
    expect(runs("--performed-from", "2004-11-23 18:30", "--performed-to", "2004-11-24")).toEqual([1, 2]);
    expect(runs("--performed-from", "2004-11-23 18:31")).toEqual([2, 3]);
    expect(runs("--created-to", "2004-11-24")).toEqual([]);
    expect(runs("--created-by", "nobody-of-that-name")).toEqual([]);
    expect(runs("--commit", head)).toEqual([1, 2, 3]);
  });

  it("orders by a column, and ends after so many", () => {
    expect(runs("--sort", "-performed", "--limit", "2")).toEqual([3, 2]);
    expect(runs("--sort", "lib")).toEqual([1, 2, 3]);
    expect(runs("--sort", "-rate")).toEqual([2, 1, 3]);
    expect(runs("--sort", "-rows", "--limit", "1")).toEqual([1]);
  });

  it("tells different contents of data sets, or how many there are", () => {
    const text = place.ok("find", "io", "RUN", "size", "rate", "lib", "-n", "2", "--format", "csv");
    expect(text.split("\r\n")).toEqual([
      "run,size [Byte],rate [MByte/s],lib",
      '1,"1024, 4096",#3values#,1.9',
      "2,1024,8.5,1.10",
      "3,4096,0.25,",
      "",
    ]);
    expect(place.json("find", "io", "rate", "@label", "--where", "op=read", "-n", "1")).toMatchObject({
      columns: [
        { name: "rate", of: "multiple", unit: "MByte/s" },
        { name: "label", of: "run" },
      ],
      runs: [
        {
          run: 1,
          matchingRows: 2,
          cells: [
            { values: [1.5], distinct: 2 },
            { values: ["2004-11-23-183000"], distinct: 1 },
          ],
        },
      ],
    });
    expect(place.ok("find", "io", "rate", "-a", "--limit", "1")).toContain("0.5, 1.5, 2.5");
  });

  describe("with a deleted run", () => {
    beforeEach(() => {
      place.run(["experiment", "delete", "io", "--run", "2", "--force"]);
    });
    it("leaves it out unless asked for", () => {
      expect(runs("--where", "size=1024")).toEqual([1]);
      expect(runs("--where", "size=1024", "--deleted")).toEqual([1, 2]);
      expect(place.ok("find", "io", "host", "state", "--deleted", "--format", "csv")).toContain("node8,deleted\r\n");
    });
  });

  it("says what it does not understand", () => {
    expect(place.run(["find", "io", "hosst"])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("did you mean host"),
    });
    expect(place.run(["find", "io", "--synopsis", "("]).stderr).toContain("[pattern-error]");
    expect(place.run(["find", "io", "--performed-from", "soon"]).stderr).toContain("[bad-option]");
    expect(place.run(["find", "io", "--where", "host"]).stderr).toContain("[bad-condition]");
    expect(place.run(["find", "io", "--where", "host=nobody"])).toMatchObject({ status: 5 });
  });
});
