import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

describe("gc --pack", () => {
  const remote = join(scratchFolder(), "results.git");
  let place: Playground;
  let commits: string[];
  let digests: string[];

  const loose = (): string[] => digests.filter((id) => existsSync(objectPath(id)));
  const objectPath = (id: string): string => join(place.folder, ".perun/objects", id.slice(0, 2), id.slice(2));
  const packs = (): string[] =>
    readdirSync(join(place.folder, ".perun/packs")).filter((name) => name.endsWith(".pack"));
  const bodies = (): string[] => digests.map((id) => place.run(["cat-object", id]).stdout);

  beforeAll(() => {
    place = new Playground();
    digests = [];
    commits = ["one", "two", "three"].map((subject) => place.commit(subject));
    place.git("init", "-q", "--bare", remote);
    place.ok("init");
    for (const [i, commit] of commits.entries()) {
      const names = ["a", "b"].map((name) => `.perun/jobs/${name}${i}.perf`);
      for (const [j, name] of names.entries())
        place.write(name, timeProfile({ origin: commit, amounts: [i + 1, i + 2, j] }), 1_700_000_000 + i);
      const added = place.ok("add", "-m", commit, ...names);
      digests.push(...[...added.matchAll(/ as ([0-9a-f]{40})$/gm)].map(([, id = ""]) => id));
    }
  });

  it("packs all but the current commit; every command reads the same as before", () => {
    const ask = (): string[] =>
      [
        ["log", "--short"],
        ["log", commits[0]!],
        ["compare", commits[0]!, commits[1]!],
        ["check", "head"],
      ].map((words) => place.run(words).stdout);
    const [before, contents] = [ask(), bodies()];
    expect(digests).toHaveLength(6);
    const { status, stdout, stderr } = place.run(["gc", "--pack"]);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Perun cannot read packed profiles; /)]);
    expect(stdout).toMatch(/^packed 4 profiles of .* into 1 file of .*\n$/);
    expect([loose(), packs().length]).toEqual([digests.slice(4), 1]);
    expect([ask(), bodies()]).toEqual([before, contents]);
    expect(place.run(["fsck"])).toMatchObject({ status: 0, stdout: expect.stringContaining("checked 6 objects") });
    expect(place.ok("gc", "--pack")).toBe("nothing to pack\n");
  });

  it("leaves a packed profile packed when it is added again", () => {
    const again = place.write("a0.perf", timeProfile({ origin: commits[0]!, amounts: [1, 2, 0] }), 1_700_000_000);
    const { stdout, stderr } = place.run(["add", "-m", commits[0]!, "--keep-profile", again]);
    expect(stdout + stderr).toContain("was already registered");
    expect(loose()).toEqual(digests.slice(4));
  });

  it("sends packed profiles to others", () => {
    expect(place.ok("push", remote)).toContain(" 6 profiles;");
    const clone = new Playground(join(scratchFolder(), "clone"));
    place.git("clone", "-q", place.folder, clone.folder);
    clone.ok("init");
    clone.ok("pull", remote);
    expect(digests.map((id) => clone.run(["cat-object", id]).stdout)).toEqual(bodies());
  });

  it("names the objects of a damaged pack, and repairs them by adding them again", () => {
    const contents = bodies();
    const [name = ""] = packs();
    const path = join(place.folder, ".perun/packs", name);
    const bytes = readFileSync(path);
    bytes[20]! ^= 1;
    writeFileSync(path, bytes);
    const damaged = place.run(["fsck"]);
    expect(damaged.status).toBe(1);
    for (const id of digests.slice(0, 4)) expect(damaged.stdout).toContain(`${join("packs", name)}: object ${id} is`);
    expect(place.run(["cat-object", digests[0]!])).toMatchObject({ status: 1, stdout: "" });
    for (const [i, commit] of commits.slice(0, 2).entries())
      for (const [j, name] of ["a", "b"].entries()) {
        const text = timeProfile({ origin: commit, amounts: [i + 1, i + 2, j] });
        place.ok("add", "-m", commit, place.write(`${name}${i}.perf`, text, 1_700_000_000 + i));
      }
    expect([bodies(), place.run(["fsck"]).status]).toEqual([contents, 0]);
    expect(place.run(["gc", "--unpack"]).status).toBe(0);
    expect([packs(), loose()]).toEqual([[], digests]);
    expect(place.ok("fsck")).toContain("no damage");
  });

  it("refuses a store that Perun created, unless forced", () => {
    rmSync(join(place.folder, ".perun/format"));
    const { status, stderr } = place.run(["gc", "--pack"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("cannot read packed profiles; nothing was packed")]);
    expect(loose()).toEqual(digests);
    expect(place.run(["gc", "--pack", "--force", "--all"]).status).toBe(0);
    expect(loose()).toEqual([]);
  });

  it.each([[["--pack", "--unpack"]], [["--all"]], [["--unpack", "--force"]]])("refuses %j", (words) => {
    expect(place.run(["gc", ...words])).toMatchObject({ status: 2, stdout: "" });
  });
});
