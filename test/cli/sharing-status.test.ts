import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground, scratchFolder, timeProfile } from "./program.ts";

let hub: string;
let ada: Playground;
let bob: Playground;
let head: string;

/** Two clones of a repository with one version, each with an instance. */
beforeEach(() => {
  ada = new Playground();
  head = ada.commit("one");
  hub = join(scratchFolder(), "hub.git");
  ada.git("init", "-q", "-b", "main", "--bare", hub);
  ada.git("remote", "add", "origin", hub);
  ada.git("push", "-q", "origin", "main");
  bob = new Playground();
  bob.git("clone", "-q", hub, ".");
  for (const each of [ada, bob]) each.ok("init");
});

const add = (place: Playground, name: string, amount: number, origin = head): void => {
  place.ok("add", place.write(`${name}.perf`, timeProfile({ origin, amounts: [amount] })), "--minor", origin);
};

/** What is told of sharing, with no time in it. */
const told = (place: Playground): readonly string[] =>
  place
    .ok("status", "--short")
    .split("\n")
    .filter((line) => line.startsWith("Shared with "))
    .map((line) => line.replace(/, as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d:/, ":"));

const sharing = (place: Playground): unknown => (place.json("status") as { readonly sharing: unknown }).sharing;

const recordOf = (place: Playground): string => {
  const root = join(place.folder, ".perun/share");
  const path = readdirSync(root)
    .map((name) => join(root, name, "record"))
    .find((each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true);
  if (path === undefined) throw new Error("no record");
  return path;
};

describe("status", () => {
  it("tells nothing of sharing that was never set up", () => {
    add(ada, "a", 1);
    expect(told(ada)).toEqual([]);
    expect(sharing(ada)).toEqual([]);
  });

  it("tells what was added, removed and found here since the last push", () => {
    add(ada, "a", 1);
    ada.ok("push");
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
    expect(ada.ok("status")).toMatch(
      /^On branch main, commit .*\nShared with origin, as of [-0-9: ]+: nothing to push or pull\n\nAuthor: /,
    );
    const two = ada.commit("two");
    add(ada, "b", 2, two);
    add(ada, "c", 3);
    expect(told(ada)).toEqual(["Shared with origin: 2 profiles to push"]);
    ada.ok("rm", "a.perf", "--minor", head);
    expect(told(ada)).toEqual(["Shared with origin: 2 profiles, 1 removal to push"]);
    const line = `f PerformanceChange.Degradation order x y 2.0 rate 0.9 1.0 ${head} cmd\n`;
    writeFileSync(join(ada.folder, ".perun/objects", two.slice(0, 2), `${two.slice(2)}.changes`), line);
    const none = { profiles: 0, removals: 0, changedVersions: 0, experimentChanges: 0 };
    const push = { ...none, profiles: 2, removals: 1, changedVersions: 1 };
    const asOf = expect.any(Number) as number;
    expect(sharing(ada)).toEqual([{ remote: "origin", asOf, push, pull: none, experimentsWritten: false }]);
    ada.ok("push");
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
    // What was taken back is nothing to push.
    add(ada, "d", 4);
    ada.ok("rm", "d.perf", "--minor", head);
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
  });

  it("tells what others sent once it was fetched, until it is pulled", () => {
    for (const [name, amount] of [
      ["a", 1],
      ["b", 2],
    ] as const)
      add(ada, name, amount);
    ada.ok("push");
    bob.ok("pull");
    add(bob, "c", 3);
    bob.ok("rm", "a.perf", "--minor", head);
    bob.ok("push");
    add(ada, "d", 4);
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push"]);
    ada.ok("fetch");
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push; 1 profile, 1 removal to pull"]);
    // Whoever measures the same has it.
    add(ada, "c", 3);
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push; 1 removal to pull"]);
    ada.ok("rm", "c.perf", "--minor", head);
    ada.ok("pull");
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push"]);
    expect(told(bob)).toEqual(["Shared with origin: nothing to push or pull"]);
  });

  it("takes for pushed only what is there with its content, and for left out what was not wanted", () => {
    add(ada, "a", 1);
    ada.ok("push", "--collector", "trace");
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push"]);
    ada.ok("push");
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
    bob.ok("pull", "--collector", "trace");
    expect(told(bob)).toEqual(["Shared with origin: nothing to push or pull"]);
  });

  it("counts for each remote, and none that the repository does not have any more", () => {
    const other = join(scratchFolder(), "other.git");
    ada.git("init", "-q", "--bare", other);
    ada.git("remote", "add", "another", other);
    add(ada, "a", 1);
    ada.ok("push");
    ada.ok("fetch", "another");
    expect(told(ada)).toEqual([
      "Shared with another: 1 profile to push",
      "Shared with origin: nothing to push or pull",
    ]);
    ada.git("remote", "remove", "origin");
    expect(told(ada)).toEqual(["Shared with another: 1 profile to push"]);
    ada.git("remote", "set-url", "another", hub);
    expect(told(ada)).toEqual([]);
  });

  it("tells of an address as long as it is there", () => {
    const other = join(scratchFolder(), "other.git");
    ada.git("init", "-q", "--bare", other);
    ada.ok("push", other);
    expect(told(ada)).toEqual([`Shared with ${other}: nothing to push or pull`]);
    rmSync(other, { recursive: true });
    expect(told(ada)).toEqual([]);
  });

  it("tells nothing where what was noted is damaged, until the next push or pull", () => {
    add(ada, "a", 1);
    ada.ok("push");
    const path = recordOf(ada);
    const whole = readFileSync(path);
    for (const damaged of [
      Buffer.alloc(0),
      Buffer.from("{}\n"),
      whole.subarray(0, whole.length / 2),
      whole.map((byte, i) => (i === 200 ? byte ^ 1 : byte)),
    ]) {
      writeFileSync(path, damaged);
      expect(told(ada)).toEqual([]);
    }
    ada.ok("fetch");
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
  });

  it("tells that experiments were written, and once it looked, how much there is of them", () => {
    ada.ok("push");
    ada.write("a.exp", "*experiment a\n*parameter n int\n*result t float s\n");
    ada.ok("experiment", "create", "a.exp");
    expect(told(ada)).toEqual(["Shared with origin: experiments were written since"]);
    ada.ok("fetch");
    expect(told(ada)).toEqual(["Shared with origin: 1 change of an experiment to push"]);
    ada.ok("push");
    expect(told(ada)).toEqual(["Shared with origin: nothing to push or pull"]);
    bob.ok("fetch");
    expect(told(bob)).toEqual(["Shared with origin: 1 change of an experiment to pull"]);
    bob.ok("pull");
    ada.ok("experiment", "list");
    expect([ada, bob].map(told)).toEqual([
      ["Shared with origin: nothing to push or pull"],
      ["Shared with origin: nothing to push or pull"],
    ]);
  });

  it("sees what Perun writes into an index in place", () => {
    // A store that perfkeep did not make bears no mark of it.
    rmSync(join(ada.folder, ".perun/format"));
    add(ada, "a", 1);
    const two = ada.commit("two");
    ada.ok("push");
    const index = join(ada.folder, ".perun/objects", head.slice(0, 2), head.slice(2));
    const whole = readFileSync(index);
    add(ada, "b", 2);
    const more = readFileSync(index);
    const sum = readFileSync(`${index}.sum`);
    ada.ok("rm", "b.perf", "--minor", head);
    ada.ok("push");
    writeFileSync(index, more);
    writeFileSync(`${index}.sum`, sum);
    expect(ada.git("rev-parse", "HEAD")).toBe(two);
    expect(whole.length).toBeLessThan(more.length);
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push"]);
  });

  it("counts anew in a store that was put elsewhere", () => {
    add(ada, "a", 1);
    ada.ok("push");
    add(ada, "b", 2);
    cpSync(join(ada.folder, ".perun"), join(ada.folder, "copy"), { recursive: true });
    rmSync(join(ada.folder, ".perun"), { recursive: true });
    renameSync(join(ada.folder, "copy"), join(ada.folder, ".perun"));
    expect(told(ada)).toEqual(["Shared with origin: 1 profile to push"]);
  });

  it("says nothing of sharing to whoever asked Perun", () => {
    ada.ok("push");
    expect(ada.ok("status", "--compat", "perun")).not.toContain("Shared with");
  });
});
