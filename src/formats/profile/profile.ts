import { Failure } from "../../core/failures/index.ts";
import { isList, type Json, floatText, type DataType } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Column, NumberColumn, RowGroups, Table } from "../../core/tables/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { quoted, writeIndented, writeJson, PrintedObjects } from "../json/index.ts";
import { readDescription, printDescription } from "./profile-description.ts";
import { groupRows } from "./profile-groups.ts";
import { headerOf, type ProfileHeader } from "./profile-header.ts";
import { isCurrent, notAProfile, readRegion, regionsOf, type Regions } from "./profile-regions.ts";
import type { ProfileMemory } from "./profile-memory.ts";
import { ResourceReader } from "./profile-table.ts";
import { writeNormalised } from "./profile-upgrades.ts";

/** Limit in bytes for reading and writing profiles. */
const profileSizeLimit = 512 * 1024 * 1024;
const pieceSize = 1 << 20;

/** A profile ready to be stored: its header for the index, and the bytes that are hashed. */
export interface NormalisedProfile extends ProfileHeader {
  readonly body: Uint8Array;
}

/**
 * Converts a profile file of any layout to the stored layout, the bytes that Perun hashes. Fails with `not-json`,
 * `not-a-profile`, `profile-too-large`, which name `file`.
 */
export function normaliseProfile(bytes: Uint8Array, file: string): NormalisedProfile {
  checkSize(bytes, file);
  const regions = regionsOf(bytes, file);
  return { ...headerOf(regions), body: normalised(regions) };
}

function normalised(regions: Regions): Uint8Array {
  const writer = new ByteWriter(regions.scanner.bytes.length * 2);
  writeNormalised(regions, writer);
  checkSize(writer.written(), regions.scanner.file);
  return writer.written();
}

/**
 * Decodes a stored or pending profile of any layout. Lossless: `encodeProfile` restores the stored bytes. `memory`: of
 * the resource types of earlier profiles. Fails with `not-json`, `not-a-profile`, `profile-too-large`.
 */
export function decodeProfile(bytes: Uint8Array, file = "profile", memory?: ProfileMemory): Run {
  return new OpenProfile(bytes, file).whole(memory);
}

/** A profile whose properties of resources are decoded on demand: most profiles of a history have the same ones. */
export class OpenProfile {
  /** The run with the numeric columns only, without row groups. */
  readonly numbers: Run;
  readonly #resources: ResourceReader;

  /** Fails like `decodeProfile`. */
  constructor(bytes: Uint8Array, file = "profile") {
    checkSize(bytes, file);
    const original = regionsOf(bytes, file);
    const { origin } = headerOf(original);
    const regions = isCurrent(original) ? original : regionsOf(normalised(original), file);
    const models = readRegion(regions, "models") ?? [];
    if (!isList(models)) throw notAProfile(file, "models are not a list");
    const described = new Map<string, Json>();
    for (const key of regions.positions.keys())
      if (!dataRegions.includes(key)) described.set(key, readRegion(regions, key)!);
    const description = readDescription(described);
    this.#resources = new ResourceReader(regions);
    const data = this.#resources.numbers;
    this.numbers = { ...description, data, models, ...(origin === undefined ? {} : { origin }) };
  }

