import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ping, requireSame, settle, several, smallPing, tick } from "../../../test/fakes/experiment-instance.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { ImportReplay } from "../ledger/rebuild.ts";

test("both have all changes, and nothing is applied twice", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await ann.import("1 2");
    await ann.import("3");
    await ann.all.removeRuns(await ann.all.find("ping"), [1], tick());
    await bob.hear(ann);
    expect((await bob.join()).experiments).toMatchObject([{ name: "ping", isNew: true, numbers: [], skipped: [] }]);
    expect(await bob.rows()).toEqual(["2 3.txt"]);
    await settle(ann, bob);
    await requireSame([ann, bob]);
    expect(await bob.import("4")).toBe(3);
  }));

test("runs have the same numbers on both, and a file imported on both is one run", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await bob.hear(ann);
    await bob.join();
    await bob.import("5");
    await bob.import("6");
    await bob.import("7");
    await ann.import("6");
    await ann.import("8");
    await bob.hear(ann);
    // Ann's changes are sent first.
    expect((await bob.join()).experiments).toMatchObject([
      { numbers: [{ before: 1, after: 3 }, { before: 2 }, { before: 3, after: 4 }], skipped: [] },
    ]);
    expect(await bob.rows()).toEqual(["1 6.txt", "2 8.txt", "3 5.txt", "4 7.txt"]);
    expect(await bob.import("9")).toBe(5);
    await settle(ann, bob);
    await requireSame([ann, bob]);
    expect(await bob.rebuilt()).toEqual(await ann.digests());
  }));

test("an unreadable import is skipped and reported, and affects nothing else", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await ann.import("1");
    await ann.import("2");
    await bob.hear(ann);
    const object = (await ann.histories()).byUid
      .values()
      .next()
      .value?.steps.flatMap(({ change }) =>
        change.kind === "import" ? change.inputs.map((input) => input.object) : [],
      );
    rmSync(join(bob.home, "objects", object![0]!.slice(0, 2), object![0]!.slice(2)));
    expect((await bob.join()).experiments[0]?.skipped).toEqual([
      { paths: ["1.txt"], reason: "its files are not here" },
    ]);
    expect(await bob.rows()).toEqual(["2 2.txt"]);
    // It arrives later: everything is in order.
    await bob.hear(ann);
    await bob.join();
    await requireSame([ann, bob]);
    const replayOthers: ImportReplay = () => Promise.reject(new Failure("nothing-found", { file: "x" }));
    await ann.import("3");
    await bob.hear(ann);
    const joined = await bob.all.mergeChanges(bob.known, tick(), { replay: bob.replay(), replayOthers });
    expect(joined.experiments).toMatchObject([{ skipped: [{ paths: ["3.txt"] }] }]);
    expect(await bob.rows()).toHaveLength(2);
  }));

test("consecutive imports are one transaction, and a refused file does not affect those before it", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    for (let at = 1; at <= 9; at++) await ann.import(`${at}`);
    await bob.hear(ann);
    const started = vi.spyOn(bob.engine, "transaction");
    const others = bob.replay();
    let refused = 2;
    const replayOthers: ImportReplay = (stored, change, writer) =>
      change.inputs[0]!.path === "5.txt" && refused-- > 0
        ? Promise.reject(new Failure("nothing-found", { file: "5.txt" }))
        : others(stored, change, writer);
    const join = async (): Promise<readonly string[][]> =>
      (await bob.all.mergeChanges(bob.known, tick(), { replay: bob.replay(), replayOthers })).experiments.map(
        ({ skipped }) => skipped.flatMap(({ paths }) => paths),
      );
    expect(await join()).toEqual([["5.txt"]]);
    // The experiment; nine that fail; the four before; the four after.
    expect(started).toHaveBeenCalledTimes(4);
    expect((await bob.rows()).map((row) => row.split(" ")[1])).toEqual([
      "1.txt",
      "2.txt",
      "3.txt",
      "4.txt",
      "6.txt",
      "7.txt",
      "8.txt",
      "9.txt",
    ]);
    expect(await join()).toEqual([["5.txt"]]);
    expect(await join()).toEqual([[]]);
    await requireSame([ann, bob]);
    expect(await bob.rebuilt()).toEqual(await ann.digests());
    expect(await bob.import("10")).toBe(10);
  }));

