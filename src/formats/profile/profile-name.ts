import { Failure } from "../../core/failures/failure.ts";
import { parseFormatString } from "../text/format-string.ts";

/** What the name of a new profile can be made of. */
export interface NameFacts {
  readonly collector: string;
  readonly postprocessors: readonly string[];
  readonly cmd: string;
  readonly workload: string;
  readonly type: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** How many profiles this process has named before. */
  readonly counter: number;
  /** Parameters of the collector by `collector.parameter`, for tokens such as `%time.repeat%`. */
  readonly params: ReadonlyMap<string, string>;
}

const tokens = ["collector", "postprocessors", "cmd", "workload", "type", "date", "origin", "counter"] as const;

/** Longest stem in bytes: with a suffix and `.perf` it stays below what names of profiles may have. */
const longestStem = 170;

/**
 * Makes the file name of a new profile from a template of `format.output_profile_template` (Perun 0.21): tokens between
 * per cent signs, `%%` for the sign itself; the command and the workload lose their folders and stand in brackets. The
 * date has seconds only, so `suffix` keeps two profiles of one second apart. Fails with `unknown-choice` for an unknown
 * token.
 */
export function profileName(template: string, facts: NameFacts, suffix: string): string {
  const stem = parseFormatString(template)
    .map((piece) => (piece.kind === "text" ? piece.text : valueOf(piece.name, facts)))
    .join("");
  return `${cut(safe(stem))}-${suffix}.perf`;
}

function valueOf(token: string, facts: NameFacts): string {
  const known = tokens.find((name) => name === token);
  switch (known) {
    case "cmd":
    case "workload":
      return `[${(facts[known].split("/").at(-1) ?? "").replaceAll(/[# %&{}\\<>*?/$!'":@]/g, "_")}]`;
    case "postprocessors":
      return facts.postprocessors.length === 0 ? "_" : `after-${facts.postprocessors.join("-and-")}`;
    case "date":
      return new Date(facts.time).toISOString().slice(0, 19).replaceAll(/[T:]/g, "-");
    case "counter":
      return String(facts.counter);
    case undefined:
      return facts.params.get(token) ?? unknown(token, facts);
    default:
      return facts[known];
  }
}

function unknown(token: string, facts: NameFacts): never {
  throw new Failure("unknown-choice", {
    kind: "token of format.output_profile_template",
    value: `%${token}%`,
    choices: [...tokens, ...facts.params.keys()],
  });
}

/** Every template and every command gives a name that a store accepts. */
function safe(stem: string): string {
  const plain = stem.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}/\\]/gu, "_");
  return /^(?:[-.]|$)/.test(plain) ? `_${plain}` : plain;
}

function cut(stem: string): string {
  let length = 0;
  let kept = "";
  for (const character of stem) {
    length += new TextEncoder().encode(character).length;
    if (length > longestStem) break;
    kept += character;
  }
  return kept;
}
