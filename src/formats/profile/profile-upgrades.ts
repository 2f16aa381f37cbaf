import { JsonNumber } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { copyValue, printJson, type JsonScanner, quoted } from "../json/index.ts";
import { notAProfileAt, type Regions } from "./profile-regions.ts";
import type { RegionProperty } from "./resource-shape.ts";
import { ResourceTypes } from "./resource-types.ts";

/**
 * Regions that hold resources in the current layout or an older one (before Perun 0.17). All are converted to
 * `resources` and `resource_type_map`.
 */
const resourceRegions = ["resources", "snapshots", "global"];
/** The default time of a region. */
const noTime = printJson("0.0");

/** A range of resource types: an object of the file by position, or types converted from an old layout. */
type TypeRange = { readonly position: number } | { readonly from: number; readonly to: number };

/**
 * Writes a profile in the stored layout, formatted as Python's json does: columns per resource type, their properties,
 * the models, then all other regions except the origin in file order.
 */
export function writeNormalised(regions: Regions, writer: ByteWriter): void {
  const { scanner, positions } = regions;
  checkResourceTypes(regions);
  const types = new ResourceTypes(scanner);
  const resources: TypeRange[] = [];
  const properties: TypeRange[] = [];
  for (const [key, position] of positions) {
    if (key === "resource_type_map") properties.push({ position });
    if (!resourceRegions.includes(key)) continue;
    const from = types.count;
    if (key === "resources" && scanner.bytes[position] === 0x7b) resources.push({ position });
    else upgrade(regions, key, position, types);
    const converted = { from, to: types.count };
    resources.push(converted);
    properties.push(converted);
  }
  checkIds(regions, types);
  writer.ascii('{"resources": {');
  writeTypeRanges(scanner, resources, writer, (type) =>
    writeMember(types.id(type), writer, () => types.writeColumns(type, writer)),
  );
  writer.ascii('}, "resource_type_map": {');
  writeTypeRanges(scanner, properties, writer, (type) =>
    writeMember(types.id(type), writer, () => types.writeProperties(type, writer)),
  );
  writer.ascii('}, "models": ');
  writeModels(regions, writer);
  writeRest(regions, writer);
  writer.byte(0x7d);
}

function writeMember(id: string, writer: ByteWriter, value: () => void): void {
  writer.ascii(`${id}: `);
  value();
}

function upgrade({ scanner, inGlobal }: Regions, key: string, position: number, types: ResourceTypes): void {
  const first = scanner.bytes[position];
  if (key === "snapshots") upgradeSnapshots(scanner, position, types);
  else if (first === 0x5b) types.addList(position, []);
  else if (key !== "global" || first !== 0x7b)
    throw notAProfileAt(scanner, `${key} is neither an object nor a list`, position);
  else if (inGlobal.size > 0) upgradeTimed(scanner, position, inGlobal, [], types);
}

/** Memory profiles of the first layout: a list of snapshots, each with a time and resources. */
function upgradeSnapshots(scanner: JsonScanner, position: number, types: ResourceTypes): void {
  if (scanner.bytes[position] !== 0x5b) throw notAProfileAt(scanner, "snapshots are not a list", position);
  scanner.pos = position;
  scanner.elements((index) => {
    const start = scanner.pos;
    if (scanner.bytes[start] !== 0x7b) throw notAProfileAt(scanner, "a snapshot is not an object");
    const members = membersAt(scanner, start);
    const end = scanner.pos;
    upgradeTimed(scanner, start, members, [{ key: "snapshot", value: printJson(JsonNumber.integer(index)) }], types);
    scanner.pos = end;
  });
}

/** Converts an object with a time and resources: a snapshot or `global`. */
function upgradeTimed(
  scanner: JsonScanner,
  position: number,
  members: ReadonlyMap<string, number>,
  extra: readonly RegionProperty[],
  types: ResourceTypes,
): void {
  const resources = members.get("resources");
  if (resources === undefined) throw notAProfileAt(scanner, "the region has no resources", position);
  const time = members.get("time");
  types.addList(resources, [...extra, { key: "time", value: time === undefined ? noTime : printedAt(scanner, time) }]);
}

