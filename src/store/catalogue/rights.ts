import { Failure } from "../../core/failures/index.ts";
import type { Experiment, AccessChange } from "../../core/experiments/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { recordsOf } from "../schema/index.ts";

export type Right = AccessChange["level"];

/** An experiment and its owner. */
interface Owned {
  readonly id: number;
  readonly experiment: Experiment;
  readonly owner?: string;
}

/** The user logged in to the server; undefined for a file. */
export async function sessionUser(engine: Engine): Promise<string | undefined> {
  if (engine.dialect !== "postgres") return undefined;
  const [row] = recordsOf(await engine.query("select cast(session_user as varchar) as who"));
  return String(row?.get("who"));
}

/**
 * Checks a right to report who can grant it; the server enforces rights itself. Fails with `right-missing`. Always
 * passes for a file, which relies on its permissions.
 */
export async function requireRight(engine: Engine, stored: Owned, right: Right): Promise<void> {
  if (engine.dialect !== "postgres") return;
  const [row] = recordsOf(await engine.query("select $1 = any(granted($2)) as granted", [stored.id, right]));
  if (row?.get("granted") === true) return;
  const { name, admins = [] } = stored.experiment;
  const grantors = [...new Set([...(stored.owner === undefined ? [] : [stored.owner]), ...admins])].join(", ");
  throw new Failure("right-missing", { user: await sessionUser(engine), right, experiment: name, grantors });
}

/** Fails with `right-missing` if the user may not create experiments. */
export async function requireCreation(engine: Engine): Promise<void> {
  if (engine.dialect !== "postgres") return;
  const [row] = recordsOf(await engine.query("select may_create() as granted"));
  if (row?.get("granted") !== true) throw await creationForbidden(engine);
}

async function creationForbidden(engine: Engine): Promise<Failure> {
  const owner =
    "(select cast(pg_get_userbyid(relowner) as varchar) from pg_catalog.pg_class " +
    "where oid = cast('perfkeep.experiment' as regclass))";
  const [row] = recordsOf(await engine.query(`select cast(session_user as varchar) as who, ${owner} as owner`));
  return new Failure("right-missing", {
    user: String(row?.get("who")),
    right: "create",
    grantors: String(row?.get("owner")),
  });
}

/** Whether the user sees the experiments of all users. */
export async function canSeeAll(engine: Engine): Promise<boolean> {
  if (engine.dialect !== "postgres") return true;
  return recordsOf(await engine.query("select is_keeper() as all"))[0]?.get("all") === true;
}

/** Serializes changes of descriptions and rights; within a transaction of the caller. */
export async function lockRights(engine: Engine): Promise<void> {
  if (engine.dialect === "postgres") await engine.execute("select hold_rights()");
}

/** Fails with `role-unknown`, which lists similar names, if the server has no user or group of a name. */
export async function requireRoles(engine: Engine, names: readonly string[]): Promise<void> {
  if (engine.dialect !== "postgres" || names.length === 0) return;
  const known = await serverRoles(engine);
  for (const who of names) {
    const role = roleName(who);
    if (!known.includes(role))
      throw new Failure("role-unknown", { role, near: nearest(role.slice(0, 64), known).join(", ") });
  }
}

async function serverRoles(engine: Engine): Promise<string[]> {
  const rows = await engine.query(
    "select cast(rolname as varchar) as name from pg_catalog.pg_roles where rolname !~ '^pg_' order by 1",
  );
  return recordsOf(rows).map((row) => String(row.get("name")));
}

/** The names without a user or group on the server, whose rights do not apply yet. Empty for a file. */
export async function unknownRoles(engine: Engine, names: readonly string[]): Promise<string[]> {
  if (engine.dialect !== "postgres") return [];
  const known = await serverRoles(engine);
  return names.filter((who) => !known.includes(roleName(who)));
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

/**
 * On a server: replaces the rights on experiment `id` and updates the privileges of the users. Experiment 0 stands for
 * the right to create experiments.
 */
export async function setServerRights(
  engine: Engine,
  id: number,
  names: readonly (readonly [right: string, who: string])[],
): Promise<void> {
  await engine.execute("select set_access($1, $2)", [id, JSON.stringify(names)]);
}

/** The users other than the schema's owner who may create experiments on a server. Empty for a file. */
export async function creators(engine: Engine): Promise<string[]> {
  if (engine.dialect !== "postgres") return [];
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
  if (engine.dialect !== "postgres") throw new Failure("no-users");
  await lockRights(engine);
  if (!(await canSeeAll(engine))) throw await creationForbidden(engine);
  const before = await creators(engine);
  const added = names.filter((who) => !before.includes(who));
  if (action === "grant") await requireRoles(engine, added);
  const after = action === "grant" ? [...before, ...new Set(added)] : before.filter((who) => !names.includes(who));
  await setServerRights(
    engine,
    0,
    after.map((who) => ["create", who]),
  );
  return after;
}
