/** A function whose entering and leaving are told, in the language of bpftrace. */
export interface ProbedFunction {
  /** What stands for it in the log. */
  readonly id: number;
  /** Path without characters that mean something to bpftrace. */
  readonly path: string;
  /** As the linker has it; see `isProbeName`. */
  readonly name: string;
  /** Each so manieth call is told. */
  readonly every: number;
  /** The integer argument, from 1, that is told with it. */
  readonly argument: number | null;
}

/** A probe that the program's authors put into it. */
export interface StaticProbe {
  readonly id: number;
  readonly path: string;
  readonly provider: string;
  readonly name: string;
  readonly every: number;
}

/** Whether a name can stand in a script, between quotes. */
export function isProbeName(name: string): boolean {
  return /^[A-Za-z_.$][\w.$]{0,1000}$/.test(name);
}

/** Whether a path can stand in a script. */
export function isProbePath(path: string): boolean {
  return /^[\w./-]+$/.test(path);
}

/**
 * What happens in other processes of the same program is not told: who starts it is the first argument of the script.
 */
const isOurs = [1, 2, 3].map((generation) => `curtask${"->real_parent".repeat(generation)}->tgid == $1`).join(" || ");

/**
 * A script for bpftrace. It prints a line for each event: `e` or `x` for a function that is entered or left, or `u` for
 * a static probe, and then process, thread, nanoseconds, id and, for `e`, the argument or `-`; `limit` when more than
 * so many were told; `ready` when all probes are set; and at the end `@told: N`, how many lines there have to be. The
 * argument of the script is the process that starts the program.
 */
export function probeScript(
  functions: readonly ProbedFunction[],
  probes: readonly StaticProbe[],
  limit: number,
): string {
  return [
    ...functions.flatMap((called) => [entering(called, limit), leaving(called)]),
    ...probes.map((probe) => hit(probe, limit)),
    ready,
  ]
    .map((text) => `${text}\n`)
    .join("");
}

/** Probes are set in the order in which they stand here. */
const ready = `interval:ms:10 { if (@ready == 0) { @ready = 1; printf("ready\\n"); } }`;

function entering({ id, path, name, every, argument }: ProbedFunction, limit: number): string {
  const [format, value] = argument === null ? ["-", ""] : ["%lld", `, arg${argument - 1}`];
  const tell = `${counted(limit)} ${told} printf("e %d %d %llu ${id} ${format}\\n", pid, tid, nsecs${value});`;
  // Which of the calls within each other are told is remembered by how deep they lie.
  const body =
    every === 1
      ? tell
      : `@d${id}[tid]++; if (@n${id} % ${every} == 0) { @t${id}[tid, @d${id}[tid]] = 1; ${tell} } @n${id}++;`;
  return `uprobe:${path}:"${name}" /${isOurs}/ { ${body} }`;
}

function leaving({ id, path, name, every }: ProbedFunction): string {
  const tell = `${told} printf("x %d %d %llu ${id}\\n", pid, tid, nsecs);`;
  const body =
    every === 1
      ? tell
      : `if (@t${id}[tid, @d${id}[tid]]) { delete(@t${id}[tid, @d${id}[tid]]); ${tell} } if (@d${id}[tid] > 0) { @d${id}[tid]--; }`;
  return `uretprobe:${path}:"${name}" /${isOurs}/ { ${body} }`;
}

function hit({ id, path, provider, name, every }: StaticProbe, limit: number): string {
  const tell = `${counted(limit)} ${told} printf("u %d %d %llu ${id}\\n", pid, tid, nsecs);`;
  const body = every === 1 ? tell : `if (@n${id} % ${every} == 0) { ${tell} } @n${id}++;`;
  return `usdt:${path}:"${provider}":"${name}" /${isOurs}/ { ${body} }`;
}

/** Printed at the end: what was told and did not arrive is missed then. */
const told = "@told = count();";

function counted(limit: number): string {
  return `@all++; if (@all > ${limit}) { printf("limit\\n"); exit(); }`;
}
