import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../core/failures/failure.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";

/** How long is looked which processor is idle. */
const idleSampleMilliseconds = 150;

/**
 * The processors that `--pin` means, as taskset writes them: those that are named, or for `auto` an isolated one, else
 * the one that is idle most. Fails with `tool-missing` without taskset and with `no-such-processor` for those that this
 * process may not use.
 */
export async function selectProcessors(shell: Shell, wanted: string): Promise<string> {
  if ((await shell.which("taskset")) === null)
    throw new Failure("tool-missing", {
      tool: "taskset, which keeps programs on a processor,",
      install: "apt install util-linux",
    });
  const allowed = parseCpuList(/^Cpus_allowed_list:\s*(.*)$/m.exec(readOrEmpty("/proc/self/status"))?.[1] ?? "") ?? [];
  if (wanted === "auto") return String(await leastBusyProcessor(allowed));
  const named = parseCpuList(wanted);
  if (named === null || named.length === 0 || !named.every((processor) => allowed.includes(processor)))
    throw new Failure("no-such-processor", {
      value: wanted.slice(0, 80),
      allowed: allowed.join(", "),
      example: String(allowed.at(-1) ?? 0),
    });
  return wanted;
}

/** A shell whose programs run on these processors only. */
export function pinnedShell(shell: Shell, processors: string): Shell {
  return { ...shell, run: (argv, options) => shell.run(argv, { ...options, processors }) };
}

/** `0-3,6` as numbers; null when it is not of this form. */
function parseCpuList(text: string): number[] | null {
  const numbers: number[] = [];
  for (const part of text.trim() === "" ? [] : text.trim().split(",")) {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part);
    if (!found) return null;
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])];
    for (let number = from; number <= to; number++) numbers.push(number);
  }
  return numbers;
}

/** Of those that are equally idle the last: interrupts mostly go to the first. */
async function leastBusyProcessor(allowed: readonly number[]): Promise<number> {
  const isolated = (parseCpuList(readOrEmpty("/sys/devices/system/cpu/isolated")) ?? []).filter((processor) =>
    allowed.includes(processor),
  );
  if (isolated[0] !== undefined) return isolated[0];
  const before = idleTicks();
  await setTimeout(idleSampleMilliseconds);
  const after = idleTicks();
  const idle = (processor: number): number => (after.get(processor) ?? 0) - (before.get(processor) ?? 0);
  return allowed.reduce((best, next) => (idle(next) >= idle(best) ? next : best), allowed[0] ?? 0);
}

/** The fourth number of each processor in /proc/stat. */
function idleTicks(): Map<number, number> {
  const lines = readOrEmpty("/proc/stat").matchAll(/^cpu(\d+) (?:\d+ ){3}(\d+)/gm);
  return new Map(Array.from(lines, ([, processor, ticks]) => [Number(processor), Number(ticks)]));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
