import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

let place: Playground;
let commits: string[];

/** A repository whose script is there from the first version on, and the matrix that measures it. */
beforeEach(() => {
  place = new Playground();
  commits = ["one", "two", "three"].map((subject) => {
    place.write("work.js", `console.log(${JSON.stringify(subject)});\n`);
    place.commit(subject, "work.js");
    return place.git("rev-parse", "HEAD");
  });
  place.ok("init");
  place.ok("config", "set", "cmds", "node work.js");
  place.ok("config", "set", "collectors", "[{name: time, params: {warmup: 0, repeat: 2}}]");
});

const canTrace =
  process.platform === "linux" && ["cc", "addr2line"].every((tool) => spawnSync("which", [tool]).status === 0);

interface Kept {
  readonly stored: readonly { readonly commit: string; readonly path: string | null; readonly dirty: boolean }[];
}

describe("run matrix", () => {
  it("measures each version in a tree of its own, and leaves the user's as it is", () => {
    place.write("work.js", "changed but not committed\n");
    place.write("new.txt", "untracked");
    const before = [
      place.git("status", "--porcelain=v2"),
      place.git("rev-parse", "HEAD"),
      place.git("worktree", "list"),
    ];
    const { stored: kept } = place.json("run", "matrix", "--minor", "HEAD", "--crawl-parents") as Kept;
    expect(kept.map((profile) => profile.commit).toSorted()).toEqual(commits.toSorted());
    expect(kept.every((profile) => !profile.dirty)).toBe(true);
    expect([
      place.git("status", "--porcelain=v2"),
      place.git("rev-parse", "HEAD"),
      place.git("worktree", "list"),
    ]).toEqual(before);
    const outputs = readdirSync(join(place.folder, ".perun/jobs")).map((name) =>
      readFileSync(join(place.folder, ".perun/jobs", name), "utf8"),
    );
    for (const subject of ["one", "two", "three"])
      expect(outputs.filter((text) => text.includes(`"${subject}\\n"`))).toHaveLength(1);
  });

  it("lets compare and check head use the rounds of interleaved commits", () => {
    place.ok("config", "set", "collectors", "[{name: time, params: {warmup: 0, repeat: 6}}]");
    place.ok("config", "set", "profiles.register_after_run", "true");
    // One more profile of the head, of another time.
    place.ok("collect", "time", "-p", "{warmup: 0, repeat: 2}", "--", "node", "work.js");
    place.ok("run", "matrix", "--minor", "HEAD~1", "--minor", "HEAD");
    const { stdout } = place.run(["compare", "HEAD~1", "HEAD", "--format", "json", "--metric", "time"]);
    const { rows } = JSON.parse(stdout) as {
      rows: { test: string; old: { n: number }; new: { n: number }; reason: string }[];
    };
    expect(rows).toMatchObject([{ test: "signed-rank", old: { n: 6 }, new: { n: 6 } }]);
    expect(rows[0]?.reason).toContain("compared in the rounds of one run; 1 profile of other times omitted");
  });

  it("follows only first parents of ranges and ancestors with --first-parent", () => {
    const [first = "", , third = ""] = commits;
    place.git("checkout", "-q", "-b", "side", first);
    const side = place.commit("aside");
    place.git("checkout", "-q", "-");
    place.git("checkout", "-q", "main");
    place.git("merge", "-q", "--no-ff", "-m", "merge", "side");
    const merge = place.git("rev-parse", "HEAD");
    const measured = (...words: string[]): string[] =>
      (place.json("run", "matrix", ...words) as Kept).stored.map(({ commit }) => commit).toSorted();
    expect(measured("-m", `${third}..HEAD`)).toEqual([side, merge].toSorted());
    expect(measured("-m", `${third}..HEAD`, "--first-parent")).toEqual([merge]);
    expect(measured("--crawl-parents", "--first-parent")).toEqual([...commits, merge].toSorted());
    expect(place.run(["run", "matrix", "--first-parent"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--first-parent without a range") as string,
    });
  });

  it("registers at once where the configuration says so, and check finds baselines", () => {
    place.ok("config", "set", "profiles.register_after_run", "true");
    place.ok("run", "matrix", "--minor", "HEAD", "--crawl-parents");
    expect(readdirSync(join(place.folder, ".perun/jobs"))).toEqual([]);
    const { versions } = place.json("log") as { versions: { profiles: unknown[] }[] };
    expect(versions.map((version) => version.profiles.length)).toEqual([1, 1, 1]);
    // Real times may be worse, or too noisy to tell.
    expect([0, 1, 3]).toContain(place.run(["check", "head"]).status);
    expect(place.run(["check", "head"]).stdout).toContain(" against ");
  });

  it("keeps what succeeded when a job fails, and ends with its status", () => {
    place.ok("config", "set", "cmds", "[node work.js, node missing.js]");
    const ended = place.run(["run", "matrix"]);
    expect(ended.status).toBe(74);
    expect(ended.stderr).toContain("[command-failed]");
    expect(ended.stderr).toContain("1 profile stored, 1 job failed");
    expect(readdirSync(join(place.folder, ".perun/jobs"))).toHaveLength(1);
  });

  it(
    "applies the postprocessors of the configuration to what was " +
      "measured with generated workloads, and goes on after a failure",
    () => {
      place.write(
        "work.js",
        "const fs = require('fs'); if (!fs.existsSync(process.argv[2] + '/ready')) process.exit(3);\n",
      );
      place.commit("picky", "work.js");
      place.ok("config", "set", "cmds", `[node -e 0, node work.js ${place.home}]`);
      place.ok("config", "set", "workloads", "[sizes]");
      place.ok("config", "set", "generators.workload", "[{id: sizes, type: integer, min_range: 1, max_range: 3}]");
      place.ok(
        "config",
        "set",
        "postprocessors",
        "[{name: regression_analysis, params: {per_key: workload, regression_models: [linear]}}]",
      );
      const options = ["run", "matrix", "-m", "HEAD", "--order", "random", "--seed", "3", "--warmup", "0"];
      expect(place.run(options).status).toBe(74);
      writeFileSync(join(place.home, "ready"), "");
      const { stored: kept, resumed } = place.json(...options, "--resume") as Kept & { readonly resumed: number };
      expect(kept).toMatchObject([
        { workload: "sizes", postprocessors: ["regression_analysis"], noise: { order: "random", rounds: 2 } },
      ]);
      expect(resumed).toBe(1);
      expect(place.ok("show", "0@p", "raw")).toContain("regression_analysis");
    },
  );
});

describe("collect", () => {
  it("measures the tree as it is and says when it is dirty; such a profile is not registered by mistake", () => {
    place.write("work.js", "// changed\n");
    const [profile] = (place.json("collect", "time", "-p", "{warmup: 0, repeat: 1}", "--", "node", "work.js") as Kept)
      .stored;
    expect(profile).toMatchObject({ commit: commits[2], dirty: true });
    expect(place.run(["add", "0@p"]).stderr).toContain("[dirty-profile]");
    place.ok("add", "0@p", "--allow-dirty");
  });

  it.runIf(canTrace)(
    "keeps what a C program allocates, in trees of other versions under the same names (needs cc and addr2line)",
    () => {
      place.write("work.c", "#include <stdlib.h>\nint main(void) {\n  free(malloc(12));\n  return 0;\n}\n");
      place.commit("in C", "work.c");
      place.ok("config", "set", "execute.pre_run", "[cc -g -o work work.c]");
      const params = "{sampling: 60, no_func: [other, one]}";
      const { stored: kept } = place.json("collect", "memory", "-p", params, "-m", "HEAD", "-c", "./work") as Kept;
      const profile = JSON.parse(readFileSync(kept[0]!.path!, "utf8")) as Record<
        "resources" | "resource_type_map",
        object
      >;
      const uid = { function: "main", source: "work.c" };
      expect(Object.values(profile.resource_type_map)).toMatchObject([
        { subtype: "malloc", uid: { ...uid, line: 3 } },
        { subtype: "free", uid: { ...uid, line: 3 } },
      ]);
      expect(Object.values(profile.resources)).toMatchObject([{ amount: [12] }, { amount: [0] }]);
      place.ok("add", "0@p");
      expect(place.ok("show", "0@i", "tableof")).toContain("work.c");
    },
  );

  it("takes rows from what a benchmark prints, by a description in text or XML", () => {
    place.write("io.exp", "*experiment io\n*parameter fs string - once\n*result rate float MiByte/s once\n");
    place.write("io.inp", 'NAMED fs ignore=":"\nNAMED rate ignore=":"\n');
    place.write("io.xml", place.ok("convert", "io.inp"));
    place.write("bench.js", "console.log('fs: ext4\\nrate: 12.5');\n");
    for (const description of ["io.inp", "io.xml"]) {
      const params = `{experiment: io.exp, description: ${description}, repeat: 2}`;
      const { stored: kept } = place.json("collect", "command", "-p", params, "--", "node", "bench.js") as Kept;
      const profile = JSON.parse(readFileSync(kept[0]!.path!, "utf8")) as Record<"resources", object>;
      expect(profile).toMatchObject({ header: { type: "mixed", units: { "mixed(rate)": "MiByte/s" } } });
      expect(Object.values(profile.resources)).toEqual([{ amount: [12.5, 12.5], order: [1, 2] }]);
    }
  });

  it("keeps exit status, output, machine and the way of measuring", () => {
    place.ok("collect", "time", "-p", "{warmup: 0, repeat: 1}", "--", "node", "work.js");
    const raw = place.ok("show", "0@p", "raw");
    for (const text of ["fingerprint", "execution:status", "peak-memory", "real"]) expect(raw).toContain(text);
  });

  it.each([
    [["collect", "tmie", "--", "ls"], "did you mean time?"],
    [["collect", "time", "-p", "repat: 3", "--", "ls"], "repeat"],
    [["collect", "time", "--", "no-such-program"], "[command-not-found]"],
  ])("%j is told in one line", (words, text) => {
    const ended = place.run(words);
    expect(ended.status).toBeGreaterThan(0);
    expect(ended.stderr.trim().split("\n")[0]).toContain(text);
  });
});

it("says that a commit is measured where nothing was built", () => {
  const project = new Playground();
  project.write("source", "#!/bin/sh\n");
  project.commit("one", "source");
  project.ok("init");
  const measure = ["run", "job", "-m", "HEAD", "-C", "time", "-c", "./built"];
  expect(project.run(measure).stderr).toContain("build it there with --build COMMAND");
  expect(project.run([...measure, "--build", "cp source built"]).stderr).toContain("[command-not-found]");
  project.ok(...measure, "--build", "cp source built", "--build", "chmod +x built");
});

describe("trust", () => {
  it("nothing of a cloned configuration runs before it is given, and again after a change", () => {
    const copy = new Playground();
    cpSync(place.folder, copy.folder, { recursive: true });
    copy.write("canary.js", 'require("node:fs").writeFileSync("ran", "")');
    copy.write(
      ".perun/local.yml",
      "cmds: [node canary.js]\ncollectors: [{name: time, params: {warmup: 0, repeat: 1}}]\n",
    );
    const refused = copy.run(["run", "matrix"]);
    expect(refused.status).toBe(77);
    expect(refused.stderr).toContain("node canary.js");
    expect(existsSync(join(copy.folder, "ran"))).toBe(false);
    for (const words of [["status"], ["log"], ["fsck"]]) copy.ok(...words);
    expect(copy.run(["trust", "--show"]).status).toBe(77);
    copy.ok("trust");
    copy.ok("run", "matrix");
    expect(existsSync(join(copy.folder, "ran"))).toBe(true);
    copy.write(".perun/local.yml", "cmds: [node canary.js more]\ncollectors: [time]\n");
    expect(copy.run(["run", "matrix"]).status).toBe(77);
  });
});

describe("a repository that a clone brought along", () => {
  it("is not opened before it is trusted: its configuration could name programs", () => {
    const elsewhere = new Playground();
    elsewhere.commit("inside");
    place.write(".perun/local.yml", `vcs: {type: git, url: ${JSON.stringify(elsewhere.folder)}}\n`);
    const ended = place.run(["status"]);
    expect(ended.status).toBe(77);
    expect(ended.stderr).toContain(elsewhere.folder);
    place.ok("trust");
    expect(place.ok("status")).toContain("inside");
  });
});

describe("recover", () => {
  it("has nothing to do after a run that ended", () => {
    place.ok("run", "matrix", "--minor", "HEAD");
    expect(place.ok("recover")).toBe("nothing to clean up\n");
    expect(place.json("recover")).toEqual({ schema: "perfkeep.recover/2", runs: [], removed: [], unlocked: null });
  });
});
