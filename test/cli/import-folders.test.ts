import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

const experiment = [
  "*experiment net",
  "*parameter host string - once",
  "*parameter N_proc int - 1 once",
  "*result T float",
  "",
];

let place: Playground;

beforeEach(() => {
  place = new Playground();
  place.write("net.exp", experiment.join("\n"));
  place.write("net.inp", "FILENAME host folder=1\nFILENAME N_proc key=np\nTABLE T pos=1\n");
  place.ok("experiment", "create", "net.exp");
});

function write(path: string, text: string): void {
  const file = join(place.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const run = (...words: string[]) => place.run(["import", "-e", "net", "-d", "net.inp", ...words]);
const rows = (): unknown => (place.json("query", "net", "host", "N_proc", "T") as { rows: unknown }).rows;
const importedFiles = (...words: string[]): string[] => {
  const { runs } = place.json("import", "-e", "net", "-d", "net.inp", ...words) as { runs: { file: string }[] };
  return runs.map(({ file }) => file);
};

describe("import --recursive", () => {
  it("imports files of nested folders in the order of their names, with parameters from the names", () => {
    for (const [at, path] of ["np=4/node7", "np=16/node8", "np=4/node10"].entries())
      write(`runs/${path}/out.txt`, `${at}.5\n`);
    write("runs/np=2.txt", "9.5\n");
    expect(run("--recursive", "runs").stdout.split("\n")).toEqual([
      "runs/np=16/node8/out.txt: run 1 of net with 1 row",
      "runs/np=2.txt: run 2 of net with 1 row",
      "runs/np=4/node10/out.txt: run 3 of net with 1 row",
      "runs/np=4/node7/out.txt: run 4 of net with 1 row",
      "",
    ]);
    expect(rows()).toEqual([
      ["node8", 16, 1.5],
      ["runs", 2, 9.5],
      ["node10", 4, 2.5],
      ["node7", 4, 0.5],
    ]);
    place.ok("rebuild", "experiments");
    expect(rows()).toHaveLength(4);
  });

  it("selects files by patterns", () => {
    for (const [at, path] of ["a/x.out", "a/x.log", "b/y.out", "b/old/y.out", "z.out"].entries())
      write(`runs/${path}`, `${at}\n`);
    expect(importedFiles("--recursive", "runs", "--include", "*.out", "--exclude", "old", "-t")).toEqual([
      "runs/a/x.out",
      "runs/b/y.out",
      "runs/z.out",
    ]);
    expect(importedFiles("--recursive", "runs", "--include", "b/**/*.out", "-t")).toEqual([
      "runs/b/old/y.out",
      "runs/b/y.out",
    ]);
    const none = run("--recursive", "runs", "--include", "*.dat");
    expect([none.status, none.stderr]).toEqual([4, expect.stringContaining("runs: there is no file to read")]);
  });

  it("skips hidden files, links and devices with a notice, and ends despite loops of links", () => {
    write("runs/a/x.out", "1\n");
    write("runs/.git/config", "2\n");
    write("runs/a/.x.out.swp", "3\n");
    symlinkSync("..", join(place.folder, "runs/a/up"));
    symlinkSync("x.out", join(place.folder, "runs/a/same.out"));
    symlinkSync("loop", join(place.folder, "loop"));
    execFileSync("mkfifo", [join(place.folder, "runs/pipe")]);
    const { status, stdout, stderr } = run("--recursive", "runs");
    expect([status, stdout]).toEqual([0, "runs/a/x.out: run 1 of net with 1 row\n"]);
    expect(stderr.split("\n").filter((line) => line.includes("skipped"))).toEqual([
      "runs: skipped 2 entries (hidden): .git, a/.x.out.swp",
      "runs: skipped 2 entries (symbolic link): a/same.out, a/up",
      "runs: skipped 1 entry (not a regular file): pipe",
    ]);
    expect(run("--recursive", "loop")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("loop: too many symbolic links"),
    });
  });

  it("reads files with hostile names, also in the working directory", () => {
    const names = ["-", "--force", "a\nb", "it's $(x) \u001b[31m", "é".repeat(125)];
    for (const [at, name] of names.entries()) write(`h/${name}`, `${at}\n`);
    place.write("h/../root.inp", "FILENAME N_proc key=np\nTABLE T pos=1\n");
    const words = ["import", "-e", "net", "-d", "../root.inp", "-f", "host=x", "--recursive", "."];
    const { status, stdout } = place.run(words, { cwd: join(place.folder, "h") });
    expect(status).toBe(0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "./-: run 1 of net with 1 row",
      "--force: run 2 of net with 1 row",
      "a^Jb: run 3 of net with 1 row",
    ]);
    expect(rows()).toHaveLength(names.length);
  });

  it.skipIf(process.getuid?.() === 0)("refuses a folder that it cannot read", () => {
    write("runs/a/x.out", "1\n");
    mkdirSync(join(place.folder, "runs/closed"), { mode: 0 });
    const { status, stderr } = run("--recursive", "runs");
    chmodSync(join(place.folder, "runs/closed"), 0o700);
    expect([status, stderr]).toEqual([4, expect.stringContaining("runs/closed: permission denied")]);
  });

  it("is needed for folders, and for patterns", () => {
    write("runs/a/x.out", "1\n");
    expect(run("runs")).toMatchObject({ status: 4, stderr: expect.stringContaining("--recursive reads all files") });
    expect(run("runs/a/x.out", "--include", "*.out").status).toBe(2);
  });

  it("imports known formats", () => {
    for (const host of ["a", "b"])
      write(`bench/${host}/r.json`, JSON.stringify({ results: [{ command: host, mean: 1, times: [1, 1.5] }] }));
    write("bench/.notes", "x\n");
    const { status, stdout, stderr } = place.run(["import", "--recursive", "bench"]);
    expect([status, stdout.match(/bench\/[ab]\/r\.json/g)]).toEqual([0, ["bench/a/r.json", "bench/b/r.json"]]);
    expect(stderr).toContain("bench: skipped 1 entry (hidden): .notes");
  });
});
