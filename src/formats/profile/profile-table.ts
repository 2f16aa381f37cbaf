import { isFailure } from "../../core/failures/index.ts";
import { isObject, type Json, type JsonObject, parseUnit, type Unit } from "../../core/values/index.ts";
import type { Column, RowGroups, Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { SharedObjects } from "../json/index.ts";
import type { ProfileMemory, ProfileTypes } from "./profile-memory.ts";
import { NumberCells } from "./resource-cells.ts";
import { notAProfileAt, readRegion, type Regions } from "./profile-regions.ts";

/**
 * Columns under construction: the cells of all types by column name, and the number of rows of each type.
 */
export interface Columns {
  readonly cells: Map<string, NumberCells>;
  readonly types: { id: string; columns: string[]; rows: number }[];
  rows: number;
}

/**
 * Reads the resources of a profile in the columns layout: numeric columns first, then properties, which share the codes
 * of the groups.
 */
export function readTable(regions: Regions, memory?: ProfileMemory): Table {
  const header = readRegion(regions, "header");
  const read = readColumns(regions);
  return tableOf(read, typesIn(regions, read, memory), isObject(header) ? header.get("units") : undefined);
}

function typesIn(regions: Regions, read: Columns, memory: ProfileMemory | undefined): ProfileTypes {
  const { scanner, positions } = regions;
  const position = positions.get("resource_type_map");
  const known = position === undefined ? undefined : memory?.find(scanner.bytes, position, read.types);
  if (known !== undefined) return known;
  const properties = readRegion(regions, "resource_type_map", new SharedObjects());
  const types = typesOf(read, isObject(properties) ? properties : new Map<string, Json>());
  if (position !== undefined) memory?.add(scanner.bytes.subarray(position, scanner.pos), read.types, types);
  return types;
}

/** `units` is the value of `header.units`. */
export function tableOfColumns(read: Columns, map: JsonObject, units: Json | undefined): Table {
  return tableOf(read, typesOf(read, map), units);
}

function typesOf(read: Columns, properties: JsonObject): ProfileTypes {
  const groups = {
    types: read.types.map(({ id, columns }) => ({ id, columns })),
    codes: codesOf(read),
    properties,
  };
  return { groups, shared: propertyColumns(groups) };
}

function tableOf(read: Columns, { groups, shared }: ProfileTypes, units: Json | undefined): Table {
  const unit = firstUnit(units);
  const numbers = [...read.cells].map(([name, cells]) => numberColumn(name, cells, read.rows, unit));
  const all = [...numbers, ...shared];
  return {
    variables: all.map(({ variable }) => variable),
    columns: all.map(({ column }) => column),
    length: read.rows,
    groups,
  };
}

/** A type without columns is one row with properties only (profiles of bounds). */
function readColumns({ scanner, positions }: Regions): Columns {
  const read: Columns = { cells: new Map(), types: [], rows: 0 };
  const position = positions.get("resources");
  if (position === undefined) return read;
  scanner.pos = position;
  scanner.members((id) => {
    if (scanner.bytes[scanner.pos] !== 0x7b) throw notAProfileAt(scanner, "a member of resources is not an object");
    const type = { id, columns: [] as string[], rows: 0 };
    scanner.members((name) => {
      if (scanner.bytes[scanner.pos] !== 0x5b) throw notAProfileAt(scanner, "a column of resources is not a list");
      type.columns.push(name);
      type.rows = Math.max(type.rows, readColumn(cellsOf(read, name), read.rows, scanner));
    });
    if (type.columns.length === 0) type.rows = 1;
    read.types.push(type);
    read.rows += type.rows;
  });
  return read;
}

/** The cells of all types in the column of the given name. */
export function cellsOf(read: Columns, name: string): NumberCells {
  const known = read.cells.get(name);
  if (known) return known;
  const cells = new NumberCells();
  read.cells.set(name, cells);
  return cells;
}

function readColumn(cells: NumberCells, firstRow: number, scanner: Regions["scanner"]): number {
  let count = 0;
  cells.padTo(firstRow);
  scanner.elements(() => {
    cells.read(scanner);
    count++;
  });
  return count;
}

function codesOf({ types, rows }: Columns): Int32Array {
  const codes = new Int32Array(rows);
  let row = 0;
  for (const [code, type] of types.entries()) {
    codes.fill(code, row, row + type.rows);
    row += type.rows;
  }
  return codes;
}

function numberColumn(
  name: string,
  cells: NumberCells,
  rows: number,
  unit: Unit | undefined,
): { variable: Variable; column: Column } {
  const { type, column } = cells.finish(rows);
  if (name !== "amount") return { variable: { name, role: "parameter", occurrence: "multiple", type }, column };
  return { variable: { name, role: "result", occurrence: "multiple", type, ...(unit ? { unit } : {}) }, column };
}

function propertyColumns({ types, codes, properties }: RowGroups): { variable: Variable; column: Column }[] {
  const dictionaries = new Map<string, (Json | undefined)[]>();
  for (const [code, { id }] of types.entries()) {
    const own = properties.get(id);
    if (!isObject(own)) continue;
    for (const [name, value] of own) {
      let dictionary = dictionaries.get(name);
      if (!dictionary) dictionaries.set(name, (dictionary = types.map(() => undefined)));
      dictionary[code] = value;
    }
  }
  return [...dictionaries].map(([name, dictionary]) => ({
    variable: { name, role: "parameter", occurrence: "multiple", type: "text" },
    column: { kind: "interned", dictionary, codes },
  }));
}

/**
 * `header.units` maps profile types to units; amounts have the first. Unknown units are ignored.
 */
function firstUnit(units: Json | undefined): Unit | undefined {
  const first = isObject(units) ? [...units.values()][0] : undefined;
  try {
    return typeof first === "string" && first !== "" ? parseUnit(first) : undefined;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}
