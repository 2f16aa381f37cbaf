import type { Experiment } from "../../../core/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { localeNames, type Values, numberSyntaxOf } from "../../../core/values/index.ts";
import { findVariable, hasUnits } from "../../../core/variables/index.ts";
import type { InputDescription, Cut, InputLocation } from "../../../formats/descriptions/index.ts";
import { encodings, type Encoding } from "../../../formats/text/index.ts";
import type { ByteSource, Importer, ImportEvent, ImportGuide } from "../importer.ts";
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

/**
 * The description with the notation of a language for the numbers whose location gives none. Fixed values, which are
 * not of the input, stay. Without a known language it is unchanged.
 */
function withLocale(description: InputDescription, locale: string, { variables }: Experiment): InputDescription {
  const syntax = numberSyntaxOf(locale);
  if (syntax === undefined) return description;
  const noted = <T extends Pick<Cut, "decimal" | "thousands"> & { readonly name: string }>(each: T): T => {
    const variable = findVariable(variables, each.name);
    const isGiven = each.decimal !== undefined || each.thousands !== undefined;
    return isGiven || variable === undefined || !hasUnits(variable.type) ? each : { ...each, ...syntax };
  };
  const located = (location: InputLocation): InputLocation => {
    switch (location.kind) {
      case "named":
      case "explicit":
      case "filename":
        return noted(location);
      case "table":
        return { ...location, values: location.values.map(noted) };
      case "split":
        return { ...location, enter: location.enter.map(located), leave: location.leave.map(located) };
      case "separation":
        return location.mark.kind === "named" ? { ...location, mark: noted(location.mark) } : location;
      default:
        return location;
    }
  };
  return { ...description, locations: description.locations.map(located) };
}
