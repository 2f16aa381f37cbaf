import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsOf } from "../../core/tables/table.ts";
import { onEachDialect, type TestDatabase } from "../../../test/servers/databases.ts";
import { HistoryScene } from "../../../test/servers/history-scene.ts";
import { attachmentBytes, listAttachments } from "../experiments/attach.ts";
import { deleteExperiment } from "../experiments/delete-experiment.ts";
import type { FrozenOptions, FrozenQuery } from "../../formats/store/experiments/frozen-query.ts";
import { storeFrozen } from "./frozen-query.ts";
import { freezeGraph, freezeQuery, replayQuery } from "./freeze.ts";
import { runQuery } from "./query-graph.ts";
import type { QueryOptions, QueryResult } from "./query-result.ts";
import { query } from "./query.ts";
import { undeleteExperiment } from "../experiments/undelete-experiment.ts";
import { updateExperiment } from "../experiments/update-experiment.ts";

const versions = [
  "EXPERIMENT net",
  "PARAMETER c commit show=data",
  "SOURCE s c result=rate",
  "OPERATOR m avg s",
  "OUTPUT target=json m",
  "",
].join("\n");
const graph = [
  "QUERY means",
  "FIXED least 1",
  'PARAMETER p size where=">= least"',
  "PARAMETER h host sweep=each",
  "SOURCE s p h result=rate",
  "OPERATOR m avg s",
  "OUTPUT target=json m",
  "",
].join("\n");

