import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { runQuery } from "./query-graph.ts";

onEachDialect("cached query results", (createDatabase) => {
  let scene: HistoryScene;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    scene = new HistoryScene(database);
    await scene.begin();
    scene.commit("one", "2024-01-02");
    await scene.measure(10);
    const head = "PARAMETER p size\nSOURCE s p result=rate\n";
    scene.write(
      "sum.qry",
      `QUERY sum\nEXPERIMENT net\n${head}OPERATOR m sum s\nOPERATOR all sum m\nOUTPUT target=csv all\n`,
    );
    scene.write(
      "head.qry",
      ["QUERY head", "EXPERIMENT net", "RUN r branch=main", "PARAMETER p size", "SOURCE s p r result=rate"]
        .concat("OUTPUT target=csv s", "")
        .join("\n"),
    );
  });
  afterAll(() => scene.remove());

  const answer = async (path: string, program?: string): Promise<string> => {
    const outputs = await runQuery(scene.workspace, {
      description: { path },
      ...(program === undefined ? {} : { program }),
    });
    return JSON.stringify(outputs);
  };
  const tamper = async (rate: number): Promise<void> => {
    const engine = await database.open("write");
    await engine.execute("update data_1 set p_3 = $1 where p_2 = 1", [rate]);
    await engine.close();
  };
  const cachedCount = (): number => readdirSync(join(scene.folder, ".cache", "perfkeep", "answers")).length;

  it("are reused by the same program version while the experiment is unchanged", async () => {
    const first = await answer("sum.qry", "1");
    expect(cachedCount()).toBe(1);
    // A direct change of the database reveals evaluation.
    await tamper(1000);
    expect(await answer("sum.qry", "1")).toBe(first);
    expect(await answer("sum.qry")).not.toBe(first);
    const other = await answer("sum.qry", "2");
    expect(other).not.toBe(first);
    await scene.measure(20);
    expect(new Set([first, other]).has(await answer("sum.qry", "1"))).toBe(false);
    expect(cachedCount()).toBe(3);
  });

  it("are not stored for queries that depend on more than the experiment", async () => {
    const before = cachedCount();
    await answer("head.qry", "1");
    scene.write(
      "versions.qry",
      "QUERY v\nEXPERIMENT net\nPARAMETER c commit show=data\nSOURCE s c result=rate\nOUTPUT target=csv s\n",
    );
    await answer("versions.qry", "1");
    expect(cachedCount()).toBe(before);
  });
});
