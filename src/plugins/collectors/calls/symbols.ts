import type { Shell } from "../collector.ts";
import { readSymbols, type FunctionSymbol } from "../../../formats/traces/index.ts";

const outputCapacity = 256 << 20;

/** The function called by code built with -finstrument-functions. */
const hook = "__cyg_profile_func_enter";

/**
 * The functions of a program or library, or the exported ones if it has no symbols. Empty when `nm` cannot read it.
 */
export async function symbolsOf(path: string, shell: Shell, directory: string): Promise<FunctionSymbol[]> {
  const own = await readWithNm(path, [], shell, directory);
  return own.length > 0 ? own : readWithNm(path, ["-D"], shell, directory);
}

async function readWithNm(
  path: string,
  flags: readonly string[],
  shell: Shell,
  directory: string,
): Promise<FunctionSymbol[]> {
  const mangled = await nmOutput(path, ["--defined-only", "--no-sort", ...flags], shell, directory);
  return mangled === ""
    ? []
    : readSymbols(
        mangled,
        await nmOutput(path, ["--defined-only", "--no-sort", "--demangle", ...flags], shell, directory),
      );
}

async function nmOutput(path: string, flags: readonly string[], shell: Shell, directory: string): Promise<string> {
  const outcome = await shell.run(["nm", ...flags, "--", path], { directory, captureLimit: outputCapacity });
  return outcome.status === 0 ? new TextDecoder().decode(outcome.stdout) : "";
}

/** True when the file was built with -finstrument-functions and imports the hook from a library. */
export async function isInstrumented(path: string, shell: Shell, directory: string): Promise<boolean> {
  const imported = await nmOutput(path, ["--undefined-only", "-D"], shell, directory);
  return imported.split("\n").some((line) => line.replace(/@.*$/, "").endsWith(` ${hook}`));
}
