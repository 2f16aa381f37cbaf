import { Failure } from "../../core/errors.ts";
import type { StackProfile } from "../../core/stack-profile.ts";
import { addressesIn, LegacyStacks, namedPlace } from "./legacy-stacks.ts";

/** Reads a list of threads with the stack of each; a thread that is where the one before is says so. Fails with `no-stacks`. */
export function readThreads(lines: readonly string[], file: string): StackProfile {
  const stacks = new LegacyStacks([{ name: "thread", unit: "count" }]);
  let addresses: bigint[] | null = null;
  let isInMap = false;
  const finish = (): void => {
    if (addresses !== null && addresses.length > 0) stacks.add(addresses, [1]);
    else if (addresses !== null) stacks.repeat();
    addresses = null;
  };
  for (const line of lines) {
    if (line.startsWith("---") || line.startsWith("MAPPED_LIBRARIES:")) {
      finish();
      isInMap = !line.startsWith("--- Thread ");
      if (!isInMap) addresses = [];
    } else if (isInMap) stacks.takeMapping(line);
    else if (addresses !== null && !line.includes("same as previous thread")) {
      addresses.push(...addressesIn(line));
      const named = namedPlace(line.replace(/^\s*PC:/, "").replace(/^(\s*0x[0-9a-f]+):/i, "$1"));
      if (named !== null && !named[1].function.startsWith("0x")) stacks.name(...named);
    }
  }
  finish();
  if (stacks.isEmpty) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return stacks.finished(0, {});
}
