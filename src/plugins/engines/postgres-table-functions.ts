/** Options of functions with the rights of the schema's owner; they use qualified names throughout. */
export const asOwner = "security definer set search_path = pg_catalog, pg_temp";

/**
 * Tables whose rows belong to an experiment, with the rights needed to add, change and remove rows; reading needs
 * `read`.
 */
export const guarded = [
  { table: "run", add: "write", change: "admin", remove: "admin" },
  { table: "source", add: "write", remove: "admin" },
  { table: "claim", add: "write", remove: "admin" },
  { table: "attachment", add: "write", remove: "admin" },
  // Storing a set again replaces it.
  { table: "parameter_set", add: "write", remove: "write" },
  { table: "parameter_set_content", add: "write", remove: "write" },
  { table: "variable", add: "admin", remove: "admin" },
] as const;

/**
 * `extraTables`: SQL expression for the names of further tables of experiment `target` that its readers need, each
 * after a comma.
 */
export function settleTablesFunction(create: "create" | "create or replace", extraTables: string): string {
  return `${create} function settle_tables(role oid, target bigint) returns void language plpgsql ${asOwner} as $$
     declare
       level integer := perfkeep.rank_on(role, target);
       name text := (select quote_ident(rolname) from pg_roles where oid = role);
       pair text := format('perfkeep.once_%s, perfkeep.data_%s', target, target);
       readable text := pair || ${extraTables};
     begin
       if to_regclass(format('perfkeep.data_%s', target)) is null then return; end if;
       execute format('revoke all on table %s from %s', readable, name);
       execute format('revoke all on sequence perfkeep.run_numbers_%s from %s', target, name);
       if level >= 1 then execute format('grant select on %s to %s', readable, name); end if;
       if level >= 2 then
         execute format('grant insert on %s to %s', pair, name);
         execute format('grant update on perfkeep.data_%s to %s', target, name);
         execute format('grant usage on sequence perfkeep.run_numbers_%s to %s', target, name);
       end if;
       if level >= 3 then execute format('grant update, delete on %s to %s', pair, name); end if;
     end $$`;
}

/** `dropTables`: the statement that drops the tables of experiment `target`. */
function dropExperimentFunction(create: "create" | "create or replace", dropTables: string): string {
  const deletions = [...guarded.map(({ table }) => table), "access"].map(
    (table) => `delete from perfkeep.${table} where experiment = target;`,
  );
  return `${create} function drop_experiment(target bigint) returns void language plpgsql ${asOwner} as $$
     declare before oid[];
     begin
       perform perfkeep.hold_rights();
       perform perfkeep.require_right(target, 'admin');
       before := perfkeep.roles_on(target);
       ${dropTables}
       execute format('drop sequence perfkeep.run_numbers_%s', target);
       delete from perfkeep.valid_content
         where variable in (select id from perfkeep.variable where experiment = target);
       ${deletions.join(" ")}
       delete from perfkeep.experiment where id = target;
       perform perfkeep.settle(before, target);
     end $$`;
}

/**
 * The schema's owner owns the tables of an experiment, so that each of its admins can change them through functions.
 */
export const tableFunctions: readonly string[] = [
  `create function column_list(columns jsonb) returns text language plpgsql stable as $$
     begin
       if exists (select from jsonb_array_elements(columns) c
                  where lower(c ->> 1)
                  not in ('bigint', 'double precision', 'boolean', 'date', 'timestamp', 'bytea', 'varchar'))
       then raise invalid_parameter_value using message = 'no variable has such a type'; end if;
       return coalesce((select string_agg(format(', p_%s %s', (c ->> 0)::bigint, c ->> 1), '' order by at)
                        from jsonb_array_elements(columns) with ordinality as t (c, at)), '');
     end $$`,
  `create function make_tables(target bigint, once jsonb, multiple jsonb) returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'admin');
       execute format('create sequence perfkeep.run_numbers_%s', target);
       execute format('create table perfkeep.once_%s (run bigint not null%s)', target, perfkeep.column_list(once));
       execute format('create table perfkeep.data_%s (run bigint not null, ordinal bigint not null%s)',
         target, perfkeep.column_list(multiple));
       -- Exports and questions about few runs would read the whole table for every piece.
       execute format('create index data_%s_places on perfkeep.data_%s (run, ordinal)', target, target);
     end $$`,
  `create function table_of(target bigint, occurrence text) returns text language sql immutable as $$
     select format('perfkeep.%s_%s', case occurrence when 'once' then 'once' else 'data' end, target) $$`,
  `create function add_column(target bigint, occurrence text, variable bigint, type text)
     returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'admin');
       execute format('alter table %s add column %s', perfkeep.table_of(target, occurrence),
         substr(perfkeep.column_list(jsonb_build_array(jsonb_build_array(variable, type))), 3));
     end $$`,
  `create function drop_column(target bigint, occurrence text, variable bigint)
     returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'admin');
       execute format('alter table %s drop column p_%s', perfkeep.table_of(target, occurrence), variable);
     end $$`,
  `create function restart_runs(target bigint, next bigint) returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'admin');
       execute format('alter sequence perfkeep.run_numbers_%s restart with %s', target, next);
     end $$`,
  dropExperimentFunction("create", "execute format('drop table perfkeep.data_%s, perfkeep.once_%s', target, target);"),
  `create function touch(target bigint, at timestamp) returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'write');
       update perfkeep.experiment set modified = at where id = target;
     end $$`,
];

/**
 * Functions of a shared PostgreSQL database that shard tables of an experiment over other servers (docs/adr/019). A
 * sharded table is partitioned by hash of the run into foreign tables. Each data server has a table `command`, whose
 * trigger runs the inserted statement, so that changes of shards belong to the transaction that changes the table here.
 */
