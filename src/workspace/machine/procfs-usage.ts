import { readFileSync } from "node:fs";

/** Length of the tick in which the kernel reports CPU time to programs. */
const ticksPerSecond = 100;

export interface Usage {
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly peakBytes: number;
}

/**
 * What a child took, seen from outside through /proc: CPU time by what this process has collected from ended children
 * before and after, the peak by looking at the child while it runs (often at first, then every 50 ms). NaN where there
 * is no /proc.
 */
export class ProcfsUsage {
  readonly #before = childTimes();
  readonly #pid: number;
  #peak = Number.NaN;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#look(1);
  }

  /** Called when the child has ended. */
  end(): Usage {
    clearTimeout(this.#timer);
    const after = childTimes();
    return {
      userSeconds: after.user - this.#before.user,
      systemSeconds: after.system - this.#before.system,
      peakBytes: this.#peak,
    };
  }

  #look(pause: number): void {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${this.#pid}/status`))?.[1];
    if (kibibytes !== undefined) this.#peak = Number(kibibytes) * 1024;
    this.#timer = setTimeout(() => this.#look(Math.min(pause * 2, 50)), pause);
  }
}

/**
 * CPU seconds of all children this process has waited for (fields 16 and 17 of proc(5) stat, after the name in
 * parentheses).
 */
function childTimes(): { user: number; system: number } {
  const stat = read("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    user: Number(fields[13] ?? Number.NaN) / ticksPerSecond,
    system: Number(fields[14] ?? Number.NaN) / ticksPerSecond,
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
