import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Playground, timeProfile } from "./program.ts";

let place: Playground;
const path = (): string => join(place.folder, "perfkeep.triage");

beforeEach(() => {
  place = new Playground();
});

describe("triage add", () => {
  it("writes sorted lines with whole ids, commits nothing, and says nothing twice", () => {
    const first = place.commit("first");
    const second = place.commit("second");
    place.ok("triage", "add", "b", "accepted", "--at", "HEAD", "-m", "Ada:\nfaster\u202e elsewhere");
    place.ok("triage", "add", "a", "fixed", "--at", "HEAD~1..HEAD");
    place.ok("triage", "add", "c", "renamed", "--to", 'd "e"');
    const again = place.run(["triage", "add", "c", "renamed", "--to", 'd "e"']);
    expect(again).toMatchObject({ status: 0, stderr: "perfkeep.triage already has this line\n" });
    const lines = readFileSync(path(), "utf8")
      .split("\n")
      .filter((line) => !line.startsWith("#") && line !== "");
    expect(lines).toEqual([
      `"a" ${first}..${second} fixed`,
      `"b" ${second} accepted Ada: faster  elsewhere`,
      '"c" * renamed "d \\"e\\""',
    ]);
    expect(place.git("status", "--porcelain")).toBe("?? perfkeep.triage");
    expect(place.ok("triage", "list")).toContain(`${first.slice(0, 8)}..${second.slice(0, 8)}`);
  });

  it.each([
    [["a", "acepted"], "unknown state 'acepted'"],
    [["a", "accepted"], "no commit is given for accepted"],
    [["a", "accepted", "--at", ".."], "a range has an end"],
    [["a", "accepted", "--at", "*", "--to", "b"], "--to belongs to renamed"],
    [["a", "renamed"], "a renamed subject has a new key"],
    [["a", "renamed", "--to", "b", "--at", "HEAD"], "applies to every commit"],
    [["a", "went-away", "--at", "*"], "went-away requires a commit"],
    [["", "accepted", "--at", "*"], "the key is empty"],
    [["a", "fixed", "--at", "nowhere"], "nowhere"],
    [["a", "renamed", "--to", "a"], "in a cycle"],
  ])("refuses %j", (words, message) => {
    place.commit("first");
    const { status, stderr } = place.run(["triage", "add", ...words]);
    expect([2, 4, 5]).toContain(status);
    expect(stderr).toContain(message);
    expect(existsSync(path())).toBe(false);
  });

  it("needs a repository", () => {
    expect(place.run(["triage", "add", "a", "fixed", "--at", "*"]).stderr).toContain("not-a-repository");
  });
});

describe("triage check", () => {
  it("finds contradictions and versions that are nowhere, with their lines", () => {
    place.commit("first");
    place.write("perfkeep.triage", '"a" * accepted\n# why\n"a" * fixed\n"b" abcdef0..  expected\n"a" * accepted\n');
    const { status, stdout } = place.run(["triage", "check"]);
    expect(status).toBe(1);
    expect(stdout).toBe(
      "perfkeep.triage:3: it is fixed here and accepted in line 1, for the same commits\n" +
        "perfkeep.triage:4: there is no commit abcdef0 in the repository\n",
    );
  });

  it("knows versions of other branches", () => {
    place.commit("first");
    place.git("checkout", "-q", "-b", "side");
    const side = place.commit("second");
    place.git("checkout", "-q", "main");
    place.write("perfkeep.triage", `"a" ${side.slice(0, 9)} accepted\n`);
    expect(place.ok("triage", "check")).toBe("");
  });

  it("says where the file cannot be read", () => {
    place.commit("first");
    place.write("perfkeep.triage", '"a" * accepted\n"b" * acepted\n');
    const { status, stderr } = place.run(["triage", "check"]);
    expect(status).toBe(4);
    expect(stderr).toContain("perfkeep.triage:2:7: unknown state 'acepted': did you mean accepted?");
    place.write("perfkeep.triage", new Uint8Array([0x22, 0xff, 0x22]));
    expect(place.run(["triage", "list"]).stderr).toContain("perfkeep.triage:1:1: it is not UTF-8");
  });
});

