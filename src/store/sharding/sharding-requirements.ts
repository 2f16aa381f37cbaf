import { Failure } from "../../core/failures/failure.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { canSeeAll } from "../catalogue/rights.ts";
import { recordsOf } from "../schema/result-rows.ts";

/** As PostgreSQL numbers its versions; older ones send no CASE. */
const minServerVersion = 150_000;

/** Fails with `no-spreading`, `data-server-given-twice`. */
export async function requireShardable(
  engine: Engine,
  { experiment }: StoredExperiment,
  { servers }: { readonly servers: readonly ShardServer[] },
): Promise<void> {
  const refuse = (reason: string, advice: string): Failure =>
    new Failure("no-spreading", { experiment: experiment.name, reason, advice });
  if (engine.dialect !== "postgres")
    throw refuse("it is in a file", "spread an experiment of a PostgreSQL server (--db postgres://…)");
  const places = servers.map(({ location: place, user }) => `${user}@${place}`);
  const twice = places.find((place, at) => places.indexOf(place) !== at);
  if (twice !== undefined) throw new Failure("data-server-given-twice", { location: twice });
  const [row] = recordsOf(
    await engine.query(
      "select cast(pg_get_userbyid(nspowner) as varchar) as owner, current_setting('server_version_num')::integer as version from pg_namespace where nspname = 'perfkeep'",
    ),
  );
  if (!(await canSeeAll(engine))) throw refuse("only the owner of the schema may do that", `ask ${row?.get("owner")}`);
  if (Number(row?.get("version")) < minServerVersion) throw refuse("its server is older than PostgreSQL 15", "renew the server");
}

/** Of a data server. Fails with `no-spreading`. */
export async function requireRecent({ location: place, engine }: ShardServer, { experiment }: StoredExperiment): Promise<void> {
  const [row] = recordsOf(await engine.query("select current_setting('server_version_num')::integer as version"));
  if (Number(row?.get("version")) >= minServerVersion) return;
  throw new Failure("no-spreading", {
    experiment: experiment.name,
    reason: `${place} is older than PostgreSQL 15`,
    advice: "renew that server",
  });
}
