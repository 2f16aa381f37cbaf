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

  constructor(makePlace: () => Promise<TestDatabase>) {
    let folder: string | undefined;
    let place: TestDatabase | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "perfkeep-experiments-"));
      place = await makePlace();
      const engine = await place.open("write");
      await migrate(engine);
      const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
      this.#opened = { engine, experiments: place.experiments?.(engine, objects) ?? new Experiments(engine, objects) };
    });
    afterAll(async () => {
      await this.#opened?.engine.close();
      await place?.remove();
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
    if (!this.#opened) throw new Error("the database is opened when the tests begin");
    return this.#opened;
  }
}
