import { basename, resolve } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { splitCommand, nearest } from "../../core/text/index.ts";
import type { Subject } from "../../formats/profile/index.ts";
import {
  isProbeName,
  type StaticProbe,
  endProbeOf,
  readStaticProbes,
  type StaticProbeName,
} from "../../formats/traces/index.ts";
import { chosenFunctions, type WatchedFile, type Watching } from "./calls/function-selection.ts";
import { symbolsOf } from "./calls/symbols.ts";
import type { CalledFunction } from "./calls/traced-process.ts";
import type { Job, Shell, Outcome } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";

/** The command and the files to trace. */
export interface TraceTarget {
  readonly argv: readonly string[];
  readonly files: readonly WatchedFile[];
}

/** Receives 0..1, and lines for the user about how the program is traced. */
export interface TraceWatcher {
  progress(done: number): void;
  notice(text: string): void;
}

/** Result of an engine. The outcome is null after a permitted timeout. */
export interface Traced {
  readonly outcome: Outcome | null;
  readonly units: Readonly<Record<string, string>>;
  readonly subjects: readonly Subject[];
}

/**
 * The program of the command, or the configured one, and the libraries. Missing files are reported by the run.
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

/** The functions to trace by file. Fails with `unknown-function`. */
export function choiceOf(
  { files }: TraceTarget,
  { choices, others, every }: TracePlan,
): Map<WatchedFile, ReadonlyMap<bigint, Watching>> {
  const named = chosenFunctions(choices, files, every);
  return new Map(
    files.map((file) => {
      const further =
        others === null ? [] : file.symbols.filter(({ name }) => others === "all" || isUserFunction(name));
      const all = new Map<bigint, Watching>(further.map(({ address }) => [address, { every, argument: null }]));
      return [file, new Map([...all, ...(named.get(file) ?? [])])] as const;
    }),
  );
}

/** Functions of GCC's startup code. */
const startupFunctions = ["frame_dummy", "register_tm_clones", "deregister_tm_clones"];

/** False for reserved names, which compilers and linkers add; C++ names start with `_Z`. */
function isUserFunction(name: string): boolean {
  return (!name.startsWith("_") || name.startsWith("_Z")) && !startupFunctions.includes(name);
}

const outputCapacity = 64 << 20;

/** Selected static probes, numbered from `first`; `pairs` maps the number of a begin probe to that of its end. */
export interface SelectedProbes {
  readonly probes: readonly StaticProbe[];
  readonly pairs: ReadonlyMap<number, number>;
  readonly called: ReadonlyMap<number, CalledFunction>;
}

/** Fails with `unknown-function` and `tool-missing`. */
export async function staticProbesFor(
  { files }: TraceTarget,
  plan: TracePlan,
  job: Job,
  shell: Shell,
  linkOf: (path: string) => string,
  first: number,
): Promise<SelectedProbes> {
  const [probes, pairs, called] = [[] as StaticProbe[], new Map<number, number>(), new Map<number, CalledFunction>()];
  if (plan.probes.length === 0 && !plan.withProbes) return { probes, pairs, called };
  const known = new Map<string, readonly StaticProbeName[]>();
  for (const { path } of files) known.set(path, await probesIn(path, job, shell));
  requireKnown(plan, known);
  for (const [path, all] of known) {
    const numbers = new Map<StaticProbeName, number>();
    for (const probe of all) {
      const every = samplingOf(probe, all, path, plan);
      if (every === null || !isProbeName(probe.name) || !isProbeName(probe.provider)) continue;
      const id = first + probes.length;
      numbers.set(probe, id);
      probes.push({ id, path: linkOf(path), ...probe, every });
      const name = `${probe.provider}:${probe.name}`;
      called.set(id, { name, prototype: name, file: basename(path) });
    }
    for (const [probe, id] of numbers) {
      const partner = numbers.get(endProbeOf(probe, all) ?? probe);
      if (partner !== undefined && partner !== id) pairs.set(id, partner);
    }
  }
  return { probes, pairs, called };
}

async function probesIn(path: string, { directory }: Job, shell: Shell): Promise<StaticProbeName[]> {
  if ((await shell.which("readelf")) === null)
    throw new Failure("tool-missing", { tool: "readelf", install: "GNU binutils (Debian: apt install binutils)" });
  const outcome = await shell.run(["readelf", "--wide", "--notes", "--", path], {
    directory,
    captureLimit: outputCapacity,
  });
  return readStaticProbes(new TextDecoder().decode(outcome.stdout));
}

function isNamed({ provider, name }: StaticProbeName, expected: string): boolean {
  return expected === name || expected === `${provider}:${name}`;
}

/** Sampling of a probe; null: not selected. Selecting a begin probe also selects its end. */
function samplingOf(
  probe: StaticProbeName,
  all: readonly StaticProbeName[],
  path: string,
  { probes, withProbes, every }: TracePlan,
): number | null {
  const begin = all.find((other) => endProbeOf(other, all) === probe);
  const selected = probes.find(({ library, name }) => {
    const isHere = library === null || path === library || path.endsWith(`/${library}`);
    return isHere && (isNamed(probe, name) || (begin !== undefined && isNamed(begin, name)));
  });
  // Pairs are not sampled: the Nth begin need not match the Nth end.
  const isPaired = begin !== undefined || endProbeOf(probe, all) !== undefined;
  if (selected !== undefined) return isPaired ? 1 : (selected.every ?? every);
  return withProbes ? (isPaired ? 1 : every) : null;
}

function requireKnown({ probes }: TracePlan, known: ReadonlyMap<string, readonly StaticProbeName[]>): void {
  const all = [...known.values()].flat();
  const missing = probes.find(({ name }) => !all.some((probe) => isNamed(probe, name)));
  if (missing === undefined) return;
  const names = all.flatMap(({ provider, name }) => [name, `${provider}:${name}`]);
  throw new Failure("unknown-function", {
    name: missing.name.slice(0, 200),
    where: [...known.keys()].join(", ") || "the program",
    near: nearest(missing.name, names)[0],
  });
}
