import { isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../values/index.ts";

/** The version of the loop; times of another are not comparable. */
const loopVersion = 1;

/** The region `canary` of a profile: the times of a loop that never changes, measured next to it, in seconds. */
export function canaryToJson(seconds: readonly number[]): JsonObject {
  const times = seconds.map((each) => JsonNumber.float(each));
  return jsonObject({ version: JsonNumber.integer(loopVersion), seconds: times });
}

/** The times of a region `canary`; none if it is absent, invalid, or of another loop. */
export function canaryFromJson(json: Json | undefined): number[] {
  const [version, seconds] = isObject(json) ? [json.get("version"), json.get("seconds")] : [];
  if (!(version instanceof JsonNumber) || version.value !== loopVersion || !Array.isArray(seconds)) return [];
  const isTime = (value: number): boolean => value > 0 && Number.isFinite(value);
  return seconds.flatMap((each: Json) => (each instanceof JsonNumber && isTime(each.value) ? [each.value] : []));
}
