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

/** Questions that are answered by a line each. */
export interface Questions {
  /** The line without its end; null once there are no more. */
  ask(question: string): Promise<string | null>;
  close(): void;
}

/** Reads answers from the terminal, or from whatever standard input is, line by line. */
export function openQuestions(streams: Streams): Questions {
  const reader = createInterface({ input: process.stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question) {
      streams.stderr.write(`${question} `);
      const line = await lines.next();
      return line.done === true ? null : line.value;
    },
    close: () => reader.close(),
  };
}