const option = (name: string): string =>
  `(select o.option_value from pg_options_to_table(f.ftoptions) o where o.option_name = '${name}')`;

const shardFunctions: readonly string[] = [
  // The foreign tables of the schema and their remote tables.
  `create function foreign_parts() returns table (id oid, part text, server text, remote text) language sql stable as $$
     select c.oid, c.relname::text, s.srvname::text, format('%I.%I', ${option("schema_name")}, ${option("table_name")})
     from pg_foreign_table f join pg_class c on c.oid = f.ftrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_foreign_server s on s.oid = f.ftserver where n.nspname = 'perfkeep' $$`,
  `create function parts_of(target bigint, occurrence text)
     returns table (part text, server text, remote text) language sql stable as $$
     select p.part, p.server, p.remote from perfkeep.foreign_parts() p join pg_inherits i on i.inhrelid = p.id
     where i.inhparent = to_regclass(perfkeep.table_of(target, occurrence)) $$`,
  `create function at_server(server text, statement text) returns void language plpgsql ${asOwner} as $$
     begin
       execute format('insert into perfkeep.%I (statement) values ($1)', 'command_of_' || server) using statement;
     end $$`,
  // % is replaced with the shard.
  `create function at_parts(target bigint, occurrence text, statement text) returns void language sql ${asOwner} as $$
     select perfkeep.at_server(p.server, replace(statement, '%', p.remote))
     from perfkeep.parts_of(target, occurrence) p $$`,
  `create function is_spread(target bigint) returns boolean language sql stable ${asOwner} as $$
     select exists (select from perfkeep.parts_of(target, 'once')) $$`,
  // Shards under construction (new) and obsolete ones (old).
  `create function drop_aside(target bigint, age text) returns void language plpgsql ${asOwner} as $$
     declare each record;
     begin
       for each in select p.* from perfkeep.foreign_parts() p
         where p.part ~ format('^(once|data)_%s_%s_[0-9]+$', target, age)
       loop
         perform perfkeep.at_server(each.server, format('drop table if exists %s', each.remote));
         execute format('drop foreign table perfkeep.%I', each.part);
       end loop;
       if age = 'new' then
         execute format('drop table if exists perfkeep.once_%s_new, perfkeep.data_%s_new', target, target);
       end if;
     end $$`,
  // Obsolete tables of data servers are dropped after the transaction that replaces them.
  `create function set_aside(target bigint) returns void language plpgsql ${asOwner} as $$
     declare which text; each record;
     begin
       foreach which in array array['once', 'multiple'] loop
         for each in select * from perfkeep.parts_of(target, which) loop
           execute format('alter table %s detach partition perfkeep.%I', perfkeep.table_of(target, which), each.part);
           execute format('alter foreign table perfkeep.%I rename to %I',
             each.part, replace(each.part, '_part_', '_old_'));
         end loop;
       end loop;
       execute format('drop table perfkeep.data_%s, perfkeep.once_%s', target, target);
     end $$`,
];

/** Like `tableFunctions`, for tables that may be sharded. */
const shardedTableFunctions: readonly string[] = [
  // Partial aggregation names the shards.
  settleTablesFunction(
    "create or replace",
    `coalesce((select string_agg(format(', perfkeep.%I', p.part), '') from
         (select o.part from perfkeep.parts_of(target, 'once') o
          union all select d.part from perfkeep.parts_of(target, 'multiple') d) p), '')`,
  ),
  `create or replace function add_column(target bigint, occurrence text, variable bigint, type text)
     returns void language plpgsql ${asOwner} as $$
     declare definition text := substr(perfkeep.column_list(jsonb_build_array(jsonb_build_array(variable, type))), 3);
     begin
       perform perfkeep.require_right(target, 'admin');
       if not perfkeep.is_spread(target) then
         execute format('alter table %s add column %s', perfkeep.table_of(target, occurrence), definition);
         return;
       end if;
       if lower(type) = 'varchar' then definition := definition || ' collate "C"'; end if;
       execute format('alter table %s add column %s', perfkeep.table_of(target, occurrence), definition);
       -- The column may exist, empty, if a transaction failed after the data server had committed.
       perform perfkeep.at_parts(target, occurrence, format('alter table %% add column if not exists %s', definition));
     end $$`,
  `create or replace function drop_column(target bigint, occurrence text, variable bigint)
     returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.require_right(target, 'admin');
       execute format('alter table %s drop column p_%s', perfkeep.table_of(target, occurrence), variable);
       perform perfkeep.at_parts(target, occurrence, format('alter table %% drop column if exists p_%s', variable));
     end $$`,
  `create function drop_tables(target bigint) returns void language plpgsql ${asOwner} as $$
     begin
       perform perfkeep.at_parts(target, 'once', 'drop table if exists %');
       perform perfkeep.at_parts(target, 'multiple', 'drop table if exists %');
       execute format('drop table perfkeep.data_%s, perfkeep.once_%s', target, target);
     end $$`,
];

export const shardingStatements: readonly string[] = [
  ...shardFunctions,
  ...shardedTableFunctions,
  dropExperimentFunction(
    "create or replace",
    `perform perfkeep.drop_aside(target, 'new');
       perform perfkeep.drop_aside(target, 'old');
       perform perfkeep.drop_tables(target);`,
  ),
  `revoke all on function foreign_parts(), parts_of(bigint, text), at_server(text, text), at_parts(bigint, text, text)
   from public`,
  `revoke all on function is_spread(bigint), drop_aside(bigint, text), set_aside(bigint), drop_tables(bigint)
   from public`,
];
