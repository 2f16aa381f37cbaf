import { catObject as cat } from "../../../commands/maintenance/cat-object.ts";
import type { Verb } from "../../verb.ts";

export const catObject: Verb = {
  name: "cat-object",
  summary: "print a stored object",
  examples: ["perfkeep cat-object 2b066d2c8a3bb9b6f1e6e2f0a5c0b3a1d4e5f607"],
  details:
    "The content is verified against its name. A profile is printed as one JSON document, anything else byte for byte.",
  operands: [{ name: "<id>", synopsis: "the object's 40 hexadecimal digits" }],
  async run(session, args) {
    const { kind, body } = await cat(session.workspace, args.operand(0));
    for await (const piece of body) session.output.data(piece);
    if (kind === "profile") session.output.data("\n");
    return 0;
  },
};
