import { afterAll, beforeAll, expect, it } from "vitest";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { evaluate } from "../../query/description/evaluate.ts";
import { answerFromSnapshot, evaluated, runQuery } from "./query-graph.ts";

onEachDialect("a query result", (createDatabase, kind) => {
  let scene: HistoryScene;
  beforeAll(async () => {
    scene = new HistoryScene(await createDatabase());
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

  it("is a snapshot, whatever is imported between two of its sources", async () => {
    const description = describe("OPERATOR n count s", "OUTPUT n");
    const counts: unknown[] = [];
    await evaluated(scene.workspace, { description }, (resolved, experiments) =>
      answerFromSnapshot(experiments, resolved, async (data) => {
        const count = async (): Promise<void> => {
          const [output] = await evaluate(resolved.query, data);
          counts.push(output?.inputs[0]?.variants[0]?.vector.columns.at(-1)?.column);
        };
        await count();
        // An embedded database that is being read cannot be written.
        if (kind === "postgres") await scene.measure(2);
        await count();
        return [];
      }),
    );
    expect(counts).toHaveLength(2);
    expect(counts[1]).toEqual(counts[0]);
  });

  it("is computed even if numbers overflow in the database", async () => {
    const description = describe(
      "OPERATOR large scale s value=1e100",
      "OPERATOR most max large",
      "OUTPUT target=csv most",
    );
    const [output] = await runQuery(scene.workspace, { description });
    expect(JSON.stringify(output)).toContain('"Infinity"');
  });
});
