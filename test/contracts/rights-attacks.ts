/**
 * What somebody may try with SQL of their own on a database where experiment 1 is shared and 2 is none of their
 * business. No admin of either.
 */
export const attacks: readonly string[] = [
  ...[
    "experiment",
    "access",
    "variable",
    "valid_content",
    "run",
    "source",
    "claim",
    "attachment",
    "parameter_set",
    "parameter_set_content",
  ].flatMap((name) => [
    `delete from perfkeep.${name}`,
    `truncate perfkeep.${name}`,
    `drop table perfkeep.${name}`,
    `alter table perfkeep.${name} disable row level security`,
  ]),
  ...["ledger", "ledger_head", "schema_version", "once_1", "data_1", "once_2", "data_2"].flatMap((name) => [
    `delete from perfkeep.${name}`,
    `truncate perfkeep.${name}`,
    `drop table perfkeep.${name}`,
    `alter table perfkeep.${name} add column x int`,
    `create trigger t before insert on perfkeep.${name} execute function suppress_redundant_updates_trigger()`,
  ]),
  "update perfkeep.experiment set owner = session_user",
  "update perfkeep.experiment set deleted = now()",
  "update perfkeep.run set active = not active",
  "update perfkeep.variable set type = 'text'",
  "update perfkeep.access set who = session_user",
  "update perfkeep.once_1 set p_2 = 'forged'",
  "update perfkeep.ledger_head set number = 0",
  "update perfkeep.schema_version set version = 1",
  "insert into perfkeep.access values (1, 'admin', 9, session_user), (2, 'admin', 9, session_user)",
  "insert into perfkeep.access values (0, 'create', 9, session_user)",
  "insert into perfkeep.experiment (id, name, name_key, created, " +
    "modified, owner) values (77, 'x', 'x', now(), now(), session_user)",
  "insert into perfkeep.variable (id, experiment, ordinal, name, role, occurrence, " +
    "type, fallback) values (99, 1, 9, 'x', 'result', 'once', 'text', 'none')",
  "insert into perfkeep.run (experiment, number, created, performed, " +
    "data_sets, active) values (2, 9, now(), now(), 0, true)",
  "insert into perfkeep.source (experiment, run, ordinal, path, " +
    "sha256, object, bytes) values (2, 1, 1, 'x', 'x', 'x', 1)",
  "insert into perfkeep.claim values (2, 'x')",
  "insert into perfkeep.ledger (number, experiment, kind, object, created) values (99, 1, 'import', 'x', now())",
  "insert into perfkeep.data_2 (run, ordinal) values (1, 1)",
  "select nextval('perfkeep.run_numbers_2')",
  "select nextval('perfkeep.experiment_ids')",
  "select setval('perfkeep.run_numbers_1', 100)",
  'select perfkeep.set_access(2, \'[["admin", "stan"]]\')',
  'select perfkeep.set_access(1, \'[["admin", "will"]]\')',
  'select perfkeep.set_access(0, \'[["create", "will"]]\')',
  "select perfkeep.make_tables(1, '[]', '[]')",
  "select perfkeep.add_column(1, 'once', 5, 'bigint')",
  "select perfkeep.drop_column(1, 'once', 2)",
  "select perfkeep.drop_experiment(1)",
  "select perfkeep.restart_runs(1, 1)",
  "select perfkeep.touch(2, now()::timestamp)",
  "select perfkeep.note_change(4, 2, 'import', repeat('a', 40), now()::timestamp)",
  "select perfkeep.note_change(5, 1, 'delete-experiment', repeat('a', 40), now()::timestamp)",
  "select perfkeep.note_change(99, 1, 'import', repeat('a', 40), now()::timestamp)",
  "select perfkeep.settle_catalogue('stan'::regrole)",
  "create table perfkeep.mine (a int)",
  "create function perfkeep.granted(level text) returns bigint[] language sql as $$ select array[1::bigint, 2] $$",
  "create or replace function perfkeep.may_create() returns boolean language sql as $$ select true $$",
  "create policy open on perfkeep.experiment using (true)",
  "drop policy reading on perfkeep.experiment",
  "grant all on all tables in schema perfkeep to public",
  "grant crew to stan",
  "alter schema perfkeep owner to current_user",
  "set role owner",
  "set session authorization owner",
  "copy perfkeep.ledger from program 'true'",
  "copy perfkeep.claim from '/etc/hostname'",
];

/** What writers may do, for those who may not. */
export const writing: readonly string[] = [
  "insert into perfkeep.data_1 (run, ordinal) values (1, 9)",
  "insert into perfkeep.once_1 (run) values (9)",
  "update perfkeep.data_1 set ordinal = 5",
  "insert into perfkeep.run (experiment, number, created, performed, " +
    "data_sets, active) values (1, 9, now(), now(), 0, true)",
  "insert into perfkeep.claim values (1, 'x')",
  "insert into perfkeep.parameter_set values (1, 'x', 'x')",
  "select nextval('perfkeep.run_numbers_1')",
  "select perfkeep.touch(1, now()::timestamp)",
  "select perfkeep.note_change(5, 1, 'import', repeat('a', 40), now()::timestamp)",
  "select perfkeep.lock_ledger()",
];
