import { join } from "node:path";
import { buildAllocating, buildTracer, clearLogs, hasProgram, tracing } from "./allocating.mjs";
import { interleaved } from "./measure.mjs";

/**
 * The cost of tracing allocations for a program that only allocates, by call depth; compared with valgrind if it is
 * installed.
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
      ...command("traced", folder, words, () => clearLogs(folder)),
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
    const each = (((milliseconds - base) * 1000) / (2 * pairs)).toFixed(2);
    const what = `${pairs} x malloc and free, ${depth} calls deep, traced (${each} us each)`;
    const rows = [{ what, of: "untraced", milliseconds, ratio: milliseconds / base }];
    return peer
      ? [...rows, { what: "the same", of: dhat.name, milliseconds, ratio: milliseconds / peer, goal: 1 }]
      : rows;
  });
}
