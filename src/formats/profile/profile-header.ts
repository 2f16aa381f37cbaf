import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import { isList, isObject, textAt, type Json } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { notAProfile, profileTypes, readRegion, regionsOf, type ProfileType, type Regions } from "./profile-regions.ts";

/** The facts about a profile that lists and indexes hold. */
export interface ProfileHeader {
  /** The measured commit; pending profiles only. */
  readonly origin?: VersionId;
  /** The beginning of its id, if a tool wrote only that. */
  readonly shortOrigin?: string;
  readonly type: ProfileType;
  readonly cmd: string;
  readonly workload: string;
  /** Name of the collector. */
  readonly collector: string;
  /** Names in order of application. */
  readonly postprocessors: readonly string[];
  /** Whether the tree had uncommitted changes, as declared by `machine.dirty`. */
  readonly dirty: boolean;
}

/** Reads only the descriptive regions; resources are validated. Fails with `not-json`, `not-a-profile`. */
export function readProfileHeader(bytes: Uint8Array, file: string): ProfileHeader {
  return headerOf(regionsOf(bytes, file));
}

export function headerOf(regions: Regions): ProfileHeader {
  const { file } = regions.scanner;
  const header = readRegion(regions, "header");
  if (!isObject(header))
    throw notAProfile(file, header === undefined ? "it has no header" : "the header is not an object");
  const type = profileTypes.find((known) => known === header.get("type"));
  if (!type)
    throw notAProfile(file, `header.type is ${describeValue(header.get("type"))}, not ${profileTypes.join(", ")}`);
  const origin = readRegion(regions, "origin");
  const postprocessors = readRegion(regions, "postprocessors");
  const machine = readRegion(regions, "machine");
  return {
    ...originIn(origin),
    type,
    cmd: textAt(header, "cmd") ?? "",
    workload: textAt(header, "workload") ?? "",
    collector: textAt(readRegion(regions, "collector_info"), "name") ?? "",
    postprocessors: isList(postprocessors) ? postprocessors.map((step) => textAt(step, "name") ?? "") : [],
    dirty: isObject(machine) && machine.get("dirty") === true,
  };
}

function originIn(origin: Json | undefined): Pick<ProfileHeader, "origin" | "shortOrigin"> {
  if (typeof origin !== "string") return {};
  if (isVersionId(origin)) return { origin };
  return /^[0-9a-f]{4,63}$/.test(origin) ? { shortOrigin: origin } : {};
}

/** The header of a run's profile. Fails with `not-a-profile`, which names `file`. */
export function headerOfRun({ fixed, steps, origin, machine }: Run, file: string): ProfileHeader {
  const type = profileTypes.find((known) => known === fixed.get("type"));
  if (!type) throw notAProfile(file, `its type is not ${profileTypes.join(", ")}`);
  return {
    ...(origin === undefined ? {} : { origin }),
    type,
    cmd: String(fixed.get("cmd") ?? ""),
    workload: String(fixed.get("workload") ?? ""),
    collector: steps.find(({ kind }) => kind !== "postprocessor")?.name ?? "",
    postprocessors: steps.filter(({ kind }) => kind === "postprocessor").map(({ name }) => name),
    dirty: machine?.get("dirty") === true,
  };
}

function describeValue(value: Json | undefined): string {
  if (value === undefined) return "missing";
  return typeof value === "string" ? `'${value.slice(0, 40)}'` : "not a text";
}
