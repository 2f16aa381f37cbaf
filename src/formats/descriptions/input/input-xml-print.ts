import { xmlPiece, printDocument, printText, type XmlPiece } from "../../text/index.ts";
import { printTermXml } from "./expression-xml.ts";
import type {
  DerivedLocation,
  ExplicitLocation,
  FilenameLocation,
  InputDescription,
  InputLocation,
  Separation,
  SplitLocation,
  TableLocation,
  TableValue,
  NamedLocation,
} from "./input-description.ts";
import { printRange } from "./row-layout.ts";
import { printMatrixXml, printPatternXml, printTransposedXml } from "./row-location-xml-print.ts";
import {
  attributes,
  cutAttributes,
  effectAttributes,
  layoutAttributes,
  printCutXml,
  printLayoutXml,
  printMapXml,
  printMarkXml,
  printMissingXml,
  printRowXml,
  raw,
} from "./xml-print-pieces.ts";

/**
 * Prints a description as perfbase's XML with extensions where necessary; `parseInputXml` reads it back. Fails with
 * `not-in-xml`.
 */
export function printInputXml(description: InputDescription): string {
  const { id, rules, locations } = description;
  const pieces = [...printHead(description), ...locations.map((location) => printLocation(location, rules))];
  return printDocument(xmlPiece("input", pieces, attributes({ id, rules: rules === "stream" ? undefined : rules })));
}

function printHead({ experiment, synopsis, description, database }: InputDescription): (string | XmlPiece)[] {
  const fields = Object.entries(database ?? {}).map(([name, value]) => printText(name, String(value), "line"));
  return [
    ...(experiment === undefined ? [] : [printText("experiment", experiment, "word")]),
    ...(synopsis === undefined ? [] : [printText("synopsis", synopsis, "line")]),
    ...(description === undefined ? [] : [printText("description", description, "block")]),
    ...(fields.length === 0 ? [] : [xmlPiece("database", fields)]),
  ];
}

function printLocation(location: InputLocation, rules: InputDescription["rules"]): XmlPiece {
  switch (location.kind) {
    case "separation":
      return printSeparation(location, rules);
    case "named":
      return printNamedXml(location);
    case "explicit":
      return printExplicit(location);
    case "table":
      return printTable(location);
    case "fixed":
      return xmlPiece("fixed_value", [raw("name", location.name), printText("content", location.value, "word")]);
    case "filename":
      return printFilename(location);
    case "derived":
      return printDerived(location);
    case "pattern":
      return printPatternXml(location);
    case "transposed":
      return printTransposedXml(location);
    case "matrix":
      return printMatrixXml(location);
    default:
      return printSplit(location, rules);
  }
}

function printSeparation({ mark, run, skip }: Separation, rules: InputDescription["rules"]): XmlPiece {
  const inside = [
    mark.kind === "named" ? printNamedXml(mark) : printMarkXml(mark),
    ...(skip === undefined ? [] : [raw("skip", skip)]),
  ];
  const usual = run === (rules === "stream");
  return xmlPiece("set_separation", inside, attributes({ run: usual ? undefined : run ? "yes" : "no" }));
}

function printExplicit(location: ExplicitLocation): XmlPiece {
  const { name, row, position, typed } = location;
  const inside = [
    raw("name", name),
    printRowXml(row),
    printPosition(position),
    ...printRepetition(location),
    ...printCutXml(location),
  ];
  return xmlPiece(
    "explicit_location",
    inside,
    attributes({ typed: typed ? "yes" : undefined, ...cutAttributes(location), ...effectAttributes(location) }),
  );
}

function printPosition(position: ExplicitLocation["position"]): string {
  if (position.kind === "characters") return raw("chars", printRange(position));
  if (position.kind === "keyword") return `<pos>${raw("match", position.text)}</pos>`;
  return raw("pos", position.kind === "number" ? position.number : 0);
}

function printRepetition({ repetition }: Pick<TableValue, "repetition">): string[] {
  return repetition === 1 ? [] : [raw("rep", repetition)];
}

function printTable(table: TableLocation): XmlPiece {
  const { rows, start, columns, most, header, startsRun, values, skipsBlank, skipPatterns = [], skipsHeads } = table;
  const inside = [
    ...rows.map(printRowXml),
    ...(start === 0 ? [] : [raw("skip", start)]),
    ...printLayoutXml(table),
    ...skipPatterns.map((source) => raw("skip_regexp", source)),
    ...values.map(printValue),
  ];
  return xmlPiece(
    "tabular_location",
    inside,
    attributes({
      columns,
      rows: most,
      header,
      ...layoutAttributes(table),
      is_separator: startsRun ? "yes" : undefined,
      skip_blank: skipsBlank ? "yes" : undefined,
      skip_heads: skipsHeads ? "yes" : undefined,
    }),
  );
}

