import { resolve } from "node:path";
import { splitCommand } from "../../core/text/command-line.ts";
import type { Subject } from "../../formats/profile/build-profile.ts";
import { chosenFunctions, type WatchedFile, type Watching } from "./calls/function-selection.ts";
import { symbolsOf } from "./calls/symbols.ts";
import type { Job, Outcome, Shell } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";

/** What is run, and whose functions are meant. */
export interface TraceTarget {
  readonly argv: readonly string[];
  readonly files: readonly WatchedFile[];
}

/** What an engine found out. The outcome is null where the time was over and this is allowed. */
export interface Traced {
  readonly outcome: Outcome | null;
  readonly units: Readonly<Record<string, string>>;
  readonly subjects: readonly Subject[];
}

/**
 * The program of the command, or the one named, and the libraries; what is no file here is for the run to complain of.
 */
export async function targetOf(job: Job, shell: Shell, plan: TracePlan): Promise<TraceTarget> {
  const argv = splitCommand(`${job.cmd} ${job.workload}`);
  const first = argv[0] ?? "";
  const program = first.includes("/") ? resolve(job.directory, first) : await shell.which(first);
  const binary = plan.binary === null ? program : resolve(job.directory, plan.binary);
  const files: WatchedFile[] = [];
  for (const path of [
    ...(binary === null ? [] : [binary]),
    ...plan.libraries.map((library) => resolve(job.directory, library)),
  ])
    files.push({ path, symbols: await symbolsOf(path, shell, job.directory) });
  return { argv, files };
}

/** The functions to be watched, by file. Fails with `unknown-function`. */
export function choiceOf(
  { files }: TraceTarget,
  { choices, others, every }: TracePlan,
): Map<WatchedFile, ReadonlyMap<bigint, Watching>> {
  const named = chosenFunctions(choices, files, every);
  return new Map(
    files.map((file) => {
      const beside = others === null ? [] : file.symbols.filter(({ name }) => others === "all" || isOfUser(name));
      const all = new Map<bigint, Watching>(beside.map(({ address }) => [address, { every, argument: null }]));
      return [file, new Map([...all, ...(named.get(file) ?? [])])] as const;
    }),
  );
}

/** Of the code that GCC puts before main. */
const ofStart = ["frame_dummy", "register_tm_clones", "deregister_tm_clones"];

/** Not what compilers and linkers add, whose names are reserved; names of C++ begin with `_Z`. */
function isOfUser(name: string): boolean {
  return (!name.startsWith("_") || name.startsWith("_Z")) && !ofStart.includes(name);
}
