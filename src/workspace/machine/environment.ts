import { createHash } from "node:crypto";
import { cpus, hostname, machine, release, totalmem, type, version } from "node:os";
import { type Json, JsonNumber, type JsonObject, jsonObject } from "../../core/values/index.ts";
import type { Shell } from "../../plugins/collectors/collector.ts";
import { systemText } from "../files/index.ts";

/** Tools whose version affects measurements; each is run once with --version. */
const tools = ["cc", "node"] as const;

/**
 * The machine as a profile records it: Perun's keys in Perun's spelling, plus the processor's model and governor, the
 * kernel, versions of compiler and Node, and a fingerprint. A closed list: nothing else of the machine, and no
 * environment variable, enters a profile.
 */
export async function describeEnvironment(shell: Shell, directory: string): Promise<JsonObject> {
  const [processor, memory] = [describeProcessor(), binarySize(totalmem())];
  const versions = jsonObject(await toolVersions(shell, directory));
  const facts = { architecture: machine(), system: type(), release: release() };
  return jsonObject({
    ...facts,
    host: hostname(),
    cpu: jsonObject({
      physical: processor.physical,
      total: processor.total,
      frequency: frequency(),
      model: processor.model,
      governor: processor.governor,
    }),
    memory: jsonObject({ total_ram: memory, swap: binarySize(swapBytes()) }),
    kernel: version(),
    versions,
    fingerprint: fingerprintOf([facts, processor, memory, version(), [...versions]]),
  });
}

/**
 * Adds the state of the measured tree: `digest` is the SHA-1 of its difference to the version, null for a clean tree.
 */
export function withTreeState(environment: JsonObject, digest: string | null): JsonObject {
  const state: [string, Json][] =
    digest === null
      ? [["dirty", false]]
      : [
          ["dirty", true],
          ["diff", digest],
        ];
  return new Map([...environment, ...state]);
}

/** Hash of the facts that decide how fast programs run; excludes host name, current clock rate and swap. */
function fingerprintOf(parts: unknown): string {
  const readOrEmpty = JSON.stringify(parts, (_, value: unknown) => (value instanceof JsonNumber ? value.text : value));
  return createHash("sha256").update(readOrEmpty).digest("hex").slice(0, 16);
}

function describeProcessor(): { model: string; physical: JsonNumber; total: JsonNumber; governor: string | null } {
  const processors = cpus();
  return {
    model: processors[0]?.model.trim() ?? "unknown",
    physical: JsonNumber.integer(physicalCores() || processors.length),
    total: JsonNumber.integer(processors.length),
    governor: systemText("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").trim() || null,
  };
}

/** Number of distinct pairs of socket and core; 0 if the kernel lists none. */
function physicalCores(): number {
  const cores = new Set<string>();
  for (const block of systemText("/proc/cpuinfo").split("\n\n")) {
    const core = /^core id\s*: (\d+)/m.exec(block)?.[1];
    if (core !== undefined) cores.add(`${/^physical id\s*: (\d+)/m.exec(block)?.[1]}/${core}`);
  }
  return cores.size;
}

/** The current clock rate, in Perun's spelling. */
function frequency(): string {
  const megahertz = /^cpu MHz\s*: ([\d.]+)/m.exec(systemText("/proc/cpuinfo"))?.[1] ?? cpus()[0]?.speed ?? 0;
  return `${Number(megahertz).toFixed(2)}Mhz`;
}

function swapBytes(): number {
  return Number(/^SwapTotal:\s+(\d+) kB$/m.exec(systemText("/proc/meminfo"))?.[1] ?? 0) * 1024;
}

async function toolVersions(shell: Shell, directory: string): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const tool of tools) {
    if ((await shell.which(tool)) === null) continue;
    const outcome = await shell.run([tool, "--version"], { directory, captureLimit: 4096, timeoutSeconds: 20 });
    const line = new TextDecoder().decode(outcome.stdout).split("\n")[0]?.trim();
    if (outcome.status === 0 && line) versions[tool] = line.slice(0, 200);
  }
  return versions;
}

/** Formats as `23.5 GiB`: the largest binary unit that leaves at least 1, with one decimal. */
export function binarySize(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${value.toFixed(1)} ${units[unit]}`;
}
