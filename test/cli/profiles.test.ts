import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground, timeProfile } from "./program.ts";

let place: Playground;
let first: string;
let head: string;

beforeEach(() => {
  place = new Playground();
  first = place.commit("one");
  head = place.commit("two");
  place.ok("init");
});

function addProfile(name: string, amounts: readonly number[], origin = head, time = 1_700_000_000): string {
  place.write(name, timeProfile({ origin, amounts }), time);
  return place.ok("add", "-m", origin, name);
}

describe("init", () => {
  it("makes an instance that git does not see, and says so again the second time", () => {
    expect(place.git("status", "--porcelain")).toBe("");
    expect(readdirSync(join(place.folder, ".perun"))).toEqual(
      expect.arrayContaining(["jobs", "logs", "objects", "local.yml"]),
    );
    writeFileSync(join(place.folder, ".perun/local.yml"), "vcs:\n  type: git\n  url: ../\nmine: 1\n");
    place.ok("init");
    expect(readFileSync(join(place.folder, ".perun/local.yml"), "utf8")).toContain("mine: 1");
  });

  it("opens the new configuration in the editor", () => {
    const elsewhere = new Playground();
    elsewhere.write("editor.js", 'require("node:fs").appendFileSync(process.argv[2], "\\ncmds: [ls]\\n")');
    const ended = elsewhere.run(["init", "--configure"], { env: { VISUAL: "node editor.js" } });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(elsewhere.ok("config", "get", "cmds")).toMatch(/^cmds:\n- ls\n/);
  });

  it("makes a repository where there is none", () => {
    const empty = new Playground();
    empty.ok("init");
    expect(existsSync(join(empty.folder, ".git"))).toBe(true);
    const ended = empty.run(["status"]);
    expect(ended.status).toBe(5);
    expect(ended.stderr).toContain("[no-versions-yet]");
  });
});

describe("status", () => {
  it("says where pending profiles were measured, unless at the head", () => {
    place.write(".perun/jobs/here.perf", timeProfile({ origin: head, amounts: [1] }), 1_700_000_003);
    place.write(".perun/jobs/old.perf", timeProfile({ origin: first, amounts: [1] }), 1_700_000_002);
    place.write(".perun/jobs/older.perf", timeProfile({ origin: first, amounts: [1] }), 1_700_000_001);
    expect(place.ok("status")).toContain(`1@p 2@p measured at ${first.slice(0, 8)}\n`);
    expect(place.ok("status")).not.toContain("0@p 1@p");
    const { pending } = place.json("status") as { pending: { name: string; origin: string }[] };
    expect(Object.fromEntries(pending.map(({ name, origin }) => [name, origin]))).toEqual({
      "here.perf": head,
      "old.perf": first,
      "older.perf": first,
    });
  });
});

describe("-q", () => {
  it("prints nothing when a command succeeds, but what was asked for", () => {
    expect(place.run(["-q", "collect", "time", "-p", "repeat: 2", "--", "true"])).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });
    for (const words of [["add", "0@p"], ["rm", "0@i"], ["gc"], ["fsck"], ["init"], ["recover"]])
      expect([words, place.run(["-q", ...words])]).toMatchObject([words, { status: 0, stdout: "", stderr: "" }]);
    expect(place.ok("-q", "status")).toContain("On branch");
  });
});

