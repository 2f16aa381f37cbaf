import {
  attach as keep,
  attachmentBytes,
  detach,
  listAttachments,
  type AttachmentRef,
} from "../../../commands/experiments/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalLines, terminalText } from "../../../core/text/index.ts";
import { formatTimestamp } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

const experimentOperand = { name: "<experiment>", synopsis: "name of the experiment" };
const nameOperand = { name: "<name>", synopsis: "name of the attachment" };

export const attach: Verb = {
  name: "attach",
  summary: "store descriptions with an experiment for use by name",
  examples: ["perfkeep attach put memory memory.inp --name memory", "perfkeep attach list memory"],
  subverbs: [
    {
      name: "put",
      summary: "attach a description of an input, query, experiment or update",
      operands: [experimentOperand, { name: "<file>", synopsis: "description, as text or XML" }],
      options: [
        { flags: "-n, --name <name>", synopsis: "name, instead of the one in the description" },
        { flags: "-s, --synopsis <text>", synopsis: "synopsis, instead of the one in the description" },
        databaseOption,
      ],
      formats: ["json"],
      run: put,
    },
    {
      name: "get",
      summary: "print an attached description",
      operands: [experimentOperand, nameOperand],
      options: [databaseOption],
      formats: [],
      run: get,
    },
    {
      name: "list",
      aliases: ["ls"],
      summary: "list attached descriptions",
      operands: [experimentOperand],
      options: [databaseOption],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    {
      name: "delete",
      summary: "delete an attached description",
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
  const { created, ...attachment } = await keep(session.workspace, options);
  if (session.format === "json")
    session.output.document("perfkeep.attachment/1", { ...attachment, created: formatTimestamp(created) });
  else session.output.report(`attached ${terminalText(attachment.name)} (${attachment.kind})\n`);
  return exitStatus.fine;
}

async function get(session: Session, args: Arguments): Promise<number> {
  const bytes = await attachmentBytes(session.workspace, locationOf(args));
  session.output.data(session.output.toTerminal ? terminalLines(new TextDecoder().decode(bytes)) : bytes);
  return exitStatus.fine;
}

async function list(session: Session, args: Arguments): Promise<number> {
  const all = await listAttachments(session.workspace, args.operand(0), args.text("db"));
  const { output, format } = session;
  if (format === "json")
    output.document("perfkeep.attachments/1", {
      attachments: all.map(({ created, ...attachment }) => ({ ...attachment, created: formatTimestamp(created) })),
    });
  else if (all.length === 0 && format === "text") output.note("no attachments: perfkeep attach put EXPERIMENT FILE");
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
  const { created, ...attachment } = await detach(session.workspace, locationOf(args));
  if (session.format === "json")
    session.output.document("perfkeep.attachment/1", { ...attachment, created: formatTimestamp(created) });
  else session.output.report(`detached ${terminalText(attachment.name)}\n`);
  return exitStatus.fine;
}

function locationOf(args: Arguments): AttachmentRef {
  return { experiment: args.operand(0), name: args.operand(1), ...databaseOf(args) };
}
