import {
  attach as keep,
  attachedContent,
  detach,
  listAttachments,
  type AttachmentPlace,
} from "../../../commands/experiments/attach.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalLines, terminalText } from "../../../core/text/terminal-text.ts";
import { formatTimestamp } from "../../../core/values/date-time.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

const experimentOperand = { name: "<experiment>", synopsis: "the experiment that keeps it" };
const nameOperand = { name: "<name>", synopsis: "the name it is kept under" };

export const attach: Verb = {
  name: "attach",
  summary: "keep descriptions with an experiment, to use them by name",
  examples: ["perfkeep attach put memory memory.inp --name memory", "perfkeep attach list memory"],
  subverbs: [
    {
      name: "put",
      summary: "keep a description: of an input, a query, an experiment, an update",
      operands: [experimentOperand, { name: "<file>", synopsis: "the description, as text or XML" }],
      options: [
        { flags: "-n, --name <name>", synopsis: "another name than its own" },
        { flags: "-s, --synopsis <text>", synopsis: "what it is about, instead of what it says itself" },
        databaseOption,
      ],
      formats: ["json"],
      run: put,
    },
    {
      name: "get",
      summary: "print a description that is kept",
      operands: [experimentOperand, nameOperand],
      options: [databaseOption],
      formats: [],
      run: get,
    },
    {
      name: "list",
      aliases: ["ls"],
      summary: "list the descriptions that are kept",
      operands: [experimentOperand],
      options: [databaseOption],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    {
      name: "delete",
      summary: "keep a description no longer",
      operands: [experimentOperand, nameOperand],
      options: [databaseOption],
      formats: ["json"],
      run: remove,
    },
  ],
};

async function put(session: Session, args: Arguments): Promise<number> {
  const [name, synopsis] = [args.text("name"), args.text("synopsis")];
  const about = { ...(name === undefined ? {} : { name }), ...(synopsis === undefined ? {} : { synopsis }) };
  const options = { experiment: args.operand(0), file: args.operand(1), ...about, ...databaseOf(args) };
  const { created, ...kept } = await keep(session.workspace, options);
  if (session.format === "json")
    session.output.document("perfkeep.attachment/1", { ...kept, created: formatTimestamp(created) });
  else session.output.data(`attached ${terminalText(kept.name)} (${kept.kind})\n`);
  return exitStatus.fine;
}

async function get(session: Session, args: Arguments): Promise<number> {
  const bytes = await attachedContent(session.workspace, place(args));
  session.output.data(session.output.toTerminal ? terminalLines(new TextDecoder().decode(bytes)) : bytes);
  return exitStatus.fine;
}

async function list(session: Session, args: Arguments): Promise<number> {
  const all = await listAttachments(session.workspace, args.operand(0), args.text("db"));
  const { output, format } = session;
  if (format === "json")
    output.document("perfkeep.attachments/1", {
      attachments: all.map(({ created, ...kept }) => ({ ...kept, created: formatTimestamp(created) })),
    });
  else if (all.length === 0 && format === "text")
    output.note("nothing is attached: perfkeep attach put EXPERIMENT FILE");
  else {
    const head = ["name", "kind", "creator", "created", "file", "synopsis"].map((label) => ({
      label,
      align: "left" as const,
    }));
    const rows = all.map(({ name, kind, creator, created, file, synopsis }) => [
      name,
      kind,
      creator ?? "",
      formatTimestamp(created),
      file ?? "",
      synopsis ?? "",
    ]);
    output.data(await renderFigure(session, { title: "", blocks: [{ kind: "table", head, rows }] }, format));
  }
  return exitStatus.fine;
}

async function remove(session: Session, args: Arguments): Promise<number> {
  const { created, ...kept } = await detach(session.workspace, place(args));
  if (session.format === "json")
    session.output.document("perfkeep.attachment/1", { ...kept, created: formatTimestamp(created) });
  else session.output.data(`detached ${terminalText(kept.name)}\n`);
  return exitStatus.fine;
}

function place(args: Arguments): AttachmentPlace {
  return { experiment: args.operand(0), name: args.operand(1), ...databaseOf(args) };
}
