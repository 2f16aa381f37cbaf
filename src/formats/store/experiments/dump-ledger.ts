import type { Digest } from "../../../core/versions/index.ts";
import type { LedgerChange, LedgerEntry } from "./ledger.ts";

/** Placeholder in a dump for the name of its experiment, which is chosen on restore. */
export const nameInDumps = "dumped";

const noDatabase = "00000000-0000-0000-0000-000000000000";

/**
 * An entry of an experiment as stored in a dump: as if the experiment were the only one in its database. `number` is
 * its
 * 1-based index among the entries of the experiment; `idOf` maps variables to their ids in the dump. The owner is
 * omitted; the experiment's identity across instances is preserved.
 */
export function dumpedEntry(
  { time, change, origin, aside }: LedgerEntry,
  { number, idOf, object, identity }: DumpContext,
): LedgerEntry {
  const translated = translatedChange(change, { name: nameInDumps, idOf });
  const named = "description" in translated ? { ...translated, ...identity } : translated;
  const source = aside === true ? { aside } : { origin: origin ?? object };
  return { schema: "perfkeep.ledger/1", database: noDatabase, number, time, experiment: 1, change: named, ...source };
}

export interface DumpContext {
  readonly number: number;
  readonly idOf: (variable: number) => number;
  /** The object of the entry. */
  readonly object: Digest;
  /** For entries with a description. */
  readonly identity: { readonly uid?: Digest; readonly keys?: readonly string[] };
}

/** Names and ids of an experiment in another database. */
export interface Translation {
  readonly name: string;
  readonly idOf: (variable: number) => number;
  readonly owner?: string;
  /** The result is a different experiment to all instances. */
  readonly isAnother?: boolean;
}

/**
 * The change with another experiment name and other ids. All former names become the final one.
 */
export function translatedChange(
  change: LedgerChange,
  { name, idOf, owner, isAnother = false }: Translation,
): LedgerChange {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment": {
      const { kind, description, variables, uid, keys, converts } = change;
      const owned = owner === undefined ? {} : { owner };
      const identity = { ...(uid === undefined || isAnother ? {} : { uid }), ...(keys === undefined ? {} : { keys }) };
      const converted = converts === undefined ? {} : { converts };
      return {
        kind,
        description: { ...description, name },
        variables: variables.map(idOf),
        ...owned,
        ...identity,
        ...converted,
      };
    }
    case "import":
      return isAnother ? { ...change, runs: change.runs.map(({ was: _, ...facts }) => facts) } : change;
    case "undelete-experiment":
      return { ...change, name };
    case "store-parameters":
      return {
        ...change,
        contents: change.contents.map(({ variable, content }) => ({ variable: idOf(variable), content })),
      };
    default:
      return change;
  }
}

/** A function that numbers its distinct arguments from 1 in order of first use. */
export function numbersFromOne(): (id: number) => number {
  const known = new Map<number, number>();
  return (id) => {
    const number = known.get(id) ?? known.size + 1;
    known.set(id, number);
    return number;
  };
}
