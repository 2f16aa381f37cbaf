import { basename } from "node:path";
import type { Experiment } from "../../core/experiments/index.ts";
import { rowsOf, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import { isDigest, type Digest } from "../../core/versions/index.ts";
import {
  translatedChange,
  dumpFields,
  type DumpTable,
  type MissingObject,
  decodeRows,
  experimentOfJson,
  attachmentKinds,
  decodeLedgerEntry,
  numbersGiven,
  type LedgerChange,
} from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  insertAttachment,
  appendRows,
  insertExperiment,
  nextId,
  withIds,
  type StoredExperiment,
  touch,
  storeParameterSet,
} from "../catalogue/index.ts";
import { dumpColumns, ownColumns, ownVariables } from "./dump-members.ts";
import { bytesOf, damaged, objectOf, type KnownMember } from "./verify-dump.ts";
import { experimentUids } from "../history/index.ts";
import { creations, purgedHere, appendChanges, type DatedChange } from "../ledger/index.ts";
import { type Objects, receiveObject } from "../objects/index.ts";
import {
  number,
  recordsOf,
  textAt,
  variablesOf,
  type Columns,
  type Row,
  dataTable,
  onceTable,
  encodeVersions,
} from "../schema/index.ts";

export interface RestoreOptions {
  readonly from: string;
  /** The new name. */
  readonly as?: string;
  /** The new owner. */
  readonly owner?: string;
}

export interface RestoredExperiment {
  readonly experiment: string;
  /** SHA-256 of the dumped and the restored experiment. */
  readonly digest: string;
  readonly runs: number;
  /** Required objects that were not in the dump. */
  readonly missing: readonly MissingObject[];
  /** Whether its history is known, so that it can be rebuilt. */
  readonly history: boolean;
}

export type WritableObjects = Pick<Objects, "put" | "get" | "folder">;

/** Results of `finish`. */
type Finished = Pick<RestoredExperiment, "runs" | "history">;

/** A verified member, or one that was never in a file. */
type IncomingMember = Omit<KnownMember, "sha256">;

export interface RestorerOptions extends RestoreOptions {
  readonly as: string;
  /** Ids of the variables in the added changes, in the order of the description. */
  readonly variables?: readonly number[] | undefined;
}

