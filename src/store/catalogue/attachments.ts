import type { Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { attachmentKinds, type StoredAttachment } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { appendRows, type StoredExperiment } from "./catalogue.ts";
import { recordsOf, text, textAt, time, number, type Columns, type Row } from "../schema/index.ts";

/** A named description attached to an experiment. */
export interface Attachment extends StoredAttachment {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly created: number;
}

const columns: Columns = [
  number("experiment"),
  ...["name", "name_key", "kind", "synopsis", "file", "object", "creator"].map(text),
  time("created"),
];

/** Fails with `attachment-exists`; names are case-insensitive. */
export async function insertAttachment(
  engine: Engine,
  { id, experiment }: StoredExperiment,
  kept: StoredAttachment,
  now: number,
): Promise<void> {
  const key = kept.name.toLowerCase();
  const known = await engine.query("select name from attachment where experiment = $1 and name_key = $2", [id, key]);
  if (known.length > 0) throw new Failure("attachment-exists", { experiment: experiment.name, name: kept.name });
  const { name, kind, synopsis, file, object, creator } = kept;
  const row = [id, name, key, kind, synopsis ?? null, file ?? null, object, creator ?? null, now];
  await appendRows(engine, "attachment", columns, [row]);
}

/** Sorted by name. */
export async function listAttachments(engine: Engine, { id }: StoredExperiment): Promise<Attachment[]> {
  const rows = await engine.query("select * from attachment where experiment = $1 order by name_key", [id]);
  return recordsOf(rows).map(attachmentOf);
}

/** The attachment called `name`, of `kind` if given. Fails with `unknown-attachment`, which lists similar names. */
export async function findAttachment(
  engine: Engine,
  stored: StoredExperiment,
  name: string,
  kind?: Attachment["kind"],
): Promise<Attachment> {
  const all = (await listAttachments(engine, stored)).filter((each) => kind === undefined || each.kind === kind);
  const found = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  throw new Failure("unknown-attachment", {
    experiment: stored.experiment.name,
    name,
    near: nearest(name, names).join(", "),
  });
}

export async function deleteAttachment(engine: Engine, stored: StoredExperiment, name: string): Promise<void> {
  const found = await findAttachment(engine, stored, name);
  await engine.execute("delete from attachment where experiment = $1 and name_key = $2", [
    stored.id,
    found.name.toLowerCase(),
  ]);
}

function attachmentOf(row: Row): Attachment {
  return {
    name: String(row.get("name")),
    kind: attachmentKinds.find((kind) => kind === row.get("kind")) ?? "input",
    ...textAt(row, "synopsis", "synopsis"),
    ...textAt(row, "file", "file"),
    object: String(row.get("object")) as Digest,
    ...textAt(row, "creator", "creator"),
    created: Number(row.get("created")),
  };
}
