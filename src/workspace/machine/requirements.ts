import { accessSync, constants, readFileSync, readlinkSync } from "node:fs";
import type { Outcome, Shell } from "../../plugins/collectors/collector.ts";
import { assetPath } from "../files/index.ts";

/** Whether something is there, there but not usable by this user on this machine, or missing. */
export type RequirementState = "present" | "limited" | "missing";

/** Something of the machine that perfkeep uses. */
export interface Requirement {
  readonly name: string;
  readonly state: RequirementState;
  /** Nothing works without it. */
  readonly required: boolean;
  /** Null: unknown, or there is no such thing as a version. */
  readonly version: string | null;
  /** What is wrong and what to do; null if it is present. */
  readonly remedy: string | null;
  /** The Debian package that has it; null: part of perfkeep or of the kernel. */
  readonly debian: string | null;
  readonly purpose: string;
}

/** A native library that perfkeep brings along for some platforms. */
interface Library {
  readonly name: string;
  readonly purpose: string;
  /** Loads it; throws if it does not load. */
  load(): Promise<unknown>;
}

/** A program on the path. */
interface Tool {
  readonly name: string;
  /** The first one found counts. */
  readonly programs: readonly string[];
  readonly debian: string;
  readonly purpose: string;
  readonly required?: true;
}

const tools: readonly Tool[] = [
  {
    name: "git",
    programs: ["git"],
    debian: "git",
    required: true,
    purpose: "versions of profiles, worktrees, push and pull",
  },
  {
    name: "C compiler",
    programs: ["cc", "gcc", "clang"],
    debian: "gcc libc6-dev",
    purpose: "exact resource usage and the collectors memory, trace and complexity",
  },
  { name: "valgrind", programs: ["valgrind"], debian: "valgrind", purpose: "collectors counters, trace and memory" },
  { name: "heaptrack", programs: ["heaptrack"], debian: "heaptrack", purpose: "collector memory, engine heaptrack" },
  { name: "zstd", programs: ["zstd"], debian: "zstd", purpose: "reports of heaptrack" },
  {
    name: "binutils",
    programs: ["nm", "readelf", "addr2line"],
    debian: "binutils",
    purpose: "functions and lines of programs in memory, trace and complexity",
  },
  { name: "gcov", programs: ["gcov"], debian: "gcc", purpose: "fuzz by coverage" },
  { name: "gnuplot", programs: ["gnuplot"], debian: "gnuplot-nox", purpose: "pictures of perfbase's gnuplot outputs" },
  { name: "taskset", programs: ["taskset"], debian: "util-linux", purpose: "run --pin: measure on chosen processors" },
  { name: "less", programs: ["less"], debian: "less", purpose: "pages of long output; PAGER names another one" },
  {
    name: "PostgreSQL client",
    programs: ["psql"],
    debian: "postgresql-client",
    purpose: "administration of shared databases; perfkeep itself connects without it",
  },
];

/** Everything perfkeep uses on this machine, in the order of importance. Starts programs; changes nothing. */
export async function checkRequirements(shell: Shell, libraries: readonly Library[]): Promise<Requirement[]> {
  const [first, ...others] = await Promise.all(tools.map((tool) => ofTool(tool, shell)));
  const own = [nodeVersion(), ...(await Promise.all(libraries.map(ofLibrary))), font()];
  const kernel = [await perf(shell), await uprobes(shell)];
  return [...(first === undefined ? [] : [first]), ...own, ...kernel, ...others];
}

async function ofTool({ name, programs, debian, purpose, required }: Tool, shell: Shell): Promise<Requirement> {
  const common = { name, required: required === true, debian, purpose };
  const all = name === "binutils";
  const paths = await Promise.all(programs.map((program) => shell.which(program)));
  const lacking = programs.filter((_, at) => paths[at] === null);
  if (all ? lacking.length > 0 : lacking.length === programs.length)
    return {
      ...common,
      state: "missing",
      version: null,
      remedy: `${lacking.join(", ")} not found; ${install(debian)}`,
    };
  const found = programs.find((_, at) => paths[at] !== null) ?? name;
  const version = await versionOf(found, shell);
  const old = name === "git" && version !== null && isOlder(version, [2, 30]);
  const remedy = old ? "git 2.30 or newer is needed for worktrees" : null;
  return { ...common, state: old ? "limited" : "present", version, remedy };
}

const install = (packages: string): string => `Debian: apt install ${packages}`;

/** The first number with dots that `--version` prints. */
async function versionOf(program: string, shell: Shell): Promise<string | null> {
  const printed = await attempt(shell, [program, "--version"]);
  if (printed?.status !== 0) return null;
  return /\d+(?:\.\d+)+/.exec(new TextDecoder().decode(printed.stdout))?.[0] ?? null;
}

