import { type FailureKind, suggestion } from "./kind.ts";

/** Failures of running commands and jobs. */
export const runningFailures = {
  "tool-missing": {
    exit: "host",
    message: (d) => `${d.tool} was not found`,
    remedy: (d) => `install it: ${d.install}`,
  },
  "notify-failed": {
    exit: "host",
    message: (d) => `${d.host} did not accept the message: ${d.reason}`,
    remedy: () => `check the address of the webhook; perfkeep notify --dry-run prints the message`,
  },
  "no-verdicts": {
    exit: "host",
    message: (d) => `'${d.what}' gave no verdicts: ${d.reason}`,
    remedy: () => `run it without notify to see why`,
  },
  "bad-command": {
    exit: "usage",
    message: (d) => `command '${d.command}' cannot be split: ${d.reason}`,
    remedy: () => `quote words with '…' or "…"; no shell interprets the command`,
  },
  "command-not-found": {
    exit: "host",
    message: (d) => `cannot run '${d.command}' in ${d.directory}: ${d.reason}`,
    remedy: (d) =>
      d.tree === "unbuilt"
        ? `a commit is measured in a clean work tree: build it there with --build COMMAND or the key execute.pre_run`
        : `check its spelling and that it is built and executable; paths are relative to that directory`,
  },
  "command-failed": {
    exit: "host",
    message: (d) => `'${d.command}' ${d.ending}${d.last ? `: ${d.last}` : ""}`,
    remedy: () => `run it by hand to see why; the collector option allow-failure: true measures it anyway`,
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
      `name the file it writes (result), relative to the directory it runs in; an unchanged file does not count`,
  },
  "unreadable-output": {
    exit: "host",
    message: (d) => `cannot read the output of ${d.what}: it is longer than ${d.most} MiB`,
    remedy: () => `let it print less, or write it to a file and use perfkeep import`,
  },
  "allocation-log-damaged": {
    exit: "badInput",
    message: (d) => `the allocation log is invalid at byte ${d.at}`,
    remedy: () => `run it again; the program may have overwritten the file`,
  },
  "heap-report-damaged": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: invalid heap profile: ${d.reason}`,
    remedy: () =>
      `record it again with valgrind --tool=massif, valgrind --tool=dhat or heaptrack, and pass the file unchanged`,
  },
  "call-log-damaged": {
    exit: "badInput",
    message: (d) => `the call log is invalid at byte ${d.at}`,
    remedy: () => `run it again; the program may have overwritten the file`,
  },
  "call-graph-damaged": {
    exit: "badInput",
    message: (d) => `the output of callgrind is invalid in line ${d.line}`,
    remedy: () => `run it again, and check that valgrind --tool=callgrind runs the program`,
  },
  "unknown-function": {
    exit: "usage",
    message: (d) => `there is no function '${d.name}' in ${d.where}${suggestion(d)}`,
    remedy: () => `nm --demangle FILE lists the functions; a function that is inlined everywhere is not listed`,
  },
  "build-failed": {
    exit: "host",
    message: (d) => `${d.compiler} cannot build ${d.what}${d.last ? `: ${d.last}` : ""}`,
    remedy: () => `check that the sources compile on their own; paths are relative to the directory of the command`,
  },
  "pre-run-failed": {
    exit: "host",
    message: (d) => `the build '${d.command}' ${d.ending}${d.last ? `: ${d.last}` : ""}`,
    remedy: (d) => `run it by hand in a clean checkout of ${d.version}, or change --build or execute.pre_run`,
  },
  "command-timed-out": {
    exit: "host",
    message: (d) => `'${d.command}' did not end within ${d.seconds} s and was stopped`,
    remedy: () => `raise the collector option timeout, or measure a smaller workload`,
  },
  interrupted: {
    exit: "interrupted",
    message: () => `interrupted`,
    remedy: (d) =>
      d.kept
        ? `${d.kept}; run the same command again`
        : `finished profiles are stored; the same command with --resume runs the rest`,
  },
  "nothing-to-run": {
    exit: "usage",
    message: (d) => `${d.what} is not given`,
    remedy: (d) => `${d.instead}`,
  },
  "unknown-collector-option": {
    exit: "usage",
    message: (d) => `${d.kind} ${d.plugin} has no option '${d.option}'${suggestion(d)}`,
    remedy: (d) => `its options: ${Array.isArray(d.known) && d.known.length > 0 ? d.known.join(", ") : "none"}`,
  },
  "bad-collector-option": {
    exit: "usage",
    message: (d) => `option ${d.option} of ${d.plugin}: '${d.value}' is not ${d.expected}`,
    remedy: (d) => `for example ${d.option}: ${d.example}`,
  },
  "generator-failed": {
    exit: "host",
    message: (d) => `cannot generate workloads: ${d.what}`,
    remedy: () => `run the generator's command by hand in a clean checkout, or change generators.workload`,
  },
  "postprocessor-failed": {
    exit: "badInput",
    message: (d) => `${d.unit} could not be applied: ${d.reason}`,
    remedy: (d) => `the profile was stored without it; perfkeep postprocessby ${d.profile} ${d.unit} applies it`,
  },
  "no-such-processor": {
    exit: "usage",
    message: (d) => `'${d.value}' names no processors that this process may use`,
    remedy: (d) => `use --pin auto, or some of ${d.allowed}, such as --pin ${d.example}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of performance fuzzing. */
export const fuzzingFailures = {
  "no-samples": {
    exit: "nothingMatched",
    message: (d) => `there is no input sample in ${d.what}`,
    remedy: () => `name files or folders with --input-sample; --workloads-filter and --exclude may skip all of them`,
  },
  "bad-sample": {
    exit: "badInput",
    message: (d) => `${d.file} cannot be used as an input sample: ${d.reason}`,
    remedy: () => `choose inputs with which the command succeeds; --exclude skips files of a folder`,
  },
  "output-folder-taken": {
    exit: "usage",
    message: (d) => `${d.folder} contains '${d.name}', which is not part of a fuzzing campaign`,
    remedy: () => `choose another folder: perfkeep fuzz -o FOLDER`,
  },
  "campaign-differs": {
    exit: "usage",
    message: (d) => `${d.folder} holds a campaign with ${d.before} as ${d.what}, not ${d.now}`,
    remedy: () => `use the command line that started it, or another folder with -o`,
  },
  "campaign-damaged": {
    exit: "badInput",
    message: (d) => `${d.file} cannot be read: ${d.reason}`,
    remedy: () => `start again in another folder; the findings in this one remain`,
  },
  "no-campaign": {
    exit: "usage",
    message: (d) => `${d.folder} holds no campaign to resume`,
    remedy: () => `omit --resume to start one`,
  },
  "coverage-unreadable": {
    exit: "host",
    message: (d) => `cannot read the coverage: ${d.reason}`,
    remedy: () =>
      `use the gcov of the compiler that built the program (GCC 9 or newer), name its .gcno files ` +
      `with -g, or pass --skip-coverage-testing`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
