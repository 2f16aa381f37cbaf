import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { Failure } from "../../core/failures/failure.ts";
import { maxTraceDepth } from "../../formats/traces/call-trace.ts";
import { readDhat } from "../../formats/stacks/heap/dhat.ts";
import type { HeapReport } from "../../formats/stacks/heap/heap-report.ts";
import { readHeaptrack } from "../../formats/stacks/heap/heaptrack.ts";
import { readMassif } from "../../formats/stacks/heap/massif.ts";
import type { Shell } from "./collector.ts";

/** A program that watches the memory of another one and writes a report. */
export interface HeapEngine {
  readonly tool: string;
  readonly install: string;
  /** The command line that measures `words` and puts its reports into `folder`. */
  argv(folder: string, words: readonly string[]): readonly string[];
  read(path: string, shell: Shell): Promise<HeapReport>;
}

const reports = "report";

const valgrind = { tool: "valgrind", install: "valgrind (Debian: apt install valgrind)" };

/**
 * valgrind's own messages never mix with those of the program; children are followed. In its file names a `%` begins an
 * abbreviation.
 */
const valgrindArgv = (name: string, folder: string): string[] => [
  "valgrind",
  `--tool=${name}`,
  "-q",
  "--trace-children=yes",
  "--fullpath-after=",
  `--log-file=${folder.replaceAll("%", "%%")}/log.%p`,
  `--${name}-out-file=${folder.replaceAll("%", "%%")}/${reports}.%p`,
];

/** How the reports of `memory` are made, besides by our own library. */
export const heapEngines: Readonly<Record<string, HeapEngine>> = {
  massif: {
    ...valgrind,
    // Every place, however small, and the exact peak.
    argv: (folder, words) => [
      ...valgrindArgv("massif", folder),
      "--detailed-freq=1",
      "--threshold=0",
      "--peak-inaccuracy=0",
      `--depth=${maxTraceDepth}`,
      ...words,
    ],
    read: (path) => readMassif(createReadStream(path), path),
  },
  dhat: {
    ...valgrind,
    argv: (folder, words) => [...valgrindArgv("dhat", folder), `--num-callers=${maxTraceDepth}`, ...words],
    read: (path) => readDhat(createReadStream(path), path),
  },
  heaptrack: {
    tool: "heaptrack",
    install: "heaptrack (Debian: apt install heaptrack)",
    argv: (folder, words) => ["heaptrack", "-o", `${folder}/${reports}`, ...words],
    read: async (path, shell) => readHeaptrack(await unpacked(path, shell), path),
  },
};

/** The reports in a folder, by process. */
export async function reportsIn(folder: string, engine: HeapEngine, shell: Shell): Promise<HeapReport[]> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${reports}.`));
  const found: HeapReport[] = [];
  for (const name of names) {
    const process = Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);
    found.push({ process, ...(await engine.read(join(folder, name), shell)) });
  }
  return found;
}

/** heaptrack packs its files with what it was built with. */
async function unpacked(path: string, shell: Shell): Promise<AsyncIterable<Uint8Array>> {
  if (path.endsWith(".gz")) return createReadStream(path).pipe(createGunzip()) as AsyncIterable<Uint8Array>;
  if (!path.endsWith(".zst")) return createReadStream(path) as AsyncIterable<Uint8Array>;
  if ((await shell.which("zstd")) === null)
    throw new Failure("tool-missing", { tool: "zstd", install: "zstd (Debian: apt install zstd)" });
  const plain = path.slice(0, -".zst".length);
  const outcome = await shell.run(["zstd", "-q", "-d", "-f", path, "-o", plain], { directory: "/" });
  if (outcome.status !== 0)
    throw new Failure("heap-report-damaged", { file: path, line: 1, reason: "zstd cannot unpack it" });
  return createReadStream(plain) as AsyncIterable<Uint8Array>;
}
