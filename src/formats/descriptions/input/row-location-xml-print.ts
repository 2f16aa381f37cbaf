import { xmlPiece, type XmlPiece } from "../../text/index.ts";
import type { MatrixLocation, MatrixValue, PatternLocation, TransposedLocation } from "./row-locations.ts";
import {
  attributes,
  cutAttributes,
  effectAttributes,
  layoutAttributes,
  printCutXml,
  printLayoutXml,
  printMarkXml,
  printMissingXml,
  printRowXml,
  raw,
} from "./xml-print-pieces.ts";

/** `<pattern_location>`, with a `<group>` for each group with descriptors. */
export function printPatternXml(location: PatternLocation): XmlPiece {
  const { source, rows, groups } = location;
  const described = groups.filter(({ name: _name, origin: _origin, ...cut }) => Object.keys(cut).length > 0);
  const inside = [
    raw("regexp", source),
    ...described.map((group) =>
      xmlPiece("group", [raw("name", group.name), ...printCutXml(group)], attributes(cutAttributes(group))),
    ),
  ];
  const own = { rows: rows ? "yes" : undefined };
  return xmlPiece("pattern_location", inside, attributes({ ...own, ...effectAttributes(location) }));
}

export function printTransposedXml(location: TransposedLocation): XmlPiece {
  const values = location.values.map((value) =>
    xmlPiece(
      "transposed_value",
      [raw("name", value.name), printMarkXml(value.row), ...printMissingXml(value.missing), ...printCutXml(value)],
      attributes(cutAttributes(value)),
    ),
  );
  return xmlPiece(
    "transposed_location",
    [...printLayoutXml(location), ...values],
    attributes(layoutAttributes(location)),
  );
}

export function printMatrixXml(location: MatrixLocation): XmlPiece {
  const { rows, start, most, cell, across, down, label, optional, missing } = location;
  const inside = [
    ...rows.map(printRowXml),
    raw("skip", start),
    ...printLayoutXml(location),
    ...printMissingXml(missing),
    printPart("cell", cell),
    printPart("across", across),
    printPart("down", down, label),
  ];
  const own = { rows: most, optional: optional ? "yes" : undefined };
  return xmlPiece("matrix_location", inside, attributes({ ...own, ...layoutAttributes(location) }));
}

function printPart(element: string, value: MatrixValue, label?: true): XmlPiece {
  return xmlPiece(
    element,
    [raw("name", value.name), ...printCutXml(value)],
    attributes({ ...cutAttributes(value), label: label ? "yes" : undefined }),
  );
}
