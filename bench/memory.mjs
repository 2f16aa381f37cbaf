import { join } from "node:path";
import { buildAllocating, buildTracer, emptied, hasProgram, tracing } from "./allocating.mjs";
import { interleaved } from "./measure.mjs";

/**
 * What tracing of allocations costs a program that does nothing else, by the depth of its calls; beside valgrind's
 * where it is there.
 */
export function memoryTracing(scratch, command) {
  const folder = join(scratch, "memory");
  const pairs = 200_000;
  const program = buildAllocating(folder);
  const library = buildTracer(folder);
  return [1, 10, 40].flatMap((depth) => {
    const words = [program, String(pairs), String(depth)];
    const plain = command("untraced", folder, words);
    const traced = {
      ...command("traced", folder, words, () => emptied(folder)),
      environment: tracing(folder, library),
    };
    const dhat = command("valgrind --tool=dhat", folder, [
      "valgrind",
      "--tool=dhat",
      `--dhat-out-file=${folder}/dhat.out`,
      ...words,
    ]);
    const peers = hasProgram("valgrind") ? [dhat] : [];
    const [base, milliseconds, peer] = interleaved([plain, traced, ...peers], 3);
    const what = `${pairs} times malloc and free, ${depth} calls deep, traced (${(((milliseconds - base) * 1000) / (2 * pairs)).toFixed(2)} us each)`;
    const rows = [{ what, of: "untraced", milliseconds, ratio: milliseconds / base }];
    return peer
      ? [...rows, { what: "the same", of: dhat.name, milliseconds, ratio: milliseconds / peer, goal: 1 }]
      : rows;
  });
}
