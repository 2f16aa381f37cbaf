import { afterEach, beforeEach, expect, test } from "vitest";
import { openInMemory } from "../../../test/fakes/memory-engine.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { findExperiment } from "../catalogue/catalogue.ts";
import { layoutOf, migrate, newestLayout } from "./schema.ts";

let engine: Engine;

beforeEach(async () => {
  engine = await openInMemory();
});

afterEach(async () => {
  await engine.close();
});

test("a database of layout 1 is migrated to the newest with its rows", async () => {
  await migrate(engine, 1);
  expect(await layoutOf(engine)).toBe(1);
  await engine.execute(
    `insert into experiment (id, name, name_key, created, modified)
     values (1, 'Old', 'old', cast('2020-01-01' as timestamp), cast('2020-01-01' as timestamp))`,
  );
  await engine.execute(
    `insert into variable (id, experiment, ordinal, name, role, occurrence, type, fallback)
     values (1, 1, 0, 'T', 'result', 'multiple', 'float', 'none')`,
  );
  await migrate(engine);
  await migrate(engine);
  expect(await layoutOf(engine)).toBe(newestLayout);
  expect((await findExperiment(engine, "OLD")).experiment.variables).toEqual([
    { name: "T", role: "result", occurrence: "multiple", type: "float" },
  ]);
});

test("a database of a newer program is refused", async () => {
  await migrate(engine);
  await engine.execute("update schema_version set version = 99");
  await expect(layoutOf(engine)).rejects.toMatchObject({ code: "database-newer" });
});
