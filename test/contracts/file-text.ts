import { tableFromIPC } from "apache-arrow";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf } from "../../src/core/tables/table.ts";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import { zipEntries } from "../contracts/output-target.ts";

/** The rows of a binary file as text, cells apart by tabs, read by other programs than those that wrote it. */
export async function fileText(name: string, bytes: Uint8Array): Promise<string> {
  if (name.endsWith(".ods")) return sheetText(bytes);
  const rows = name.endsWith(".parquet") ? await parquetRows(bytes) : arrowRows(bytes);
  return rows.map((row) => `${row.map(cellText).join("\t")}\n`).join("");
}

function cellText(cell: unknown): string {
  if (typeof cell === "string") return cell;
  return typeof cell === "bigint" ? cell.toString() : cell === null ? "" : JSON.stringify(cell);
}

function sheetText(bytes: Uint8Array): string {
  const xml = new TextDecoder().decode(zipEntries(bytes).get("content.xml"));
  const rows = [...xml.matchAll(/<table:table-row>(.*?)<\/table:table-row>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<table:table-cell(?:\/>|([^>]*)>(.*?)<\/table:table-cell>)/g)].map(
      ([, attributes = "", content = ""]) =>
        /office:value="([^"]*)"/.exec(attributes)?.[1] ?? content.replaceAll(/<[^>]*>/g, ""),
    ),
  );
  return rows.map((cells) => `${cells.join("\t")}\n`).join("");
}

async function parquetRows(bytes: Uint8Array): Promise<unknown[][]> {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-parquet-"));
  writeFileSync(join(folder, "table.parquet"), bytes);
  const engine = await duckdb.open(join(folder, "scratch.duckdb"), "write");
  try {
    const table = await engine.query(`select * from '${join(folder, "table.parquet")}'`);
    return [table.variables.map(({ name, type }) => `${name} ${type}`), ...rowsOf(table).map((row) => [...row])];
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function arrowRows(bytes: Uint8Array): unknown[][] {
  const table = tableFromIPC(bytes);
  const heads = table.schema.fields.map((field) => `${field.name} ${field.metadata.get("type")}`);
  return [
    heads,
    ...table.toArray().map((row: Iterable<readonly [string, unknown]>) => [...row].map(([, cell]) => cell)),
  ];
}
