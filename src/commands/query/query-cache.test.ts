import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { onEachEngine, type Place } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { runQuery } from "./query-graph.ts";

onEachEngine("answers that are known from before", (makePlace) => {
  let scene: HistoryScene;
  let place: Place;

  beforeAll(async () => {
    place = await makePlace();
    scene = new HistoryScene(place);
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
      `QUERY head\nEXPERIMENT net\nRUN r branch=main\nPARAMETER p size\nSOURCE s p r result=rate\nOUTPUT target=csv s\n`,
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
    const engine = await place.open("write");
    await engine.execute("update data_1 set p_3 = $1 where p_2 = 1", [rate]);
    await engine.close();
  };
  const kept = (): number => readdirSync(join(scene.folder, ".cache", "perfkeep", "answers")).length;

  it("are given again by the same program while the experiment stays, and only then", async () => {
    const first = await answer("sum.qry", "1");
    expect(kept()).toBe(1);
    // What no command does shows who evaluates.
    await tamper(1000);
    expect(await answer("sum.qry", "1")).toBe(first);
    expect(await answer("sum.qry")).not.toBe(first);
    const other = await answer("sum.qry", "2");
    expect(other).not.toBe(first);
    await scene.measure(20);
    expect(new Set([first, other]).has(await answer("sum.qry", "1"))).toBe(false);
    expect(kept()).toBe(3);
  });

  it("are none where more than the experiment decides", async () => {
    const before = kept();
    await answer("head.qry", "1");
    scene.write(
      "versions.qry",
      "QUERY v\nEXPERIMENT net\nPARAMETER c commit show=data\nSOURCE s c result=rate\nOUTPUT target=csv s\n",
    );
    await answer("versions.qry", "1");
    expect(kept()).toBe(before);
  });
});
