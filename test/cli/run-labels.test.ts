import { beforeAll, describe, expect, test } from "vitest";
import { Playground } from "./program.ts";

const description =
  "*experiment ping\n*parameter host string - once\n*parameter size int Byte\n*result time float us\n";
const input = 'NAMED host ws=":"\nTABLE size row="size time" pos=1\nTABLE time row="size time" pos=2\n';

/** An output of host `host`, one row per argument. */
function output(host: string, ...rows: readonly string[]): string {
  return `host: ${host}\nsize time\n${rows.join("\n")}\n`;
}

class Ping extends Playground {
  constructor() {
    super();
    this.environment = { PERFKEEP_HOME: `${this.home}/stored` };
    this.write("ping.exp", description);
    this.write("ping.inp", input);
    this.write("a.txt", output("n1", "8 1.5", "16 2.5", "32 2.75"));
    this.ok("experiment", "create", "ping.exp");
  }

  import(...words: readonly string[]) {
    return this.run(["import", "-e", "ping", "-d", "ping.inp", ...words]);
  }

  labels(): unknown[] {
    const { runs } = this.json("experiment", "info", "ping") as { runs: { label?: string }[] };
    return runs.map(({ label }) => label);
  }
}

describe("labels of runs", () => {
  const place = new Ping();

  beforeAll(() => {
    place.write("b.txt", output("n2", "8 1.25"));
    place.write("c.txt", output("n3", "8 1.125"));
    place.import("-p", "2026-01-31 12:30:00", "a.txt", "b.txt");
    place.import("-p", "2026-01-31 12:30:00", "--label", "baseline", "c.txt");
  });

  test("are date and time of the measurement unless given, and unique", () => {
    expect(place.labels()).toEqual(["2026-01-31-123000", "2026-01-31-123000-2", "baseline"]);
    const refused = place.import("--label", "baseline", "--force", "c.txt");
    expect(refused).toMatchObject({ status: 4 });
    expect(refused.stderr).toContain("run 3 of 'ping' has the label 'baseline' already");
    for (const label of ["7", "1-3", "a,b", "", " x"])
      expect(place.import("--label", label, "--force", "c.txt").stderr).toContain("[bad-label]");
    expect(place.labels()).toHaveLength(3);
  });

  test("select runs like numbers do, in every command", () => {
    const rows = ["time", "8,1.125"].length;
    expect(place.ok("query", "ping", "size", "time", "-r", "baseline", "--format", "csv").trim().split("\r\n")).toEqual(
      ["size [Byte],time [us]", "8,1.125"],
    );
    expect(
      place.ok("query", "ping", "time", "--where", "label=baseline", "--format", "csv").trim().split("\r\n"),
    ).toHaveLength(rows);
    expect(place.ok("export", "ping", "-r", "baseline", "-r", "2")).toContain("host = n3");
    expect(place.ok("find", "ping", "run", "--where", "label=baseline")).toContain("3");
    expect(place.json("experiment", "info", "ping", "-r", "baseline")).toMatchObject({ runs: [{ number: 3 }] });
    expect(place.run(["mine", "ping", "-r", "none"]).stderr).toContain("has no run none");
    expect(place.ok("query", "ping", "time", "-r", "baseline", "--explain")).toContain("3");
    expect(place.run(["compare", "baseline", "2026-01-31-123000", "-e", "ping"]).stderr).not.toContain("bad-option");
    place.write("plot.txt", "TYPE 2D\nX size\nRESULT time\nRUN baseline\n");
    expect(place.ok("plot", "ping", "--description=plot.txt", "--format", "csv")).toContain("1.125");
    expect(place.run(["query", "ping", "-r", "none"])).toMatchObject({ status: 5 });
    expect(place.ok("experiment", "delete", "ping", "-r", "baseline", "-f")).toBe("deleted run 3 of ping\n");
    expect(place.ok("experiment", "undelete", "ping", "-r", "baseline")).toBe("restored run 3 of ping\n");
  });

  test("of deleted runs are free, and taken when those come back", () => {
    place.ok("experiment", "delete", "ping", "-r", "baseline", "-f");
    expect(place.import("--label", "baseline", "c.txt")).toMatchObject({
      status: 0,
      stdout: "c.txt: run 4 (baseline) of ping with 1 row\n",
    });
    place.write("d.txt", output("n4", "8 3"));
    expect(place.run(["experiment", "undelete", "ping", "-r", "3"]).status).toBe(4);
    expect(place.ok("experiment", "undelete", "ping", "-r", "3", "--force")).toBe("restored run 3 of ping\n");
    const ambiguous = place.run(["query", "ping", "-r", "baseline"]);
    expect(ambiguous).toMatchObject({ status: 2 });
    expect(ambiguous.stderr).toContain("select one by its number: 3, 4");
  });

  test("survive a rebuild, and a dump that is restored", () => {
    const before = place.labels();
    place.ok("rebuild", "experiments");
    expect(place.labels()).toEqual(before);
    place.ok("experiment", "dump", "ping", "-o", "ping.dump");
    place.ok("experiment", "delete", "ping", "--purge", "-f");
    place.ok("experiment", "restore", "ping.dump");
    expect(place.labels()).toEqual(before);
  });
});

