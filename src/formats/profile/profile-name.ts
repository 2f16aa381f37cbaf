import { Failure } from "../../core/failures/index.ts";
import { parseFormatString } from "../text/index.ts";

/** Values of the tokens in a template for profile names. */
export interface NameFacts {
  readonly collector: string;
  readonly postprocessors: readonly string[];
  readonly cmd: string;
  readonly workload: string;
  readonly type: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Number of profiles this process named before. */
  readonly counter: number;
  /** Parameters of the collector by `collector.parameter`, for tokens such as `%time.repeat%`. */
  readonly params: ReadonlyMap<string, string>;
}

const tokens = ["collector", "postprocessors", "cmd", "workload", "type", "date", "origin", "counter"] as const;

/** Maximum stem length in bytes, which leaves room for a suffix and `.perf`. */
const maxStemBytes = 170;

/**
 * Builds the file name of a new profile from `format.output_profile_template` (Perun 0.21): `%token%`, and `%%` for a
 * per cent sign. The command and the workload lose their folders and get brackets. `suffix`, if it is not empty, keeps
 * names unique, since the date has a resolution of seconds. Fails with `unknown-choice` for an unknown token.
 */
export function profileName(template: string, facts: NameFacts, suffix: string): string {
  const stem = parseFormatString(template)
    .map((piece) => (piece.kind === "text" ? piece.text : valueOf(piece.name, facts)))
    .join("");
  return `${truncateStem(safeStem(stem))}${suffix === "" ? "" : `-${suffix}`}.perf`;
}

function valueOf(token: string, facts: NameFacts): string {
  const known = tokens.find((name) => name === token);
  switch (known) {
    case "cmd":
    case "workload":
      // Perun names an empty workload `[_]`.
      return `[${(facts[known].split("/").at(-1) || "_").replaceAll(/[# %&{}\\<>*?/$!'":@]/g, "_")}]`;
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

/** Replaces characters that a store does not accept in names. */
function safeStem(stem: string): string {
  const plain = stem.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}/\\]/gu, "_");
  return /^(?:[-.]|$)/.test(plain) ? `_${plain}` : plain;
}

function truncateStem(stem: string): string {
  let length = 0;
  let result = "";
  for (const character of stem) {
    length += new TextEncoder().encode(character).length;
    if (length > maxStemBytes) break;
    result += character;
  }
  return result;
}
