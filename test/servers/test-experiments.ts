import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { Experiments } from "../../src/store/experiments/experiments.ts";
import { Objects } from "../../src/store/objects/objects.ts";
import { migrate } from "../../src/store/schema/schema.ts";
import type { TestDatabase } from "./databases.ts";

/** A database with the tables of experiments, opened for writing before the tests of a group and removed after them. */
export class TestExperiments {
  #opened: { readonly engine: Engine; readonly experiments: Experiments } | undefined;

  constructor(makeDatabase: () => Promise<TestDatabase>) {
    let folder: string | undefined;
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "perfkeep-experiments-"));
      database = await makeDatabase();
      const engine = await database.open("write");
      await migrate(engine);
      const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
      this.#opened = {
        engine,
        experiments: database.experiments?.(engine, objects) ?? new Experiments(engine, objects),
      };
    });
    afterAll(async () => {
      await this.#opened?.engine.close();
      await database?.remove();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });
  }

  get engine(): Engine {
    return this.#existing.engine;
  }

  get experiments(): Experiments {
    return this.#existing.experiments;
  }

  get #existing(): { readonly engine: Engine; readonly experiments: Experiments } {
    if (!this.#opened) throw new Error("the database is opened before the tests start");
    return this.#opened;
  }
}
