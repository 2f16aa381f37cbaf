import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { importRun, live, type Home } from "../../../test/fakes/everything-experiment.ts";
import { onEachEngine } from "../../../test/servers/databases.ts";
import { Homes } from "../../../test/servers/homes.ts";
import type { MovedExperiment, MoveNote, MoveNotes, MoveStep } from "./move-experiment.ts";
import { findLedger } from "../ledger/find-ledger.ts";
import { requireObjects } from "../ledger/rebuild.ts";

/** Notes in memory; they survive a simulated kill. */
function notesOf(stored: Map<string, MoveNote>): MoveNotes {
  const key = (source: string, target: string, experiment: string): string =>
    `${source} ${target} ${experiment.toLowerCase()}`;
  return {
    namesBetween: () => [...stored.keys()].map((about) => about.split(" ")[2] ?? ""),
    find: (...about) => stored.get(key(...about)),
    put: (note, experiment) => void stored.set(key(note.source.database, note.target.database, experiment), note),
    remove: (...about) => void stored.delete(key(...about)),
  };
}

/** Whether work fails for this reason, and not for another one. */
async function failsWith(work: Promise<unknown>, reason: string): Promise<boolean> {
  return work.then(
    () => false,
    (error: unknown) => error instanceof Error && error.message === reason,
  );
}

onEachEngine("moving experiments", (makeDatabase, engine) => {
  const homes = new Homes(makeDatabase);
  let notes: Map<string, MoveNote>;
  let reached: MoveStep[];

  beforeEach(() => {
    [notes, reached] = [new Map(), []];
  });

  /** `endsAt`: the step that fails. */
  function move(from: Home, to: Home, endsAt?: MoveStep): Promise<MovedExperiment> {
    const reach = (step: MoveStep): void => {
      reached.push(step);
      if (step === endsAt) throw new Error(`killed at ${step}`);
    };
    const options = { keep: false, now: 20, notes: notesOf(notes), onStep: reach, progress: () => {} };
    return from.experiments.moveTo(to.experiments, "everything", { from: "here", to: "there" }, options);
  }

  const namesIn = async ({ experiments }: Home): Promise<string[]> =>
    (await experiments.list()).map(({ name }) => name);
  const digestIn = async ({ experiments }: Home): Promise<string> =>
    experiments.experimentDigest(await experiments.find("everything"));

  test("with values of all types, all kinds of runs and their history, there and back", async () => {
    const [file, other] = [await homes.makeFile("file"), await homes.make("other")];
    await live(file);
    const digest = await digestIn(file);
    expect(await move(file, other)).toMatchObject({
      experiment: "Everything",
      digest,
      runs: 3,
      history: true,
      missing: [],
      resumed: false,
    });
    expect(reached).toEqual(["started", "compared", "copied", "hidden", "dropped"]);
    expect([await namesIn(file), await namesIn(other), notes.size]).toEqual([[], ["Everything"], 0]);
    const [{ experiment, owner }, there] = [await other.experiments.find("everything"), await digestIn(other)];
    // On a server, the user who moves it becomes the owner.
    expect([experiment.admins, owner]).toEqual(engine === "postgres" ? [["ann"], "owner"] : [undefined, "ann"]);
    if (engine === "duckdb") expect(there).toBe(digest);
    await requireObjects(other.objects, (await findLedger(other.engine, other.objects)).entries);
    expect(await other.experiments.check()).toEqual([]);
    expect(await move(other, file)).toMatchObject({ digest: there, history: true });
    expect([await namesIn(file), await namesIn(other), await digestIn(file)]).toEqual([["Everything"], [], there]);
    await requireObjects(file.objects, (await findLedger(file.engine, file.objects)).entries);
    expect(await file.experiments.check()).toEqual([]);
    await importRun(file, "e.txt", []);
    expect((await file.experiments.runs(await file.experiments.find("everything"), false)).at(-1)?.number).toBe(7);
  });

  test.each(["started", "compared", "copied", "hidden", "dropped"] as const)(
    "to the end when they are ended at '%s' and started again",
    async (step) => {
      const [home, file] = [await homes.make("home"), await homes.makeFile("file")];
      await live(home);
      const digest = await digestIn(home);
      await expect(move(home, file, step)).rejects.toThrow(`killed at ${step}`);
      const both = [...(await namesIn(home)), ...(await namesIn(file))];
      expect(both.length).toBe(step === "copied" ? 2 : 1);
      // Takes the id of the copy if it was not stored.
      await file.experiments.create({ name: "Another", readers: [], writers: [], variables: [] }, 1);
      await move(home, file);
      expect([await namesIn(home), await namesIn(file), await digestIn(file)]).toEqual([
        [],
        ["Another", "Everything"],
        digest,
      ]);
      expect(notes.size).toBe(0);
      expect((await home.engine.query("select id from experiment")).length).toBe(0);
    },
  );

  test("leaving nothing when any read of the source fails", async () => {
    const [home, file] = [await homes.make("home"), await homes.makeFile("file")];
    await live(home);
    const query = home.engine.query.bind(home.engine);
    let left = 0;
    Object.assign(home.engine, {
      query: (...statement: Parameters<typeof query>) =>
        left-- === 1 ? Promise.reject(new Error("cannot read")) : query(...statement),
    });
    for (let at = 1; at < 200; at++) {
      left = at;
      if (await failsWith(move(home, file, "copied"), "cannot read")) {
        // What still runs after the failure must not be committed.
        expect((await file.engine.query("select id from experiment")).length, `read ${at}`).toBe(0);
        expect((await file.engine.query("select id from variable")).length, `read ${at}`).toBe(0);
      } else {
        expect(at).toBeGreaterThan(10);
        return;
      }
    }
  });

  test("only to databases without that name, and never to the same database", async () => {
    const [home, file] = [await homes.make("home"), await homes.makeFile("file")];
    await live(home);
    await file.experiments.create({ name: "EVERYTHING", readers: [], writers: [], variables: [] }, 1);
    await expect(move(home, file)).rejects.toMatchObject({ code: "experiment-exists", data: { location: "there" } });
    await expect(move(home, home)).rejects.toMatchObject({ code: "move-same-database" });
    expect(reached).toEqual([]);
  });

  test("without lost objects, which are reported", async () => {
    const [home, file] = [await homes.make("home"), await homes.makeFile("file")];
    await live(home);
    const digest = await digestIn(home);
    rmSync(join(home.objects.folder), { recursive: true });
    const moved = await move(home, file);
    expect(moved).toMatchObject({ digest, history: false, objects: 0 });
    expect(moved.missing?.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["a.txt", "the description of run 1", "entry 1 of the ledger"]),
    );
    expect(await digestIn(file)).toBe(digest);
  });
});
