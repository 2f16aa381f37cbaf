import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChartBlock } from "../../core/figures/figure.ts";
import { emptyPlot } from "../../core/experiments/plot-description.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { plot } from "./plot.ts";
import { runQuery } from "./query-graph.ts";
import type { QueryOptions } from "./query-result.ts";
import { query, versionedQuery } from "./query.ts";

onEachDialect("commits as a dimension", (createDatabase) => {
  let scene: HistoryScene;
  let ids: { one: string; two: string; side: string; merge: string; lost: string };

  /** main: one - two (with a wrong date) - merge of side; lost: a separate branch from one. */
  beforeAll(async () => {
    scene = new HistoryScene(await createDatabase());
    await scene.begin();
    const one = scene.commit("one", "2024-01-01");
    scene.git("tag", "-a", "-m", "first", "v1");
    await scene.measure(10);
    scene.git("checkout", "-q", "-b", "side");
    const side = scene.commit("on the side", "2024-01-02");
    await scene.measure(30);
    scene.git("checkout", "-q", "main");
    const two = scene.commit("two", "1999-12-31");
    await scene.measure(20);
    scene.git("merge", "-q", "-m", "merge", "side");
    const merge = scene.git("rev-parse", "HEAD");
    await scene.measure(40);
    scene.git("checkout", "-q", "-b", "lost", "v1");
    const lost = scene.commit("lost", "2024-06-01");
    await scene.measure(50);
    scene.git("checkout", "-q", "main");
    ids = { one, two, side, merge, lost };
  });
  afterAll(() => scene.remove());

  const result = async (
    options: Partial<QueryOptions> = {},
  ): Promise<{ rows: unknown[][]; notes: readonly string[] }> => {
    const { table, notes } = await query(scene.workspace, {
      experiment: "net",
      results: ["rate"],
      by: ["commit"],
      ...options,
    });
    return { rows: rowsOf(table), notes };
  };
  const rates = async (options: Partial<QueryOptions>): Promise<unknown[]> =>
    (await result({ where: ["size=1"], ...options })).rows.map((row) => row.at(-1));

  describe("the order", () => {
    it("is the history order regardless of dates and ids; unknown commits are reported and listed last", async () => {
      const { rows, notes } = await result();
      expect(rows).toEqual([
        [ids.one, 15],
        [ids.two, 30],
        [ids.side, 45],
        [ids.merge, 60],
        [ids.lost, 75],
      ]);
      expect(notes).toEqual([`1 commit (${ids.lost.slice(0, 8)}) is not in the history of the head: listed last`]);
    });

    it("can be reversed or use another branch, and applies before the limit", async () => {
      expect(await rates({ sort: ["-commit"], limit: 2 })).toEqual([40, 30]);
      expect(await rates({ branch: "lost" })).toEqual([10, 50]);
      expect(await rates({ by: ["size", "commit"], where: [], limit: 2 })).toEqual([10, 20]);
    });

    it("can be labelled by tags, subjects and dates", async () => {
      const labels = async (commitLabels: "tag" | "subject" | "date"): Promise<unknown[]> =>
        (await result({ commitLabels, branch: "main" })).rows.map(([label]) => label);
      expect(await labels("subject")).toEqual(["one", "two", "on the side", "merge"]);
      expect((await labels("date")).slice(0, 2)).toEqual(["2024-01-01", "1999-12-31"]);
      expect(await labels("tag")).toEqual(["v1", ...[ids.two, ids.side, ids.merge].map((id) => id.slice(0, 8))]);
    });

    it("is an axis also for unordered rows", async () => {
      const { axis } = await versionedQuery(scene.workspace, { experiment: "net", results: ["commit", "rate"] }, true);
      expect(axis?.order).toEqual([ids.one, ids.two, ids.side, ids.merge, ids.lost]);
    });
  });

  describe("the selection", () => {
    it("combines ranges, branches, first parents and dates", async () => {
      expect(await rates({ commits: ["v1..main"] })).toEqual([20, 30, 40]);
      expect(await rates({ commits: ["v1..lost", "v1"] })).toEqual([10, 50]);
      expect(await rates({ branch: "main" })).toEqual([10, 20, 30, 40]);
      expect(await rates({ branch: "main", firstParent: true })).toEqual([10, 20, 40]);
      expect(await rates({ since: "2024-01-01", until: "2024-01-02" })).toEqual([10, 30]);
      expect(await rates({ commits: ["v1..main"], branch: "side" })).toEqual([30]);
    });

    it("reports skipped runs whose commit is not in the history", async () => {
      const { notes } = await result({ branch: "side" });
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/^skipped: 3 runs: 3 commits \(.*\) are not in the history of side$/);
      expect((await result({ commits: ["v1"] })).notes).toEqual([]);
    });

    it("fails if nothing is selected, and for invalid revisions and dates", async () => {
      await expect(result({ since: "2030-01-01" })).rejects.toMatchObject({ code: "nothing-selected" });
      await expect(result({ branch: "nope" })).rejects.toMatchObject({ code: "unknown-revision" });
      await expect(result({ until: "soon" })).rejects.toMatchObject({ code: "bad-option" });
    });
  });

  describe("profiles of commits", () => {
    beforeAll(async () => {
      await scene.profile("small", [1, 3]);
      scene.git("checkout", "-q", "v1");
      await scene.profile("small", [7]);
      await scene.profile("large", [100]);
      scene.git("checkout", "-q", "main");
    });

    it("are joined with the values of the same commit", async () => {
      const profiles = ["time:amount:mean,count:workload=small"];
      const { table, outputs, notes } = await query(scene.workspace, {
        experiment: "net",
        results: ["rate"],
        by: ["commit"],
        branch: "main",
        profiles,
      });
      expect(rowsOf(table)).toEqual([
        [ids.one, 15, 7, 1],
        [ids.two, 30, null, null],
        [ids.side, 45, null, null],
        [ids.merge, 60, 2, 2],
      ]);
      expect(table.variables.map(({ name }) => name)).toEqual(outputs.map(({ variable }) => variable.name));
      expect(notes).toContain("time:amount.mean[workload=small]: 2 of 4 commits have no matching profile");
    });

    it("have their own scale in a chart, with commit labels", async () => {
      const { figure, remarks } = await plot(scene.workspace, {
        ...emptyPlot,
        experiment: "net",
        x: { name: "commit" },
        results: [{ name: "rate" }],
        branch: "main",
        commitLabels: "subject",
        profiles: ["time:amount:mean:workload=small"],
      });
      const [chart] = figure.blocks as ChartBlock[];
      expect(chart?.x.categories).toEqual(["one", "two", "on the side", "merge"]);
      expect(chart?.series.map(({ axis, y }) => [axis, y.length])).toEqual([
        [0, 4],
        [1, 4],
      ]);
      expect(remarks).toContain("time:amount.mean[workload=small]: 2 of 4 commits have no matching profile");
    });

    it("are not combined silently, and require commits", async () => {
      const { notes } = await result({ branch: "main", profiles: ["*:amount:max"] });
      expect(notes.join("\n")).toContain("*:amount.max combines 2 different workloads");
      await expect(result({ by: ["size"], profiles: ["time:amount:max"] })).rejects.toMatchObject({
        code: "unusable-combination",
      });
      await expect(result({ profiles: ["time:amount"] })).rejects.toMatchObject({ code: "bad-option" });
    });
  });

  describe("described queries", () => {
    const described = async (operators: readonly string[], more = ""): Promise<string[]> => {
      const lines = [
        "EXPERIMENT net",
        "PARAMETER c commit show=data",
        'PARAMETER s size where="= 1"',
        "PARAMETER each commit sweep=each",
        more,
      ];
      const last = operators.at(-1)?.split(" ")[1];
      scene.write(
        "c.qry",
        [
          ...lines,
          "SOURCE src c s result=rate",
          "SOURCE swept each s result=rate",
          ...operators,
          `OUTPUT target=json ${last}`,
          "",
        ].join("\n"),
      );
      const [output] = await runQuery(scene.workspace, { description: { path: "c.qry" } });
      const { data } = output as Extract<typeof output, { kind: "data" }>;
      return JSON.parse(String(data)).vectors.flatMap(({ rows }: { rows: unknown[][] }) =>
        rows.map((row) => row.at(-1)),
      );
    };

    it("order commits by history too, unknown ones last", async () => {
      for (const operator of ["avg", "statistics", "sort", "order"]) {
        const value = { avg: "", sort: "", statistics: "value=mean", order: "value=commit" }[operator];
        expect(await described([`OPERATOR o ${operator} src ${value}`]), operator).toEqual([10, 20, 30, 40, 50]);
      }
      expect(await described(["OPERATOR o order src value=-commit", "OPERATOR f first o value=2"])).toEqual([40, 30]);
      expect(await described(["OPERATOR o null swept"])).toEqual([10, 20, 30, 40, 50]);
    });
  });
});
