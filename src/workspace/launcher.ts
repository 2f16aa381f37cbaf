import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../plugins/collectors/collector.ts";
import { assetPath } from "./assets.ts";
import { isExecutable, searchPath } from "./search-path.ts";

/** A way to start a program so that what it takes is known. Words of `prefix` stand before the program's; it reports on descriptor 3 unless empty. */
export interface Launcher {
  readonly clock: Clock;
  readonly prefix: readonly string[];
}

export interface LauncherPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the user's own for the built launcher. */
  readonly cacheFolder: string;
}

/** Numbers of wait4, clock_gettime and prctl on Linux, by processor. */
const systemCalls: Readonly<Record<string, string>> = { x64: "61,228,157", arm64: "260,113,167" };

/** The best launcher this machine has: built from C and kept, else through Perl, else none. */
export function findLauncher(places: LauncherPlaces): Launcher {
  return compiled(places) ?? throughPerl(places) ?? bare;
}

/** Without a launcher the program is started directly. */
export const bare: Launcher = { clock: process.platform === "linux" ? "procfs" : "none", prefix: [] };

/** The C launcher; built at first use, by rename, so that a kill or a second builder never leaves half of one. */
export function compiled(places: LauncherPlaces): Launcher | null {
  const source = assetPath("launcher.c");
  const key = createHash("sha256").update(readFileSync(source)).update(process.platform).update(process.arch).digest("hex");
  const path = join(places.cacheFolder, `launcher-${key.slice(0, 16)}`);
  if (isExecutable(path) || build(source, path, places)) return { clock: "wait4", prefix: [path] };
  return null;
}

function build(source: string, path: string, places: LauncherPlaces): boolean {
  const compiler = ["cc", "gcc", "clang"].map((name) => searchPath(name, places.environment["PATH"])).find((found) => found !== null);
  if (!compiler) return false;
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(places.cacheFolder, { recursive: true, mode: 0o700 });
    spawnSync(compiler, ["-O2", "-o", temporary, source], { stdio: "ignore", timeout: 30_000 });
    if (!reports([temporary], [temporary], 2)) return false;
    renameSync(temporary, path);
    return true;
  } catch {
    // A cache that cannot be written only costs precision: the next way is taken and recorded.
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Perl, where its system calls work. */
export function throughPerl(places: LauncherPlaces): Launcher | null {
  const numbers = process.platform === "linux" ? systemCalls[process.arch] : undefined;
  const perl = searchPath("perl", places.environment["PATH"]);
  if (numbers === undefined || perl === null) return null;
  const prefix = [perl, assetPath("launcher.pl"), numbers];
  return reports(prefix, [perl, "-e", "exit 7"], 7) ? { clock: "perl-wait4", prefix } : null;
}

/** Tries the launcher on a program that ends with `status`. */
function reports(prefix: readonly string[], program: readonly string[], status: number): boolean {
  const [file = "", ...words] = prefix;
  const { output } = spawnSync(file, [...words, ...program], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    timeout: 10_000,
    encoding: "utf8",
  });
  return new RegExp(`^done \\d+ \\d+ \\d+ \\d+ ${status} -\\n$`).test(output?.[3] ?? "");
}
