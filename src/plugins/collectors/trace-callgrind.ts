import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { inclusiveCosts, readCallGraph, type CallGraph, type GraphFunction } from "../../formats/stacks/callgrind/call-cycles.ts";
import type { Subject } from "../../formats/profile/build-profile.ts";
import type { FunctionSymbol } from "../../formats/traces/symbol-table.ts";
import { type Job, type Outcome, outputLimit, requireProgram, requireSuccess, type Shell } from "./collector.ts";
import type { TracePlan } from "./trace-plan.ts";
import { choiceOf, type Traced, type TraceTarget } from "./trace-target.ts";

/**
 * Counts instructions under valgrind: for each function and each pair of caller and callee. The same program with the
 * same input always gives the same numbers; there are no single calls, no times and no threads.
 */
export async function traceByCallgrind(target: TraceTarget, job: Job, shell: Shell, plan: TracePlan): Promise<Traced> {
  if ((await shell.which("valgrind")) === null)
    throw new Failure("tool-missing", { tool: "valgrind", install: "valgrind (Debian: apt install valgrind)" });
  requireWholeCounts(plan);
  await requireProgram(target.argv, job, shell);
  const known = knownFunctions(target, plan);
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-callgrind-"));
  try {
    const outcome = await run(target, job, shell, plan, folder);
    if (outcome !== null && !plan.allowFailure) requireSuccess(outcome, job);
    const graphs = graphsIn(folder, job);
    const subjects = graphs.flatMap((graph, at) =>
      subjectsOf(graph, known, graphs.length > 1 ? at + 1 : null, job.workload, plan),
    );
    return { outcome, units: { "mixed(instructions)": "event" }, subjects };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireWholeCounts({ every, choices, probes, withProbes }: TracePlan): void {
  if (probes.length > 0 || withProbes)
    throw new Failure("unusable-combination", {
      what: "static probes (options usdt and with-usdt of trace) are not seen by callgrind",
      instead: "use engine: uprobes",
    });
  if (every === 1 && choices.every((choice) => (choice.every ?? 1) === 1 && choice.argument === null)) return;
  throw new Failure("unusable-combination", {
    what: "sampling and arguments are about single calls, which callgrind does not tell",
    instead: "build the program with -finstrument-functions, or use engine: uprobes",
  });
}

async function run(
  { argv }: TraceTarget,
  job: Job,
  shell: Shell,
  plan: TracePlan,
  folder: string,
): Promise<Outcome | null> {
  // valgrind replaces %p by the number of the process.
  const place = (name: string): string => join(folder.replaceAll("%", "%%"), name);
  const words = ["--trace-children=yes", "--demangle=no", "--separate-recs=1", `--log-file=${place("log-%p")}`];
  try {
    return await shell.run(
      ["valgrind", "--tool=callgrind", ...words, `--callgrind-out-file=${place("out-%p")}`, ...argv],
      {
        directory: job.directory,
        captureLimit: outputLimit,
        ...(plan.timeout === null ? {} : { timeoutSeconds: plan.timeout }),
      },
    );
  } catch (error) {
    if (plan.allowFailure && isFailure(error, "command-timed-out")) return null;
    throw error;
  }
}

function graphsIn(folder: string, job: Job): CallGraph[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("out-"));
  const byProcess = names.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4)));
  const graphs = byProcess.map((name) => readCallGraph(readFileSync(join(folder, name), "latin1")));
  const filled = graphs.filter(({ functions }) => functions.length > 0);
  if (filled.length > 0) return filled;
  throw new Failure("untraceable", {
    what: `'${`${job.cmd} ${job.workload}`.trim()}'`,
    reason: "valgrind told nothing of it",
    instead: "see whether valgrind --tool=callgrind runs it",
  });
}

/** The functions that are wanted, by the linker's name. */
function knownFunctions(target: TraceTarget, plan: TracePlan): Map<string, FunctionSymbol> {
  const chosen = choiceOf(target, plan);
  return new Map(
    [...chosen].flatMap(([{ symbols }, wanted]) =>
      symbols.filter(({ address }) => wanted.has(address)).map((symbol) => [symbol.name, symbol] as const),
    ),
  );
}

function subjectsOf(
  graph: CallGraph,
  known: ReadonlyMap<string, FunctionSymbol>,
  process: number | null,
  workload: string,
  { isMangled }: TracePlan,
): Subject[] {
  const nameOf = ({ name }: GraphFunction): string => (isMangled ? name : (known.get(name)?.prototype ?? name));
  const rowOf = (subtype: string, called: GraphFunction, more: Readonly<Record<string, Json>>): JsonObject =>
    jsonObject({
      ...more,
      location: basename(called.object),
      ...(process === null ? {} : { process: JsonNumber.integer(process) }),
      subtype,
      type: "mixed",
      uid: nameOf(called),
      workload,
    });
  const costs = inclusiveCosts(graph);
  const functions = graph.functions.flatMap((called, at): Subject[] => {
    if (!known.has(called.name)) return [];
    const { cost, cycle } = costs[at]!;
    const cells = { amount: cost, calls: called.calls, exclusive: called.self };
    return [subject(rowOf("instructions", called, cycle === null ? {} : { cycle: JsonNumber.integer(cycle) }), cells)];
  });
  const pairs = graph.functions.flatMap((caller) =>
    [...caller.callees].flatMap(([at, { calls, cost }]): Subject[] => {
      const called = graph.functions[at]!;
      if (!known.has(called.name)) return [];
      return [subject(rowOf("instructions by caller", called, { caller: nameOf(caller) }), { amount: cost, calls })];
    }),
  );
  return [...functions, ...pairs];
}

function subject(properties: JsonObject, cells: Readonly<Record<string, number>>): Subject {
  return {
    properties,
    columns: Object.entries(cells).map(([name, value]) => ({ name, type: "integer", values: [value] })),
  };
}
