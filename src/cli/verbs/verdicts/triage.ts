import { addTriage, checkTriage, listTriage, type ListedEntry } from "../../../commands/verdicts/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import type { Figure } from "../../../core/figures/index.ts";
import { exitStatus, Failure } from "../../../core/failures/index.ts";
import { scopeText, triageStates } from "../../../core/verdicts/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { renderFigure } from "../../print/index.ts";
import type { Verb } from "../../verb.ts";

const schema = "perfkeep.triage/1";

export const triage: Verb = {
  name: "triage",
  summary: "record decisions about changes in perfkeep.triage, a tracked file",
  subverbs: [
    {
      name: "list",
      summary: "list all decisions",
      examples: ["perfkeep triage list"],
      formats: ["json", "csv", "markdown", "html"],
      async run(session) {
        const entries = await listTriage(session.workspace);
        if (session.format === "json") session.output.document(schema, { entries: entries.map(jsonEntry) });
        else session.output.data(await renderFigure(session, entriesFigure(entries), session.format));
        return exitStatus.fine;
      },
    },
    {
      name: "add",
      summary: "add a decision to the file without committing it",
      details: [
        `States: ${triageStates.join(", ")} (docs/triage.md).`,
        "",
        "Example: perfkeep triage add 'profile [\"sort\"]' accepted --at HEAD -m 'Ada, 2026-03-01: stable sort'",
      ].join("\n"),
      operands: [
        { name: "<key>", synopsis: "key of the subject, as printed by checks", means: [] },
        { name: "<state>", synopsis: "state", known: triageStates },
      ],
      options: [
        {
          flags: "--at <versions>",
          synopsis: "scope: a revision, a range A..B, A.. or ..B, or '*'",
        },
        { flags: "--to <key>", synopsis: "new key of a renamed subject" },
        { flags: "-m, --message <text>", synopsis: "who decided, when and why" },
      ],
      async run(session, args) {
        const [at, to] = [args.text("at"), args.text("to")];
        const state = triageStates.find((known) => known === args.operand(1));
        if (!state)
          throw new Failure("unknown-choice", { kind: "state", value: args.operand(1), choices: triageStates });
        const { text, isNew } = await addTriage(session.workspace, {
          key: args.operand(0),
          state,
          note: args.text("message") ?? "",
          ...(at === undefined ? {} : { at }),
          ...(to === undefined ? {} : { to }),
        });
        session.output.report(`${terminalText(text)}\n`);
        session.output.note(
          isNew ? "written to perfkeep.triage; commit it with the change" : "perfkeep.triage already has this line",
        );
        return exitStatus.fine;
      },
    },
    {
      name: "check",
      summary: "find contradictory decisions and unknown commits",
      examples: ["perfkeep triage check"],
      details: "Exit status: 0 no problems, 1 problems, 4 the file cannot be read.",
      formats: ["json"],
      async run(session) {
        const problems = await checkTriage(session.workspace);
        if (session.format === "json") session.output.document(schema, { problems });
        else
          for (const { line, problem } of problems)
            session.output.data(`perfkeep.triage:${line}: ${terminalText(problem)}\n`);
        if (session.format === "text") session.output.note(counted(problems.length, "problem"));
        return problems.length === 0 ? exitStatus.fine : exitStatus.found;
      },
    },
  ],
};

function jsonEntry({ line, key, scope, state, to, note }: ListedEntry): object {
  return { line, key, versions: scopeText(scope), state, to, note };
}

function entriesFigure(entries: readonly ListedEntry[]): Figure {
  const rows = entries.map(({ key, scope, state, to, note }) => [
    key,
    scopeText(scope).split("..").map(abbreviate).join(".."),
    to === null ? state : `${state} ${to}`,
    note,
  ]);
  const head = ["subject", "commits", "state", "note"].map((label) => ({ label, align: "left" }) as const);
  return {
    title: "",
    blocks: [rows.length > 0 ? { kind: "table", head, rows } : { kind: "text", text: "no decisions" }],
  };
}