onEachDialect("frozen queries", (createDatabase) => {
  let scene: HistoryScene;
  let database: TestDatabase;
  const before = new Map<string, unknown>();

  beforeAll(async () => {
    database = await createDatabase();
    scene = new HistoryScene(database);
    await scene.begin();
    scene.commit("one", "2024-01-02");
    await scene.measure(10);
    scene.commit("two", "2024-01-01");
    await scene.measure(20);
    await scene.measure(22);
  });
  afterAll(() => scene.remove());

  const options = (more: Partial<QueryOptions> = {}): QueryOptions => ({
    experiment: "net",
    results: ["rate"],
    by: ["commit"],
    ...more,
  });
  const plain = ({ table, experiment }: QueryResult): unknown => ({
    experiment,
    names: table.variables.map(({ name }) => name),
    rows: rowsOf(table),
  });
  const replay = async (name: string): Promise<unknown> => {
    const answer = await replayQuery(scene.workspace, { experiment: "net", name });
    return answer && plain(answer);
  };
  const text = async (name: string): Promise<unknown> =>
    (await runQuery(scene.workspace, { description: { attached: name }, experiment: "net" }))[0];

  it("return the original result and are listed with their synopsis", async () => {
    const now = plain(await query(scene.workspace, options()));
    const frozen = await freezeQuery(scene.workspace, options(), { name: "by-commit", synopsis: "for the paper" });
    expect(plain(frozen)).toEqual(now);
    expect(await replay("by-commit")).toEqual(now);
    expect(await listAttachments(scene.workspace, "net")).toMatchObject([
      { name: "by-commit", kind: "frozen_query", synopsis: "for the paper", creator: "ann" },
    ]);
    const stored = JSON.parse(
      new TextDecoder().decode(await attachmentBytes(scene.workspace, { experiment: "net", name: "by-commit" })),
    );
    expect(stored).toMatchObject({
      schema: "perfkeep.frozen-query/1",
      runs: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
    await expect(freezeQuery(scene.workspace, options(), { name: "By-Commit" })).rejects.toMatchObject({
      code: "attachment-exists",
    });
  });

  it("keep the meaning of ~ that they were frozen with: in old ones a part of the text", async () => {
    const asked = options({ by: ["host"], where: ["host~^."] });
    await freezeQuery(scene.workspace, asked, { name: "pattern" });
    const bytes = await attachmentBytes(scene.workspace, { experiment: "net", name: "pattern" });
    const frozen = JSON.parse(new TextDecoder().decode(bytes)) as FrozenQuery & { asked: FrozenOptions };
    const { patterns, ...old } = frozen.asked;
    expect(patterns).toBe(true);
    await storeFrozen(scene.workspace, { experiment: "net" }, { name: "old" }, { ...frozen, asked: old });
    expect(await replay("pattern")).toEqual(plain(await query(scene.workspace, asked)));
    expect(await replay("old")).toMatchObject({ rows: [] });
  });

  describe("after new measurements and commits", () => {
    const queries: Record<string, Partial<QueryOptions>> = {
      all: { results: [], by: [] },
      labels: { commitLabels: "subject", sort: ["-commit"], limit: 1 },
      counts: { results: [], by: ["size"], statistics: ["count", "max"] },
      few: { by: ["size"], where: ["rate<15"], statistics: ["q25", "q50"] },
      recent: { by: ["size"], since: "2024-01-02" },
      hosts: { by: [], results: ["host"] },
    };
    beforeAll(async () => {
      scene.write("means.qry", graph);
      const means = { description: { path: "means.qry" }, experiment: "net", fixed: new Map([["least", "2"]]) };
      before.set("means", (await freezeGraph(scene.workspace, means, { name: "means" }))[0]);
      scene.write("versions.qry", versions);
      const dated = { description: { path: "versions.qry" }, experiment: "net" };
      before.set("versions", (await freezeGraph(scene.workspace, dated, { name: "versions" }))[0]);
      for (const [name, more] of Object.entries(queries)) {
        before.set(name, plain(await query(scene.workspace, options(more))));
        await freezeQuery(scene.workspace, options(more), { name });
      }
      scene.commit("three", "2024-02-01");
      await scene.measure(5);
      scene.write("more.upd", "*update net\n*add parameter lanes int - default=2\n");
      await updateExperiment(scene.workspace, { file: "more.upd", dryRun: false });
    });

    it.each(Object.keys(queries))("%s: the result is unchanged", async (name) => {
      expect(await replay(name)).toEqual(before.get(name));
      expect(plain(await query(scene.workspace, options(queries[name])))).not.toEqual(
        name === "hosts" ? undefined : before.get(name),
      );
    });

    it("work for descriptions, with their fixed values", async () => {
      expect(JSON.stringify(before.get("means"))).toContain("34.66");
      expect(await text("means")).toEqual(before.get("means"));
      const again = { description: { attached: "means" }, experiment: "net", fixed: new Map([["least", "1"]]) };
      await expect(runQuery(scene.workspace, again)).rejects.toMatchObject({ code: "unusable-combination" });
    });

    it("work for descriptions with commits in the original history order", async () => {
      expect(JSON.stringify(before.get("versions"))).toMatch(/15.*31\.5/);
      expect(await text("versions")).toEqual(before.get("versions"));
    });

    it("report a deleted run if they depend on it", async () => {
      await deleteExperiment(scene.workspace, { experiment: "net", target: { runs: [2] }, purge: false });
      await expect(replay("by-commit")).rejects.toMatchObject({
        code: "frozen-query-changed",
        message: expect.stringContaining("run 2 was deleted"),
      });
      await expect(text("means")).rejects.toMatchObject({ code: "frozen-query-changed" });
      expect(await replay("few")).toEqual(before.get("few"));
      await undeleteExperiment(scene.workspace, { experiment: "net", runs: [2], force: false });
      expect(await replay("by-commit")).toBeDefined();
    });
  });

  it("report a run with changed values if they depend on it", async () => {
    const engine = await database.open("write");
    await engine.execute("update data_1 set p_3 = 99 where run = 3 and p_2 = 2");
    await engine.close();
    await expect(replay("by-commit")).rejects.toMatchObject({
      message: expect.stringContaining("run 3 has other values"),
    });
    expect(await replay("few")).toEqual(before.get("few"));
    expect(await replay("hosts")).toEqual(before.get("hosts"));
  });

  it("cannot contain values of profiles", async () => {
    const freezing = freezeQuery(scene.workspace, options({ profiles: ["time:amount:mean"] }), { name: "never" });
    await expect(freezing).rejects.toMatchObject({ code: "unusable-combination" });
  });

  it("report a changed variable if they depend on it", async () => {
    scene.write("unit.upd", "*update net\n*alter rate unit=KByte/s\n");
    await updateExperiment(scene.workspace, { file: "unit.upd", dryRun: false });
    await expect(replay("few")).rejects.toMatchObject({
      message: expect.stringContaining("'rate' was float in MByte/s and is float in KByte/s"),
    });
  });
});
