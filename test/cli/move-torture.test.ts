import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/sampling/seeded-random.ts";
import { startCluster, type Cluster } from "../servers/cluster.ts";
import { noServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

/*
 * Moves from a file to a server, over several servers and back to a file, each killed at a random moment: the same
 * command completes the move, and the rows are the same.
 */

const lines = (from: number): string =>
  [
    "size rate note",
    ...Array.from({ length: 3000 }, (_, n) => `${n % 4} ${(from + n) / 7} n${n % 9}`),
    "",
    "end",
    "",
  ].join("\n");

describe.skipIf(noServer)(noServer ?? "an experiment that is killed on its way", () => {
  let cluster: Cluster;
  let place: Playground;
  let server: string;
  const random = seededRandom(20);
  beforeAll(async () => {
    cluster = await startCluster();
    place = new Playground();
    place.environment = { PERFKEEP_HOME: place.folder, PGPASSWORD: cluster.coordinator.password };
    server = await cluster.coordinator.makeDatabase();
    place.write(
      "io.exp",
      "*experiment io\nWriting\n*parameter host string - once\n*parameter " +
        "size int\n*result rate float\n*result note string\n",
    );
    place.write(
      "io.inp",
      [
        "FIXED host é",
        ...["size", "rate", "note"].map((name, at) => `TABLE ${name} row="size rate note" pos=${at + 1}`),
        "",
      ].join("\n"),
    );
    place.ok("experiment", "create", "io.exp");
    for (const from of [0, 100, 200, 300, 400])
      place.ok("import", "-e", "io", "-d", "io.inp", place.write(`${from}.out`, lines(from)));
    place.ok("experiment", "delete", "io", "--run", "2", "--force");
  });
  afterAll(() => cluster?.stop());

  let dumps = 0;
  const contents = (...db: string[]): string | undefined =>
    /contents ([0-9a-f]{64})\n/.exec(place.ok("experiment", "dump", "io", "-o", `${dumps++}.tar.gz`, ...db))?.[1];

  /** Two tries are killed, then one is not. Answers how many came too late to be killed. */
  async function killedTwice(...words: string[]): Promise<number> {
    let late = 0;
    for (let kills = 2; kills > 0; kills--) {
      const { child, ended } = place.begin(words);
      await after(150 + random() * 900);
      child.kill("SIGKILL");
      if ((await ended).status !== null) late += 1;
      await nobodyIsAtIt();
    }
    if (late === 0) place.ok(...words);
    return late;
  }

  /** Until the server has noticed that who asked is gone. */
  async function nobodyIsAtIt(): Promise<void> {
    const sessions = "select pid from pg_stat_activity where application_name = 'perfkeep'";
    while ((await cluster.coordinator.run("postgres", sessions)).length > 0);
  }

  it("arrives whole, whenever that is", async () => {
    const embedded = contents();
    const moved = (...words: string[]): Promise<number> => killedTwice("move", "--all", ...words);
    await moved("--to", server);
    place.run(["move", "--all", "--to", server]);
    expect(contents("--db", server)).toBe(embedded);
    await killedTwice("experiment", "distribute", "io", "--over", cluster.urls.join(","), "--db", server);
    place.ok("experiment", "distribute", "io", "--over", cluster.urls.join(","), "--db", server);
    expect(contents("--db", server)).toBe(embedded);
    expect(place.ok("query", "io", "rate", "--stat", "mean", "--explain", "--db", server)).toContain(
      "aggregated in 2 shards",
    );
    await moved("--to", "embedded", "--db", server);
    place.run(["move", "--all", "--to", "embedded", "--db", server]);
    expect(contents()).toBe(embedded);
    place.ok("experiment", "check");
    expect(place.run(["experiment", "list", "--db", server]).stdout).toBe("");
    const there = (cluster.urls[0] ?? "").split("/").at(-1) ?? "";
    const left = await cluster.dataServers[0]?.run(
      there,
      "select tablename from pg_tables where tablename ~ '^(once|data)_'",
    );
    expect(left).toEqual([]);
  }, 120_000);
});