/** Null if the program could not be started or did not end in time. */
async function attempt(shell: Shell, words: readonly string[]): Promise<Outcome | null> {
  try {
    return await shell.run(words, { directory: "/", captureLimit: 65_536, timeoutSeconds: 20 });
  } catch {
    return null;
  }
}

function isOlder(version: string, least: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < least[0] || (major === least[0] && minor < least[1]);
}

function nodeVersion(): Requirement {
  const version = process.versions.node;
  const old = isOlder(version, [20, 19]);
  return {
    name: "Node",
    state: old ? "limited" : "present",
    required: true,
    version,
    remedy: old ? "Node 20.19 or newer is needed" : null,
    debian: "nodejs",
    purpose: "runs perfkeep; collector node",
  };
}

async function ofLibrary({ name, purpose, load }: Library): Promise<Requirement> {
  const common = { name, required: false, version: null, debian: null, purpose };
  try {
    await load();
    return { ...common, state: "present", remedy: null };
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    const cause = `its library for ${process.platform} ${process.arch} does not load (${reason})`;
    return { ...common, state: "missing", remedy: `${cause}; ${loadRemedy(reason)}` };
  }
}

/** Of a reason that the dynamic linker gives: `libfoo.so.1: cannot open shared object file: …`. */
function loadRemedy(reason: string): string {
  const lacking = /^(\S+): cannot open shared object file/.exec(reason)?.[1];
  if (lacking === undefined || lacking.includes("/")) return "reinstall perfkeep";
  return `install the system package that has ${lacking} (Debian: apt-file search ${lacking})`;
}

/** The font of pictures comes with perfkeep; browsers and gnuplot use those of the system. */
function font(): Requirement {
  const common = { name: "font", required: false, version: null, debian: null, purpose: "text in PNG pictures" };
  try {
    accessSync(assetPath("fonts/DejaVuSans.ttf"), constants.R_OK);
    return { ...common, state: "present", remedy: null };
  } catch {
    return { ...common, state: "missing", remedy: "perfkeep's own font is unreadable; reinstall perfkeep" };
  }
}

/** perf can be there without being allowed to count, in a container for example; only an attempt shows it. */
async function perf(shell: Shell): Promise<Requirement> {
  const debian = "linux-perf";
  const common = { name: "perf", required: false, debian, purpose: "collectors perf and counters" };
  if ((await shell.which("perf")) === null)
    return { ...common, state: "missing", version: null, remedy: `perf not found; ${install(debian)}` };
  const version = await versionOf("perf", shell);
  const level = textOf("/proc/sys/kernel/perf_event_paranoid");
  const counted = await attempt(shell, ["perf", "stat", "-x", ",", "-e", "task-clock:u,instructions:u", "--", "true"]);
  if (counted?.status !== 0) {
    const knob = level === null ? "perf events are not accessible" : `kernel.perf_event_paranoid is ${level}`;
    const remedy = `perf may not measure: ${knob}; as root: sysctl kernel.perf_event_paranoid=1`;
    return { ...common, state: "limited", version, remedy };
  }
  const lines = new TextDecoder().decode(counted.stderr).split("\n");
  const instructions = lines.find((line) => line.includes("instructions"));
  if (instructions === undefined || instructions.startsWith("<not "))
    return {
      ...common,
      state: "limited",
      version,
      remedy: "no hardware counters (virtual machine?): perf samples by time, counters uses valgrind",
    };
  return { ...common, state: "present", version, remedy: null };
}

async function uprobes(shell: Shell): Promise<Requirement> {
  const debian = "bpftrace";
  const common = { name: "uprobes", required: false, debian, purpose: "collector trace, engine uprobes" };
  const isThere = (await shell.which("bpftrace")) !== null;
  const version = isThere ? await versionOf("bpftrace", shell) : null;
  const reasons = [
    ...(isThere ? [] : [`bpftrace not found (${install(debian)})`]),
    ...(process.getuid?.() === 0 ? [] : ["only root can set kernel probes"]),
    ...(initialNamespace() ? [] : ["this is a container with process ids of its own"]),
    ...(isReadable("/sys/kernel/btf/vmlinux") ? [] : ["this kernel has no type information (CONFIG_DEBUG_INFO_BTF)"]),
  ];
  if (reasons.length === 0) return { ...common, state: "present", version, remedy: null };
  const instead = "valgrind and gcc -finstrument-functions serve without them";
  return { ...common, state: isThere ? "limited" : "missing", version, remedy: `${reasons.join("; ")}; ${instead}` };
}

/** Whether processes have the ids that the kernel reports. */
function initialNamespace(): boolean {
  try {
    return readlinkSync("/proc/self/ns/pid") === "pid:[4026531836]";
  } catch {
    return false;
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