  /**
   * All that the other columns and the row groups are decoded from: the types of the resources as text, and the bytes
   * of their properties.
   */
  get properties(): readonly [types: string, bytes: Uint8Array] {
    return [JSON.stringify(this.#resources.types), this.#resources.propertyBytes];
  }

  /** Whether `memory` has the resource types. */
  isKnownIn(memory: ProfileMemory): boolean {
    return this.#resources.knownIn(memory) !== undefined;
  }

  whole(memory?: ProfileMemory): Run {
    return { ...this.numbers, data: this.#resources.table(memory) };
  }
}

/** Regions that are not descriptive; all others are passed to `readDescription`. */
const dataRegions = ["resources", "resource_type_map", "models", "origin"];

/**
 * Like `encodeProfile`, but passes the bytes to `take` in pieces, which it may retain. Fails with `profile-too-large`,
 * which names `file`.
 */
export function encodeProfilePieces(
  run: Run,
  form: "stored" | "pending",
  file: string,
  take: (piece: Uint8Array) => void,
): void {
  let size = 0;
  const drain = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > profileSizeLimit) throw new Failure("profile-too-large", { file, limit: profileSizeLimit });
    take(piece);
  };
  const writer = new ByteWriter(pieceSize, drain);
  writeRun(run, writer, form);
  drain(writer.written());
}

/**
 * Encodes a run. `stored` is the body of an object, formatted as Python's json does, without the origin; `pending` is
 * the indented form of files, with the origin.
 */
export function encodeProfile(run: Run, form: "stored" | "pending" = "stored"): Uint8Array {
  const writer = new ByteWriter(run.data.length * 32);
  writeRun(run, writer, form);
  return writer.written();
}

function checkSize(bytes: Uint8Array, file: string): void {
  if (bytes.length > profileSizeLimit) throw new Failure("profile-too-large", { file, limit: profileSizeLimit });
}

/** Line break and indentation of a level; null prints everything on one line. */
type Indent = string | null;
type Member = readonly [key: string, write: (indent: Indent) => void];

/** Writes a run in one of the forms of `encodeProfile`. */
function writeRun(run: Run, writer: ByteWriter, form: "stored" | "pending"): void {
  const { data, models } = run;
  const groups = data.groups ?? groupRows(data);
  const printed = new PrintedObjects();
  const value = (json: Json) => (indent: Indent) =>
    indent === null ? writeJson(json, writer, printed) : writeIndented(json, writer, indent, printed);
  const members: Member[] = [
    ["resources", (indent) => writeResources(data, groups, writer, indent)],
    ["resource_type_map", value(groups.properties)],
    ["models", value(models)],
    ...(form === "pending" && run.origin !== undefined ? [["origin", value(run.origin)] as const] : []),
    ...[...printDescription(run)].map(([key, json]): Member => [key, value(json)]),
  ];
  writeMembers(members, writer, form === "pending" ? "\n" : null);
  if (form === "pending") writer.byte(0x0a);
}

function writeMembers(members: readonly Member[], writer: ByteWriter, indent: Indent): void {
  if (members.length === 0) return writer.ascii("{}");
  const inner = indent === null ? null : `${indent}  `;
  for (const [index, [key, write]] of members.entries()) {
    const lead = index === 0 ? "{" : inner === null ? ", " : ",";
    writer.ascii(`${lead}${inner ?? ""}${quoted(key)}: `);
    write(inner);
  }
  writer.ascii(`${indent ?? ""}}`);
}

function writeResources(table: Table, groups: RowGroups, writer: ByteWriter, indent: Indent): void {
  const { rows, starts } = rowsByType(groups);
  const types = groups.types.map(({ id, columns }, code): Member => {
    const own = rows.subarray(starts[code], starts[code + 1]);
    const members = columns.map((name): Member => [name, () => writeColumn(table, name, own, writer)]);
    return [id, (inner) => writeMembers(members, writer, inner)];
  });
  writeMembers(types, writer, indent);
}

/** The rows sorted by type; the rows of a type start at `starts[type]`. */
function rowsByType({ types, codes }: RowGroups): { readonly rows: Uint32Array; readonly starts: Uint32Array } {
  const starts = new Uint32Array(types.length + 1);
  for (const code of codes) starts[code + 1]!++;
  for (let code = 0; code < types.length; code++) starts[code + 1]! += starts[code]!;
  const next = starts.slice();
  const rows = new Uint32Array(codes.length);
  for (const [row, code] of codes.entries()) rows[next[code]!++] = row;
  return { rows, starts };
}

/** Writes a list up to the last present cell; missing cells before it are null. */
function writeColumn(table: Table, name: string, rows: Uint32Array, writer: ByteWriter): void {
  const at = table.variables.findIndex((variable) => variable.name === name);
  const column = table.columns[at]!;
  const last = rows.findLastIndex((row) => !isMissing(column, row));
  writer.byte(0x5b);
  for (let i = 0; i <= last; i++) {
    if (i > 0) writer.separator();
    writeCell(column, table.variables[at]!.type, rows[i]!, writer);
  }
  writer.byte(0x5d);
}

function isMissing(column: Column, row: number): boolean {
  if (column.kind === "number") return column.missing?.[row] === 1;
  return column.dictionary[column.codes[row] ?? -1] === undefined;
}

function writeCell(column: Column, type: DataType, row: number, writer: ByteWriter): void {
  if (isMissing(column, row)) writer.ascii("null");
  else if (column.kind === "number") writer.ascii(cellText(column, type, row));
  else writeJson(column.dictionary[column.codes[row]!]!, writer);
}

function cellText(column: NumberColumn, type: DataType, row: number): string {
  const value = column.values[row]!;
  const exact = column.exact?.get(row);
  if (exact !== undefined) return exact;
  const isInteger = column.integers ? column.integers[row] === 1 : type === "integer";
  return isInteger && Number.isInteger(value) ? String(BigInt(value)) : floatText(value);
}
