import { JsonNumber } from "../../core/values/json.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { copyValue } from "../json/json-copy.ts";
import { printJson } from "../json/json.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { quoted } from "../json/json-string.ts";
import { misplaced, type Regions } from "./profile-regions.ts";
import type { RegionProperty } from "./resource-shape.ts";
import { ResourceTypes } from "./resource-types.ts";

/**
 * Regions that hold resources, in this or an older layout (before Perun 0.17); they become `resources` and
 * `resource_type_map`.
 */
const resourceRegions = ["resources", "snapshots", "global"];
/** The time of a region that gives none. */
const noTime = printJson("0.0");

/** A stretch of the resource types of the result: those of the file, or those made from an old layout. */
type Stretch = { readonly given: number } | { readonly from: number; readonly to: number };

/**
 * Writes a profile in the layout that is hashed: columns per resource type, then their properties, then the models,
 * then every other region in the order of the file but the origin; in Python's spelling.
 */
export function writeNormalised(regions: Regions, writer: ByteWriter): void {
  const { scanner, places } = regions;
  checkGiven(regions);
  const types = new ResourceTypes(scanner);
  const resources: Stretch[] = [];
  const properties: Stretch[] = [];
  for (const [key, place] of places) {
    if (key === "resource_type_map") properties.push({ given: place });
    if (!resourceRegions.includes(key)) continue;
    const from = types.count;
    if (key === "resources" && scanner.bytes[place] === 0x7b) resources.push({ given: place });
    else upgrade(regions, key, place, types);
    const made = { from, to: types.count };
    resources.push(made);
    properties.push(made);
  }
  checkIds(regions, types);
  writer.ascii('{"resources": {');
  writeStretches(scanner, resources, writer, (type) =>
    writeMember(types.id(type), writer, () => types.writeColumns(type, writer)),
  );
  writer.ascii('}, "resource_type_map": {');
  writeStretches(scanner, properties, writer, (type) =>
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

function upgrade({ scanner, inGlobal }: Regions, key: string, place: number, types: ResourceTypes): void {
  const first = scanner.bytes[place];
  if (key === "snapshots") upgradeSnapshots(scanner, place, types);
  else if (first === 0x5b) types.addList(place, []);
  else if (key !== "global" || first !== 0x7b)
    throw misplaced(scanner, `${key} is neither an object nor a list`, place);
  else if (inGlobal.size > 0) upgradeTimed(scanner, place, inGlobal, [], types);
}

/** Memory profiles of the first layout: a list of moments, each with its resources. */
function upgradeSnapshots(scanner: JsonScanner, place: number, types: ResourceTypes): void {
  if (scanner.bytes[place] !== 0x5b) throw misplaced(scanner, "snapshots are not a list", place);
  scanner.pos = place;
  scanner.elements((index) => {
    const start = scanner.pos;
    if (scanner.bytes[start] !== 0x7b) throw misplaced(scanner, "a snapshot is not an object");
    const members = membersAt(scanner, start);
    const end = scanner.pos;
    upgradeTimed(scanner, start, members, [{ key: "snapshot", value: printJson(JsonNumber.integer(index)) }], types);
    scanner.pos = end;
  });
}

/** A moment, or all of the run: an object of a time and resources. */
function upgradeTimed(
  scanner: JsonScanner,
  place: number,
  members: ReadonlyMap<string, number>,
  extra: readonly RegionProperty[],
  types: ResourceTypes,
): void {
  const resources = members.get("resources");
  if (resources === undefined) throw misplaced(scanner, "the region has no resources", place);
  const time = members.get("time");
  types.addList(resources, [...extra, { key: "time", value: time === undefined ? noTime : printedAt(scanner, time) }]);
}

/** Place of each value of the object at `place`. */
function membersAt(scanner: JsonScanner, place: number): Map<string, number> {
  const members = new Map<string, number>();
  scanner.pos = place;
  scanner.members((key) => {
    members.set(key, scanner.pos);
    scanner.pass();
  });
  return members;
}

function printedAt(scanner: JsonScanner, place: number): Uint8Array {
  const writer = new ByteWriter();
  scanner.pos = place;
  copyValue(scanner, writer);
  return writer.written();
}

/** Every type of the columns layout has columns (lists) and an object of properties. */
function checkGiven(regions: Regions): void {
  const { scanner, places } = regions;
  const map = places.get("resource_type_map");
  const resources = places.get("resources");
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
      throw misplaced(scanner, `resource type ${quoted(id.slice(0, 80))} is not in resource_type_map`);
    scanner.members(() => {
      if (scanner.bytes[scanner.pos] !== 0x5b) throw misplaced(scanner, "a column of resources is not a list");
      scanner.pass();
    });
  });
}

function eachObject(scanner: JsonScanner, place: number, region: string, visit: (id: string) => void): void {
  scanner.pos = place;
  if (scanner.bytes[place] !== 0x7b) throw misplaced(scanner, `${region} is not an object`);
  scanner.members((id) => {
    if (scanner.bytes[scanner.pos] !== 0x7b) throw misplaced(scanner, `a member of ${region} is not an object`);
    visit(id);
  });
}

/** A file of both layouts may give by hand an id that the upgrade makes too; Perun loses one of the two. */
function checkIds({ scanner, places }: Regions, types: ResourceTypes): void {
  const map = places.get("resource_type_map");
  if (types.count === 0 || map === undefined) return;
  const made = new Set<string>();
  for (let type = 0; type < types.count; type++) made.add(types.id(type));
  for (const [id, place] of membersAt(scanner, map)) {
    if (made.has(quoted(id)))
      throw misplaced(scanner, `resource type ${quoted(id.slice(0, 80))} is described twice`, place);
  }
}

function writeStretches(
  scanner: JsonScanner,
  stretches: readonly Stretch[],
  writer: ByteWriter,
  made: (type: number) => void,
): void {
  let first = true;
  const separate = () => {
    if (!first) writer.ascii(", ");
    first = false;
  };
  for (const stretch of stretches) {
    if ("given" in stretch) {
      scanner.pos = stretch.given;
      scanner.members((id) => {
        separate();
        writeMember(quoted(id), writer, () => copyValue(scanner, writer));
      });
    } else {
      for (let type = stretch.from; type < stretch.to; type++) {
        separate();
        made(type);
      }
    }
  }
}

function writeModels({ scanner, places, inGlobal }: Regions, writer: ByteWriter): void {
  const place = places.get("models") ?? inGlobal.get("models");
  if (place === undefined) return writer.ascii("[]");
  if (scanner.bytes[place] !== 0x5b) throw misplaced(scanner, "models are not a list", place);
  scanner.pos = place;
  copyValue(scanner, writer);
}

function writeRest({ scanner, places }: Regions, writer: ByteWriter): void {
  for (const [key, place] of places) {
    if (["resources", "resource_type_map", "models", "global", "snapshots", "origin"].includes(key)) continue;
    writer.ascii(`, ${quoted(key)}: `);
    scanner.pos = place;
    copyValue(scanner, writer);
  }
}
