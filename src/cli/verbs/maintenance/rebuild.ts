import { counted } from "../../../core/text/plural.ts";
import { rebuildExperiments } from "../../../commands/maintenance/rebuild.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

export const rebuild: Verb = {
  name: "rebuild",
  summary: "make the experiment database again from what is kept",
  examples: ["perfkeep rebuild experiments"],
  subverbs: [
    {
      name: "experiments",
      summary: "make the embedded experiment database again, also where its file is lost or damaged",
      details: [
        "Everything that ever changed the database is done again from the kept raw files, descriptions and ledger, with the same run numbers,",
        "times and contents. The former file moves to quarantine/. When something that is needed is missing, it is named and nothing is replaced.",
      ].join("\n"),
      options: [
        {
          flags: "--ledger <id>",
          synopsis: "which database, where several were kept here and the file is lost, or is one that was made since",
        },
        databaseOption,
      ],
      formats: ["json"],
      run,
    },
  ],
};

async function run(session: Session, args: Arguments): Promise<number> {
  const progress = openProgress(session);
  const ledger = args.text("ledger");
  const rebuilt = await rebuildExperiments(session.workspace, {
    ...databaseOf(args),
    ...(ledger === undefined ? {} : { ledger }),
    progress: (done, total) => progress.show(done, total, "changes"),
  }).finally(() => progress.hide());
  if (session.format === "json") session.output.document("perfkeep.rebuild/1", rebuilt);
  else {
    const former = rebuilt.former === undefined ? "" : `; the former file is ${terminalText(rebuilt.former)}`;
    session.output.data(
      `rebuilt ${terminalText(rebuilt.database)} from ${counted(rebuilt.changes, "change")}${former}\n`,
    );
  }
  return exitStatus.fine;
}
