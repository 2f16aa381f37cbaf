import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Playground } from "./program.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;

class Ping extends Playground {
  constructor() {
    super();
    this.environment = { PERFKEEP_HOME: `${this.home}/stored` };
    this.write("ping.exp", "*experiment ping\n*parameter size int Byte 4096\n*result time float us\n");
    this.write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n");
    this.write("a.txt", "1024 1.5\n2048 2.5\n");
    this.ok("experiment", "create", "ping.exp");
    this.ok("import", "-e", "ping", "-d", "ping.inp", "a.txt");
  }

  update(text: string, ...words: readonly string[]) {
    this.write("u.upd", `*update ping\n${text}\n`);
    return this.run(["experiment", "update", "u.upd", ...words]);
  }

  rows(): string[] {
    return this.ok("query", "ping", "--format", "csv").trim().split("\r\n").slice(1);
  }
}

describe("updates of an experiment with runs", () => {
  test("convert the numbers of a changed unit, and say so before", () => {
    const place = new Ping();
    const said = "time: converts 2 values from us to ms: multiplied by 0.001\n";
    expect(place.update("*alter time unit=ms", "--dry-run")).toMatchObject({ status: 0, stderr: said });
    expect(place.rows()).toEqual(["1024,1.5", "2048,2.5"]);
    expect(place.update("*alter time unit=ms")).toMatchObject({ status: 0, stderr: said });
    expect(place.rows()).toEqual(["1024,0.0015", "2048,0.0025"]);
    expect(place.update("*alter size unit=KiByte")).toMatchObject({ status: 0 });
    expect(place.rows()).toEqual(["1,0.0015", "2,0.0025"]);
    expect(place.ok("experiment", "show", "ping")).toContain("*parameter size int KiByte 4");
    place.ok("rebuild", "experiments");
    expect(place.rows()).toEqual(["1,0.0015", "2,0.0025"]);
    const refused = place.update("*alter size unit=MiByte");
    expect(refused).toMatchObject({ status: 4 });
    expect(refused.stderr).toContain("no whole number in MiByte");
    expect(place.json("experiment", "update", "u.upd", "--relabel")).toMatchObject({
      units: [{ name: "size", from: "KiByte", to: "MiByte", values: 2 }],
    });
    expect(place.rows()).toEqual(["1,0.0015", "2,0.0025"]);
    place.ok("rebuild", "experiments");
    expect(place.rows()).toEqual(["1,0.0015", "2,0.0025"]);
  });

  test("take the numbers of a new description in its units", () => {
    const place = new Ping();
    place.write("new.exp", "*experiment ping\n*parameter size int KiByte 4096\n*result time float ms\n");
    expect(place.run(["experiment", "update", "new.exp"])).toMatchObject({ status: 0 });
    expect(place.rows()).toEqual(["1,0.0015", "2,0.0025"]);
    expect(place.ok("experiment", "show", "ping")).toContain("*parameter size int KiByte 4096");
  });

  test("need a default for a new parameter", () => {
    const place = new Ping();
    const refused = place.update("*add parameter mode string");
    expect(refused).toMatchObject({ status: 4 });
    expect(refused.stderr).toContain("the new parameter 'mode' has no default for them");
    expect(place.update("*add parameter mode string - eager")).toMatchObject({ status: 0 });
    expect(place.rows()).toEqual(["1024,1.5,eager", "2048,2.5,eager"]);
    expect(place.update("*add result loss float")).toMatchObject({ status: 0 });
  });

  test("ask before values are deleted", () => {
    const place = new Ping();
    place.update("*add result loss float");
    expect(place.update("*drop loss")).toMatchObject({ status: 0, stderr: "" });
    const refused = place.update("*drop time\n*add result loss float");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("cannot ask 'Delete all values of time?' without a terminal");
    expect(place.rows()).toEqual(["1024,1.5", "2048,2.5"]);
    expect(place.update("*drop time\n*add result loss float", "--force")).toMatchObject({
      status: 0,
      stderr: "time: deletes 2 values\n",
    });
    expect(place.update("*drop size", "--force").stderr).toContain("it would have no parameter");
  });

  test.skipIf(!hasScript)("are not made, with a failure, if the answer is no", () => {
    const place = new Ping();
    place.write("u.upd", "*update ping\n*drop time\n*add result loss float\n");
    const answer = (words: string): { status: number | null; stdout: string } =>
      spawnSync("script", ["-qec", `"${process.execPath}" "${place.program}" ${words}`, "/dev/null"], {
        cwd: place.folder,
        env: { PATH: process.env["PATH"], ...place.environment, HOME: place.home, NO_COLOR: "1" },
        input: "n\n",
        encoding: "utf8",
      });
    const update = answer("experiment update u.upd");
    expect(update.status).toBe(1);
    expect(update.stdout).toContain("nothing was changed: the question was answered with no");
    const deletion = answer("experiment delete ping");
    expect(deletion.status).toBe(1);
    expect(deletion.stdout).toContain("nothing was deleted: the question was answered with no");
    expect(place.rows()).toEqual(["1024,1.5", "2048,2.5"]);
  });

  test("are refused for a description without a parameter, as is its creation", () => {
    const place = new Ping();
    place.write("no.exp", "*experiment no\n*result time float us\n");
    const refused = place.run(["experiment", "create", "no.exp"]);
    expect(refused).toMatchObject({ status: 4 });
    expect(refused.stderr).toContain("there is no parameter, at least one is needed");
  });
});