it("two branches that each decide something merge without a conflict", () => {
  place.commit("first");
  place.write(".gitattributes", "perfkeep.triage merge=union\n");
  place.commit("attributes", ".gitattributes");
  const decide = (branch: string, key: string): void => {
    place.git("checkout", "-q", "-B", branch, "main");
    place.ok("triage", "add", key, "accepted", "--at", "*");
    place.commit(key, "perfkeep.triage");
  };
  decide("one", "b");
  decide("two", "a");
  place.git("merge", "-q", "-m", "both", "one");
  const { entries } = place.json("triage", "list") as { entries: { key: string }[] };
  expect(entries.map(({ key }) => key).sort()).toEqual(["a", "b"]);
  expect(place.ok("triage", "check")).toBe("");
});

describe("a check that perfkeep.triage speaks to", () => {
  const place = new Playground();
  const commits: string[] = [];

  beforeAll(() => {
    for (let at = 0; at < 12; at++) {
      const commit = place.commit(`change ${at}`);
      commits.push(commit);
      if (at === 0) place.ok("init");
      const amounts = [0, 1, 2, 3].map((n) => (at < 6 ? 0.1 : 0.13) * (1 + (((at * 7 + n * 3) % 5) - 2) / 400));
      place.ok("add", place.write(`${at}.perf`, timeProfile({ origin: commit, amounts })));
    }
  }, 60_000);

  it("fails unless it is accepted, and again where a fix did not last", () => {
    const { status, stdout } = place.run(["check", "series", "--format", "json"]);
    const [worse] = (JSON.parse(stdout) as { verdicts: { subject: { key: string } }[] }).verdicts;
    const known = worse?.subject.key ?? "";
    expect(status).toBe(1);

    place.ok("triage", "add", known, "accepted", "--at", commits[6] as string, "-m", "Ada: worth it");
    const accepted = place.run(["check", "series", "--format", "json"]);
    expect(accepted).toMatchObject({ status: 0 });
    expect(accepted.stderr).toContain(`is accepted: Ada: worth it`);
    expect(JSON.parse(accepted.stdout)).toMatchObject({
      verdicts: [{ outcome: "worse", triage: { state: "accepted", note: "Ada: worth it" } }],
    });
    expect(place.ok("check", "series", "--format", "junit")).toContain('failures="0"');

    place.write("perfkeep.triage", `${JSON.stringify(known)} ${commits[4]} fixed\n`);
    const back = place.run(["check", "series", `${commits[2]}..`, "--format", "annotations"]);
    expect(back.status).toBe(1);
    expect(back.stdout).toMatch(/^::error title=time .\/work%3A time::.* came back after a fix\n$/);
  });

  it("tells of the comparison of profiles as well", () => {
    place.write("perfkeep.triage", "");
    const words = (status: number, ...more: string[]): string => {
      const ended = place.run(["check", "head", ...more, "--format", "annotations"]);
      expect(ended.status, ended.stderr).toBe(status);
      return ended.stdout;
    };
    const slow = commits[6] as string;
    place.ok(
      "add",
      "-m",
      "HEAD",
      place.write("slow.perf", timeProfile({ origin: commits.at(-1) as string, amounts: [0.9, 0.9] })),
    );
    expect(words(1)).toMatch(
      new RegExp(
        String.raw`^::error title=time ./work%3A time::time ./work: time is worse: .* → 900 ms; \+.*; ` +
          String.raw`since [0-9a-f]{8}; p = [0-9.e-]+, statistics, n = [0-9]+ \+ 2$`,
        "m",
      ),
    );
    expect(words(3, commits[0] as string)).toContain("no earlier commit has a comparable profile");
    expect(words(1, slow)).toMatch(/time is worse: .* → .*; \+/);
    const [, key = ""] =
      /key="((?:[^"\\]|\\.)*)"/.exec(place.run(["check", "head", "--format", "openmetrics"]).stdout) ?? [];
    place.ok("triage", "add", JSON.parse(`"${key}"`) as string, "accepted", "--at", "HEAD");
    expect(words(0)).toMatch(/^::notice .*accepted\n$/);
    expect(place.run(["check", "head"]).status).toBe(0);
  });
});
