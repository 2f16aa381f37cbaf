import { isFailure } from "../../core/failures/index.ts";
import { isObject, type Json, type JsonObject, parseUnit, type Unit } from "../../core/values/index.ts";
import type { RowGroups, Table } from "../../core/tables/index.ts";
import { SharedObjects } from "../json/index.ts";
import type { ProfileMemory, ProfileTypes, ReadType } from "./profile-memory.ts";
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
 * The resources of a profile in the columns layout: numeric columns first, then properties, which share the codes of
 * the groups. Properties are read on demand.
 */
export class ResourceReader {
  readonly #regions: Regions;
  readonly #read: Columns;
  readonly #numbers: readonly TableColumn[];
  #known: ProfileTypes | undefined;

  constructor(regions: Regions) {
    const header = readRegion(regions, "header");
    [this.#regions, this.#read] = [regions, readColumns(regions)];
    this.#numbers = numberColumns(this.#read, isObject(header) ? header.get("units") : undefined);
  }

  /** The numeric columns, without groups. */
  get numbers(): Table {
    return tableOf(this.#numbers, this.#read.rows);
  }

  /** The resource types of all rows, in order. */
  get types(): readonly ReadType[] {
    return this.#read.types;
  }

  /** The bytes of the properties of all types. Empty: there are none. */
  get propertyBytes(): Uint8Array {
    const { scanner, positions } = this.#regions;
    const position = positions.get("resource_type_map");
    if (position === undefined) return new Uint8Array(0);
    scanner.pos = position;
    scanner.pass();
    return scanner.bytes.subarray(position, scanner.pos);
  }

  table(memory?: ProfileMemory): Table {
    const { groups, shared } = this.#typesIn(memory);
    return { ...tableOf([...this.#numbers, ...shared], this.#read.rows), groups };
  }

  /** The types if `memory` has them. They are searched once. */
  knownIn(memory: ProfileMemory): ProfileTypes | undefined {
    const { scanner, positions } = this.#regions;
    const position = positions.get("resource_type_map");
    if (position === undefined) return undefined;
    return (this.#known ??= memory.find(scanner.bytes, position, this.#read.types));
  }

  #typesIn(memory: ProfileMemory | undefined): ProfileTypes {
    const { scanner, positions } = this.#regions;
    const position = positions.get("resource_type_map");
    const known = memory && this.knownIn(memory);
    if (known !== undefined) return known;
    const properties = readRegion(this.#regions, "resource_type_map", new SharedObjects());
    const types = typesOf(this.#read, isObject(properties) ? properties : new Map<string, Json>());
    if (position !== undefined) memory?.add(scanner.bytes.subarray(position, scanner.pos), this.#read.types, types);
    return types;
  }
}

/** `units` is the value of `header.units`. */
export function tableOfColumns(read: Columns, map: JsonObject, units: Json | undefined): Table {
  const { groups, shared } = typesOf(read, map);
  return { ...tableOf([...numberColumns(read, units), ...shared], read.rows), groups };
}

function typesOf(read: Columns, properties: JsonObject): ProfileTypes {
  const groups = {
    types: read.types.map(({ id, columns }) => ({ id, columns })),
    codes: codesOf(read),
    properties,
  };
  return { groups, shared: propertyColumns(groups) };
}

type TableColumn = ProfileTypes["shared"][number];

function tableOf(all: readonly TableColumn[], length: number): Table {
  return { variables: all.map(({ variable }) => variable), columns: all.map(({ column }) => column), length };
}

function numberColumns(read: Columns, units: Json | undefined): TableColumn[] {
  const unit = firstUnit(units);
  return [...read.cells].map(([name, cells]) => numberColumn(name, cells, read.rows, unit));
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

function numberColumn(name: string, cells: NumberCells, rows: number, unit: Unit | undefined): TableColumn {
  const { type, column } = cells.finish(rows);
  if (name !== "amount") return { variable: { name, role: "parameter", occurrence: "multiple", type }, column };
  return { variable: { name, role: "result", occurrence: "multiple", type, ...(unit ? { unit } : {}) }, column };
}

function propertyColumns({ types, codes, properties }: RowGroups): TableColumn[] {
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
