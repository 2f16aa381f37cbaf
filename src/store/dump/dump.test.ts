import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { everything, importRun, live } from "../../../test/fakes/everything-experiment.ts";
import { onEachDialect } from "../../../test/servers/databases.ts";
import { Homes } from "../../../test/servers/homes.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { NewFile } from "../durable/durable-file.ts";
import { findLedger } from "../ledger/find-ledger.ts";
import { requireObjects } from "../ledger/rebuild.ts";

onEachDialect("dumps of experiments", (makeDatabase) => {
  const homes = new Homes(makeDatabase);

  test("a restored experiment is equal, and its dump has the same bytes on every engine", async () => {
    const home = await homes.makeInMemory("home");
    await live(home);
    const [first, second, third] = ["1", "2", "3"].map((each) => join(homes.folder, `${each}.tar.gz`)) as [
      string,
      string,
      string,
    ];
    const dumped = await home.experiments.dump(await home.experiments.find("everything"), {
      to: first,
      withoutRaw: false,
    });
    const other = await homes.make("other");
    await other.experiments.create({ ...everything, name: "there before" }, 1);
    const restored = await other.experiments.restoreDump({ from: first, owner: "bob" });
    expect(restored).toEqual({
      experiment: "Everything",
      digest: dumped.digest,
      runs: 3,
      missing: [],
      history: true,
    });
    const stored = await other.experiments.find("everything");
    expect(await other.experiments.experimentDigest(stored)).toBe(dumped.digest);
    await other.experiments.dump(stored, { to: second, withoutRaw: false });
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
    const back = await homes.makeInMemory("back");
    await back.experiments.restoreDump({ from: second, as: "Again" });
    expect(
      (await back.experiments.dump(await back.experiments.find("again"), { to: third, withoutRaw: false })).digest,
    ).toBe(dumped.digest);
    await requireObjects(other.objects, (await findLedger(other.engine, other.objects)).entries);
    expect(await other.experiments.check()).toEqual([]);
    await importRun(other, "e.txt", []);
    expect((await other.experiments.runs(stored, false)).at(-1)?.number).toBe(7);
    expect(readdirSync(homes.folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("a full disk at any write ends a dump with its reason and without a file", async () => {
    const home = await homes.makeInMemory("home");
    await live(home);
    const experiment = await home.experiments.find("everything");
    const to = join(homes.folder, "full.tar.gz");
    // oxlint-disable-next-line unbound-method -- called with its object below
    const honest = NewFile.prototype.write;
    let failed = 0;
    for (let isFull = true; isFull;) {
      let count = 0;
      isFull = false;
      vi.spyOn(NewFile.prototype, "write").mockImplementation(function (this: NewFile, chunk) {
        isFull ||= count++ === failed;
        if (isFull) throw new Failure("cannot-write", { path: to, errno: "ENOSPC", reason: "no space left" });
        honest.call(this, chunk);
      });
      const dumped = home.experiments.dump(experiment, { to, withoutRaw: false });
      const code = await dumped.then(
        () => null,
        (error: unknown) => (isFailure(error) ? error.code : error),
      );
      vi.restoreAllMocks();
      expect(code).toBe(isFull ? "cannot-write" : null);
      expect(existsSync(to)).toBe(!isFull);
      expect(readdirSync(homes.folder).filter((name) => name.startsWith("."))).toEqual([]);
      if (isFull) failed++;
    }
    expect(failed).toBeGreaterThan(0);
  });
});
