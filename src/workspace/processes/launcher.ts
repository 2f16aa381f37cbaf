import { spawnSync } from "node:child_process";
import type { Clock } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../files/assets.ts";
import { builtAsset, type BuildPlaces } from "./build-asset.ts";
import { searchPath } from "./search-path.ts";

/**
 * A way to start a program so that what it takes is known. Words of `prefix` stand before the program's; it reports on
 * descriptor 3 unless empty.
 */
export interface Launcher {
  readonly clock: Clock;
  readonly prefix: readonly string[];
}

export type LauncherPlaces = BuildPlaces;

/** Numbers of wait4, clock_gettime and prctl on Linux, by processor. */
const systemCalls: Readonly<Record<string, string>> = { x64: "61,228,157", arm64: "260,113,167" };

/** The best launcher this machine has: built from C and kept, else through Perl, else none. */
export function findLauncher(places: LauncherPlaces): Launcher {
  return compiled(places) ?? throughPerl(places) ?? bare;
}

/** Without a launcher the program is started directly. */
export const bare: Launcher = { clock: process.platform === "linux" ? "procfs" : "none", prefix: [] };

/** The C launcher, built at first use. */
export function compiled(places: LauncherPlaces): Launcher | null {
  const works = (path: string): boolean => reports([path], [path], 2);
  const built = builtAsset(places, { source: "launcher.c", words: [], works });
  return "path" in built ? { clock: "wait4", prefix: [built.path] } : null;
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
