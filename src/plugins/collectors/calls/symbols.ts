import type { Shell } from "../collector.ts";
import { readSymbols, type FunctionSymbol } from "../../../formats/traces/symbol-table.ts";

const answerLimit = 256 << 20;

/** The function that -finstrument-functions makes a program call. */
const hook = "__cyg_profile_func_enter";

/**
 * The functions of a program or library; of one without symbols those that it exports. None where `nm` cannot read it.
 */
export async function symbolsOf(path: string, shell: Shell, directory: string): Promise<FunctionSymbol[]> {
  const own = await listed(path, [], shell, directory);
  return own.length > 0 ? own : listed(path, ["-D"], shell, directory);
}

async function listed(
  path: string,
  words: readonly string[],
  shell: Shell,
  directory: string,
): Promise<FunctionSymbol[]> {
  const plain = await listing(path, ["--defined-only", "--no-sort", ...words], shell, directory);
  return plain === ""
    ? []
    : readSymbols(
        plain,
        await listing(path, ["--defined-only", "--no-sort", "--demangle", ...words], shell, directory),
      );
}

async function listing(path: string, words: readonly string[], shell: Shell, directory: string): Promise<string> {
  const outcome = await shell.run(["nm", ...words, "--", path], { directory, captureLimit: answerLimit });
  return outcome.status === 0 ? new TextDecoder().decode(outcome.stdout) : "";
}

/** Whether a program or library was built with -finstrument-functions and leaves it to a library to hear of it. */
export async function isInstrumented(path: string, shell: Shell, directory: string): Promise<boolean> {
  const imported = await listing(path, ["--undefined-only", "-D"], shell, directory);
  return imported.split("\n").some((line) => line.replace(/@.*$/, "").endsWith(` ${hook}`));
}
