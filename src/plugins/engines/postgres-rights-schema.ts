import { asOwner, guarded, settleTablesFunction, tableFunctions } from "./postgres-table-functions.ts";

/**
 * Access control on a shared PostgreSQL database, enforced by the server (docs/databases.md, docs/adr/009). Users log
 * in as themselves. Policies guard the rows of the catalogue, privileges the tables of an experiment. Functions with
 * the rights of the schema's owner do the rest: they check the session user first, take table numbers rather than names
 * as arguments, and use qualified names throughout.
 */

/** Evaluated once per statement: the list is built first and looked up by hash. */
const among = (column: string, level: string): string => `${column} in (select unnest(perfkeep.granted('${level}')))`;

const policies: readonly string[] = [
  ...["experiment", "access", "valid_content", "ledger", ...guarded.map(({ table }) => table)].map(
    (table) => `alter table ${table} enable row level security`,
  ),
  `create policy reading on experiment for select using (${among("id", "read")})`,
  "create policy adding on experiment for insert with check (owner = session_user and (select perfkeep.may_create()))",
  `create policy changing on experiment for update using (${among("id", "admin")})`,
  `create policy reading on access for select using (experiment = 0 or ${among("experiment", "read")})`,
  `create policy reading on ledger for select using (${among("experiment", "read")})`,
  ...guarded.flatMap((rule) => [
    `create policy reading on ${rule.table} for select using (${among("experiment", "read")})`,
    `create policy adding on ${rule.table} for insert with check (${among("experiment", rule.add)})`,
    `create policy removing on ${rule.table} for delete using (${among("experiment", rule.remove)})`,
    ...("change" in rule
      ? [`create policy changing on ${rule.table} for update using (${among("experiment", rule.change)})`]
      : []),
  ]),
  ...(
    [
      ["reading", "for select using", "read"],
      ["adding", "for insert with check", "admin"],
      ["removing", "for delete using", "admin"],
    ] as const
  ).map(
    ([name, rule, level]) =>
      `create policy ${name} on valid_content ${rule}
         (variable in (select v.id from perfkeep.variable v where ${among("v.experiment", level)}))`,
  ),
];

/**
 * Functions that check rights. Names of users are values in rows; a leading @ marks a group, which PostgreSQL does not
 * distinguish from a user.
 */
const rightsFunctions: readonly string[] = [
  `create function role_name(who text) returns text language sql immutable as $$
     select case when left(who, 1) = '@' then substr(who, 2) else who end $$`,
  `create function role_of(who text) returns oid language sql stable as $$
     select oid from pg_roles where rolname::text = perfkeep.role_name(who) $$`,
  `create function is_keeper() returns boolean language sql stable ${asOwner} as $$
     select pg_has_role(session_user, relowner, 'USAGE') from pg_class where oid = 'perfkeep.experiment'::regclass $$`,
  `create function rank_of(level text) returns integer language sql immutable as $$
     select case level when 'read' then 1 when 'write' then 2 when 'admin' then 3 else 0 end $$`,
  // The experiments on which the session user has at least this right.
  `create function granted(level text) returns bigint[] language sql stable ${asOwner} as $$
     with mine as materialized (
       select rolname::text as name from pg_roles where pg_has_role(session_user, oid, 'USAGE'))
     select array(
       select id from perfkeep.experiment where (select perfkeep.is_keeper()) or owner in (select name from mine)
       union select a.experiment from perfkeep.access a join mine on mine.name = perfkeep.role_name(a.who)
       where a.experiment > 0 and perfkeep.rank_of(a.kind) >= perfkeep.rank_of(level)) $$`,
  `create function may_create() returns boolean language sql stable ${asOwner} as $$
     select perfkeep.is_keeper() or exists (
       select from perfkeep.access a where a.experiment = 0 and a.kind = 'create'
       and pg_has_role(session_user, perfkeep.role_of(a.who), 'USAGE')) $$`,
  // Experiments that the user cannot see take names, too.
  `create function is_taken(key text) returns boolean language sql stable ${asOwner} as $$
     select exists (select from perfkeep.experiment where name_key = key) $$`,
  `create function require_right(target bigint, level text) returns void language plpgsql stable ${asOwner} as $$
     begin
       if target = any (perfkeep.granted(level)) then return; end if;
       raise insufficient_privilege using message = format('experiment %s needs the right %s', target, level);
     end $$`,
];

