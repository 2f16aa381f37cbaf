import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

describe("sharing through a folder", () => {
  const remote = join(scratchFolder(), "remote.git");
  let place: Playground;
  let first: string;
  let head: string;
  beforeAll(() => {
    place = new Playground();
    first = place.commit("Begin");
    head = place.commit("Sort by merging");
    place.git("clone", "-q", "--bare", place.folder, remote);
    place.ok("init");
  });

  const add = (name: string, version: string, amount: number): void => {
    place.write(`.perun/jobs/${name}`, timeProfile({ origin: version, amounts: [amount], workload: "big" }));
    place.ok("add", "-m", version, name);
  };

  it("says that there is nothing to push before anything is registered", () => {
    expect(place.ok("push", remote)).toBe(`nothing to push to ${remote}: no profiles are registered\n`);
    expect(place.json("push", remote)).toMatchObject({ hasSharedData: false, sent: [] });
  });

  it("tells what options keep from being sent, in a dry run as in earnest", () => {
    add("a.perf", first, 1);
    add("b.perf", head, 2);
    for (const filter of [
      ["--limit-size", "10Byte"],
      ["--collector", "memory"],
      ["--since", "2100-01-01"],
    ]) {
      const { stdout, stderr } = place.run(["push", remote, "--dry-run", ...filter]);
      expect([stdout, stderr]).toEqual([`would push to ${remote}: 2 versions\n`, "excluded by options: 2 profiles\n"]);
    }
    const { stdout, stderr } = place.run(["push", remote, "--limit-size", "10Byte"]);
    expect([stdout, stderr]).toEqual([expect.stringContaining(": 2 versions;"), "excluded by options: 2 profiles\n"]);
    expect(place.ok("push", remote)).toContain(": 2 profiles;");
    expect(place.ok("push", remote)).toBe(`${remote} is up to date\n`);
  });

  it("says that a shallow clone lacks what could be compared with", () => {
    const clone = new Playground(join(scratchFolder(), "clone"));
    place.git("clone", "-q", "--depth", "1", `file://${remote}`, clone.folder);
    clone.ok("init");
    clone.ok("pull");
    const { status, stderr } = clone.run(["check", "head"]);
    const why =
      "no earlier commit has a comparable profile here: it is a shallow " +
      "clone without older commits; run git fetch --unshallow to get them";
    expect([status, stderr]).toEqual([3, `no baseline: ${why}\n`]);
    expect(clone.run(["check", "head", "--format", "summary"]).stdout).toContain("git fetch --unshallow");
    expect(clone.run(["check", "series"]).stderr).toContain("older measurements are missing: it is a shallow clone");
    const compared = clone.run(["compare", "HEAD~1", "HEAD"]);
    expect(compared).toMatchObject({ status: 5, stderr: expect.stringContaining("run git fetch --unshallow") });
    expect(clone.run(["diff", "HEAD~1", "HEAD"]).stderr).toContain("run git fetch --unshallow");
    expect(clone.run(["compare", "other", "HEAD~1"]).stderr).toContain("run git fetch --unshallow");
  });

  it("bounds what it tells of a repair, unless all is asked for", () => {
    const foreign = scratchFolder();
    for (let file = 0; file < 14; file++) writeFileSync(join(foreign, `${file}.txt`), "");
    const git = (...words: string[]): void => {
      const { status, stderr } = spawnSync("git", [...words], { cwd: foreign, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    const plant = (): void =>
      git("-c", "protocol.file.allow=always", "push", "-q", "-f", remote, "HEAD:refs/perfkeep/data/v1");
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "x");
    plant();
    const told = place.run(["push", remote, "--repair"]).stderr.split("\n");
    expect(told.filter((line) => line.startsWith("removed: "))).toHaveLength(10);
    expect(told.at(-2)).toBe("and 4 more (-v prints all)");
    plant();
    expect(place.run(["push", remote, "--repair", "-v"]).stderr.match(/^removed: /gm)).toHaveLength(14);
  });

  it.each([
    [["push", "--limit-size", "x"], "see perfkeep push --help [bad-option]"],
    [["experiment", "ls", "--deletd"], "see perfkeep experiment list --help [bad-usage]"],
  ])("points to the help of the command that was meant: %j", (words, remedy) => {
    const { status, stderr } = place.run(words);
    expect([status, stderr]).toEqual([2, expect.stringContaining(remedy)]);
  });
});
