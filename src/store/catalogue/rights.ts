import { Failure } from "../../core/failures/index.ts";
import type { Experiment, AccessChange } from "../../core/experiments/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { LedgerChange } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { recordsOf } from "../schema/index.ts";

export type Right = AccessChange["level"];

/** An experiment and its owner. */
interface Owned {
  readonly id: number;
  readonly experiment: Experiment;
  readonly owner?: string;
}

/** Checks a right to report who can grant it; a server enforces rights itself. Fails with `right-missing`. */
export async function requireRight({ rights }: Engine, stored: Owned, right: Right): Promise<void> {
  if (await rights.isGranted(stored.id, right)) return;
  const { name, admins = [] } = stored.experiment;
  const grantors = [...new Set([...(stored.owner === undefined ? [] : [stored.owner]), ...admins])].join(", ");
  throw new Failure("right-missing", { user: await rights.user(), right, experiment: name, grantors });
}

/** Writers may add, and delete and restore the runs they imported; everything else requires `admin`. */
export async function rightFor({ rights }: Engine, { id }: Owned, change: LedgerChange): Promise<Right> {
  const { kind } = change;
  if (kind === "attach" || kind === "store-parameters") return "write";
  const changesRuns = kind === "delete-runs" || kind === "undelete-runs";
  return changesRuns && (await rights.importedAll(id, change.runs)) ? "write" : "admin";
}

/** Fails with `right-missing` if the user may not create experiments. */
export async function requireCreation(engine: Engine): Promise<void> {
  if (!(await engine.rights.mayCreate())) throw await creationForbidden(engine);
}

async function creationForbidden({ rights }: Engine): Promise<Failure> {
  return new Failure("right-missing", {
    user: await rights.user(),
    right: "create",
    grantors: await rights.keeper(),
  });
}

/** Fails with `role-unknown`, which lists similar names, if the server has no user or group of a name. */
export async function requireRoles({ rights }: Engine, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const known = await rights.roles();
  if (known === undefined) return;
  for (const who of names) {
    const role = roleName(who);
    if (!known.includes(role))
      throw new Failure("role-unknown", { role, near: nearest(role.slice(0, 64), known).join(", ") });
  }
}

/** The names without a user or group on the server, whose rights do not apply yet. Empty for a file. */
export async function unknownRoles({ rights }: Engine, names: readonly string[]): Promise<string[]> {
  const known = await rights.roles();
  return known === undefined ? [] : names.filter((who) => !known.includes(roleName(who)));
}

/** `who` without the @ that marks a group. */
function roleName(who: string): string {
  return who.startsWith("@") ? who.slice(1) : who;
}

/** All names that an experiment grants rights to, each once. */
export function granteesOf({ readers, writers, admins = [] }: Experiment): string[] {
  return [...new Set([...readers, ...writers, ...admins])];
}

export function sameRights(before: Experiment, after: Experiment): boolean {
  const rightsKey = ({ readers, writers, admins = [] }: Experiment): string =>
    JSON.stringify([readers, writers, admins]);
  return rightsKey(before) === rightsKey(after);
}

/** The users other than the schema's owner who may create experiments on a server. Empty for a file. */
export async function creators(engine: Engine): Promise<string[]> {
  if (!engine.rights.areEnforced) return [];
  const rows = await engine.query("select who from access where experiment = 0 order by ordinal");
  return recordsOf(rows).map((row) => String(row.get("who")));
}

/**
 * Grants or revokes the right to create experiments, within a transaction of the caller; returns all who have it. Fails
 * with `no-users` for a file.
 */
export async function changeCreators(
  engine: Engine,
  action: "grant" | "revoke",
  names: readonly string[],
): Promise<string[]> {
  if (!engine.rights.areEnforced) throw new Failure("no-users");
  await engine.rights.lock();
  if (!(await engine.rights.seesAll())) throw await creationForbidden(engine);
  const before = await creators(engine);
  const added = names.filter((who) => !before.includes(who));
  if (action === "grant") await requireRoles(engine, added);
  const after = action === "grant" ? [...before, ...new Set(added)] : before.filter((who) => !names.includes(who));
  await engine.rights.replace(
    0,
    after.map((who) => ["create", who]),
  );
  return after;
}
