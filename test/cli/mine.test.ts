import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

describe("mine", () => {
  const place = new Playground();
  /** The fifth commit and those behind it take twice as long. */
  const times = [10, 10.1, 10.2, 10, 20, 20.1, 20.2, 20.1, 20];
  const commits: string[] = [];

  beforeAll(() => {
    place.write("b.exp", "*experiment b\n*parameter op string -\n*parameter n int -\n*result t float s\n");
    place.write("b.inp", 'TABLE op row="op n t" pos=1\nTABLE n row="op n t" pos=2\nTABLE t row="op n t" pos=3\n');
    for (const [at, time] of times.entries()) {
      commits.push(place.commit(`change ${at}`));
      if (at === 0) {
        place.ok("init");
        place.ok("experiment", "create", "b.exp");
      }
      place.write("out.txt", `op n t\nread 1 ${time}\nread 2 ${5 + at / 1000}\nwrite 1 ${7 - at / 1000}\n`);
      place.ok("import", "-e", "b", "-d", "b.inp", "out.txt");
    }
  });

  it("names the commit where values jump, in the order of history", () => {
    const told = place.ok("mine", "b");
    expect(told).toContain("Changes along the history");
    expect(told).toMatch(/op=read, n=1 +jump +\+\d+/);
    expect(told).toContain(`5 (${commits[4]?.slice(0, 8)})`);
    expect(told).toContain("1 of them never measured (9 values wanted in each)");
  });

  it("says by its exit status what was found only where that is asked for", () => {
    expect(place.run(["mine", "b", "--fail"]).status).toBe(1);
    expect(place.run(["mine", "b", "--where", "op=write", "--run", "1", "--fail"]).status).toBe(3);
    expect(place.run(["mine", "b", "--where", "op=none"]).status).toBe(5);
    expect(place.run(["mine", "b", "op"]).stderr).toContain("'op' is no numeric result");
    expect(place.run(["mine", "b", "--level", "2"]).status).toBe(2);
  });

  it("writes jobs that run", () => {
    place.ok("mine", "b", "--job", "echo {op} {n}", "--jobs", "next.yml");
    expect(readFileSync(join(place.folder, "next.yml"), "utf8").match(/echo write 2/g)).toHaveLength(9);
    place.ok("mine", "b", "--where", "op=read", "--job", "echo {n}", "--jobs", "none.yml");
    expect(existsSync(join(place.folder, "none.yml"))).toBe(false);
    place.write(
      "two.json",
      '{"cmds": ["echo write 2"], "collectors": [{"name": "time", "params": {"repeat": 2, "warmup": 0}}]}',
    );
    expect(place.ok("run", "job", "--from", "two.json")).toContain("pending");
    place.write("bad.yml", "cmds: {a: 1}\n");
    expect(place.run(["run", "job", "--from", "bad.yml"]).stderr).toContain("an entry of cmds is not text");
  });

  it("draws what it finds", () => {
    place.ok("mine", "b", "-o", "found.svg");
    expect(readFileSync(join(place.folder, "found.svg"), "utf8")).toContain("Medians of the runs of the changes");
    expect(place.run(["mine", "b", "--where", "op=write", "--run", "1", "-o", "none.svg"]).stderr).toContain(
      "nothing to draw",
    );
  });
});

describe.skipIf(noServer)(`mine on both engines${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  it("finds the same, with parameters of runs and of data sets", async () => {
    const places = [await server.makeDatabase(), "own.duckdb"];
    const [shared, own] = places.map((db) => minedAt(db));
    expect(shared).toBe(own);
    expect(own).toContain('"kind":"outlier"');
  });

  function minedAt(db: string): string {
    const place = new Playground();
    place.environment = { ...server.environment, PERFKEEP_HOME: join(place.home, "kept") };
    place.write("b.exp", "*experiment b\n*parameter host string - once\n*parameter op string -\n*result t float s\n");
    place.write("b.inp", 'NAMED host ws=":"\nTABLE op row="op t" pos=1\nTABLE t row="op t" pos=2\n');
    const files = Array.from({ length: 12 }, (_, at) =>
      place.write(
        `out${at}.txt`,
        `host: h${at % 2}\nop t\nread ${at < 6 ? 10 : 20}.${at}\nwrite ${at === 3 ? 90 : 7 + (at % 3) / 10}\nwrite 7\n`,
      ),
    );
    place.ok("experiment", "create", "b.exp", "--db", db);
    place.ok("import", "-e", "b", "-d", "b.inp", "--db", db, ...files);
    const questions = [
      ["--by", "op"],
      ["--by", "op,host"],
      ["--where", "host=h1"],
    ];
    return questions.map((words) => place.ok("mine", "b", ...words, "--db", db, "--format", "json")).join("");
  }
});
