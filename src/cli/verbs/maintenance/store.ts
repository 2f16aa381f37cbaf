import { commitJson } from "../../print/index.ts";
import {
  catObject as cat,
  hashObject as hash,
  fsck as fsckAll,
  recover as cleanUp,
} from "../../../commands/maintenance/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

export const rebuild: Verb = {
  name: "rebuild",
  summary: "rebuild the experiment database from stored files",
  examples: ["perfkeep rebuild experiments"],
  subverbs: [
    {
      name: "experiments",
      summary: "rebuild the embedded experiment database, for example if its file is lost or damaged",
      details: [
        "Replays all changes of the database from the stored raw files, descriptions and ledger, with the same run",
        "numbers, times and values. The former file is moved to quarantine/. If anything is missing, it is reported",
        "and nothing is replaced.",
      ].join("\n"),
      options: [
        {
          flags: "--ledger <id>",
          synopsis: "database to rebuild, if there were several and its file is lost or newer",
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
  const { rebuildExperiments } = await import("../../../commands/maintenance/rebuild.ts");
  const rebuilt = await rebuildExperiments(session.workspace, {
    ...databaseOf(args),
    ...(ledger === undefined ? {} : { ledger }),
    progress: (done, total) => progress.show(done, total, "changes"),
  }).finally(() => progress.hide());
  if (session.format === "json") session.output.document("perfkeep.rebuild/2", rebuilt);
  else {
    const former = rebuilt.backup === undefined ? "" : `; the former file is ${terminalText(rebuilt.backup)}`;
    const { listDamage } = rebuilt;
    const found = listDamage === undefined ? "" : `, found by reading all objects: ${terminalText(listDamage)}`;
    session.output.report(
      `rebuilt ${terminalText(rebuilt.database)} from ${counted(rebuilt.changes, "change")}${found}${former}\n`,
    );
  }
  return exitStatus.fine;
}

export const recover: Verb = {
  name: "recover",
  summary: "clean up after a killed command",
  examples: ["perfkeep recover"],
  details: [
    "Removes work trees, temporary files and locks of dead processes. Running processes are not affected. Every",
    "command also cleans up automatically.",
  ].join("\n"),
  formats: ["json"],
  async run(session) {
    const result = await cleanUp(session.workspace);
    const { output } = session;
    const isIncomplete = result.runs.some((run) => run.outcome === "failed");
    if (session.format === "json")
      output.document("perfkeep.recover/2", { ...result, runs: result.runs.map(commitJson) });
    else {
      for (const run of result.runs) output.report(`${terminalText(run.worktree ?? run.id)}: ${outcomeText(run)}\n`);
      for (const path of result.removed) output.report(`${terminalText(path)}: removed\n`);
      if (result.unlocked !== null) output.report(`lock of '${terminalText(result.unlocked)}': removed\n`);
      if (result.runs.length + result.removed.length === 0 && result.unlocked === null)
        output.report("nothing to clean up\n");
    }
    return isIncomplete ? exitStatus.host : exitStatus.fine;
  },
};

export const fsck: Verb = {
  name: "fsck",
  summary: "verify the integrity of the store",
  examples: ["perfkeep fsck"],
  details: [
    "Verifies all objects, indexes, the share repository and all blocks of the embedded experiment database, and",
    "compares the database with its ledger, without changing anything. The comparison replays all imports in a",
    "temporary database: it takes as long as perfkeep rebuild experiments.",
    "",
    "Exit status: 0 clean, 1 damage was found.",
  ].join("\n"),
  formats: ["json"],
  async run(session) {
    const report = await fsckAll(session.workspace);
    const { output } = session;
    if (session.format === "json") output.document("perfkeep.fsck/1", report);
    else {
      for (const { path, message } of report.problems)
        output.data(`damage: ${terminalText(path)}: ${terminalText(message)}\n`);
      for (const { path, message } of report.notes)
        output.report(`note: ${terminalText(path)}: ${terminalText(message)}\n`);
      const { objects, indexes, entries } = report.checked;
      const verdict = report.problems.length === 0 ? "no damage" : counted(report.problems.length, "problem");
      const inIndexes = `${counted(indexes, "index", "indexes")} with ${counted(entries, "entry", "entries")}`;
      const say = report.problems.length === 0 ? "report" : "data";
      output[say](`checked ${counted(objects, "object")}, ${inIndexes}: ${verdict}\n`);
    }
    return report.problems.length === 0 ? exitStatus.fine : exitStatus.found;
  },
};

export const hashObject: Verb = {
  name: "hash-object",
  summary: "print the object id of a profile",
  examples: ["perfkeep hash-object time-sort.perf"],
  operands: [{ name: "<file>", synopsis: "profile" }],
  async run(session, args) {
    session.output.data(`${hash(session.workspace, args.operand(0))}\n`);
    return 0;
  },
};

export const catObject: Verb = {
  name: "cat-object",
  summary: "print a stored object",
  examples: ["perfkeep cat-object 2b066d2c8a3bb9b6f1e6e2f0a5c0b3a1d4e5f607"],
  details:
    "The object is verified against its id. A profile is printed as one JSON document, other objects byte for byte.",
  operands: [{ name: "<id>", synopsis: "the object's 40 hexadecimal digits" }],
  async run(session, args) {
    const { kind, body } = await cat(session.workspace, args.operand(0));
    for await (const piece of body) session.output.data(piece);
    if (kind === "profile") session.output.data("\n");
    return 0;
  },
};

function outcomeText({ outcome, reason }: { readonly outcome: string; readonly reason?: string | undefined }): string {
  return `${terminalText(outcome)}${reason === undefined ? "" : ` (${terminalText(reason)})`}`;
}
