import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { Experiments } from "./experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

onEachDialect("a snapshot", (makeDatabase, engine) => {
  test("does not show concurrent changes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-moment-"));
    const database = await makeDatabase();
    const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
    const made = async (name: string): Promise<void> => {
      const writing = await database.open("write");
      await migrate(writing);
      await new Experiments(writing, objects).create({ name, readers: [], writers: [], variables: [] }, 0);
      await writing.close();
    };
    await made("a");
    const reader = new Experiments(await database.open("read"), objects);
    const names = async (): Promise<string[]> => (await reader.list()).map(({ name }) => name);
    const seen = await reader.inSnapshot(async () => {
      const before = await names();
      // A file that is open for reading cannot be written.
      if (engine === "postgres") await made("b");
      return [before, await names()];
    });
    expect(seen).toEqual([["a"], ["a"]]);
    expect(await names()).toEqual(engine === "postgres" ? ["a", "b"] : ["a"]);
    await reader.close();
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
  });
});
