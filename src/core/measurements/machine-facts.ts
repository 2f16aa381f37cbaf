/** What a fact of a benchmark report says about the machine. */
export type MachineFact = "identity" | "incident";

/** Facts that machines of one class share: the hardware, the system, and what compiles and runs the code. */
const identities = namesIn(`
  cpu cpu_model cpu_model_name processor processor_name brand hardware cpus cpu_count num_cpu num_cpus
  cores physical_cores logical_cores memory ram mem total_memory os goos system platform os_version
  software arch goarch architecture machine compiler compiler_version cc cxx rustc library_build_type
  build_type runtime jdk jdk_version vm vm_version python python_version implementation go
  node_version sdk julia ruby runner runner_class runner_name instance_type
`);

/** Facts that differ between runs on equal machines. */
const incidents = namesIn(`
  host host_name hostname boot_time uptime load_avg load date pid user mhz_per_cpu cpu_freq cpu_mhz
  release kernel executable affinity aslr aslr_enabled cpu_scaling_enabled timer jvm
`);

/** undefined: a condition of the measurement, not a fact about the machine. */
export function machineFact(name: string): MachineFact | undefined {
  const key = name.toLowerCase().replaceAll("-", "_");
  if (identities.has(key)) return "identity";
  return incidents.has(key) ? "incident" : undefined;
}

/**
 * The class of a machine by its facts: CPU model and count, memory, system, architecture, compiler and runtime. Never
 * the host name: hosts of a class are interchangeable, and the hardware of a host may change. null: unknown.
 */
export function machineClass(facts: Iterable<readonly [name: string, text: string]>): string | null {
  const parts = [...facts]
    .filter(([name, text]) => machineFact(name) === "identity" && text.trim() !== "")
    .map(([name, text]) => `${name.toLowerCase()}=${plainText(text)}`);
  return parts.length === 0 ? null : parts.sort().join(separator);
}

const separator = "; ";

/** The facts of a class by name; null: the text is a fingerprint, not a class. */
export function factsOfClass(machine: string): ReadonlyMap<string, string> | null {
  if (machineFact(machine.split("=", 1)[0] ?? "") !== "identity") return null;
  return new Map(
    machine.split(separator).map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
  );
}

/** Without the release of the kernel in `Linux-5.15.0-1053-azure-x86_64-with-glibc2.35`, which changes every week. */
function plainText(text: string): string {
  const plain = text.replaceAll(/[\s;]+/g, " ").trim();
  const platform =
    /^(Linux|Darwin|macOS|Windows)-\d\S{0,200}?-(x86_64|amd64|aarch64|arm64|i686|riscv64|ppc64le|s390x)\b(.*)$/i;
  return plain.replace(platform, "$1-$2$3");
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
