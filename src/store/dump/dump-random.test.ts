import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openInMemory } from "../../../test/fakes/memory-engine.ts";
import { anyExperiment } from "../../../test/contracts/arbitrary-experiment.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

test("the dump of any experiment restores the same one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-dump-random-"));
  const engine = await openInMemory();
  try {
    await migrate(engine);
    const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
    const home = new Experiments(engine, objects);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anyExperiment, async (described) => {
        count += 1;
        const path = join(folder, `${count}.tar.gz`);
        const stored = await home.create({ ...described, name: `e${count}` }, count);
        const { digest } = await home.dump(stored, { to: path, withoutRaw: false });
        const restored = await home.restoreDump({ from: path, as: `back ${count}` });
        expect(restored.digest).toBe(digest);
        const back = await home.find(`back ${count}`);
        expect(back.experiment).toEqual({ ...(await home.find(`e${count}`)).experiment, name: `back ${count}` });
      }),
      { numRuns: 20 },
    );
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