/** Functions that set the privileges of a role to those in the catalogue. */
const qualifiedTables = guarded.map(({ table }) => `perfkeep.${table}`).join(", ");

const privilegeFunctions: readonly string[] = [
  `create function rank_on(role oid, target bigint) returns integer language sql stable as $$
     select greatest(0,
       (select max(perfkeep.rank_of(kind)) from perfkeep.access
        where experiment = target and perfkeep.role_of(who) = role),
       (select 3 from perfkeep.experiment where id = target and perfkeep.role_of(owner) = role)) $$`,
  settleTablesFunction("create", "''"),
  `create function settle_catalogue(role oid) returns void language plpgsql ${asOwner} as $$
     declare
       name text := (select quote_ident(rolname) from pg_roles where oid = role);
       rank integer := greatest(
         (select max(perfkeep.rank_of(kind)) from perfkeep.access
          where experiment > 0 and perfkeep.role_of(who) = role),
         (select 3 from perfkeep.experiment where perfkeep.role_of(owner) = role limit 1), 0);
       creates boolean := exists (select from perfkeep.access where experiment = 0 and perfkeep.role_of(who) = role);
       rows text := 'perfkeep.experiment, perfkeep.valid_content, ${qualifiedTables}';
       facts text := 'perfkeep.access, perfkeep.ledger, perfkeep.ledger_head, perfkeep.schema_version';
     begin
       execute format('revoke all on table %s, %s from %s', rows, facts, name);
       execute format('revoke all on sequence perfkeep.experiment_ids, perfkeep.variable_ids from %s', name);
       if rank = 0 and not creates then
         execute format('revoke all on schema perfkeep from %s', name);
         return;
       end if;
       execute format('grant usage on schema perfkeep to %s', name);
       execute format('grant select on %s, %s to %s', rows, facts, name);
       -- Policies restrict the rows.
       if rank >= 2 or creates then execute format('grant insert, update, delete on %s to %s', rows, name); end if;
       if rank >= 3 or creates then execute format('grant usage on sequence perfkeep.variable_ids to %s', name); end if;
       if creates then execute format('grant usage on sequence perfkeep.experiment_ids to %s', name); end if;
     end $$`,
  // The owner's privileges stay.
  `create function settle(roles oid[], target bigint) returns void language plpgsql ${asOwner} as $$
     declare role oid;
     begin
       for role in select r.oid from pg_roles r where r.oid = any (roles)
         and r.oid <> (select relowner from pg_class where oid = 'perfkeep.experiment'::regclass) order by r.oid
       loop
         perform perfkeep.settle_tables(role, target);
         perform perfkeep.settle_catalogue(role);
       end loop;
     end $$`,
  `create function roles_on(target bigint) returns oid[] language sql stable as $$
     select array_agg(perfkeep.role_of(who)) from (
       select who from perfkeep.access where experiment = target
       union select owner from perfkeep.experiment where id = target) t $$`,
  // The privileges of a table cannot be changed concurrently.
  `create function hold_rights() returns void language sql ${asOwner} as $$
     select pg_advisory_xact_lock(hashtext('perfkeep rights')) $$`,
  `create function set_access(target bigint, names jsonb) returns void language plpgsql ${asOwner} as $$
     declare before oid[];
     begin
       perform perfkeep.hold_rights();
       if target = 0 then
         if not perfkeep.is_keeper() then
           raise insufficient_privilege using message = 'only the owner of the schema says who creates';
         end if;
       else
         perform perfkeep.require_right(target, 'admin');
       end if;
       if exists (select from jsonb_array_elements(names) n
                  where (n ->> 0 = 'create') is distinct from (target = 0)
                  or perfkeep.rank_of(n ->> 0) = 0 and n ->> 0 <> 'create')
       then raise invalid_parameter_value using message = 'there is no such right'; end if;
       before := perfkeep.roles_on(target);
       delete from perfkeep.access where experiment = target;
       insert into perfkeep.access (experiment, kind, ordinal, who)
         select target, n ->> 0, row_number() over (partition by n ->> 0 order by at) - 1, n ->> 1
         from jsonb_array_elements(names) with ordinality as t (n, at);
       perform perfkeep.settle(before || perfkeep.roles_on(target), target);
     end $$`,
];