function printValue(value: TableValue): XmlPiece {
  const { name, typed, update, optional, label, missing } = value;
  const inside = [
    raw("name", name),
    ...printColumn(value.position),
    ...printRepetition(value),
    ...printMissingXml(missing),
    ...printCutXml(value),
  ];
  return xmlPiece(
    "tabular_value",
    inside,
    attributes({
      typed: typed ? "yes" : undefined,
      optional: optional ? "yes" : undefined,
      label: label ? "yes" : undefined,
      ...cutAttributes(value),
      update,
    }),
  );
}

/**
 * An absolute column is counted from 0. A column after the previous value is negative; one before it needs the
 * extension `back`.
 */
function printColumn(position: TableValue["position"]): string[] {
  if (position.kind === "keyword") return [raw("match", position.text)];
  if (position.kind === "characters") return [raw("chars", printRange(position))];
  if (position.kind === "number") return [raw("pos", position.number - 1)];
  if (position.offset === 1) return [];
  return position.offset > 1
    ? [raw("pos", -position.offset)]
    : [raw("pos", 0 - position.offset, attributes({ back: "yes" }))];
}

function printFilename(location: FilenameLocation): XmlPiece {
  const { name, matches, patterns, keys = [], folder, mode } = location;
  const inside = [
    raw("name", name),
    ...matches.map(({ text, terminator, fuzzy }) =>
      raw("match", text, attributes({ match: fuzzy ? "fuzzy" : undefined, terminator })),
    ),
    ...patterns.map((source) => raw("regexp", source)),
    ...keys.map((key) => raw("key", key)),
    ...printCutXml(location),
  ];
  return xmlPiece("filename_location", inside, attributes({ mode, folder, ...cutAttributes(location) }));
}

function printDerived({ name, from, storesRow, retrigger, update }: DerivedLocation): XmlPiece {
  const source = "term" in from ? `<term>${printTermXml(from.term)}</term>` : printMapped(from);
  const again = typeof retrigger === "boolean" ? (retrigger ? "yes" : "no") : retrigger;
  return xmlPiece(
    "derived_parameter",
    [raw("name", name), source],
    attributes({ store_set: storesRow ? "yes" : undefined, retrigger: again, update }),
  );
}

function printMapped({ parameter, maps }: Exclude<DerivedLocation["from"], { term: unknown }>): XmlPiece {
  return xmlPiece(
    "map",
    maps.map((map) => printMapXml("mapping", map)),
    attributes({ value: parameter }),
  );
}

function printSplit({ name, enter, leave, stores, update }: SplitLocation, rules: InputDescription["rules"]): XmlPiece {
  const part = (tag: string, locations: readonly InputLocation[]): XmlPiece =>
    xmlPiece(
      tag,
      locations.map((location) => printLocation(location, rules)),
    );
  const names = stores.map((each) =>
    raw("name", each.name, attributes({ store: each.store === "current" ? undefined : each.store })),
  );
  const inside = [raw("name", name), part("enter", enter), part("leave", leave), xmlPiece("store", names)];
  return xmlPiece("split_location", inside, attributes({ update }));
}

function printNamedXml(location: NamedLocation): XmlPiece {
  const { name, lines, mode, leads } = location;
  const inside = [raw("name", name), ...printMarks(location), ...printCutXml(location)];
  const own = { lines, mode, content: leads ? "leads" : undefined };
  return xmlPiece(
    "named_location",
    inside,
    attributes({ ...own, ...cutAttributes(location), ...effectAttributes(location) }),
  );
}

function printMarks({ aliases, matches = [], patterns, block, triggers = [] }: NamedLocation): (string | XmlPiece)[] {
  return [
    ...aliases.map((alias) => raw("alias", alias)),
    ...matches.map(({ text, terminator }) => raw("match", text, attributes({ terminator }))),
    ...patterns.map((source) => raw("regexp", source)),
    ...(block?.begin ?? []).map(({ mark, skip }) =>
      printMarkXml(mark, attributes({ marker: "begin", skip: skip === 0 ? undefined : skip })),
    ),
    ...(block?.end ?? []).map(({ mark }) => printMarkXml(mark, attributes({ marker: "end" }))),
    ...triggers.map(({ mark, skip }) =>
      xmlPiece("trigger", [printMarkXml(mark), ...(skip === 0 ? [] : [raw("skip", skip)])]),
    ),
  ];
}
