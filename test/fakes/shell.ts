import { Failure } from "../../src/core/failures/failure.ts";
import { quoteCommand } from "../../src/core/text/command-line.ts";
import type { Outcome, Shell, ShellOptions } from "../../src/plugins/collectors/collector.ts";

export interface FakeShell extends Shell {
  /** The commands that ran, in order, with their directories. */
  readonly calls: readonly { readonly argv: readonly string[]; readonly options: ShellOptions }[];
}

/** The outcome of a fake program; defaults to silent success in no time. */
export type FakeProgram = (words: readonly string[], options: ShellOptions, call: number) => Partial<Outcome>;

const nothing: Outcome = {
  status: 0,
  signal: null,
  clock: "wait4",
  wallNanoseconds: 0n,
  userSeconds: 0,
  systemSeconds: 0,
  peakBytes: 1 << 20,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: false,
};

const encoder = new TextEncoder();

/**
 * `sleep S` takes S fake seconds of wall time, `spin S` also of user time; `echo`, `cat`, `true`, `false` and `exit N`
 * behave as usual.
 */
const everyday: Readonly<Record<string, FakeProgram>> = {
  sleep: ([seconds]) => ({ wallNanoseconds: nanoseconds(seconds) }),
  spin: ([seconds]) => ({
    wallNanoseconds: nanoseconds(seconds),
    userSeconds: Number(seconds),
    systemSeconds: Number(seconds) / 8,
  }),
  echo: (words) => ({ stdout: encoder.encode(`${words.join(" ")}\n`) }),
  cat: (_, options) => ({ stdout: options.input ?? new Uint8Array() }),
  true: () => ({}),
  false: () => ({ status: 1 }),
  exit: ([status, ...words]) => ({ status: Number(status), stderr: encoder.encode(`first\n${words.join(" ")}\n`) }),
  abort: () => ({ status: null, signal: "SIGABRT" }),
};

/** A shell with fake programs and a fake clock. Other programs are not found. */
export function fakeShell(programs: Readonly<Record<string, FakeProgram>> = {}): FakeShell {
  const known = { ...everyday, ...programs };
  const calls: { argv: readonly string[]; options: ShellOptions }[] = [];
  return {
    calls,
    async run(argv, options) {
      calls.push({ argv, options });
      const [name = "", ...words] = argv;
      const program = Object.hasOwn(known, name) ? known[name] : undefined;
      if (!program)
        throw new Failure("command-not-found", {
          command: quoteCommand(argv),
          directory: options.directory,
          reason: "no such program",
        });
      const outcome = { ...nothing, ...program(words, options, calls.length) };
      const limit = (options.timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1e9;
      if (Number(outcome.wallNanoseconds) > limit) {
        throw new Failure("command-timed-out", { command: quoteCommand(argv), seconds: options.timeoutSeconds });
      }
      if (!options.onOutput) return outcome;
      const middle = outcome.stdout.length >> 1;
      for (const piece of [outcome.stdout.subarray(0, middle), outcome.stdout.subarray(middle)])
        options.onOutput(piece);
      return { ...outcome, stdout: new Uint8Array() };
    },
    library: async (source) => `/cache/${source}.so`,
    shipped: async (name) => `/assets/${name}`,
    which: async (program) => (Object.hasOwn(known, program) ? `/bin/${program}` : null),
  };
}

function nanoseconds(seconds: string | undefined): bigint {
  return BigInt(Math.round(Number(seconds ?? 0) * 1e9));
}
