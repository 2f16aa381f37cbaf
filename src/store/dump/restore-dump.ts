import { basename } from "node:path";
import { isDigest, type Digest } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import { translatedChange } from "../../formats/store/experiments/dump-ledger.ts";
import {
  dumpFields,
  type DumpManifest,
  type DumpTable,
  type MissingObject,
} from "../../formats/store/experiments/dump-manifest.ts";
import { decodeRows } from "../../formats/store/experiments/dump-rows.ts";
import { experimentOfJson } from "../../formats/store/experiments/experiment-json.ts";
import {
  attachmentKinds,
  decodeLedgerEntry,
  numbersGiven,
  type LedgerChange,
} from "../../formats/store/experiments/ledger.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { insertAttachment } from "../catalogue/attachments.ts";
import {
  appendRows,
  insertExperiment,
  nextId,
  requireFreeName,
  withIds,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { experimentDigest, dumpColumns, ownColumns, ownVariables } from "./dump-members.ts";
import { touch } from "../catalogue/experiment-states.ts";
import { experimentUids } from "../history/local-history.ts";
import { receiveObject } from "../objects/receive-object.ts";
import { creations, purgedHere, appendChanges, type DatedChange } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { storeParameterSet } from "../catalogue/parameter-sets.ts";
import { number, recordsOf, textAt, variablesOf, type Columns, type Row } from "../schema/result-rows.ts";
import { dataTable, onceTable, restartRuns } from "../schema/schema.ts";
import { bytesOf, damaged, objectOf, readDump, type KnownMember } from "./verify-dump.ts";
import { versionKey } from "../schema/version-key.ts";

export interface RestoreOptions {
  readonly from: string;
  /** Another name than it had. */
  readonly as?: string;
  /** Who owns it from now on. */
  readonly owner?: string;
}

export interface RestoredExperiment {
  readonly experiment: string;
  /** SHA-256 over all contents: the dump's, and what is stored now. */
  readonly contents: string;
  readonly runs: number;
  /** What belongs to it and was not in the dump. */
  readonly missing: readonly MissingObject[];
  /** Whether what happened to it is known, so that a rebuild can make it again. */
  readonly history: boolean;
}

type WritableObjects = Pick<Objects, "put" | "get" | "folder">;

/** What is known at the end. */
type Finished = Pick<RestoredExperiment, "runs" | "history">;

/**
 * Makes the experiment of a dump again; within a transaction of the caller, who verified the dump. Its runs keep their
 * numbers; it gets ids of this database, and its history is told once more at the end of this ledger. Fails with
 * `experiment-exists`, `dump-damaged`.
 */
export async function restore(
  engine: Engine,
  objects: WritableObjects,
  manifest: DumpManifest,
  options: RestoreOptions,
): Promise<RestoredExperiment> {
  const name = options.as ?? manifest.experiment;
  if (name === "" || /\p{Cc}/u.test(name)) throw damaged(options.from, "its experiment has no proper name");
  await requireFreeName(engine, name);
  const restoring = new ExperimentRestorer(engine, objects, { ...options, as: name, variables: manifest.variables });
  for await (const member of readDump(options.from)) await addMember(restoring, member, options.from);
  if ((await experimentDigest(engine, await restoring.finishRows())) !== manifest.contents)
    throw damaged(options.from, "its contents are not what its manifest says");
  const { runs, history } = await restoring.finish();
  return { experiment: name, contents: manifest.contents, runs, missing: manifest.missing, history };
}

/** What an honest dump never meets: whoever wrote this one did not mean well. */
const signsOfDamage = ["database-refused", "text-not-storable", "attachment-exists", "object-damaged"] as const;

async function addMember(restoring: ExperimentRestorer, member: KnownMember, path: string): Promise<void> {
  try {
    await restoring.add(member);
  } catch (error) {
    if (error instanceof Failure && signsOfDamage.some((code) => error.code === code))
      throw damaged(path, `its member '${member.name}' cannot be stored: ${error.message}`, error);
    throw error;
  }
}

/** What has been verified, or never was in a file. */
type IncomingMember = Omit<KnownMember, "sha256">;

export interface RestorerOptions extends RestoreOptions {
  readonly as: string;
  /** Ids of the variables in the changes that are told, in the order of the description. */
  readonly variables?: readonly number[] | undefined;
}

/** An experiment on its way into a database, part by part; within a transaction of the caller. */
export class ExperimentRestorer {
  readonly #engine: Engine;
  readonly #objects: WritableObjects;
  readonly #options: RestorerOptions;
  #stored: StoredExperiment | undefined;
  #modified = 0;
  #sets = new Map<string, { variable: number; content: string | null }[]>();
  #numbers: number[] = [];
  #runs = 0;
  readonly #changes: DatedChange[] = [];
  #isAnother = false;
  /** Ids here of the variables in the changes that are told. */
  readonly #ids = new Map<number, number>();

  constructor(engine: Engine, objects: WritableObjects, options: RestorerOptions) {
    this.#engine = engine;
    this.#objects = objects;
    this.#options = options;
  }

  async add(member: IncomingMember): Promise<void> {
    const { role: place } = member;
    switch (place.kind) {
      case "experiment":
        return this.#create(await bytesOf(member));
      case "rows":
        return this.#rows(place.table, await bytesOf(member), member.name);
      case "object":
        return this.#object(member, place.object);
      case "ledger":
        return this.#entry(await bytesOf(member), member.name);
      case "mark":
      case "manifest":
        await bytesOf(member);
    }
  }

  /** The experiment with all contents that were taken, which can be compared now. */
  async finishRows(): Promise<StoredExperiment> {
    const stored = this.#found();
    await touch(this.#engine, stored.id, this.#modified);
    return stored;
  }

  /** What happened to it, which others that write to a shared database wait for; the last thing to do. */
  async finish(): Promise<Finished> {
    const { id } = this.#found();
    if (this.#changes.length > 0) await appendChanges(this.#engine, this.#objects, id, this.#changes);
    // Numbers that were given once are never given again.
    await restartRuns(this.#engine, id, this.#numbers.reduce((most, each) => Math.max(most, each), 0) + 1);
    return { runs: this.#runs, history: this.#changes.length > 0 };
  }

  async #create(bytes: Uint8Array): Promise<void> {
    const { from, as, owner } = this.#options;
    const [description, created, modified] = dumpFields(bytes, basename(from), "experiment.json", (fields) => [
      experimentOfJson(fields.fields("description")),
      fields.number("created"),
      fields.number("modified"),
    ]);
    this.#requireProper(description);
    const stored = await withIds(this.#engine, { ...description, name: as }, owner);
    await insertExperiment(this.#engine, stored, created);
    [this.#stored, this.#modified] = [stored, modified];
    this.#options.variables?.forEach((id, at) => this.#ids.set(id, stored.variableIds[at] as number));
  }

  #requireProper({ variables }: Experiment): void {
    const { from, variables: ids } = this.#options;
    if (new Set(variables.map(({ name }) => name.toLowerCase())).size !== variables.length)
      throw damaged(from, "two of its variables have the same name");
    if (ids !== undefined && (ids.length !== variables.length || new Set(ids).size !== ids.length))
      throw damaged(from, "its manifest names other variables than its description");
  }

  #found(): StoredExperiment {
    if (this.#stored === undefined) throw damaged(this.#options.from, "it describes no experiment");
    return this.#stored;
  }

  async #rows(table: DumpTable, bytes: Uint8Array, member: string): Promise<void> {
    const stored = this.#found();
    const own = table === "once" || table === "data";
    const rows = decodeRows(
      bytes,
      own ? ownVariables(stored, table) : variablesOf(dumpColumns[table]),
      `${basename(this.#options.from)}, ${member}`,
    );
    if (own) return this.append(table, encodeVersions(rows));
    switch (table) {
      case "attachments":
        for (const row of recordsOf(rows)) await this.#attach(stored, row);
        return;
      case "parameter-sets":
        for (const row of recordsOf(rows))
          await storeParameterSet(this.#engine, stored.id, String(row.get("name")), []);
        return;
      case "parameter-set-contents":
        return this.#setContents(stored, recordsOf(rows));
      case "claims":
        return this.#catalogued("claim", dumpColumns.claims, rows);
      case "runs":
        for (const row of recordsOf(rows)) this.#numbers.push(Number(row.get("number")));
        this.#runs += rows.length;
        return this.#catalogued("run", dumpColumns.runs, rows);
      case "sources":
        return this.#catalogued("source", dumpColumns.sources, rows);
    }
  }

  /** Rows of an own table as databases have them. */
  async append(table: "once" | "data", rows: Table): Promise<void> {
    const stored = this.#found();
    await this.#engine.append((table === "once" ? onceTable : dataTable)(stored.id), ownColumns(stored, table), rows);
  }

  async #attach(stored: StoredExperiment, row: Row): Promise<void> {
    const [object, kind] = [String(row.get("object")), attachmentKinds.find((each) => each === row.get("kind"))];
    if (!isDigest(object) || kind === undefined)
      throw damaged(this.#options.from, `its attachment '${row.get("name")}' is none`);
    const told = {
      ...textAt(row, "synopsis", "synopsis"),
      ...textAt(row, "file", "file"),
      ...textAt(row, "creator", "creator"),
    };
    await insertAttachment(
      this.#engine,
      stored,
      { name: String(row.get("name")), kind, object, ...told },
      Number(row.get("created")),
    );
  }

  /** A set may go on in the next piece: it is stored again then, with all that is known of it. */
  async #setContents({ id, variableIds }: StoredExperiment, rows: readonly Row[]): Promise<void> {
    const changed = new Set<string>();
    for (const row of rows) {
      const [set, variable, content] = [
        String(row.get("set")),
        variableIds[Number(row.get("variable"))],
        row.get("content"),
      ];
      if (variable === undefined)
        throw damaged(this.#options.from, `its parameter set '${set}' has a content of no variable`);
      const contents = this.#sets.get(set) ?? [];
      contents.push({ variable, content: typeof content === "string" ? content : null });
      this.#sets.set(set, contents);
      changed.add(set);
    }
    for (const set of changed) await storeParameterSet(this.#engine, id, set, this.#sets.get(set) ?? []);
  }

  async #catalogued(table: string, columns: Columns, rows: Table): Promise<void> {
    const { id } = this.#found();
    const told = rowsOf(rows).map((row) => [id, ...(row as Value[])]);
    await appendRows(this.#engine, table, [number("experiment"), ...columns], told);
  }

  async #object(member: IncomingMember, object: Digest): Promise<void> {
    const { from } = this.#options;
    const arriving = await objectOf(member, object, from);
    const kept = await receiveObject(this.#objects, arriving, from);
    if (kept === undefined)
      throw damaged(from, `its member '${member.name}' has ${arriving.header.length} bytes, which is too much`);
    if (kept !== object) throw damaged(from, `its member '${member.name}' is not the object of that name`);
  }

  async #entry(bytes: Uint8Array, member: string): Promise<void> {
    const entry = dumpFields(bytes, basename(this.#options.from), member, () => decodeLedgerEntry(bytes, member));
    await this.addChange(entry);
  }

  /** What happened to it elsewhere, in order. */
  async addChange({ time, change, origin, aside }: DatedChange): Promise<void> {
    this.#found();
    const { as: name, owner } = this.#options;
    if (change.kind === "create-experiment") this.#isAnother = await this.#isHere(change.uid);
    this.#numbers.push(...numbersGiven(change));
    await this.#nameVariables(change);
    const idOf = (variable: number): number => this.#ids.get(variable) ?? 0;
    const isAnother = this.#isAnother;
    const told = translatedChange(change, { name, idOf, isAnother, ...(owner === undefined ? {} : { owner }) });
    const place = {
      ...(origin === undefined || isAnother ? {} : { origin }),
      ...(aside === undefined ? {} : { aside }),
    };
    this.#changes.push({ time, change: told, ...place });
  }

  /**
   * One database has an experiment once: restored beside itself it is another, with a history of its own from then on.
   * What was moved away may come back.
   */
  async #isHere(uid: Digest | undefined): Promise<boolean> {
    if (uid === undefined) return false;
    const uids = experimentUids(await creations(this.#engine, this.#objects));
    for (const [id, each] of uids)
      if (each === uid && !(await purgedHere(this.#engine, this.#objects, id))) return true;
    return false;
  }

  /** Variables that were dropped later get ids, too: a rebuild makes and drops them again. */
  async #nameVariables(change: LedgerChange): Promise<void> {
    const named =
      "variables" in change
        ? change.variables
        : change.kind === "store-parameters"
          ? change.contents.map((c) => c.variable)
          : [];
    for (const variable of named)
      if (!this.#ids.has(variable)) this.#ids.set(variable, await nextId(this.#engine, "variable_ids"));
  }
}

/** Versions as the database sorts them. */
function encodeVersions({ variables, columns, length }: Table): Table {
  const stored = (column: Column, at: number): Column =>
    variables[at]?.type === "version" && column.kind === "text"
      ? { ...column, dictionary: column.dictionary.map(versionKey) }
      : column;
  return { variables, columns: columns.map(stored), length };
}
