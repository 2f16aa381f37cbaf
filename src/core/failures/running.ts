import type { FailureKind } from "./kind.ts";

/** Failures of running commands and jobs. */
export const runningFailures = {
  "tool-missing": {
    exit: "host",
    message: (d) => `${d.tool} was not found`,
    remedy: (d) => `install it: ${d.install}`,
  },
  "bad-command": {
    exit: "usage",
    message: (d) => `command '${d.command}' cannot be split: ${d.reason}`,
    remedy: () => `quote words with '…' or "…"; no shell reads the command`,
  },
  "command-not-found": {
    exit: "host",
    message: (d) => `cannot run '${d.command}' in ${d.directory}: ${d.reason}`,
    remedy: () => `check its spelling and that it is built and executable; paths count from that directory`,
  },
  "command-failed": {
    exit: "host",
    message: (d) => `'${d.command}' ${d.ending}${d.last ? `: ${d.last}` : ""}`,
    remedy: () => `run it by hand to see why; the collector's option allow-failure: true measures it nevertheless`,
  },
  untraceable: {
    exit: "host",
    message: (d) => `${d.what} cannot be traced: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "no-result-written": {
    exit: "badInput",
    message: (d) => `${d.what} did not write ${d.file}`,
    remedy: () =>
      `name the file that it writes (result), from where it runs; a file that is as it was before does not count`,
  },
  "unreadable-output": {
    exit: "host",
    message: (d) => `what ${d.what} prints cannot be read: it is longer than ${d.most} MiB`,
    remedy: () => `let it print less, or write it to a file and use perfkeep import`,
  },
  "allocation-log-damaged": {
    exit: "badInput",
    message: (d) => `the log of allocations makes no sense at byte ${d.at}`,
    remedy: () => `run it again; a program that writes to files of others may have done this`,
  },
  "heap-report-damaged": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: no report of a heap profiler that can be read: ${d.reason}`,
    remedy: () =>
      `record it again with valgrind --tool=massif, valgrind --tool=dhat or heaptrack, and give the file as it was written`,
  },
  "call-log-damaged": {
    exit: "badInput",
    message: (d) => `the log of calls makes no sense at byte ${d.at}`,
    remedy: () => `run it again; a program that writes to files of others may have done this`,
  },
  "call-graph-damaged": {
    exit: "badInput",
    message: (d) => `what callgrind wrote makes no sense in line ${d.line}`,
    remedy: () => `run it again, and see whether valgrind --tool=callgrind runs the program`,
  },
  "unknown-function": {
    exit: "usage",
    message: (d) => `there is no function '${d.name}' in ${d.where}${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () => `nm --demangle FILE lists the functions; those that were inlined everywhere are in no list`,
  },
  "build-failed": {
    exit: "host",
    message: (d) => `${d.compiler} cannot build ${d.what}${d.last ? `: ${d.last}` : ""}`,
    remedy: () => `check that the sources compile by themselves; paths count from the directory of the command`,
  },
  "pre-run-failed": {
    exit: "host",
    message: (d) => `execute.pre_run '${d.command}' ${d.ending}${d.last ? `: ${d.last}` : ""}`,
    remedy: (d) => `run it by hand in a clean checkout of ${d.version}, or change execute.pre_run`,
  },
  "command-timed-out": {
    exit: "host",
    message: (d) => `'${d.command}' did not end within ${d.seconds} s and was stopped`,
    remedy: () => `raise the collector's option timeout, or measure a smaller workload`,
  },
  interrupted: {
    exit: "interrupted",
    message: () => `interrupted`,
    remedy: (d) =>
      d.kept
        ? `${d.kept}; start the same command again`
        : `finished profiles are kept; the same command with --resume goes on with the rest`,
  },
  "nothing-to-run": {
    exit: "usage",
    message: (d) => `${d.what} is not given`,
    remedy: (d) => `${d.instead}`,
  },
  "unknown-collector-option": {
    exit: "usage",
    message: (d) => `${d.kind} ${d.plugin} has no option '${d.option}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `it takes ${Array.isArray(d.known) && d.known.length > 0 ? d.known.join(", ") : "none"}`,
  },
  "bad-collector-option": {
    exit: "usage",
    message: (d) => `option ${d.option} of ${d.plugin}: '${d.value}' is not ${d.expected}`,
    remedy: (d) => `for example ${d.option}: ${d.example}`,
  },
  "generator-failed": {
    exit: "host",
    message: (d) => `no workloads were made: ${d.what}`,
    remedy: () => `run the generator's command by hand in a clean checkout, or change generators.workload`,
  },
  "postprocessor-failed": {
    exit: "badInput",
    message: (d) => `${d.unit} could not be applied: ${d.reason}`,
    remedy: (d) => `the profile was kept without it; perfkeep postprocessby ${d.profile} ${d.unit} applies it`,
  },
  "no-such-processor": {
    exit: "usage",
    message: (d) => `'${d.value}' names no processors that this process may use`,
    remedy: (d) => `use --pin auto, or some of ${d.allowed}, such as --pin ${d.example}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
