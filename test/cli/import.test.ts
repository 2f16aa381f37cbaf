import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import { Playground } from "./program.ts";

const description = [
  "*experiment net",
  "*parameter host string - once",
  "*parameter N_proc int - 1 once",
  "*parameter S int",
  "*result T float",
  "",
];

let place: Playground;

beforeEach(() => {
  place = new Playground();
  place.write("net.exp", description.join("\n"));
  place.write(
    "net.inp",
    'NAMED host alias="machine" ws=":"\nNAMED N_proc alias="processes" ws=":"\nTABLE S pos=1\nTABLE T pos=2\n',
  );
  place.write("host.inp", 'RULES stream\nNAMED host match="machine:"\n');
  place.write("rows.inp", "RULES stream\nTABLE S row=begin pos=1\nTABLE T row=begin pos=2\n");
  place.write("table.inp", "TABLE S pos=1\nTABLE T pos=2\n");
  place.write("a.out", "machine: node7\nprocesses: 4\n8 1.5\n16 2.5\n");
  place.write("rows.out", "8 1.5\n16 2.5\n");
  place.write("host.out", "machine: node9\n");
  place.ok("experiment", "create", "net.exp");
});

const rows = (): unknown => (place.json("query", "net", "host", "N_proc", "S", "T") as { rows: unknown }).rows;

