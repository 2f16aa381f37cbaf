import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

interface Kept {
  readonly stored: readonly { readonly commit: string; readonly dirty: boolean }[];
}

interface Logged {
  readonly versions: readonly {
    readonly checksum: string;
    readonly description: string;
    readonly profiles: readonly unknown[];
  }[];
}

const subjects = ["one", "two", "three"];

function work(place: Playground, subject: string): void {
  place.write("work.js", `console.log(${JSON.stringify(subject)});\n`);
}

function measured(place: Playground): void {
  place.ok("config", "set", "cmds", "node work.js");
  place.ok("config", "set", "collectors", "[{name: time, params: {warmup: 0, repeat: 2}}]");
  place.ok("config", "set", "profiles.register_after_run", "true");
}

/** Everything below the folder but what perfkeep itself keeps, with times. */
function fingerprint(folder: string): string {
  const hash = createHash("sha1");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (/^\.(?:perun|hg)(?:\/|$)/.test(name)) continue;
    const facts = statSync(join(folder, name));
    hash.update(`${name} ${facts.mode} ${facts.isFile() ? facts.mtimeMs : ""}\0`);
    if (facts.isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}

/** The matrix over three versions, newest first, in a folder whose files have gone on since. */
function expectMeasured(place: Playground, versions: readonly string[]): void {
  work(place, "changed since");
  place.write("new.txt", "in no version");
  const before = fingerprint(place.folder);
  const { stored: kept } = place.json("run", "matrix", "--minor", "HEAD", "--crawl-parents") as Kept;
  expect(kept.map(({ commit }) => commit).toSorted()).toEqual(versions.toSorted());
  expect(kept.every(({ dirty }) => !dirty)).toBe(true);
  expect(fingerprint(place.folder)).toBe(before);
  expect(readdirSync(join(place.folder, ".perun/run"))).toEqual([]);
  const logged = (place.json("log") as Logged).versions;
  expect(logged.map(({ checksum }) => checksum)).toEqual(versions);
  expect(logged.map(({ profiles }) => profiles.length)).toEqual([1, 1, 1]);
  expect(logged.map(({ description }) => description)).toEqual(subjects.toReversed());
  expect(place.ok("show", "0@i")).not.toBe("");
  // Real times may be worse, or too noisy to tell.
  expect([0, 1, 3]).toContain(place.run(["check", "head"]).status);
  expect(place.ok("status")).toContain(versions[0]?.slice(0, 8));
  expect(place.run(["fsck"]).status).toBe(0);
}

describe("a folder without version control", () => {
  const begun = (): Playground => {
    const place = new Playground();
    place.ok("init", "--vcs-type", "tagit");
    return place;
  };
  const snapshot = (place: Playground, ...words: string[]): string =>
    (place.json("tagit", "snapshot", "--author", "Ada <ada@example.org>", ...words) as { version: string }).version;

  it("is measured over three snapshots as a repository is over commits", () => {
    const place = begun();
    measured(place);
    const versions = subjects.map((subject) => {
      work(place, subject);
      return snapshot(place, "-m", subject);
    });
    expect(place.ok("tagit", "snapshot")).toMatch(/^no changes since [0-9a-f]{8} on main\n$/);
    expectMeasured(place, versions.toReversed());
  });

  it("has names, differences and earlier versions to look at", () => {
    const place = begun();
    expect(place.run(["status"]).stderr).toContain("[no-versions-yet]");
    work(place, "one");
    snapshot(place, "--tag", "v1");
    work(place, "two");
    expect(place.ok("tagit", "diff")).toContain('-console.log("one");\n+console.log("two");\n');
    const second = snapshot(place, "--branch", "side");
    expect(place.ok("tagit", "diff", "v1", "side")).toContain('+console.log("two");\n');
    expect(place.ok("tagit", "tag", "v2")).toBe(`v2 is ${second.slice(0, 8)}\n`);
    place.ok("tagit", "checkout", "v2~1", "earlier");
    expect(readFileSync(join(place.folder, "earlier/work.js"), "utf8")).toContain("one");
    const refused = place.run(["tagit", "checkout", "v2", "earlier"]);
    expect([refused.status, readFileSync(join(place.folder, "earlier/work.js"), "utf8")]).toEqual([
      74,
      'console.log("one");\n',
    ]);
    expect(place.run(["tagit", "tag", "a b"]).stderr).toContain("[bad-version-name]");
  });

  it("keeps every version whose snapshot was told of, under kills", async () => {
    const place = begun();
    const told: string[] = [];
    for (let round = 0; round < 8; round++) {
      work(place, `round ${round}`);
      const { child, ended } = place.begin(["tagit", "snapshot", "--format", "json"]);
      setTimeout(() => child.kill("SIGKILL"), 60 + round * 40);
      const { stdout, status } = await ended;
      if (status === 0) told.push((JSON.parse(stdout) as { version: string }).version);
    }
    told.push(snapshot(place, "-m", "after all kills"));
    const versions = (place.json("log") as Logged).versions.map(({ checksum }) => checksum);
    expect(versions).toEqual(expect.arrayContaining(told));
    place.ok("tagit", "checkout", "HEAD", "out");
    expect(readFileSync(join(place.folder, "out/work.js"), "utf8")).toBe(
      readFileSync(join(place.folder, "work.js"), "utf8"),
    );
  });

  it("is found by init, unless another system is named", () => {
    const place = begun();
    rmSync(join(place.folder, ".perun"), { recursive: true });
    place.write("deep/er/file", "");
    expect(place.json("init", "deep/er")).toMatchObject({ instance: "created", repository: "present" });
    expect(readFileSync(join(place.folder, "deep/er/.perun/local.yml"), "utf8")).toMatch(/^vcs:\n {2}type: tagit\n/);
    expect(existsSync(join(place.folder, "deep/er/.git"))).toBe(false);
    expect(place.json("init", "--vcs-type", "git")).toMatchObject({ repository: "created" });
    expect(place.ok("config", "get", "vcs.type")).toBe("vcs.type: git\n");
  });

  it("is not what a git repository is", () => {
    const place = new Playground();
    place.commit("one");
    place.ok("init");
    const ended = place.run(["tagit", "snapshot"]);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain("[not-recorded-here]");
    expect(existsSync(join(place.folder, ".tagit"))).toBe(false);
  });
});

describe.skipIf(spawnSync("hg", ["--version"]).status !== 0)(
  "a repository of Mercurial (skipped where hg is not installed)",
  () => {
    it("is measured over three commits", () => {
      const place = new Playground();
      const hg = (...words: string[]): string => {
        const env = { PATH: process.env["PATH"], HOME: place.home, HGRCPATH: "", HGPLAIN: "1" };
        const { status, stdout, stderr } = spawnSync("hg", words, { cwd: place.folder, env, encoding: "utf8" });
        if (status !== 0) throw new Error(`hg ${words.join(" ")}: ${stderr}`);
        return stdout;
      };
      hg("init");
      expect(place.json("init")).toMatchObject({ repository: "present" });
      measured(place);
      const versions = subjects.map((subject, hour) => {
        work(place, subject);
        if (hour === 0) hg("add", "work.js");
        hg(
          "commit",
          "--user",
          "Ada <ada@example.org>",
          "--date",
          `${1_600_000_000 + hour * 3600} 0`,
          "--message",
          subject,
        );
        return hg("log", "--rev", ".", "--template", "{node}");
      });
      expectMeasured(place, versions.toReversed());
      expect(hg("status")).toContain("M work.js\n");
    });
  },
);
