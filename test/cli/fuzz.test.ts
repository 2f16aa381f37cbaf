import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

let place: Playground;

beforeEach(() => {
  place = new Playground();
  place.write("samples/a.txt", "one two\n");
});

const usual = ["fuzz", "-b", "cat", "-w", "samples", "-o", "fuzzed"];

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

describe("fuzz", () => {
  it("ends with 0 where nothing is found, outside of repositories too, and goes on with the same command line", () => {
    const first = place.run([...usual, "--runs", "5"]);
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining("nothing was found")]);
    const second = place.run([...usual, "--runs", "5", "--format", "json"]);
    expect(second.stderr).toContain("resuming the campaign in fuzzed after");
    const runs = (JSON.parse(second.stdout) as { runs: number }).runs;
    expect(runs).toBeGreaterThanOrEqual(10);
    expect(JSON.parse(readFileSync(join(place.folder, "fuzzed/report.json"), "utf8"))).toEqual(
      JSON.parse(second.stdout),
    );
    expect(place.run([...usual, "--seed", "2"]).stderr).toContain("[campaign-differs]");
  });

  it("stops at a signal, with what it was running, and keeps its state", async () => {
    const words = ["fuzz", "-b", `sh -c 'sleep 0.02; exec cat "$0"'`, "-w", "samples", "-o", "fuzzed"];
    const running = place.begin(words);
    await until(() => existsSync(join(place.folder, "fuzzed/state.json")));
    running.child.kill("SIGINT");
    const ended = await running.ended;
    expect([ended.status, ended.stderr]).toEqual([130, expect.stringContaining("what was found is in fuzzed")]);
    expect(readdirSync(join(place.folder, "fuzzed"))).not.toEqual(expect.arrayContaining(["running", "work"]));
    const { ended: why, runs } = JSON.parse(readFileSync(join(place.folder, "fuzzed/report.json"), "utf8")) as {
      ended: string;
      runs: number;
    };
    expect(why).toBe("interrupted");
    const again = place.run([...words, "--runs", "1", "--resume", "--format", "json"]);
    expect((JSON.parse(again.stdout) as { runs: number }).runs).toBeGreaterThan(runs);
  });

  it("is inherited from a campaign that was killed", async () => {
    const words = ["fuzz", "-b", `sh -c 'sleep 0.02; exec cat "$0"'`, "-w", "samples", "-o", "fuzzed"];
    const running = place.begin(words);
    await until(() => existsSync(join(place.folder, "fuzzed/state.json")));
    expect(place.run([...words, "--runs", "1"]).stderr).toContain("[lock-held]");
    running.child.kill("SIGKILL");
    await running.ended;
    const again = place.run([...words, "--runs", "1", "--resume"]);
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining("resuming")]);
  });

  it("fuzzes another version in a tree of its own", () => {
    place.write("program", '#!/bin/sh\nexec cat "$@"\n');
    place.git("init", "-q", "-b", "main");
    place.git("add", ".");
    place.git("update-index", "--chmod=+x", "program");
    place.git("commit", "-q", "-m", "first");
    place.ok("init");
    place.write("program", "#!/bin/sh\nexit 3\n");
    const before = place.git("status", "--porcelain");
    expect(
      place.ok("fuzz", "-b", "./program", "-w", "samples", "-o", "fuzzed", "-m", "HEAD", "--runs", "3", "-np"),
    ).toContain("./program: ");
    expect(
      place
        .git("status", "--porcelain")
        .replace("?? fuzzed/\n", "")
        .replace(/\?\? fuzzed\/$/, "")
        .trim(),
    ).toBe(before.trim());
    expect(place.git("worktree", "list").split("\n").length).toBe(1);
  });

  it("takes all options of Perun under its letters", () => {
    place.write("rules.yml", "one: two\n");
    symlinkSync(place.program, join(place.folder, "perun"));
    const letters = [
      "-wf",
      "a",
      "-c",
      "time",
      "-cp",
      "time",
      "repeat: 1",
      "-p",
      "normalizer",
      "-t",
      "30",
      "-h",
      "5",
      "-N",
      "500",
      "-mi",
      "100",
    ];
    const more = [
      "-mp",
      "1.5",
      "-e",
      "10",
      "-l",
      "5",
      "-cr",
      "9",
      "-mpr",
      "unitary",
      "-r",
      "rules.yml",
      "-s",
      ".",
      "-g",
      ".",
      "-np",
    ];
    const words = [...usual, ...letters, ...more, "--skip-coverage-testing", "--runs", "12"];
    const ended = place.start(join(place.folder, "perun"), words);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(join(place.folder, "fuzzed/report.json"), "utf8"))).toMatchObject({
      sizeLimit: 500,
      fitness: { kind: "time" },
    });
    expect(place.run(["fuzz", "-h"]).stdout).toContain("Usage: perfkeep fuzz");
  });

  it("says what is missing", () => {
    expect(place.run(["fuzz"])).toMatchObject({ status: 2, stderr: expect.stringContaining("--cmd") });
    expect(place.run(["fuzz", "-b", "cat", "-o", "x"]).stderr).toContain("--input-sample");
    expect(place.run([...usual, "-t", "-1"]).stderr).toContain("[bad-option]");
    expect(place.run([...usual, "-N", "many"]).stderr).toContain("--max-size");
    expect(place.run([...usual, "-cp", "memory", "a: 1"]).stderr).toContain("[unusable-combination]");
  });
});