describe("collect", () => {
  it("ends with a line that says where the profile is, and its main numbers", () => {
    const numbers = String.raw`real median \S+ \S+, spread \S+ % of 2 runs(, peak memory \S+ \S+)?`;
    expect(place.ok("collect", "time", "-p", "repeat: 2", "--", "true")).toMatch(
      new RegExp(`^time-\\S+\\.perf pending for ${head.slice(0, 8)}: ${numbers}\n$`),
    );
  });

  it("quotes why a program of Node failed", () => {
    place.write("broken.js", "throw new TypeError('no such size')\n");
    const { status, stderr } = place.run(["collect", "time", "--", "node", "broken.js"]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("exited with status 1: TypeError: no such size");
  });
});

describe("profiles of one name at one commit", () => {
  const amounts = () => {
    const { registered } = place.json("status") as { registered: { name: string; object: string }[] };
    return registered.filter(({ name }) => name === "twin.perf").map(({ object }) => object);
  };

  it("are never guessed, but listed with their tags", () => {
    const first = addProfile("twin.perf", [1, 2]);
    const second = addProfile("twin.perf", [3, 4]);
    for (const words of [
      ["rm", "twin.perf"],
      ["show", "twin.perf", "tableof"],
    ])
      expect(place.run(words)).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(
          /'twin\.perf' is ambiguous: \d@i twin\.perf \(time \.\/work, 2023-.*\), \d@i twin\.perf/,
        ),
      });
    expect(amounts()).toHaveLength(2);
    const object = (text: string): string => /as ([0-9a-f]{40})/.exec(text)![1]!;
    place.ok("rm", object(first));
    expect(amounts()).toEqual([object(second)]);
  });
});

