import { Failure } from "../../../core/failures/index.ts";
import { localeNames, type Values } from "../../../core/values/index.ts";
import { encodings, type Encoding } from "../../../formats/text/index.ts";
import type { InputDescription } from "../../../formats/descriptions/index.ts";
import type { ByteSource, Importer, ImportEvent, ImportGuide } from "../importer.ts";
import { withLocale } from "./locale.ts";
import { readInputs } from "./merge-inputs.ts";
import { setRules } from "./sets/set-assembly.ts";
import { streamRules } from "./stream/stream-assembly.ts";

const encodingOption = {
  name: "encoding",
  role: "parameter",
  occurrence: "once",
  type: "string",
  default: null,
  valid: encodings,
  synopsis:
    "of the input; default: detected by byte order mark or UTF-16 NULs, else UTF-8 with latin1 for invalid bytes",
} as const;

const localeOption = {
  name: "locale",
  role: "parameter",
  occurrence: "once",
  type: "string",
  default: null,
  valid: localeNames,
  synopsis: "language whose decimal sign and thousands separator numbers have where the description gives none",
} as const;

/**
 * Reads any text by an input description (docs/input-descriptions.md). Never detected automatically: the user has to
 * select it.
 */
export const description: Importer = Object.freeze({
  kind: "importer",
  name: "description",
  synopsis: "Reads the output of any program by an input description",
  options: [encodingOption, localeOption],
  sniff: () => 0,
  read,
} satisfies Importer);

async function* read(source: ByteSource, options: Values, guide: ImportGuide): AsyncGenerator<ImportEvent> {
  if (!guide.description) throw new Failure("no-description", {});
  const locale = String(options.get(localeOption.name) ?? "");
  const inLocale = (each: InputDescription): InputDescription => withLocale(each, locale, guide.experiment);
  const given = inLocale(guide.description);
  const companionInputs = (guide.companionInputs ?? []).map((each) => ({
    ...each,
    description: inLocale(each.description),
  }));
  if (given.rules === "sets") refuseCompanions(given, companionInputs);
  const rules = given.rules === "stream" ? streamRules : setRules;
  yield* readInputs(source, { ...guide, description: given, companionInputs }, rules, encodingIn(options));
}

function encodingIn(options: Values): Encoding | undefined {
  return encodings.find((each) => each === options.get(encodingOption.name));
}

/** Under the rules `sets` an input holds one or more complete runs. */
function refuseCompanions({ file }: InputDescription, companions: NonNullable<ImportGuide["companionInputs"]>): void {
  if (companions.length === 0) return;
  const problem = "several inputs of one run are not supported by the rules 'sets'";
  throw new Failure("description-error", {
    file,
    line: 1,
    column: 1,
    problem,
    advice: "begin the descriptions with RULES stream",
  });
}
