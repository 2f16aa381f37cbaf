import { afterAll, beforeAll, expect, it } from "vitest";
import { onEachEngine } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { evaluate } from "../../query/description/evaluate.ts";
import { answerAtOnce, evaluated, runQuery } from "./query-graph.ts";

onEachEngine("the answer to a query", (makePlace, kind) => {
  let scene: HistoryScene;
  beforeAll(async () => {
    scene = new HistoryScene(await makePlace());
    await scene.begin();
    scene.commit("one", "2024-01-02");
    await scene.measure(1e300);
  });
  afterAll(() => scene.remove());

  const describe = (...lines: readonly string[]): { path: string } => {
    scene.write(
      "q.qry",
      ["QUERY q", "EXPERIMENT net", "PARAMETER p size", "SOURCE s p result=rate", ...lines, ""].join("\n"),
    );
    return { path: "q.qry" };
  };

  it("is of one moment, whatever is imported between two of its sources", async () => {
    const description = describe("OPERATOR n count s", "OUTPUT n");
    const counts: unknown[] = [];
    await evaluated(scene.workspace, { description }, (resolved, experiments) =>
      answerAtOnce(experiments, resolved, async (data) => {
        const count = async (): Promise<void> => {
          const [output] = await evaluate(resolved.query, data);
          counts.push(output?.inputs[0]?.variants[0]?.vector.columns.at(-1)?.column);
        };
        await count();
        // A file that is read is written by nobody.
        if (kind === "postgres") await scene.measure(2);
        await count();
        return [];
      }),
    );
    expect(counts).toHaveLength(2);
    expect(counts[1]).toEqual(counts[0]);
  });

  it("is there also where numbers overflow in the database", async () => {
    const description = describe(
      "OPERATOR large scale s value=1e100",
      "OPERATOR most max large",
      "OUTPUT target=csv most",
    );
    const [output] = await runQuery(scene.workspace, { description });
    expect(JSON.stringify(output)).toContain('"Infinity"');
  });
});
