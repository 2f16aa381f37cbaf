import { basename } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import { isProbeName, type StaticProbe, endProbeOf, readStaticProbes, type StaticProbeName } from "../../formats/traces/bpftrace.ts";
import type { CalledFunction } from "./calls/traced-process.ts";
import type { Job, Shell } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";
import type { TraceTarget } from "./trace-target.ts";

const answerLimit = 64 << 20;

/** Static probes of files that are wanted, with numbers from `first`; ends by the number of what begins. */
export interface WantedProbes {
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
): Promise<WantedProbes> {
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
    captureLimit: answerLimit,
  });
  return readStaticProbes(new TextDecoder().decode(outcome.stdout));
}

function isNamed({ provider, name }: StaticProbeName, wanted: string): boolean {
  return wanted === name || wanted === `${provider}:${name}`;
}

/** Each so manieth of it is told; null: it is not wanted. Who asks for what begins asks for its end. */
function samplingOf(
  probe: StaticProbeName,
  all: readonly StaticProbeName[],
  path: string,
  { probes, withProbes, every }: TracePlan,
): number | null {
  const begin = all.find((other) => endProbeOf(other, all) === probe);
  const asked = probes.find(({ library, name }) => {
    const isHere = library === null || path === library || path.endsWith(`/${library}`);
    return isHere && (isNamed(probe, name) || (begin !== undefined && isNamed(begin, name)));
  });
  // Of a pair all are told: each so manieth of the one need not belong to that of the other.
  const isPaired = begin !== undefined || endProbeOf(probe, all) !== undefined;
  if (asked !== undefined) return isPaired ? 1 : (asked.every ?? every);
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
