import { isDigest, type Digest } from "../../../core/versions/digest.ts";

/**
 * A profile registered at a version, as instances tell each other: what decides whether one wants it, and what the
 * profile itself does not hold.
 */
export interface Registration {
  readonly digest: Digest;
  /** Unix seconds, below 2^32. */
  readonly time: number;
  readonly collector: string;
  readonly name: string;
}

/**
 * `<digest> <time, 10 digits> <collector, percent-encoded, or -> <name>`: of two with one key the earlier is the lesser
 * text.
 */
export function registrationText({ digest, time, collector, name }: Registration): string {
  return `${digest} ${String(time).padStart(10, "0")} ${collector === "" ? "-" : encodeURIComponent(collector.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/^-/, "%2D")} ${name}`;
}

/** null for everything that `registrationText` would not have written. The name is not looked at. */
export function readRegistration(text: string): Registration | null {
  const [, digest = "", digits, word = "", name = ""] = /^([0-9a-f]{40}) (\d{10}) (\S{1,1000}) (.+)$/u.exec(text) ?? [];
  const time = Number(digits);
  if (!isDigest(digest) || time > 0xffff_ffff) return null;
  const registration = { digest, time, collector: word === "-" ? "" : (decoded(word) ?? ""), name };
  return registrationText(registration) === text ? registration : null;
}

/** The same profile under the same name is one registration, whenever it was made. */
export function registrationKey(text: string): string {
  const [digest = "", , , ...name] = text.split(" ");
  return `${digest} ${name.join(" ")}`;
}

function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
