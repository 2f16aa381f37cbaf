import { runQuery } from "../../../commands/query/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { writeOutputs } from "../../print/index.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, everyOption, experimentOption, namedExperiment } from "./options.ts";
import { assignments } from "./argument-words.ts";

export const query: Verb = {
  name: "query",
  summary: "evaluate a query description",
  options: [
    { flags: "-d, --desc <file>", synopsis: "query description", also: ["--description", "--xml"] },
    { flags: "-n, --name <name>", synopsis: "attached query description" },
    { flags: "-f, --fixed <id=value>", synopsis: "values of fixed elements, comma-separated", repeat: true },
    experimentOption,
    ...everyOption,
  ],
  async run(session, args) {
    const [path, attached] = [args.text("desc"), args.text("name")];
    if (path === undefined && attached === undefined)
      throw new Failure("bad-usage", { reason: "-d or -n is missing", command: "perfbase query" });
    const experiment = namedExperiment(session, args);
    const outputs = await runQuery(session.workspace, {
      description: path === undefined ? { attached: attached ?? "" } : { path },
      ...(experiment === undefined ? {} : { experiment }),
      fixed: new Map(args.texts("fixed").flatMap(assignments)),
      compat: "perfbase",
      ...databaseOf(session, args),
    });
    await writeOutputs(session, outputs);
    return 0;
  },
};
