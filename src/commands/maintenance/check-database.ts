import { Failure, isFailure } from "../../core/failures/index.ts";
import { counted } from "../../core/text/index.ts";
import type { Fingerprints, TableFingerprint } from "../../plugins/engines/engine.ts";
import type { Finding } from "../../store/fsck/index.ts";
import {
  changesBeyond,
  findLedger,
  ledgerHead,
  type LedgerHead,
  readRecordedHead,
  type RecordedHead,
  rebuild,
  requireObjects,
  setDatabaseId,
  type FoundLedger,
  type StoredEntry,
} from "../../store/ledger/index.ts";
import type { Objects } from "../../store/objects/index.ts";
import {
  damageOf,
  embeddedDatabase,
  embeddedFile,
  experimentHome,
  readUnchanged,
  withScratchDatabase,
  type ExperimentHome,
} from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { importReplayer } from "../import/index.ts";

/**
 * Verifies the embedded database: reads all its blocks, then replays its ledger in a temporary database and compares
 * all tables. Damage with a valid checksum is found by the comparison only. Read-only. Fails with `database-busy`.
 */
export async function checkDatabase(workspace: Workspace): Promise<Finding[]> {
  const path = embeddedDatabase(workspace);
  if (workspace.files.inspect(path) === null) return [];
  const finding = (code: string, message: string): Finding => ({ code, path: embeddedFile, message });
  const damage = await damageOf(path, await workspace.registry.get("engine", "duckdb"));
  if (damage !== null) return [finding(damage.code, damage.message)];
  try {
    const home = experimentHome(workspace, path);
    const { recorded, damage: headDamage } = readRecord(home);
    const { ledger, head, prints } = await readUnchanged(workspace, path, async (engine) => ({
      ledger: await findLedger(engine, home.objects),
      head: await ledgerHead(engine),
      prints: await engine.fingerprints?.(),
    }));
    const damaged = ledger.damage === undefined ? [] : [finding("ledger-broken", ledger.damage)];
    const lost = [...headDamage, ...lostChanges(home, ledger, head, recorded)];
    const differences = await compare(workspace, home, ledger, head.database, prints);
    return [
      ...damaged,
      ...lost.map((message) => finding("changes-lost", message)),
      ...differences.map((message) => finding("database-differs", `${message}; ${advice}`)),
    ];
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "database-busy") throw error;
    return [finding(error.code, error.message)];
  }
}

const maxRuns = 5;

const advice = "perfkeep rebuild experiments restores it";

function readRecord({ head }: ExperimentHome): { recorded: RecordedHead | null; damage: string[] } {
  try {
    return { recorded: head === undefined ? null : readRecordedHead(head), damage: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { recorded: null, damage: [error.message] };
  }
}

/** Changes that were reported as stored and that the database lacks. */
function lostChanges(
  { objects }: ExperimentHome,
  { entries }: FoundLedger,
  head: LedgerHead,
  recorded: RecordedHead | null,
): string[] {
  const beyond = beyondOrReason(objects, head, recorded);
  if (typeof beyond === "string") return [beyond];
  const what = (count: number): string => `it lacks ${counted(count, "change")} that were reported as stored`;
  if (beyond.length > 0) return [`${what(beyond.length)}, up to number ${recorded?.number}; ${advice}`];
  const same = recorded?.database === head.database ? entries[recorded.number - 1] : undefined;
  if (same === undefined || same.object === recorded?.object) return [];
  return [`${what(1)}, object ${recorded?.object}, and others followed: repeat that change`];
}

/** The changes, or why they cannot be restored. */
function beyondOrReason(
  objects: Objects,
  head: LedgerHead,
  recorded: RecordedHead | null,
): readonly StoredEntry[] | string {
  try {
    return changesBeyond(objects, head, recorded);
  } catch (error) {
    if (!isFailure(error, "ledger-lost")) throw error;
    return String(error.data["problem"]);
  }
}

async function compare(
  workspace: Workspace,
  { objects }: ExperimentHome,
  { entries }: FoundLedger,
  id: string,
  prints: Fingerprints | undefined,
): Promise<string[]> {
  // The replay reads the others.
  await requireObjects(
    objects,
    entries.filter(({ entry }) => entry.change.kind === "attach"),
  );
  const names = new Map<number, string>();
  for (const { entry } of entries)
    if ("description" in entry.change) names.set(entry.experiment, entry.change.description.name);
  return withScratchDatabase(workspace, async (engine) => {
    await rebuild(engine, entries, importReplayer(objects, workspace.registry), () => {});
    // No entry names the id of a database without changes, which a kill of its first change leaves.
    if (entries.length === 0) await setDatabaseId(engine, id);
    const expected = await engine.fingerprints?.();
    if (prints === undefined || expected === undefined) return [];
    return fingerprintDifferences(prints, expected, (experiment) => names.get(experiment));
  });
}

/**
 * How a database differs from the one that its ledger gives, one sentence each. Sequences may be ahead: a failed change
 * takes numbers, too. `nameOf`: the name of an experiment by its id.
 */
function fingerprintDifferences(
  found: Fingerprints,
  expected: Fingerprints,
  nameOf: (experiment: number) => string | undefined,
): string[] {
  const tables = new Map(found.tables.map((each) => [each.table, each]));
  const known = new Set(expected.tables.map(({ table }) => table));
  const late = [...expected.next].filter(([sequence, next]) => !((found.next.get(sequence) ?? 0) >= next));
  return [
    ...expected.tables.flatMap((table) => tableDifferences(tables.get(table.table), table, nameOf)),
    ...found.tables.flatMap(({ table }) => (known.has(table) ? [] : [`${nounOf(table, nameOf)} is not in its ledger`])),
    ...late.map(([sequence]) => `the sequence ${sequence} would give numbers again that are in use`),
  ];
}

function tableDifferences(
  found: TableFingerprint | undefined,
  { table, definition, rows }: TableFingerprint,
  nameOf: (experiment: number) => string | undefined,
): string[] {
  const noun = nounOf(table, nameOf);
  if (found === undefined) return [`${noun} is missing`];
  if (found.definition !== definition) return [`${noun} has other columns than its ledger gives`];
  const runs = [...new Set([...rows.keys(), ...found.rows.keys()])].filter(
    (run) => rows.get(run) !== found.rows.get(run),
  );
  if (runs.length === 0) return [];
  const numbers = runs.filter((run) => run !== null).sort((a, b) => a - b);
  if (numbers.length === 0) return [`${noun} has other rows than its ledger gives`];
  const more = numbers.length > maxRuns ? ", …" : "";
  const listed = `${numbers.slice(0, maxRuns).join(", ")}${more}`;
  const of = `${counted(numbers.length, "run")}: ${listed}`;
  const why = "damaged, or imported by an older version that read these files differently";
  return [`${noun} has other rows than the stored files give for ${of} (${why})`];
}

/** `the table run`; `the table data_1 of 'ping'`. */
function nounOf(table: string, nameOf: (experiment: number) => string | undefined): string {
  const id = /^(?:data|once)_(\d+)$/.exec(table)?.[1];
  const name = id === undefined ? undefined : nameOf(Number(id));
  return name === undefined ? `the table ${table}` : `the table ${table} of '${name}'`;
}
