import { mkdirSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { endingOf, lastLine, type Job, type Shell } from "./collector.ts";

/** What is compiled, and how. */
export interface Build {
  /** Sources; headers among them are for the compiler to find by itself. */
  readonly files: readonly string[];
  readonly compiler: string | null;
  readonly flags: readonly string[];
  /** Folder of the program. */
  readonly folder: string;
  /** Name of the program. */
  readonly name: string;
}

/** The system's own headers, whose functions are not the program's. */
const excluded = "-finstrument-functions-exclude-file-list=/usr/include/,/usr/lib/gcc/";

/**
 * Compiles the sources so that each function tells when it is entered and left; answers the path of the program. Fails
 * with `build-failed`.
 */
export async function builtProgram(
  { files, compiler, flags, folder, name }: Build,
  job: Job,
  shell: Shell,
): Promise<string> {
  const sources = files
    .filter((file) => !/^\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i.test(extname(file)))
    .map((file) => resolve(job.directory, file));
  if (sources.length === 0)
    throw new Failure("unusable-combination", {
      what: "option files of complexity names no source but headers",
      instead: "name a C or C++ source",
    });
  const program = compiler ?? (sources.every((source) => source.endsWith(".c")) ? "gcc" : "g++");
  if ((await shell.which(program)) === null)
    throw new Failure("tool-missing", { tool: program, install: "GCC (Debian: apt install g++)" });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const words = [
    "-finstrument-functions",
    excluded,
    "-DPERFKEEP",
    "-I",
    await shell.shipped("include"),
    "-g",
    "-pthread",
  ];
  const outcome = await shell.run([program, ...words, ...flags, "-o", path, ...sources], { directory: job.directory });
  if (outcome.status === 0) return path;
  const what = sources.map((source) => basename(source)).join(", ");
  throw new Failure("build-failed", { compiler: program, what, last: firstError(outcome.stderr) || endingOf(outcome) });
}

/** What comes after the first error is often only its consequence. */
function firstError(stderr: Uint8Array): string {
  const lines = new TextDecoder().decode(stderr).split("\n");
  return (lines.find((line) => /\berror\b/.test(line)) ?? lastLine(stderr)).trim().slice(0, 200);
}
