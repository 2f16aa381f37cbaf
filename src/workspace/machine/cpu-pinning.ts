import { setTimeout } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { systemText } from "../files/index.ts";

/** How long processors are observed to find an idle one. */
const idleSampleMilliseconds = 150;

/**
 * The processors selected by `--pin`, in taskset's syntax: the given ones, or for `auto` an isolated one, else the
 * least busy one. Fails with `tool-missing` without taskset and with `no-such-processor` for processors that this
 * process may not use.
 */
export async function selectProcessors(shell: Shell, requested: string): Promise<string> {
  if ((await shell.which("taskset")) === null)
    throw new Failure("tool-missing", {
      tool: "taskset, which pins programs to processors,",
      install: "apt install util-linux",
    });
  const allowed = parseCpuList(/^Cpus_allowed_list:\s*(.*)$/m.exec(systemText("/proc/self/status"))?.[1] ?? "") ?? [];
  if (requested === "auto") return String(await leastBusyProcessor(allowed));
  const processors = parseCpuList(requested);
  if (processors === null || processors.length === 0 || !processors.every((processor) => allowed.includes(processor)))
    throw new Failure("no-such-processor", {
      value: requested.slice(0, 80),
      allowed: allowed.join(", "),
      example: String(allowed.at(-1) ?? 0),
    });
  return requested;
}

/** A shell that pins its programs to these processors. */
export function pinnedShell(shell: Shell, processors: string): Shell {
  return { ...shell, run: (argv, options) => shell.run(argv, { ...options, processors }) };
}

/** Parses `0-3,6`; null if malformed. */
function parseCpuList(text: string): number[] | null {
  const numbers: number[] = [];
  for (const part of text.trim() === "" ? [] : text.trim().split(",")) {
    const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (!range) return null;
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    for (let number = from; number <= to; number++) numbers.push(number);
  }
  return numbers;
}

/** Prefers the last of equally idle processors: interrupts mostly go to the first. */
async function leastBusyProcessor(allowed: readonly number[]): Promise<number> {
  const isolated = (parseCpuList(systemText("/sys/devices/system/cpu/isolated")) ?? []).filter((processor) =>
    allowed.includes(processor),
  );
  if (isolated[0] !== undefined) return isolated[0];
  const before = idleTicks();
  await setTimeout(idleSampleMilliseconds);
  const after = idleTicks();
  const idle = (processor: number): number => (after.get(processor) ?? 0) - (before.get(processor) ?? 0);
  return allowed.reduce((best, next) => (idle(next) >= idle(best) ? next : best), allowed[0] ?? 0);
}

/** Idle ticks by processor, the fourth number of each cpu line in /proc/stat. */
function idleTicks(): Map<number, number> {
  const lines = systemText("/proc/stat").matchAll(/^cpu(\d+) (?:\d+ ){3}(\d+)/gm);
  return new Map(Array.from(lines, ([, processor, ticks]) => [Number(processor), Number(ticks)]));
}