const fullDisk = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "open" });

test.each([new Failure("interrupted"), new Failure("unreadable-file", { path: "8.txt", reason: "ENOSPC" }, fullDisk)])(
  "a merge that something else than a file ends is resumed: $code",
  (failure) =>
    several(2, async ([ann, bob]) => {
      if (!ann || !bob) return;
      await ann.all.create(ping, tick());
      for (let at = 1; at <= 5; at++) await ann.import(`${at}`);
      await ann.all.removeRuns(await ann.all.find("ping"), [2], tick());
      for (let at = 6; at <= 9; at++) await ann.import(`${at}`);
      await bob.hear(ann);
      const others = bob.replay();
      const replayOthers: ImportReplay = (stored, change, writer) =>
        change.inputs[0]!.path === "8.txt" ? Promise.reject(failure) : others(stored, change, writer);
      const join = bob.all.mergeChanges(bob.known, tick(), { replay: bob.replay(), replayOthers });
      await expect(join).rejects.toBe(failure);
      expect((await bob.rows()).map((row) => row.split(" ")[1])).toEqual(["1.txt", "3.txt", "4.txt", "5.txt"]);
      expect((await bob.join()).steps).toBe(4);
      await requireSame([ann, bob]);
      expect(await bob.rebuilt()).toEqual(await ann.digests());
    }),
);

test("a rebuilt experiment replaces the old one only when it is complete", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await bob.all.create(ping, tick());
    await ann.import("1");
    await bob.import("2");
    await bob.hear(ann);
    const before = [await bob.rows(), await bob.digests()];
    const replay: ImportReplay = () => Promise.reject(new Failure("nothing-found", { file: "x" }));
    const joined = await bob.all.mergeChanges(bob.known, tick(), { replay, replayOthers: bob.replay() });
    expect(joined.experiments).toMatchObject([{ refused: expect.stringContaining("no value") }]);
    expect([await bob.rows(), await bob.digests()]).toEqual(before);
    await settle(ann, bob);
    await requireSame([ann, bob]);
    expect((await bob.all.list()).map(({ name }) => name)).toEqual(["ping"]);
  }));

test("two experiments with the same name stay separate, even if renamed", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await bob.all.create(smallPing, tick());
    await settle(ann, bob);
    const names = (await bob.all.list()).map(({ name }) => name);
    expect(names).toEqual(["ping", expect.stringMatching(/^ping-[0-9a-f]{7}$/)]);
    await bob.import("4", names[1]);
    await bob.all.purge(await bob.all.find("ping"), tick());
    await settle(ann, bob);
    expect((await ann.all.list()).map(({ name }) => name)).toEqual(["ping"]);
    expect(await ann.rows()).toEqual(["1 4.txt"]);
    // A new one with the same description is another experiment, which the purge does not affect.
    await bob.all.create(smallPing, tick());
    await settle(ann, bob);
    await requireSame([ann, bob]);
    expect(await bob.all.list()).toHaveLength(2);
  }));

test("a restored dump is the dumped experiment; restored next to it, it is another one", () =>
  several(2, async ([ann, bob]) => {
    if (!ann || !bob) return;
    await ann.all.create(ping, tick());
    await ann.import("1 2");
    await bob.hear(ann);
    await bob.join();
    await bob.import("3");
    await ann.import("4");
    await bob.hear(ann);
    await bob.join();
    const to = join(ann.home, "dump.tar.gz");
    await bob.all.dump(await bob.all.find("ping"), { to, withoutRaw: false });
    await several(1, async ([cleo]) => {
      if (!cleo) return;
      await cleo.all.restoreDump({ from: to });
      await settle(ann, bob, cleo);
      await requireSame([ann, bob, cleo]);
      expect(await cleo.rows()).toEqual(["1 1 2.txt", "2 4.txt", "3 3.txt"]);
      await cleo.all.restoreDump({ from: to, as: "pong" });
      await settle(ann, cleo);
      await requireSame([ann, cleo]);
      expect((await ann.all.list()).map(({ name }) => name)).toEqual(["ping", "pong"]);
      expect(await ann.rows("pong")).toEqual(await ann.rows("ping"));
    });
  }));
