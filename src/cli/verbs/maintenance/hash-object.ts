import { hashObject as hash } from "../../../commands/maintenance/hash-object.ts";
import type { Verb } from "../../verb.ts";

export const hashObject: Verb = {
  name: "hash-object",
  summary: "print the name a profile would be stored under",
  examples: ["perfkeep hash-object time-sort.perf"],
  operands: [{ name: "<file>", synopsis: "a profile" }],
  async run(session, args) {
    session.output.data(`${hash(session.workspace, args.operand(0))}\n`);
    return 0;
  },
};