describe("rows that were imported before", () => {
  test("of a reformatted file are refused unless forced", () => {
    const place = new Ping();
    place.import("a.txt");
    place.write("other.txt", output("n1", "", "32  2.75", " 8 1.50", "16\t2.5").replace("\n\n", "\n"));
    const refused = place.import("other.txt");
    expect(refused).toMatchObject({ status: 4, stdout: "" });
    expect(refused.stderr).toContain("the 3 rows of other.txt are those of run 1 of 'ping' (a.txt)");
    expect(place.import("--force", "other.txt")).toMatchObject({ status: 0, stderr: "" });
  });

  test("of an overlapping file are counted, with the earlier run and file", () => {
    const place = new Ping();
    place.import("a.txt");
    place.write("b.txt", output("n1", "16 2.5", "32 2.75", "64 9"));
    place.write("c.txt", output("n2", "16 2.5", "32 2.75", "64 9"));
    place.write("d.txt", output("n1", "64 9", "128 20"));
    expect(place.import("b.txt", "c.txt", "d.txt")).toMatchObject({
      status: 0,
      stderr: "b.txt: 2 of 3 rows are those of run 1 (a.txt)\nd.txt: 1 of 2 rows is one of run 2 (b.txt)\n",
    });
    place.write("e.txt", output("n1", "64 9", "8 1.5", "4 1"));
    expect(place.json("import", "-e", "ping", "-d", "ping.inp", "e.txt")).toMatchObject({
      runs: [
        {
          overlaps: [
            { run: 1, file: "a.txt", rows: 1 },
            { run: 2, file: "b.txt", rows: 1 },
          ],
        },
      ],
    });
  });

  test("select the runs of a file that was not imported itself", () => {
    const place = new Ping();
    place.write("b.txt", output("n1", "16 2.5", "64 9"));
    place.import("a.txt", "b.txt");
    place.write("part.txt", output("n1", "8 1.5", "16 2.5"));
    const partial = place.run(["experiment", "delete", "ping", "--file", "part.txt", "-f"]);
    expect(partial).toMatchObject({ status: 5 });
    expect(partial.stderr).toContain("2 of the 3 rows of run 1, 1 of the 2 rows of run 2");
    place.write("other-host.txt", output("n7", "8 1.5", "16 2.5", "32 2.75"));
    expect(place.run(["experiment", "delete", "ping", "--file", "other-host.txt", "-f"]).status).toBe(5);
    place.write("again.txt", output("n1", "32 2.75", "16  2.50", "8 1.5"));
    expect(place.run(["experiment", "delete", "ping", "--file", "again.txt", "-f"])).toMatchObject({
      status: 0,
      stdout: "deleted run 1 of ping\n",
      stderr: "not deleted: again.txt has only 1 of the 2 rows of run 2\n",
    });
    place.ok("experiment", "undelete", "ping", "-r", "1");
    place.write("all.txt", output("n1", "32 2.75", "16  2.50", "8 1.5", "64 9.0", "99 1"));
    expect(place.ok("experiment", "delete", "ping", "--file", "all.txt", "-d", "ping.inp", "-f")).toBe(
      "deleted runs 1, 2 of ping\n",
    );
  });

  test("are measurements of their own for another commit", () => {
    const place = new Ping();
    place.environment = {};
    place.commit("first");
    place.ok("init");
    place.ok("experiment", "create", "ping.exp");
    place.import("a.txt");
    place.commit("second");
    place.write("b.txt", output("n1", "32 2.75", "16 2.5", "8 1.5"));
    expect(place.import("b.txt")).toMatchObject({ status: 0, stderr: "b.txt: same rows as run 1 (a.txt)\n" });
  });
});