describe("comments of a description", () => {
  test("belong to their lines, in every place where a description is stored", () => {
    const place = new Ping();
    const text = [
      "*experiment noted",
      "What it measures",
      "",
      "*parameter size int",
      "",
      "*result time float us",
      "",
      "*read ann,bob",
      "Ann reviews,",
      "Bob reads",
      "*write carl",
      "runs the jobs",
      "",
    ];
    place.write("noted.exp", text.join("\n"));
    place.ok("experiment", "create", "noted.exp");
    const comments = { read: "Ann reviews,\nBob reads", write: "runs the jobs" };
    const stored = (): unknown => (place.json("experiment", "info", "noted") as { experiment: unknown }).experiment;
    expect(stored()).toMatchObject({ synopsis: "What it measures", comments });
    expect(place.ok("experiment", "show", "noted")).toContain(
      "*read ann bob\nAnn reviews,\nBob reads\n*write carl\nruns the jobs",
    );
    place.ok("rebuild", "experiments");
    expect(stored()).toMatchObject({ comments });
    place.ok("experiment", "dump", "noted", "-o", "noted.dump");
    place.ok("experiment", "delete", "noted", "--purge", "-f");
    place.ok("experiment", "restore", "noted.dump");
    expect(stored()).toMatchObject({ comments });
    place.write("noted.exp", text.join("\n").replace("runs the jobs", "imports"));
    expect(place.ok("experiment", "update", "noted.exp")).toBe("updated noted: metadata\n");
    expect(stored()).toMatchObject({ comments: { ...comments, write: "imports" } });
  });
});

describe("the programs of the original design", () => {
  test("name runs, and show ranges, counts and spread", () => {
    const place = new Ping();
    const pb = (program: string, ...words: string[]) => {
      const path = join(place.home, program);
      spawnSync("rm", ["-f", path]);
      symlinkSync(place.program, path);
      return place.start(path, words);
    };
    place.write("b.txt", "1024 2.5\n");
    expect(pb("pb_import", "-e", "ping", "-i", "ping.inp", "-r", "second", "b.txt")).toMatchObject({
      status: 0,
      stdout: "b.txt: run 2 (second) of ping with 1 row\n",
    });
    const { stdout } = pb("pb_info", "-e", "ping");
    expect(stdout).toMatch(/time +us +1\.5 +2\.5 +2 +3 +0/);
    expect(stdout).toMatch(/1024 +2 +2 +35\.4 %/);
    expect(stdout).toMatch(/2048 +1 +2\.5 *\n/);
    expect(pb("pb_info", "-e", "ping", "-r", "second").stdout).toMatch(/1024 +1 +2\.5/);
    expect(pb("pb_delete", "-e", "ping", "-r", "second", "-f").stdout).toBe("deleted run 2 of ping\n");
    expect(
      pb(
        "pb_update",
        "-t",
        place.write("v.exp", "*experiment ping\n*parameter size int Byte 4096\n*result time float ms\n"),
      ).stderr,
    ).toContain("converts 3 values");
  });

  test("use the whole address of a description whose host -h names", () => {
    const place = new Ping();
    const path = join(place.home, "pb_info");
    symlinkSync(place.program, path);
    const text = "*database localhost:1 results\n*experiment far\n*parameter size int\n*result time float\n";
    place.write("far.exp", text);
    const info = (...words: string[]): string => place.start(path, ["-d", "far.exp", ...words]).stderr;
    expect(info("-h", "localhost")).toContain("localhost:1:");
    expect(info("-h", "localhost", "-n", "other")).toContain("localhost:1:");
    expect(info("-h", "127.0.0.1", "-p", "2", "-n", "other")).toContain("127.0.0.1:2:");
  });
});
