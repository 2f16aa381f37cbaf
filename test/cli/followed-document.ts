import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isAsShown, stepsIn, type ShownCommand } from "./console-blocks.ts";
import { Playground, scratchFolder } from "./program.ts";

/** Does what a Markdown document says, in a folder of its own: its files are made, its commands run, and what is shown below them has to come. Answers that folder. */
export function follow(path: string, prepare: (folder: string) => void = () => {}): string {
  const place = new Playground();
  prepare(place.folder);
  const programs = programsOf(place);
  let status = 0;
  for (const step of stepsIn(readFileSync(path, "utf8"))) {
    if (step.kind === "file") chmodSync(place.write(step.path, step.content), 0o755);
    else status = tried(place, programs, step, status);
  }
  expect(status).toBe(0);
  return place.folder;
}

/** Runs a command as a shell does that ran the one before it; what is shown below it has to come. Answers its exit status. */
function tried(place: Playground, programs: string, { command, shown, line }: ShownCommand, before: number): number {
  if (!command.startsWith("echo $?")) expect(before, `line ${line}: before ${command}`).toBe(0);
  const env = { ...cleanEnvironment(place), PATH: `${programs}:${process.env["PATH"]}` };
  const script = `exec 2>&1\n(exit ${before})\n${command}`;
  const { status, stdout } = spawnSync("bash", ["--norc", "-c", script], { cwd: place.folder, env, encoding: "utf8" });
  if (shown !== "" && !isAsShown(stdout, shown)) expect(`$ ${command}${stdout}`).toBe(`$ ${command}${shown}`);
  return command.startsWith("echo $?") ? 0 : (status ?? -1);
}

function cleanEnvironment({ home }: Playground): Record<string, string> {
  const identity = { NAME: "Ada", EMAIL: "ada@example.org", DATE: "2026-03-01T12:00:00Z" };
  const git = Object.entries(identity).flatMap(([key, value]) => ["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_${key}`, value]));
  return { ...Object.fromEntries(git), HOME: home, TZ: "UTC", LC_ALL: "C.UTF-8", NO_COLOR: "1", GIT_CONFIG_NOSYSTEM: "1", COLUMNS: "100" };
}

function programsOf(place: Playground): string {
  const programs = join(scratchFolder(), "bin");
  mkdirSync(programs);
  chmodSync(place.program, 0o755);
  symlinkSync(place.program, join(programs, "perfkeep"));
  return programs;
}