describe("import", () => {
  it("gives files to the description before them, and all files to the only one", () => {
    place.write("rows.out", "begin\n8 1.5\n16 2.5\n");
    const shown = place.ok("import", "-e", "net", "-d", "rows.inp", "rows.out", "-d", "host.inp", "host.out");
    expect(shown).toBe("rows.out, host.out: run 1 of net with 2 rows\n");
    expect(rows()).toEqual([
      ["node9", 1, 8, 1.5],
      ["node9", 1, 16, 2.5],
    ]);
    expect(place.ok("import", "a.out", "-e", "net", "--description=net.inp")).toBe("a.out: run 2 of net with 2 rows\n");
    const early = place.run(["import", "-e", "net", "rows.out", "-d", "table.inp", "-d", "host.inp", "host.out"]);
    expect([early.status, early.stderr]).toEqual([2, expect.stringContaining("'rows.out' precedes the first")]);
  });

  it("lives in the user's own folder where there is no instance, which is said once", () => {
    const fresh = new Playground();
    const create = (name: string) => {
      fresh.write("e.exp", `*experiment ${name}\n*parameter host string once default=any\n*result T float\n`);
      return fresh.run(["experiment", "create", "e.exp"]).stderr;
    };
    const place = join(fresh.home, ".local/share/perfkeep/experiments.duckdb");
    expect(create("a")).toBe(
      `no instance here (perfkeep init creates one): experiments are stored in your user database ${place}\n`,
    );
    expect(create("b")).toBe("");
  });

  it("is told apart from what makes an experiment", () => {
    const create = (name: string, text: string): string => {
      place.write(name, text);
      return place.run(["experiment", "create", name]).stderr;
    };
    expect(create("x.inp", "# rows\nTABLE S pos=1\n")).toContain(
      "x.inp:1:1: this describes an input, not an experiment; perfkeep import -d",
    );
    expect(create("x.xml", "<query/>")).toContain(
      "x.xml:1:1: this describes a query, not an experiment; perfkeep query -d takes it",
    );
    expect(create("x.upd", "*update net\n")).toContain("x.upd:1:1: this describes an update");
    expect(create("x.txt", "net\n*parameter S int\n")).toContain("x.txt:1:1: a comment comes before the first keyword");
  });

  it("joins files", () => {
    expect(place.json("import", "-e", "net", "-d", "net.inp", "--join", "host.out", "rows.out")).toMatchObject({
      runs: [{ file: "host.out", beside: ["rows.out"], run: 1, dataSets: 2 }],
    });
    expect(place.run(["import", "-e", "net", "-d", "table.inp", "rows.out", "-f", "host=x"]).stderr).toContain(
      "[already-imported]",
    );
  });

  it("takes no more of standard input than is fine, and leaves nothing of it behind", () => {
    const words = ["import", "-e", "net", "-d", "table.inp", "-f", "host=x", "-"];
    const input = "8 1.5\n".repeat(100_000);
    const ended = place.run([...words, "--stream-limit", "0.5MByte"], { input });
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(ended.stderr).toContain("exceeds 500000 bytes; nothing was stored");
    const kept = readdirSync(join(place.home, ".local/share/perfkeep/objects"), {
      recursive: true,
      withFileTypes: true,
    });
    expect(
      kept.filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).length > 1000),
    ).toEqual([]);
    for (const size of ["5 furlong", "1e3", "-1", "2 s"])
      expect(place.run([...words, "--stream-limit", size]).status).toBe(2);
    expect(place.run([...words, "--stream-limit", "none"], { input }).stdout).toContain("with 100000 rows");
  });

  it("imports one more file although it was imported", () => {
    place.ok("import", "-e", "net", "-d", "net.inp", "a.out");
    place.write("b.out", "machine: b\n9 9\n");
    expect(place.ok("import", "-e", "net", "-d", "net.inp", "b.out", "--enforce", "a.out").split("\n")).toHaveLength(3);
  });

  it("lists what no description says, and asks for it line by line", () => {
    const refused = place.run(["import", "-e", "net", "-d", "table.inp", "-u", "abort", "rows.out"]);
    expect([refused.status, refused.stderr]).toEqual([
      4,
      expect.stringContaining("no value for 'host', 'N_proc', which have"),
    ]);
    const asked = place.run(["import", "-e", "net", "-d", "table.inp", "-u", "ask", "rows.out"], {
      input: "\nnode3\ntwo\n\n",
    });
    expect([asked.status, asked.stdout]).toEqual([0, "rows.out: run 1 of net with 2 rows\n"]);
    expect(asked.stderr).toMatch(/'two'.*\nN_proc .* Value, empty for the default:/);
    expect(rows()).toEqual([
      ["node3", 1, 8, 1.5],
      ["node3", 1, 16, 2.5],
    ]);
    const silent = place.run(["import", "-e", "net", "-d", "net.inp", "--force", "-a", "ask", "rows.out"]);
    expect([silent.status, silent.stderr]).toEqual([4, expect.stringContaining("[no-answer]")]);
    const both = place.run(["import", "-e", "net", "-d", "net.inp", "-a", "ask", "-"], { input: "8 1\n" });
    expect(both.status).toBe(2);
    const ignored = place.run(["import", "-e", "net", "-d", "net.inp", "--force", "-a", "ignore", "rows.out"]);
    expect(ignored.status).toBe(0);
  });

  it("keeps single parameters as a set and uses it", () => {
    expect(place.ok("import", "-e", "net", "-d", "net.inp", "--pset-store", "seven", "a.out")).toBe(
      "parameter set seven of net with 2 values\n",
    );
    place.ok("import", "-e", "net", "-d", "table.inp", "--pset-use", "seven", "-f", "N_proc=2", "rows.out");
    expect(rows()).toEqual([
      ["node7", 2, 8, 1.5],
      ["node7", 2, 16, 2.5],
    ]);
  });

  it("lets imports of different files run at the same time", async () => {
    const files = Array.from({ length: 8 }, (_, number) => `f${number}.out`);
    for (const [number, file] of files.entries()) place.write(file, `machine: m${number}\n${number} 1\n`);
    const running = files.map((file) => place.begin(["import", "-e", "net", "-d", "net.inp", file]).ended);
    const ended = await Promise.all(running);
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(files.map(() => [0, ""]));
    expect(place.json("query", "net", "S")).toMatchObject({ rows: files.map(() => [expect.any(Number)]) });
  });

  it("leaves nothing behind when it is interrupted", async () => {
    const { child, ended } = place.begin(["import", "-e", "net", "-d", "net.inp", "-"]);
    child.stdin.on("error", () => {});
    child.stdin.write("machine: node1\n8 1\n");
    const spooled = (): string[] =>
      readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/.tmp-"));
    await expect.poll(() => (child.exitCode === null ? spooled().length : -1), { timeout: 20_000 }).toBe(1);
    child.kill("SIGINT");
    const { status, stderr } = await ended;
    expect([status, stderr.trim().split("\n").length]).toEqual([130, 1]);
    expect(stderr).toContain("nothing was imported");
    expect(spooled()).toEqual([]);
    expect(place.run(["query", "net"]).status).toBe(5);
  });

  it("waits for nobody when it is interrupted", async () => {
    const [database] = readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("experiments.duckdb"),
    );
    const holder = await duckdb.open(join(place.home, database as string), "write");
    const { child, ended } = place.begin(["import", "-e", "net", "-d", "net.inp", "a.out"]);
    const loaded = (): boolean => readFileSync(`/proc/${child.pid}/maps`, "utf8").includes("duckdb");
    await expect.poll(() => child.exitCode !== null || loaded(), { timeout: 20_000 }).toBe(true);
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    const { status, stderr } = await ended;
    await holder.close();
    expect([status, stderr]).toEqual([130, expect.stringContaining("nothing was imported")]);
    expect(place.run(["query", "net"]).status).toBe(5);
  });
});
