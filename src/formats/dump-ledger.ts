import type { LedgerChange, LedgerEntry } from "./ledger.ts";

/** Stands in a dump for the name of its experiment, which whoever restores it may choose. */
export const nameInDumps = "dumped";

const noDatabase = "00000000-0000-0000-0000-000000000000";

/**
 * An entry of one experiment as a dump keeps it: as if that experiment were the only one of its database. `number`: its place among the
 * entries of the experiment, from 1. `idOf` gives variables their ids in the dump. Who owned it stays behind.
 */
export function dumpedEntry({ time, change }: LedgerEntry, number: number, idOf: (variable: number) => number): LedgerEntry {
  const told = translatedChange(change, { name: nameInDumps, idOf });
  return { schema: "perfkeep.ledger/1", database: noDatabase, number, time, experiment: 1, change: told };
}

/** How an experiment is called elsewhere. */
export interface Translation {
  readonly name: string;
  readonly idOf: (variable: number) => number;
  readonly owner?: string;
}

/** The same change of the experiment under another name, with other ids. All former names become the one it has in the end. */
export function translatedChange(change: LedgerChange, { name, idOf, owner }: Translation): LedgerChange {
  switch (change.kind) {
    case "create-experiment":
    case "update-experiment": {
      const { kind, description, variables } = change;
      const owned = owner === undefined ? {} : { owner };
      return { kind, description: { ...description, name }, variables: variables.map(idOf), ...owned };
    }
    case "undelete-experiment":
      return { ...change, name };
    case "store-parameters":
      return { ...change, contents: change.contents.map(({ variable, content }) => ({ variable: idOf(variable), content })) };
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
