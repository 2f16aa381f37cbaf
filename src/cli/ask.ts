import { createInterface } from "node:readline";
import type { Streams } from "./output.ts";

/** One question, answered by a line that begins with y or Y; anything else, and the end of input, is no. */
export function askYesNo(question: string, streams: Streams): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: streams.stderr });
  return new Promise((resolve) => {
    reader.once("close", () => resolve(false));
    reader.question(`${question} [y/N] `, (answer) => {
      resolve(/^\s*y/i.test(answer));
      reader.close();
    });
  });
}
