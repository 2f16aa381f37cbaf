import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { everything, homeOf, importRun, live, type Home } from "../../test/fakes/everything-experiment.ts";
import { onEachEngine, type Place } from "../../test/servers/databases.ts";
import { duckdb } from "../plugins/engines/duckdb.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { ledgerOf, requireObjects } from "./rebuild.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-dump-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

onEachEngine("experiments are dumped", (makePlace) => {
  let places: Place[];
  let engines: Engine[];

  beforeEach(() => {
    [places, engines] = [[], []];
  });

  afterEach(async () => {
    for (const engine of engines) await engine.close();
    for (const place of places) await place.remove();
  });

  async function makeHome(name: string): Promise<Home> {
    const place = await makePlace();
    places.push(place);
    const engine = await place.open("write");
    engines.push(engine);
    return homeOf(engine, join(folder, name));
  }

  async function makeFile(name: string): Promise<Home> {
    const engine = await duckdb.open(join(folder, `${name}.duckdb`), "write");
    engines.push(engine);
    return homeOf(engine, join(folder, name));
  }

  test("a restored experiment is the same, and its dump the same bytes, on whatever engine", async () => {
    const home = await makeFile("home");
    await live(home);
    const [first, second, third] = ["1", "2", "3"].map((each) => join(folder, `${each}.tar.gz`)) as [string, string, string];
    const dumped = await home.experiments.dump(await home.experiments.find("everything"), { to: first, withoutRaw: false });
    const other = await makeHome("other");
    await other.experiments.create({ ...everything, name: "there before" }, 1);
    const restored = await other.experiments.restoreDump({ from: first, owner: "bob" });
    expect(restored).toEqual({ experiment: "Everything", contents: dumped.contents, runs: 3, missing: [], history: true });
    const stored = await other.experiments.find("everything");
    expect(await other.experiments.contentsDigest(stored)).toBe(dumped.contents);
    await other.experiments.dump(stored, { to: second, withoutRaw: false });
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
    const back = await makeFile("back");
    await back.experiments.restoreDump({ from: second, as: "Again" });
    expect((await back.experiments.dump(await back.experiments.find("again"), { to: third, withoutRaw: false })).contents).toBe(
      dumped.contents,
    );
    await requireObjects(other.objects, await ledgerOf(other.engine, other.objects));
    expect(await other.experiments.check()).toEqual([]);
    await importRun(other, "e.txt", []);
    expect((await other.experiments.runs(stored, false)).at(-1)?.number).toBe(7);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });
});
