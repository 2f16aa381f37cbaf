import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Reads all rows of all tables, by a hash of whole rows; prints what fails. The first argument is DuckDB, the second the
 * database.
 */
const script = `
const [duckdb, path] = [require(process.argv[1]), process.argv[2]];
const tables = \`set variable statements = (select coalesce(string_agg(
  'select bit_xor(hash(one)) from "' || replace(schema_name, '"', '""') || '"."' || replace(table_name, '"', '""') || '" as one',
  ' union all '), 'select 1') from duckdb_tables() where not internal and not temporary)\`;
(async () => {
  const config = duckdb.create_config();
  const settings = { access_mode: "READ_ONLY", autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
  for (const [name, value] of Object.entries(settings)) duckdb.set_config(config, name, value);
  const connection = await duckdb.connect(await duckdb.open(path, config));
  await duckdb.query(connection, tables);
  await duckdb.query(connection, "select * from query(getvariable('statements'))");
})().catch((error) => process.stdout.write(String(error.message).split("\\n", 1)[0]));
`;

/** A process that reads less than this has hung: bytes each millisecond, and milliseconds for its start. */
const [slowest, start] = [1000, 30_000];

/**
 * Reads a whole database in another process: damage with a valid checksum crashes DuckDB, or lets it run without end.
 * What is wrong; null if nothing is, or if the database is locked or missing.
 */
export async function trialDamage(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const limit = start + Math.ceil(statSync(path).size / slowest);
  const duckdb = createRequire(import.meta.url).resolve("@duckdb/node-bindings");
  const child = spawn(process.execPath, ["-e", script, duckdb, path], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: limit,
    killSignal: "SIGKILL",
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ended = await new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(signal ?? status));
  });
  if (ended === "SIGKILL") return `reading it does not end within ${Math.round(limit / 1000)} s`;
  if (typeof ended === "string") return `reading it ends the process with ${ended}`;
  return printed === "" || isElsewhere(printed) ? null : printed.slice(0, 300);
}

/** Failures that are no sign of damage; opening the database reports them. */
function isElsewhere(message: string): boolean {
  return /Could not set lock|Permission denied|Cannot open file|Too many open files|Out of Memory/.test(message);
}
