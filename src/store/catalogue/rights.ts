import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { AccessChange } from "../../core/experiments/experiment-update.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { recordsOf } from "../schema/result-rows.ts";

export type Right = AccessChange["level"];

/** An experiment, and who made it. */
interface Owned {
  readonly id: number;
  readonly experiment: Experiment;
  readonly owner?: string;
}

/** The user who logged in at a server; of a file undefined. Programs cannot choose it. */
export async function loggedIn(engine: Engine): Promise<string | undefined> {
  if (engine.dialect !== "postgres") return undefined;
  const [row] = recordsOf(await engine.query("select cast(session_user as varchar) as who"));
  return String(row?.get("who"));
}

/**
 * Says before the server does what is missing and who can give it; what happens is up to the server. Fails with
 * `right-missing`. A file is guarded by its permissions alone.
 */
export async function requireRight(engine: Engine, stored: Owned, right: Right): Promise<void> {
  if (engine.dialect !== "postgres") return;
  const [row] = recordsOf(await engine.query("select $1 = any(granted($2)) as granted", [stored.id, right]));
  if (row?.get("granted") === true) return;
  const { name, admins = [] } = stored.experiment;
  const grantors = [...new Set([...(stored.owner === undefined ? [] : [stored.owner]), ...admins])].join(", ");
  throw new Failure("right-missing", { user: await loggedIn(engine), right, experiment: name, grantors });
}

/** Fails with `right-missing` where the user may make no experiments. */
export async function requireCreation(engine: Engine): Promise<void> {
  if (engine.dialect !== "postgres") return;
  const [row] = recordsOf(await engine.query("select may_create() as granted"));
  if (row?.get("granted") !== true) throw await creationForbidden(engine);
}

async function creationForbidden(engine: Engine): Promise<Failure> {
  const owner =
    "(select cast(pg_get_userbyid(relowner) as varchar) from pg_catalog.pg_class where oid = cast('perfkeep.experiment' as regclass))";
  const [row] = recordsOf(await engine.query(`select cast(session_user as varchar) as who, ${owner} as owner`));
  return new Failure("right-missing", {
    user: String(row?.get("who")),
    right: "create",
    grantors: String(row?.get("owner")),
  });
}

/** Whether the user sees all experiments that there are, whoever made them. */
export async function seesAll(engine: Engine): Promise<boolean> {
  if (engine.dialect !== "postgres") return true;
  return recordsOf(await engine.query("select is_keeper() as all"))[0]?.get("all") === true;
}

/**
 * Changes of descriptions and rights follow one another, in the order of their locks; within a transaction of the
 * caller.
 */
export async function holdRights(engine: Engine): Promise<void> {
  if (engine.dialect === "postgres") await engine.execute("select hold_rights()");
}

/** Fails with `role-unknown` when the server knows no user or group of a name that is new; it has near names. */
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

/** Names among these that no user or group of the server has: their rights wait. None in a file. */
export async function unknownRoles(engine: Engine, names: readonly string[]): Promise<string[]> {
  if (engine.dialect !== "postgres") return [];
  const known = await serverRoles(engine);
  return names.filter((who) => !known.includes(roleName(who)));
}

/** Without the @ that marks a group. */
function roleName(who: string): string {
  return who.startsWith("@") ? who.slice(1) : who;
}

/** All names that an experiment gives rights to, each once. */
export function namesOf({ readers, writers, admins = [] }: Experiment): string[] {
  return [...new Set([...readers, ...writers, ...admins])];
}

export function sameRights(before: Experiment, after: Experiment): boolean {
  const told = ({ readers, writers, admins = [] }: Experiment): string => JSON.stringify([readers, writers, admins]);
  return told(before) === told(after);
}

/**
 * On a server: puts names in place of those that were there, and gives and takes what they may do. Experiment 0 stands
 * for making experiments.
 */
export async function setServerRights(
  engine: Engine,
  id: number,
  names: readonly (readonly [right: string, who: string])[],
): Promise<void> {
  await engine.execute("select set_access($1, $2)", [id, JSON.stringify(names)]);
}

/** Who may make experiments on a server, besides the owner of the schema. None in a file: whoever can write it may. */
export async function creators(engine: Engine): Promise<string[]> {
  if (engine.dialect !== "postgres") return [];
  const rows = await engine.query("select who from access where experiment = 0 order by ordinal");
  return recordsOf(rows).map((row) => String(row.get("who")));
}

/** Within a transaction of the caller. Answers those who may afterwards. Fails with `no-users` in a file. */
export async function changeCreators(
  engine: Engine,
  action: "grant" | "revoke",
  names: readonly string[],
): Promise<string[]> {
  if (engine.dialect !== "postgres") throw new Failure("no-users");
  await holdRights(engine);
  if (!(await seesAll(engine))) throw await creationForbidden(engine);
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