describe("add", () => {
  it("registers a profile, removes its file and lists it", () => {
    expect(addProfile("a.perf", [1, 2])).toMatch(/^a\.perf registered at [0-9a-f]{8} as [0-9a-f]{40}\n$/);
    expect(existsSync(join(place.folder, "a.perf"))).toBe(false);
    const status = place.json("status") as { registered: { name: string; time: number }[] };
    expect(status.registered).toMatchObject([
      {
        name: "a.perf",
        type: "time",
        collector: "time",
        cmd: "./work",
        workload: "",
        postprocessors: [],
        time: 1_700_000_000,
      },
    ]);
  });

  it("is idempotent", () => {
    addProfile("a.perf", [1]);
    expect(addProfile("a.perf", [1])).toContain("was already registered");
    expect((place.json("status") as { registered: unknown[] }).registered).toHaveLength(1);
  });

  it("registers all pending profiles, each where it was measured", () => {
    const pending = (name: string, origin: string): string =>
      place.write(join(".perun/jobs", name), timeProfile({ origin, amounts: [1] }));
    pending("a.perf", first);
    pending("b.perf", head);
    expect(place.run(["check", "head"]).stderr).toContain("2 pending: perfkeep add --all");
    expect(place.ok("add", "--all").split("\n").sort()).toEqual([
      "",
      expect.stringMatching(`^a.perf registered at ${first.slice(0, 8)}`),
      expect.stringMatching(`^b.perf registered at ${head.slice(0, 8)}`),
    ]);
    expect(place.run(["add", "--all"])).toMatchObject({ status: 5, stderr: "no profiles are pending\n" });
    expect(place.run(["add"])).toMatchObject({ status: 2, stderr: expect.stringContaining("--all") });
    expect(place.run(["add", "--all", "x.perf"]).status).toBe(2);
  });

  it("keeps the file when asked to", () => {
    place.write("a.perf", timeProfile({ origin: head, amounts: [1] }));
    place.ok("add", "--keep-profile", "a.perf");
    expect(existsSync(join(place.folder, "a.perf"))).toBe(true);
  });

  it.each([
    ["not JSON", "garbage", 4, "not-json"],
    ["no origin", timeProfile({ amounts: [1] }), 4, "missing-origin"],
    ["another origin", timeProfile({ origin: "1".repeat(40), amounts: [1] }), 4, "wrong-origin"],
    [
      "an unknown type",
      timeProfile({ amounts: [1] }).replace('"type":"time","cmd"', '"type":"curious","cmd"'),
      4,
      "not-a-profile",
    ],
  ])("refuses %s in one line and leaves the file", (_, content, status, code) => {
    const path = place.write("bad.perf", content);
    const ended = place.run(["add", "bad.perf"]);
    expect(ended).toMatchObject({ status, stdout: "" });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.stderr).toContain("bad.perf");
    expect(ended.stderr).toContain(`[${code}]`);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it("registers the good ones of a batch and says which are not", () => {
    place.write("good.perf", timeProfile({ origin: head, amounts: [1] }));
    place.write("bad.perf", "x");
    const ended = place.run(["add", "bad.perf", "good.perf"]);
    expect(ended.status).toBe(4);
    expect(ended.stdout).toContain("good.perf registered");
    expect(ended.stderr).toContain("1 stored, 1 not");
  });

  it("forces another origin", () => {
    place.write("a.perf", timeProfile({ origin: first, amounts: [1] }));
    expect(place.run(["add", "--minor", "HEAD", "a.perf"]).status).toBe(4);
    expect(place.ok("add", "--keep-profile", "a.perf")).toContain(`registered at ${first.slice(0, 8)}`);
    expect(place.ok("add", "--force", "--minor", "HEAD", "a.perf")).toContain(`at ${head.slice(0, 8)}`);
  });

  it("takes pending tags, ranges and partial names", () => {
    for (const [i, name] of ["x.perf", "y.perf", "z.perf"].entries())
      place.write(`.perun/jobs/${name}`, timeProfile({ origin: head, amounts: [i] }), 1_700_000_000 + i);
    place.ok("add", "0@p");
    expect((place.json("status") as { registered: { name: string }[] }).registered.map((p) => p.name)).toEqual([
      "z.perf",
    ]);
    place.ok("add", "0@p-5@p");
    expect((place.json("status") as { pending: unknown[] }).pending).toEqual([]);
    expect(place.run(["add", "0@p"])).toMatchObject({ status: 2 });
  });

  it("looks all tags up before the first profile goes", () => {
    for (const [i, name] of ["a.perf", "b.perf", "c.perf", "d.perf"].entries())
      place.write(`.perun/jobs/${name}`, timeProfile({ origin: head, amounts: [i] }), 1_700_000_000 + i);
    place.ok("add", "0@p", "1@p", "0@p");
    expect(
      (place.json("status") as { registered: { name: string }[] }).registered.map((p) => p.name).toSorted(),
    ).toEqual(["c.perf", "d.perf"]);
  });

  it("lists the candidates when a name may mean several and nobody can be asked", () => {
    for (const name of ["run-1.perf", "run-2.perf"])
      place.write(`.perun/jobs/${name}`, timeProfile({ origin: head, amounts: [1] }));
    const ended = place.run(["add", "run"]);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/run-1\.perf, .*run-2\.perf/);
  });

  it("refuses unknown revisions and hostile ones alike", () => {
    place.write("a.perf", timeProfile({ origin: head, amounts: [1] }));
    for (const revision of ["nope", "--output=evil", "-x", "ext::sh", "a\nb"]) {
      const ended = place.run(["add", `--minor=${revision}`, "a.perf"]);
      expect(ended.status, revision).toBeGreaterThan(0);
      expect(ended.stderr.trim().split("\n"), revision).toHaveLength(1);
    }
    expect(readdirSync(place.folder).sort()).toEqual([".git", ".perun", "a.perf", "file"]);
  });
});

describe("rm", () => {
  it("takes an entry out and keeps the object", () => {
    addProfile("a.perf", [1]);
    const [{ object } = { object: "" }] = (place.json("status") as { registered: { object: string }[] }).registered;
    expect(place.ok("rm", "0@i")).toMatch(/^a\.perf removed from [0-9a-f]{8}\n$/);
    expect((place.json("status") as { registered: unknown[] }).registered).toEqual([]);
    expect(place.ok("cat-object", object)).toContain('"resources"');
  });

  it("changes nothing when one of the names is not there", () => {
    addProfile("a.perf", [1]);
    const ended = place.run(["rm", "a.perf", "b.perf"]);
    expect(ended.status).toBe(5);
    expect(ended.stderr).toContain("[not-registered]");
    expect((place.json("status") as { registered: unknown[] }).registered).toHaveLength(1);
  });

  it("deletes pending profiles by tag and by path", () => {
    for (const name of ["x.perf", "y.perf"])
      place.write(`.perun/jobs/${name}`, timeProfile({ origin: head, amounts: [1] }));
    place.ok("rm", "0@p");
    const [left] = readdirSync(join(place.folder, ".perun/jobs"));
    place.ok("rm", `.perun/jobs/${left}`);
    expect(readdirSync(join(place.folder, ".perun/jobs"))).toEqual([]);
  });
});

