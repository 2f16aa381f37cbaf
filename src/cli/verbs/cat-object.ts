import { catObject as cat } from "../../commands/cat-object.ts";
import type { Verb } from "../verb.ts";

export const catObject: Verb = {
  name: "cat-object",
  summary: "print a stored object",
  details: "The content is verified against its name. A profile is printed as one JSON document, anything else byte for byte.",
  operands: [{ name: "<id>", synopsis: "the object's 40 hexadecimal digits" }],
  async run(session, args) {
    const { kind, body } = await cat(session.workspace, args.operand(0));
    for await (const piece of body) session.output.data(piece);
    if (kind === "profile") session.output.data("\n");
    return 0;
  },
};
