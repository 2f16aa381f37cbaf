import { show as draw } from "../../commands/show.ts";
import { Failure } from "../../core/errors.ts";
import type { Value } from "../../core/value.ts";
import type { Arguments } from "../arguments.ts";
import { confirmOf } from "../confirm.ts";
import { renderFigure } from "../print/figure.ts";
import type { Verb } from "../verb.ts";
import { mergedParams } from "./jobs.ts";
import { minorOption } from "./options.ts";

export const show: Verb = {
  name: "show",
  summary: "look at a profile",
  examples: ["perfkeep show 0@p", "perfkeep show 0@i tableof models"],
  details:
    "A profile is a tag (0@i, 1@p), a name, REV^tag or REV^name, the 40 digits of an object, or a file.\nViews: tableof resources (default), tableof models, raw.",
  operands: [
    { name: "<profile>", synopsis: "which profile" },
    { name: "[view]", synopsis: "how to look at it (default: tableof)" },
    { name: "[of]", synopsis: "of what: resources (default) or models", known: ["resources", "models"] },
  ],
  options: [
    minorOption,
    { flags: "--headers <name>", synopsis: "column to show (default: all)", repeat: true },
    { flags: "-s, --sort-by <name>", synopsis: "column to sort by" },
    {
      flags: "-f, --filter-by <words>",
      synopsis: "only rows where a column has this value: -f uid main (same column: or, others: and)",
      words: 2,
    },
    { flags: "-p, --params <yaml>", synopsis: "options of the view, or a file with them: -p 'sort-by: amount'", repeat: true },
  ],
  formats: ["json", "csv", "markdown", "html"],
  figures: true,
  async run(session, args) {
    const minor = args.text("minor");
    const params = mergedParams(session, args.texts("params"));
    const options = { profile: args.operand(0), ...(minor === undefined ? {} : { minor }), params, confirm: confirmOf(session) };
    const figure = await draw(session.workspace, options, args.maybeOperand(1) ?? "tableof", viewOptions(args));
    session.output.data(await renderFigure(session, figure, session.format));
    return 0;
  },
};

function viewOptions(args: Arguments): Map<string, Value> {
  const of = args.maybeOperand(2);
  if (of !== undefined && of !== "resources" && of !== "models")
    throw new Failure("unknown-choice", { kind: "part", value: of, choices: ["resources", "models"] });
  const options = new Map<string, Value>();
  if (of !== undefined) options.set("of", of);
  const headers = args.texts("headers").flatMap((names) => names.split(","));
  if (headers.length > 0) options.set("headers", headers.join("\n"));
  const filters = args.pairs("filterBy").map(([key, value]) => `${key}=${value}`);
  if (filters.length > 0) options.set("filter-by", filters.join("\n"));
  const sort = args.text("sortBy");
  if (sort !== undefined) options.set("sort-by", sort);
  return options;
}
