import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground, type Ended } from "./program.ts";

const programs = [
  "pb_create",
  "pb_update",
  "pb_import",
  "import_db",
  "pb_info",
  "pb_mine",
  "pb_plot",
  "pb_query",
  "pb_delete",
  "pb_export",
];

class Seed extends Playground {
  constructor() {
    super();
    for (const name of programs) symlinkSync(this.program, join(this.home, name));
    this.environment = { PERFKEEP_HOME: join(this.home, "kept") };
    this.write(
      "io.exp",
      "*experiment io\nWriting\n*parameter host string - once\n*parameter size int Byte\n*result rate float MByte/s\n",
    );
    this.write("io.inp", 'NAMED host ws=":"\nTABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
    this.write("a.out", "host: node7\nsize rate\n1024 0.5\n4096 2\n");
    this.write("b.out", "size rate\n1024 8.25\n");
  }

  tell(program: string, ...words: string[]): Ended {
    return this.start(join(this.home, program), words);
  }

  did(program: string, ...words: string[]): string {
    const ended = this.tell(program, ...words);
    if (ended.status !== 0)
      throw new Error(`${program} ${words.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
    return ended.stdout;
  }
}

describe("the programs of perfbase's original design", () => {
  it("are all put on the path", () => {
    const { bin } = JSON.parse(readFileSync("package.json", "utf8")) as { bin: Record<string, string> };
    for (const name of programs) expect(bin).toHaveProperty(name, "dist/cli.js");
  });

  it("create, import, tell, export, change and delete, by their letters", () => {
    const place = new Seed();
    expect(place.did("pb_create", "-d", "io.exp")).toContain("created io: 2 parameters, 1 result");
    expect(place.did("pb_import", "-i", "io.inp", "-d", "io.exp", "-t", "a.out")).toContain("host = node7");
    expect(place.did("pb_import", "-i", "io.inp", "-d", "io.exp", "a.out")).toBe("a.out: run 1 of io with 2 rows\n");
    expect(place.did("import_db", "-i", "io.inp", "-e", "io", "-f", "host=node9", "-v", "b.out")).toBe(
      "b.out: run 2 of io with 1 row\n",
    );
    expect(place.did("pb_info")).toMatch(/io +2 +3 /);
    const told = place.did("pb_info", "-e", "io", "-r", "2");
    expect(told).toContain("b.out");
    expect(told).not.toContain("a.out");
    expect(place.did("pb_export", "-e", "io", "-r", "1")).toContain("host = node7");
    expect(place.did("pb_mine", "-d", "io.exp", "rate")).toContain("rate: 3 values in 2 runs");
    place.write(
      "new.exp",
      readFileSync(join(place.folder, "io.exp"), "utf8").replace("*result", "*parameter mode string - eager\n*result"),
    );
    expect(place.did("pb_update", "-t", "new.exp")).toBe("would update io: +mode\n");
    expect(place.did("pb_update", "new.exp")).toBe("updated io: +mode\n");
    expect(place.did("pb_export", "-e", "io")).toContain("eager");
    expect(place.tell("pb_delete", "-e", "io").status).toBe(2);
    expect(place.did("pb_delete", "-e", "io", "-r", "1", "-f")).toBe("deleted run 1 of io\n");
    expect(place.did("pb_delete", "-d", "new.exp", "-f")).toBe("deleted io\n");
  });

  it("export what a description says, to a file where one is named", () => {
    const place = new Seed();
    place.did("pb_create", "io.exp", "-e", "other");
    place.did("pb_import", "-i", "io.inp", "-e", "other", "-f", "host=node9", "a.out", "b.out");
    place.write("what.desc", "# for the report\nFORMAT csv\nVALUE run host rate\nWHERE size=1KiByte\n");
    expect(place.did("pb_export", "-e", "other", "-x", "what.desc")).toBe(
      "run,host,rate [MByte/s]\r\n1,node9,0.5\r\n2,node9,8.25\r\n",
    );
    place.did("pb_export", "-e", "other", "-x", "what.desc", "-r", "2", "-o", "out.csv");
    expect(readFileSync(join(place.folder, "out.csv"), "utf8")).toBe("run,host,rate [MByte/s]\r\n2,node9,8.25\r\n");
    place.write("bad.desc", "FORMAT csv\nVALUES rate\n");
    expect(place.tell("pb_export", "-e", "other", "-x", "bad.desc")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("bad.desc:2:1: unknown keyword 'VALUES', did you mean VALUE?"),
    });
  });

  it("draw what a plot description says", () => {
    const place = new Seed();
    place.did("pb_create", "-d", "io.exp");
    place.did("pb_import", "-i", "io.inp", "-d", "io.exp", "a.out");
    place.write("io.plot", "TYPE 2D\nRESULT rate max\nPARAMETER size\n");
    expect(place.did("pb_plot", "-p", "io.plot", "-d", "io.exp")).toContain("max rate");
    place.did("pb_plot", "-p", "io.plot", "-e", "io", "-o", "io.svg");
    expect(readFileSync(join(place.folder, "io.svg"), "utf8")).toMatch(/^<svg/);
    place.write("3d.plot", "TYPE 3D\nRESULT rate\nX size\n");
    expect(place.tell("pb_plot", "-p", "3d.plot", "-d", "io.exp").stderr).toContain(
      "3d.plot:1:1: a surface needs two parameters",
    );
    place.write(
      "io.query",
      "<query id='q'><source id='s'><result>rate</result></source>" +
        "<output target='raw_text'><input>s</input></output></query>",
    );
    expect(place.did("pb_query", "-q", "io.query", "-d", "io.exp")).toContain("# rate[");
    expect(place.tell("pb_query", "-d", "io.exp").stderr).toContain("-q QUERY_DESC is missing");
    expect(place.tell("pb_plot", "-d", "io.exp").stderr).toContain("-p PLOT_DESC is missing");
  });

  it("go to a server only when the command line names it", () => {
    const place = new Seed();
    place.write("far.exp", `*database shared.example:5432 perf\n${readFileSync(join(place.folder, "io.exp"), "utf8")}`);
    for (const words of [
      ["pb_info", "-d", "far.exp"],
      ["pb_update", "far.exp"],
      ["pb_export", "-d", "far.exp"],
    ])
      expect(place.tell(words[0] as string, ...words.slice(1)).stderr).toContain("add -h shared.example to use it");
    expect(place.tell("pb_info", "-p", "5432").stderr).toContain("add -h HOST");
    place.write("near.exp", `*database own.duckdb\n${readFileSync(join(place.folder, "io.exp"), "utf8")}`);
    place.did("pb_create", "near.exp");
    place.did("pb_import", "-d", "near.exp", "-i", "io.inp", "a.out");
    expect(place.did("pb_info", "-d", "near.exp")).toContain("a.out");
    expect(place.did("pb_info", "-n", "own.duckdb")).toMatch(/io +1 +2 /);
  });
});

describe.skipIf(noServer)(noServer ?? "the programs of perfbase's original design on a server", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  it("go where -h, -p, -n and -u say", async () => {
    const place = new Seed();
    const name = (await server.makeDatabase()).split("/").at(-1) as string;
    place.environment = { ...place.environment, PGPASSWORD: server.password };
    const there = ["-h", "127.0.0.1", "-p", String(server.port), "-n", name, "-u", server.user];
    place.did("pb_create", ...there, "io.exp");
    place.did("pb_import", ...there, "-e", "io", "-i", "io.inp", "a.out");
    expect(place.did("pb_info", ...there)).toMatch(/io +1 +2 /);
    expect(place.did("pb_export", ...there, "-e", "io")).toContain("host = node7");
    expect(place.did("pb_info")).toBe("");
  });
});
