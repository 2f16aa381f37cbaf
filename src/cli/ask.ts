import { createInterface } from "node:readline";
import { terminalText } from "../core/text/index.ts";
import type { Streams } from "./output.ts";

/** Asks a yes-or-no question: a line that starts with y or Y is yes; anything else and the end of input are no. */
export function askYesNo(question: string, streams: Streams): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: streams.stderr });
  return new Promise((resolve) => {
    reader.once("close", () => resolve(false));
    reader.question(`${terminalText(question)} [y/N] `, (answer) => {
      resolve(/^\s*y/i.test(answer));
      reader.close();
    });
  });
}

/** A prompt for lines of text. */
export interface Questions {
  /** The line without its terminator; null at the end of input. */
  ask(question: string): Promise<string | null>;
  close(): void;
}

/** Prompts on standard error and reads lines from standard input. */
export function openQuestions(streams: Streams): Questions {
  const reader = createInterface({ input: process.stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question) {
      streams.stderr.write(`${terminalText(question)} `);
      const line = await lines.next();
      return line.done === true ? null : line.value;
    },
    close: () => reader.close(),
  };
}

/** Opens standard input with the first question: an import may read its data from there. */
export function lazyQuestions(streams: Streams): Questions {
  let open: Questions | undefined;
  return {
    ask: (question) => (open ??= openQuestions(streams)).ask(question),
    close: () => open?.close(),
  };
}
