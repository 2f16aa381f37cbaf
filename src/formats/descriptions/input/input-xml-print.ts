import { printTerm } from "./expression-xml.ts";
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
} from "./input-description.ts";
import {
  attributes,
  cutAttributes,
  effectAttributes,
  printCutXml,
  printMapXml,
  printMarkXml,
  printNamedXml,
  raw,
} from "./input-xml-print-content.ts";
import { around, printDocument, printText, type XmlPiece } from "../../text/xml-children.ts";

/**
 * The description as perfbase's XML, with our extensions where they are needed; `parseInputXml` reads the same one
 * back. Fails with `not-in-xml`.
 */
export function printInputXml(description: InputDescription): string {
  const { id, rules, locations } = description;
  const pieces = [...printHead(description), ...locations.map((location) => printLocation(location, rules))];
  return printDocument(around("input", pieces, attributes({ id, rules: rules === "stream" ? undefined : rules })));
}

function printHead({ experiment, synopsis, description, database }: InputDescription): (string | XmlPiece)[] {
  const places = Object.entries(database ?? {}).map(([name, content]) => printText(name, String(content), "line"));
  return [
    ...(experiment === undefined ? [] : [printText("experiment", experiment, "word")]),
    ...(synopsis === undefined ? [] : [printText("synopsis", synopsis, "line")]),
    ...(description === undefined ? [] : [printText("description", description, "block")]),
    ...(places.length === 0 ? [] : [around("database", places)]),
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
      return around("fixed_value", [raw("name", location.name), printText("content", location.content, "word")]);
    case "filename":
      return printFilename(location);
    case "derived":
      return printDerived(location);
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
  return around("set_separation", inside, attributes({ run: usual ? undefined : run ? "yes" : "no" }));
}

function printExplicit(location: ExplicitLocation): XmlPiece {
  const { name, row, position, typed } = location;
  const inside = [
    raw("name", name),
    row.kind === "number" ? raw("row", row.number) : printMarkXml(row),
    position.kind === "keyword"
      ? `<pos>${raw("match", position.text)}</pos>`
      : raw("pos", position.kind === "number" ? position.number : 0),
    ...printRepetition(location),
    ...printCutXml(location),
  ];
  return around(
    "explicit_location",
    inside,
    attributes({ typed: typed ? "yes" : undefined, ...cutAttributes(location), ...effectAttributes(location) }),
  );
}

function printRepetition({ repetition }: Pick<TableValue, "repetition">): string[] {
  return repetition === 1 ? [] : [raw("rep", repetition)];
}

function printTable({ rows, start, columns, most, blanks, separator, separates, values }: TableLocation): XmlPiece {
  const inside = [
    ...rows.map((row) => (row.kind === "number" ? raw("row", row.number) : printMarkXml(row))),
    ...(start === 0 ? [] : [raw("skip", start)]),
    ...(separator === undefined ? [] : [raw("ws", separator)]),
    ...(blanks === undefined ? [] : [raw("blanks", blanks)]),
    ...values.map(printValue),
  ];
  return around(
    "tabular_location",
    inside,
    attributes({ columns, rows: most, is_separator: separates ? "yes" : undefined }),
  );
}

function printValue(value: TableValue): XmlPiece {
  const { name, typed, update } = value;
  const inside = [raw("name", name), ...printColumn(value.position), ...printRepetition(value), ...printCutXml(value)];
  return around(
    "tabular_value",
    inside,
    attributes({ typed: typed ? "yes" : undefined, ...cutAttributes(value), update }),
  );
}

/**
 * A column of its own is counted from 0; those before the previous value need a word of ours, those behind it are
 * negative.
 */
function printColumn(position: TableValue["position"]): string[] {
  if (position.kind === "keyword") return [raw("match", position.text)];
  if (position.kind === "number") return [raw("pos", position.number - 1)];
  if (position.offset === 1) return [];
  return position.offset > 1
    ? [raw("pos", -position.offset)]
    : [raw("pos", 0 - position.offset, attributes({ back: "yes" }))];
}

function printFilename(location: FilenameLocation): XmlPiece {
  const { name, matches, patterns, mode } = location;
  const inside = [
    raw("name", name),
    ...matches.map(({ text, terminator, fuzzy }) =>
      raw("match", text, attributes({ match: fuzzy ? "fuzzy" : undefined, terminator })),
    ),
    ...patterns.map((source) => raw("regexp", source)),
    ...printCutXml(location),
  ];
  return around("filename_location", inside, attributes({ mode, ...cutAttributes(location) }));
}

function printDerived({ name, from, storesSet, retrigger, update }: DerivedLocation): XmlPiece {
  const source = "term" in from ? `<term>${printTerm(from.term)}</term>` : printMapped(from);
  const again = typeof retrigger === "boolean" ? (retrigger ? "yes" : "no") : retrigger;
  return around(
    "derived_parameter",
    [raw("name", name), source],
    attributes({ store_set: storesSet ? "yes" : undefined, retrigger: again, update }),
  );
}

function printMapped({ parameter, maps }: Exclude<DerivedLocation["from"], { term: unknown }>): XmlPiece {
  return around(
    "map",
    maps.map((map) => printMapXml("mapping", map)),
    attributes({ value: parameter }),
  );
}

function printSplit({ name, enter, leave, stores, update }: SplitLocation, rules: InputDescription["rules"]): XmlPiece {
  const part = (tag: string, locations: readonly InputLocation[]): XmlPiece =>
    around(
      tag,
      locations.map((location) => printLocation(location, rules)),
    );
  const names = stores.map((each) =>
    raw("name", each.name, attributes({ store: each.store === "current" ? undefined : each.store })),
  );
  const inside = [raw("name", name), part("enter", enter), part("leave", leave), around("store", names)];
  return around("split_location", inside, attributes({ update }));
}
