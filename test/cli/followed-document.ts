import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { isAsShown, stepsIn, type ShownCommand } from "./console-blocks.ts";
import { Playground, scratchFolder } from "./program.ts";

/** What is different where a document is tried. */
export interface Surroundings {
  /** What lies in the folder already. */
  readonly prepare?: (folder: string) => void;
  /** What the document says, and what it is here: addresses of servers. */
  readonly instead?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Does what a Markdown document says, in a folder of its own: its files are made, its commands typed into one shell, so
 * that later ones find what earlier ones have left, and what is shown below them has to come. Answers that folder.
 */
export function follow(
  path: string,
  { prepare = () => {}, instead = {}, environment = {} }: Surroundings = {},
): string {
  const place = new Playground();
  prepare(place.folder);
  const text = Object.entries(instead).reduce(
    (said, [from, to]) => said.replaceAll(from, to),
    readFileSync(path, "utf8"),
  );
  const programs = programsOf(place);
  const env = { ...cleanEnvironment(place), ...environment, PATH: `${programs}:${process.env["PATH"]}` };
  const steps = stepsIn(text);
  const files = scratchFolder();
  const script = steps.map((step, at) => {
    if (step.kind === "command") return `${step.command}${tellEnd}`;
    writeFileSync(join(files, String(at)), step.content);
    return `mkdir -p "$TUTORIAL/${dirname(step.path)}" && cp "${join(files, String(at))}" "$TUTORIAL/${step.path}"\n`;
  });
  writeFileSync(join(files, "script"), `exec 2>&1 </dev/null\n${script.join("")}`);
  const bash = ["--norc", join(files, "script")];
  const { stdout } = spawnSync("bash", bash, {
    cwd: place.folder,
    env: { ...env, TUTORIAL: place.folder },
    encoding: "utf8",
  });
  const ends = [...stdout.matchAll(/([\s\S]*?)\0(\d+)\0/g)].map(([, said = "", status]) => ({
    said,
    status: Number(status),
  }));
  const commands = steps.filter((step) => step.kind === "command");
  for (const [at, command] of commands.entries()) expectAsShown(command, ends[at], commands[at + 1]);
  return place.folder;
}

/** Marks the end of a command's output, with its exit status, and leaves that as it was. */
const tellEnd = `told=$?; printf '\\0%d\\0' "$told"; (exit "$told")\n`;

function expectAsShown(
  { command, shown, line }: ShownCommand,
  end: { readonly said: string; readonly status: number } | undefined,
  next: ShownCommand | undefined,
): void {
  if (end === undefined) throw new Error(`line ${line}: the shell ended before $ ${command}`);
  if (shown !== "" && !isAsShown(end.said, shown)) expect(`$ ${command}${end.said}`).toBe(`$ ${command}${shown}`);
  const isTold = next?.command.startsWith("echo $?") === true;
  if (!isTold) expect(end.status, `line ${line}: $ ${command}${end.said}`).toBe(0);
}

function cleanEnvironment({ home }: Playground): Record<string, string> {
  const identity = { NAME: "Ada", EMAIL: "ada@example.org", DATE: "2026-03-01T12:00:00Z" };
  const git = Object.entries(identity).flatMap(([key, value]) =>
    ["AUTHOR", "COMMITTER"].map((who) => [`GIT_${who}_${key}`, value]),
  );
  return {
    ...Object.fromEntries(git),
    HOME: home,
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    COLUMNS: "100",
  };
}

function programsOf(place: Playground): string {
  const programs = join(scratchFolder(), "bin");
  mkdirSync(programs);
  chmodSync(place.program, 0o755);
  symlinkSync(place.program, join(programs, "perfkeep"));
  return programs;
}
