import { beforeAll, expect, it } from "vitest";
import { onEachEngine } from "../servers/databases.ts";
import { Playground } from "./program.ts";

const description = `*experiment Disk
*parameter host string - once
*parameter lib version - once NULL
*parameter op string
*parameter size int Byte
*parameter commit string - once NULL
*result rate float MByte/s
`;

onEachEngine("sql", (makePlace) => {
  const place = new Playground();
  const rows = (...words: string[]): unknown[][] =>
    (JSON.parse(place.ok("sql", ...words, "--format", "json")) as { rows: unknown[][] }).rows;

  beforeAll(async () => {
    const { url, environment } = await makePlace();
    place.commit("one");
    place.ok("init");
    place.environment = { PERFKEEP_DB: url, ...environment };
    place.write("disk.exp", description);
    place.write("runs.exp", "*experiment runs\n*parameter host string once default=any\n*result t float s\n");
    place.write(
      "disk.inp",
      'NAMED host ws=":"\nNAMED lib ws=":"\nTABLE op row="op size" ' +
        'pos=1\nTABLE size row="op size" pos=2\nTABLE rate row="op size" pos=3\n',
    );
    place.write("a.out", "host: node7\nlib: 1.10\nop size rate\nwrite 1024 0.5\nread 1024 1.5\nread 4096 2.5\n");
    place.write("b.out", "host: node8\nlib: 1.9\nop size rate\nwrite 1024 8.5\n");
    place.ok("experiment", "create", "disk.exp");
    place.ok("experiment", "create", "runs.exp");
    place.ok("import", "-e", "Disk", "-d", "disk.inp", "a.out");
    place.ok("import", "-e", "Disk", "-d", "disk.inp", "b.out");
    place.ok("experiment", "delete", "Disk", "-r", "2", "-f");
  });

  it("answers over the data sets of an experiment, without deleted runs", () => {
    expect(rows('select op, avg(rate) as mean, max(lib) as lib from "Disk" group by op order by op')).toEqual([
      ["read", 2, "1.10"],
      ["write", 0.5, "1.10"],
    ]);
  });

  it("tells of experiments, variables, runs and files", () => {
    expect(rows("select name, runs from experiments order by name")).toEqual([
      ["Disk", 1],
      ["runs", 0],
    ]);
    expect(rows("select name, unit from variables where experiment = 'Disk' and type = 'integer'")).toEqual([
      ["size", "Byte"],
    ]);
    expect(
      rows(
        "select r.run, r.data_sets, f.path from runs r join files f on f.experiment = r.experiment and f.run = r.run;",
      ),
    ).toEqual([[1, 3, "a.out"]]);
  });

  it("keeps names apart that mean two things", () => {
    expect(rows('select "commit", "@commit" is null as none from "Disk" limit 1')).toEqual([[null, false]]);
    expect(rows('select count(*) from "experiment.runs"')).toEqual([[0]]);
  });

  it("lists its views, and reads statements from files", () => {
    const views = rows();
    expect(views).toContainEqual(["Disk", "rate", "float", "MByte/s", null]);
    expect(views).toContainEqual(["runs", "data_sets", "integer", null, null]);
    place.write("q.sql", "-- how many\nselect count(*) from runs -- all\n");
    expect(rows("-f", "q.sql")).toEqual([[1]]);
  });

  it.each([
    "delete from run",
    "drop table run",
    "select 1) as a; drop table run; select (1",
    "create table t (a int)",
    "select * from read_text('a.out')",
    "",
    "select nothing",
  ])("refuses %j", (statement) => {
    const ended = place.run(["sql", statement]);
    expect({ status: ended.status, lines: ended.stderr.trim().split("\n").length }).toEqual({ status: 4, lines: 1 });
    expect(rows("select count(*) from runs")).toEqual([[1]]);
  });
});