describe("status and log", () => {
  it("show the lists", () => {
    addProfile("a.perf", [1]);
    const text = place.ok("status");
    expect(text).toContain(`On branch main, commit ${head}\n`);
    expect(text).toContain("1 registered profile (1 time):");
    expect(text).toContain(" 0@i ┃ [time  ] ┃ time       ┃ (2023-11-14 22:13:20) ┃ a.perf ┃");
    expect(text).toContain("no pending profiles\n\nno changes stored; perfkeep check head");
  });

  it("print the short log by its format", () => {
    addProfile("a.perf", [1], first);
    expect(place.ok("log", "--short")).toBe(
      [
        "checksum (  profiles ) desc changes",
        `${head.slice(0, 8)} (no profiles) two         `,
        `${first.slice(0, 8)} (1 time     ) one         `,
        "",
      ].join("\n"),
    );
    place.ok("config", "set", "format.shortlog", "%desc%|%checksum:12%");
    expect(place.ok("log", "-s").split("\n")[1]).toBe(`two |${head.slice(0, 12)}`);
  });

  it("escape what commits say", () => {
    place.commit("evil \u001B[31m subject");
    expect(place.ok("log")).toContain("evil ^[[31m subject");
    expect(place.ok("status")).toContain("evil ^[[31m subject");
  });

  it("write nothing", () => {
    addProfile("a.perf", [1]);
    const before = readdirSync(join(place.folder, ".perun"), { recursive: true }).sort();
    for (const words of [["status"], ["log"], ["log", "--short"], ["show", "0@i", "tableof", "resources"], ["fsck"]])
      place.ok(...words);
    expect(readdirSync(join(place.folder, ".perun"), { recursive: true }).sort()).toEqual(before);
  });

  it("fail with one line in an instance whose index is damaged, and fsck finds it", () => {
    addProfile("a.perf", [1]);
    const index = join(place.folder, ".perun/objects", head.slice(0, 2), head.slice(2));
    const bytes = readFileSync(index);
    bytes[20] = (bytes[20] as number) ^ 4;
    writeFileSync(index, bytes);
    const ended = place.run(["status"]);
    expect(ended).toMatchObject({ status: 1, stdout: "" });
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.stderr).toContain("[index-damaged]");
    expect(place.run(["fsck"]).status).toBe(1);
  });
});