/** The only functions that write the ledger, which keeps its numbers and head consistent. */
const ledgerFunctions: readonly string[] = [
  `create function lock_ledger()
     returns table (database varchar, number bigint, object varchar) language plpgsql ${asOwner} as $$
     begin
       if not perfkeep.may_create() and cardinality(perfkeep.granted('write')) = 0 then
         raise insufficient_privilege using message = 'nothing here is yours to change';
       end if;
       return query select h.database, h.number, h.object from perfkeep.ledger_head h for update;
     end $$`,
  noteChangeFunction("create", ["import", "spend-numbers", "attach", "store-parameters"]),
];

/** Changes of runs that a writer imported; policies restrict the runs. */
const ownChanges = ["delete-runs", "undelete-runs"];

/** `written`: changes that need the right `write` only. */
function noteChangeFunction(create: "create" | "create or replace", written: readonly string[]): string {
  const changes = written.map((change) => `'${change}'`).join(", ");
  return `${create} function note_change(entry bigint, target bigint, change text, kept text, at timestamp)
     returns void language plpgsql ${asOwner} as $$
     declare last bigint;
     begin
       select number into last from perfkeep.ledger_head for update;
       perform perfkeep.require_right(target, case when change in (${changes}) then 'write' else 'admin' end);
       if entry <> last + 1 or kept !~ '^[0-9a-f]{40}$' then
         raise invalid_parameter_value
           using message = format('entry %s does not follow entry %s of the ledger', entry, last);
       end if;
       insert into perfkeep.ledger (number, experiment, kind, object, created) values (entry, target, change, kept, at);
       update perfkeep.ledger_head set number = entry, object = kept;
     end $$`;
}

const ownRun = "importer = session_user and experiment in (select unnest(perfkeep.granted('write')))";

/**
 * Statements that allow users with the right `write` to delete and restore the runs that they imported. The server
 * notes who imports a run.
 */
export const ownRunsStatements: readonly string[] = [
  "alter table run add column importer text",
  "alter table run alter column importer set default session_user",
  `create policy naming on run as restrictive for insert with check (importer = session_user)`,
  `create policy changing_own on run for update using (${ownRun}) with check (${ownRun})`,
  // Only those of files without an active run.
  `create policy releasing on claim for delete using (${among("experiment", "write")} and not exists (
     select from perfkeep.source s join perfkeep.run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = claim.experiment and s.sha256 = claim.sha256 and r.active))`,
  noteChangeFunction("create or replace", ["import", "spend-numbers", "attach", "store-parameters", ...ownChanges]),
];

/** Functions that users or policies call. */
const publicFunctions = [
  "is_keeper()",
  "granted(text)",
  "may_create()",
  "is_taken(text)",
  "hold_rights()",
  "set_access(bigint, jsonb)",
  "make_tables(bigint, jsonb, jsonb)",
  "add_column(bigint, text, bigint, text)",
  "drop_column(bigint, text, bigint)",
  "restart_runs(bigint, bigint)",
  "drop_experiment(bigint)",
  "touch(bigint, timestamp)",
  "lock_ledger()",
  "note_change(bigint, bigint, text, text, timestamp)",
];

/** Statements that install access control; users without rights cannot use the schema. */
export const rightsStatements: readonly string[] = [
  // Only the owner can grant rights.
  `do $$ declare owner oid := (select nspowner from pg_namespace where nspname = 'perfkeep'); begin
     if pg_has_role(session_user, owner, 'USAGE') then return; end if;
     raise insufficient_privilege using message = format('schema perfkeep belongs to %s', pg_get_userbyid(owner));
   end $$`,
  ...rightsFunctions,
  ...privilegeFunctions,
  ...tableFunctions,
  ...ledgerFunctions,
  "revoke all on schema perfkeep from public",
  "revoke all on all tables in schema perfkeep from public",
  "revoke all on all sequences in schema perfkeep from public",
  "revoke all on all functions in schema perfkeep from public",
  ...publicFunctions.map((signature) => `grant execute on function perfkeep.${signature} to public`),
  ...policies,
  // Until now, owners were set by the client.
  "update experiment set owner = session_user",
  "select perfkeep.settle(perfkeep.roles_on(id), id) from experiment",
];