/** Restores an experiment member by member, within a transaction of the caller. */
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
  #isCopy = false;
  /** Local ids of the variables in the added changes. */
  readonly #ids = new Map<number, number>();

  constructor(engine: Engine, objects: WritableObjects, options: RestorerOptions) {
    this.#engine = engine;
    this.#objects = objects;
    this.#options = options;
  }

  async add(member: IncomingMember): Promise<void> {
    const { role } = member;
    switch (role.kind) {
      case "experiment":
        return this.#create(await bytesOf(member));
      case "rows":
        return this.#rows(role.table, await bytesOf(member), member.name);
      case "object":
        return this.#object(member, role.object);
      case "ledger":
        return this.#entry(await bytesOf(member), member.name);
      case "mark":
      case "manifest":
        await bytesOf(member);
    }
  }

  /** Call it after all rows. Returns the experiment, whose digest can now be compared. */
  async finishRows(): Promise<StoredExperiment> {
    const stored = this.#requireStored();
    await touch(this.#engine, stored.id, this.#modified);
    return stored;
  }

  /** Appends the history. Call it last, because it locks the ledger of a shared database. */
  async finish(): Promise<Finished> {
    const { id } = this.#requireStored();
    if (this.#changes.length > 0) await appendChanges(this.#engine, this.#objects, id, this.#changes);
    // Used run numbers are never assigned again.
    await this.#engine.catalogue.restartRuns(id, this.#numbers.reduce((max, each) => Math.max(max, each), 0) + 1);
    return { runs: this.#runs, history: this.#changes.length > 0 };
  }

  async #create(bytes: Uint8Array): Promise<void> {
    const { from, as, owner } = this.#options;
    const [description, created, modified] = dumpFields(bytes, basename(from), "experiment.json", (fields) => [
      experimentOfJson(fields.fields("description")),
      fields.time("created"),
      fields.time("modified"),
    ]);
    this.#requireValid(description);
    const stored = await withIds(this.#engine, { ...description, name: as }, owner);
    await insertExperiment(this.#engine, stored, created);
    [this.#stored, this.#modified] = [stored, modified];
    this.#options.variables?.forEach((id, at) => this.#ids.set(id, stored.variableIds[at] as number));
  }

  #requireValid({ variables }: Experiment): void {
    const { from, variables: ids } = this.#options;
    if (new Set(variables.map(({ name }) => name.toLowerCase())).size !== variables.length)
      throw damaged(from, "two of its variables have the same name");
    if (ids !== undefined && (ids.length !== variables.length || new Set(ids).size !== ids.length))
      throw damaged(from, "the variables of its manifest and its description differ");
  }

  #requireStored(): StoredExperiment {
    if (this.#stored === undefined) throw damaged(this.#options.from, "it describes no experiment");
    return this.#stored;
  }

  async #rows(table: DumpTable, bytes: Uint8Array, member: string): Promise<void> {
    const stored = this.#requireStored();
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
        return this.#addSetValues(stored, recordsOf(rows));
      case "claims":
        return this.#appendToCatalogue("claim", dumpColumns.claims, rows);
      case "runs":
        for (const row of recordsOf(rows)) this.#numbers.push(Number(row.get("number")));
        this.#runs += rows.length;
        return this.#appendToCatalogue("run", dumpColumns.runs, rows);
      case "sources":
        return this.#appendToCatalogue("source", dumpColumns.sources, rows);
    }
  }

  /** Appends rows in database encoding to one of the experiment's own tables. */
  async append(table: "once" | "data", rows: Table): Promise<void> {
    const stored = this.#requireStored();
    await this.#engine.append((table === "once" ? onceTable : dataTable)(stored.id), ownColumns(stored, table), rows);
  }

  async #attach(stored: StoredExperiment, row: Row): Promise<void> {
    const [object, kind] = [String(row.get("object")), attachmentKinds.find((each) => each === row.get("kind"))];
    if (!isDigest(object) || kind === undefined)
      throw damaged(this.#options.from, `its attachment '${row.get("name")}' is invalid`);
    const optional = {
      ...textAt(row, "synopsis", "synopsis"),
      ...textAt(row, "file", "file"),
      ...textAt(row, "creator", "creator"),
    };
    await insertAttachment(
      this.#engine,
      stored,
      { name: String(row.get("name")), kind, object, ...optional },
      Number(row.get("created")),
    );
  }

  /** A set may continue in the next member; it is then stored again with all its values. */
  async #addSetValues({ id, variableIds }: StoredExperiment, rows: readonly Row[]): Promise<void> {
    const changed = new Set<string>();
    for (const row of rows) {
      const [set, variable, value] = [
        String(row.get("set")),
        variableIds[Number(row.get("variable"))],
        row.get("content"),
      ];
      if (variable === undefined)
        throw damaged(this.#options.from, `its parameter set '${set}' has a value without a variable`);
      const values = this.#sets.get(set) ?? [];
      values.push({ variable, content: typeof value === "string" ? value : null });
      this.#sets.set(set, values);
      changed.add(set);
    }
    for (const set of changed) await storeParameterSet(this.#engine, id, set, this.#sets.get(set) ?? []);
  }

  async #appendToCatalogue(table: string, columns: Columns, rows: Table): Promise<void> {
    const { id } = this.#requireStored();
    const rowsWithId = rowsOf(rows).map((row) => [id, ...(row as Value[])]);
    await appendRows(this.#engine, table, [number("experiment"), ...columns], rowsWithId);
  }

  async #object(member: IncomingMember, object: Digest): Promise<void> {
    const { from } = this.#options;
    const incoming = await objectOf(member, object, from);
    const stored = await receiveObject(this.#objects, incoming, from);
    if (stored === undefined)
      throw damaged(from, `its member '${member.name}' has ${incoming.header.length} bytes, which is too much`);
    if (stored !== object) throw damaged(from, `its member '${member.name}' is not the object of that name`);
  }

  async #entry(bytes: Uint8Array, member: string): Promise<void> {
    const entry = dumpFields(bytes, basename(this.#options.from), member, () => decodeLedgerEntry(bytes, member));
    await this.addChange(entry);
  }

  /** Adds a change from the ledger of the other database, in order. */
  async addChange({ time, change, origin, aside }: DatedChange): Promise<void> {
    this.#requireStored();
    const { as: name, owner } = this.#options;
    if (change.kind === "create-experiment") this.#isCopy = await this.#existsHere(change.uid);
    this.#numbers.push(...numbersGiven(change));
    await this.#assignIds(change);
    const idOf = (variable: number): number => this.#ids.get(variable) ?? 0;
    const isCopy = this.#isCopy;
    const translated = translatedChange(change, {
      name,
      idOf,
      isAnother: isCopy,
      ...(owner === undefined ? {} : { owner }),
    });
    const position = {
      ...(origin === undefined || isCopy ? {} : { origin }),
      ...(aside === undefined ? {} : { aside }),
    };
    this.#changes.push({ time, change: translated, ...position });
  }

  /**
   * Whether the database has the experiment already; a second copy becomes an experiment of its own, with a separate
   * history. An experiment that was moved away may return.
   */
  async #existsHere(uid: Digest | undefined): Promise<boolean> {
    if (uid === undefined) return false;
    const uids = experimentUids(await creations(this.#engine, this.#objects));
    for (const [id, each] of uids)
      if (each === uid && !(await purgedHere(this.#engine, this.#objects, id))) return true;
    return false;
  }

  /** Assigns ids to all variables, including dropped ones, which a rebuild creates and drops again. */
  async #assignIds(change: LedgerChange): Promise<void> {
    const ids =
      "variables" in change
        ? change.variables
        : change.kind === "store-parameters"
          ? change.contents.map((c) => c.variable)
          : [];
    for (const variable of ids)
      if (!this.#ids.has(variable)) this.#ids.set(variable, await nextId(this.#engine, "variable_ids"));
  }
}
