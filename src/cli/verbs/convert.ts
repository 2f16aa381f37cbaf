import { convert as convertDescription } from "../../commands/convert.ts";
import { terminalLines } from "../../core/terminal-text.ts";
import type { Verb } from "../verb.ts";

export const convert: Verb = {
  name: "convert",
  summary: "write a description in the other spelling",
  details:
    "Reads the description of an experiment, of an update, of an input or of a query, as text or as XML, and writes it as XML or as text.",
  operands: [{ name: "<file>", synopsis: "the description" }],
  options: [
    {
      flags: "--to <spelling>",
      synopsis: "the spelling wanted (default: the other one, or XML for a file of -o that ends in .xml)",
      choices: ["exp", "text", "xml"],
    },
  ],
  formats: ["xml"],
  async run(session, args) {
    const wanted = args.text("to") ?? args.text("format") ?? (session.format === "xml" ? "xml" : undefined);
    const spelling = wanted === "xml" ? "xml" : "text";
    const text = convertDescription(session.workspace, { file: args.operand(0), ...(wanted === undefined ? {} : { to: spelling }) });
    session.output.data(session.output.toTerminal ? terminalLines(text) : text);
    return 0;
  },
};