/** Position of each value of the object at `position`. */
function membersAt(scanner: JsonScanner, position: number): Map<string, number> {
  const members = new Map<string, number>();
  scanner.pos = position;
  scanner.members((key) => {
    members.set(key, scanner.pos);
    scanner.pass();
  });
  return members;
}

function printedAt(scanner: JsonScanner, position: number): Uint8Array {
  const writer = new ByteWriter();
  scanner.pos = position;
  copyValue(scanner, writer);
  return writer.written();
}

/** Checks the columns layout: each type has columns (lists) and an object of properties. */
function checkResourceTypes(regions: Regions): void {
  const { scanner, positions } = regions;
  const map = positions.get("resource_type_map");
  const resources = positions.get("resources");
  const known = new Set<string>();
  if (map !== undefined) {
    eachObject(scanner, map, "resource_type_map", (id) => {
      known.add(id);
      scanner.pass();
    });
  }
  if (resources === undefined || scanner.bytes[resources] !== 0x7b) return;
  eachObject(scanner, resources, "resources", (id) => {
    if (!known.has(id))
      throw notAProfileAt(scanner, `resource type ${quoted(id.slice(0, 80))} is not in resource_type_map`);
    scanner.members(() => {
      if (scanner.bytes[scanner.pos] !== 0x5b) throw notAProfileAt(scanner, "a column of resources is not a list");
      scanner.pass();
    });
  });
}

function eachObject(scanner: JsonScanner, position: number, region: string, visit: (id: string) => void): void {
  scanner.pos = position;
  if (scanner.bytes[position] !== 0x7b) throw notAProfileAt(scanner, `${region} is not an object`);
  scanner.members((id) => {
    if (scanner.bytes[scanner.pos] !== 0x7b) throw notAProfileAt(scanner, `a member of ${region} is not an object`);
    visit(id);
  });
}

/** Fails if a file with both layouts declares an id that the conversion creates too; Perun loses one of the two. */
function checkIds({ scanner, positions }: Regions, types: ResourceTypes): void {
  const map = positions.get("resource_type_map");
  if (types.count === 0 || map === undefined) return;
  const created = new Set<string>();
  for (let type = 0; type < types.count; type++) created.add(types.id(type));
  for (const [id, position] of membersAt(scanner, map)) {
    if (created.has(quoted(id)))
      throw notAProfileAt(scanner, `resource type ${quoted(id.slice(0, 80))} is described twice`, position);
  }
}

function writeTypeRanges(
  scanner: JsonScanner,
  ranges: readonly TypeRange[],
  writer: ByteWriter,
  writeType: (type: number) => void,
): void {
  let first = true;
  const separate = () => {
    if (!first) writer.ascii(", ");
    first = false;
  };
  for (const range of ranges) {
    if ("position" in range) {
      scanner.pos = range.position;
      scanner.members((id) => {
        separate();
        writeMember(quoted(id), writer, () => copyValue(scanner, writer));
      });
    } else {
      for (let type = range.from; type < range.to; type++) {
        separate();
        writeType(type);
      }
    }
  }
}

function writeModels({ scanner, positions, inGlobal }: Regions, writer: ByteWriter): void {
  const position = positions.get("models") ?? inGlobal.get("models");
  if (position === undefined) return writer.ascii("[]");
  if (scanner.bytes[position] !== 0x5b) throw notAProfileAt(scanner, "models are not a list", position);
  scanner.pos = position;
  copyValue(scanner, writer);
}

function writeRest({ scanner, positions }: Regions, writer: ByteWriter): void {
  for (const [key, position] of positions) {
    if (["resources", "resource_type_map", "models", "global", "snapshots", "origin"].includes(key)) continue;
    writer.ascii(`, ${quoted(key)}: `);
    scanner.pos = position;
    copyValue(scanner, writer);
  }
}
