import type { Digest } from "../../../core/versions/digest.ts";
import type { LedgerChange, LedgerEntry } from "./ledger.ts";

/** Stands in a dump for the name of its experiment, which whoever restores it may choose. */
export const nameInDumps = "dumped";

const noDatabase = "00000000-0000-0000-0000-000000000000";

/**
 * An entry of one experiment as a dump keeps it: as if that experiment were the only one of its database. `number`: its
 * place among the entries of the experiment, from 1. `idOf` gives variables their ids in the dump. Who owned it stays
 * behind; what the experiment is called among all instances does not.
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
  /** Keeps the entry. */
  readonly object: Digest;
  /** Of entries with a description. */
  readonly identity: { readonly uid?: Digest; readonly keys?: readonly string[] };
}

/** How an experiment is called elsewhere. */
export interface Translation {
  readonly name: string;
  readonly idOf: (variable: number) => number;
  readonly owner?: string;
  /** Instances are to take it for another experiment. */
  readonly isAnother?: boolean;
}

/**
 * The same change of the experiment under another name, with other ids. All former names become the one it has in the
 * end.
 */
export function translatedChange(
  change: LedgerChange,
  { name, idOf, owner, isAnother = false }: Translation,
): LedgerChange {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment": {
      const { kind, description, variables, uid, keys } = change;
      const owned = owner === undefined ? {} : { owner };
      const identity = { ...(uid === undefined || isAnother ? {} : { uid }), ...(keys === undefined ? {} : { keys }) };
      return { kind, description: { ...description, name }, variables: variables.map(idOf), ...owned, ...identity };
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

/** Numbers from 1 for whatever comes, in the order in which it comes. */
export function numbersFromOne(): (id: number) => number {
  const known = new Map<number, number>();
  return (id) => {
    const number = known.get(id) ?? known.size + 1;
    known.set(id, number);
    return number;
  };
}
