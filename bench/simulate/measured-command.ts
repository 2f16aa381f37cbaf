import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The cost of one run of the program. Calls of the native database library count only in CPU time and memory. */
export interface CommandCost {
  /** File system calls. */
  readonly calls: number;
  /** Listed file names. */
  readonly listed: number;
  /** Bytes read from files and written to them. */
  readonly read: number;
  readonly written: number;
  /** fsync calls. */
  readonly syncs: number;
  /** Processes started, such as git. */
  readonly processes: number;
  /** Bytes that those processes printed to the program. */
  readonly answered: number;
  /** MiB. */
  readonly peak: number;
  /** CPU time in seconds, including child processes. */
  readonly cpu: number;
}

export type Measure = keyof CommandCost;

/** The built program. */
export interface Program {
  readonly script: string;
  /** A preloaded script that counts: counting.cjs. */
  readonly counting: string;
  /** The home folder, isolated from the configuration and caches of the machine. */
  readonly home: string;
}

/** Accepted exit statuses: no regression, a regression, and no baseline. */
const acceptedStatuses = [0, 1, 3];

/** Runs a command and discards its standard output. Fails with its standard error. */
export function measured(program: Program, folder: string, words: readonly string[]): CommandCost {
  mkdirSync(program.home, { recursive: true });
  const [counts, times] = ["counts.json", "times"].map((name) => join(program.home, name)) as [string, string];
  const script = `"$@" > "$THROWN_AWAY"; status=$?; times > "$TIMES_FILE"; exit $status`;
  const ended = spawnSync(
    "sh",
    ["-c", script, "sh", process.execPath, "--require", program.counting, program.script, ...words],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...environment(program.home),
        COUNT_FILE: counts,
        TIMES_FILE: times,
        THROWN_AWAY: join(program.home, "output"),
      },
    },
  );
  if (!acceptedStatuses.includes(ended.status ?? -1))
    throw new Error(`perfkeep ${words.join(" ")}: status ${ended.status}: ${ended.stderr}`);
  const { peak, ...counted } = JSON.parse(readFileSync(counts, "utf8")) as Omit<CommandCost, "cpu">;
  return { ...counted, peak: peak / 1024, cpu: childSeconds(readFileSync(times, "utf8")) };
}

function environment(home: string): Record<string, string | undefined> {
  const folders = { HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  const git = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return {
    PATH: process.env["PATH"],
    TMPDIR: process.env["TMPDIR"],
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    ...folders,
    ...git,
  };
}

/**
 * The second line of the shell's `times`: user and system time of its children, such as `0m1.250000s 0m0.040000s`.
 */
function childSeconds(text: string): number {
  const words = (text.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g);
  return [...words].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}