describe("check", () => {
  it("finds a regression against the nearest version that has a profile", () => {
    addProfile("a.perf", [1, 1, 1], first);
    const between = place.commit("three");
    const slow = place.commit("four");
    addProfile("b.perf", [3, 3, 3], slow);
    const ended = place.run(["check", "head"]);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain(`against ${first.slice(0, 8)}`);
    expect(ended.stdout).toContain("└ worse: time 1 s → 3 s, 3x\n");
    expect(place.run(["check", "head", between]).status).toBe(3);
    expect(place.run(["check", "all"]).stdout).toContain(`Commit ${slow.slice(0, 8)} four`);
  });

  it("uses the methods of the configuration, and refuses those that are none", () => {
    addProfile("a.perf", [1], first);
    addProfile("b.perf", [3], head);
    place.ok("config", "set", "degradation.strategies", "[{method: aat, workload: another}]");
    expect(place.run(["check", "head"]).status).toBe(1);
    place.ok("config", "set", "degradation.strategies", "[{method: banana}]");
    expect(place.run(["check", "head"])).toMatchObject({ status: 2 });
    expect(place.run(["check", "head", "--method", "aat"]).status).toBe(1);
  });

  it("compares two profiles, and refuses different configurations unless forced", () => {
    place.write("a.perf", timeProfile({ amounts: [2] }));
    place.write("b.perf", timeProfile({ amounts: [1] }));
    place.write("c.perf", timeProfile({ amounts: [1], workload: "big" }));
    expect(place.json("check", "profiles", "a.perf", "b.perf")).toMatchObject({
      schema: "perfkeep.changes/1",
      changes: [{ location: "./work", result: "Optimization", rate: 0.5, method: "statistics" }],
    });
    expect(place.run(["check", "profiles", "a.perf", "c.perf"])).toMatchObject({ status: 4 });
    place.ok("check", "profiles", "a.perf", "c.perf", "--force");
  });

  it("says when the machines differ", () => {
    place.write("a.perf", timeProfile({ amounts: [1], machine: { fingerprint: "aaaa" } }));
    place.write("b.perf", timeProfile({ amounts: [1], machine: { fingerprint: "bbbb" } }));
    const { status, stdout } = place.run(["check", "profiles", "a.perf", "b.perf"]);
    expect([status, stdout]).toEqual([3, expect.stringContaining("different machines")]);
  });
});

describe("show", () => {
  it("finds a profile by tag, name, version prefix, object and path", () => {
    addProfile("a.perf", [1.5], first);
    const [{ profiles }] = (place.json("log", first) as { versions: [{ profiles: { object: string }[] }] }).versions;
    const path = place.write("elsewhere.perf", timeProfile({ amounts: [1.5] }));
    for (const word of [`${first}^0@i`, `${first}^a.perf`, profiles[0]?.object ?? "", path])
      expect(place.ok("show", word, "tableof", "resources"), word).toContain("1.5");
  });
});

describe("the command line", () => {
  it.each([
    [["statsu"], 2, "did you mean status?"],
    [["add"], 2, "no profile is named"],
    [["status", "--nope"], 2, "unknown option '--nope'"],
    [["check"], 2, "choose"],
    [["log", "--limit", "x"], 2, "whole number"],
  ])("%j ends with %d and one line", (words, status, text) => {
    const ended = place.run(words);
    expect(ended.status).toBe(status);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.stderr).toContain(text);
  });

  it("reports failures as JSON when JSON was asked for", () => {
    const ended = place.run(["log", "nope", "--format", "json"]);
    expect(ended).toMatchObject({ status: 5, stdout: "" });
    expect(JSON.parse(ended.stderr)).toMatchObject({
      schema: "perfkeep.error/1",
      error: { code: "unknown-revision", exit: 5 },
    });
  });

  it("writes the output to a file", () => {
    place.ok("status", "--format", "json", "-o", "out.json");
    expect(JSON.parse(readFileSync(join(place.folder, "out.json"), "utf8"))).toMatchObject({
      schema: "perfkeep.status/1",
    });
  });

  it("takes general options before the verb, and says when standard output cannot be written", () => {
    expect(place.run(["--no-pager", "-q", "status", "--short"]).status).toBe(0);
    const disk = openSync(join(place.folder, "file"), "r");
    const ended = place.run(["status"], { stdout: disk });
    closeSync(disk);
    expect(ended.status).toBe(74);
    expect(ended.stderr).toContain("[cannot-write-output]");
  });

  it("names a commit given for an object for what it is", () => {
    addProfile("a.perf", [1]);
    expect(place.run(["cat-object", head])).toMatchObject({ status: 2 });
  });

  it("says where there is no instance", () => {
    const elsewhere = new Playground();
    const ended = elsewhere.run(["status"]);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain("[no-instance]");
  });
});
