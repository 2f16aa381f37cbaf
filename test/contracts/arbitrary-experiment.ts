import fc from "fast-check";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import { parseUnit } from "../../src/core/values/unit.ts";
import { dataTypes, readValue, type DataType, type Value } from "../../src/core/values/value.ts";
import { escapeXml } from "../../src/formats/text/xml.ts";
import { hasUnits, mayHaveUnit, type Variable } from "../../src/core/variables/variable.ts";

/** Any experiment that either spelling can hold: texts have no character that XML lacks. */

function inXml(text: string): boolean {
  try {
    return escapeXml(text) !== undefined;
  } catch {
    return false;
  }
}

export const anyText = fc.string({ unit: "binary" }).filter(inXml);
const grapheme = fc.oneof(
  anyText,
  fc.constantFrom("once", "NULL", "None", "-", "multiple", "numeric", " a", "a\nb", "\r", "]]>", "&amp;", "<!--"),
);

const commentLine = fc
  .string({ unit: fc.constantFrom("a", "Z", "#", "*", "\\", " ", '"', "=", "&", "<", "\u00e4", "\ud83d\ude00") })
  .map((line) => line.trimEnd());
export const anySynopsis = commentLine.filter((line) => line !== "");
export const anyDescription = fc.array(commentLine, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"));
export const anyName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,6}$/);

const contents: Partial<Record<DataType, fc.Arbitrary<Value>>> = {
  integer: fc.integer({ min: -32768, max: 32767 }),
  float: fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  string: grapheme,
  boolean: fc.boolean(),
  date: fc.integer({ min: -10_000, max: 40_000 }),
  version: fc.constantFrom("1.2", "2.0-rc1"),
};

export const anyUnit = fc.constantFrom("Byte", "MiByte/s", "1/s", "us", "m^2*KFlOP/s^3/process", "%").map(parseUnit);

export const anyVariable: fc.Arbitrary<Variable> = fc
  .record({
    name: anyName,
    role: fc.constantFrom("parameter" as const, "result" as const),
    occurrence: fc.constantFrom("once" as const, "multiple" as const),
    type: fc.constantFrom(...dataTypes),
  })
  .chain((base) => {
    const content =
      contents[base.type] ??
      fc.constant(readValue("", base.type)).filter((value): value is string => typeof value === "string");
    const [known, number, lettered] = [
      base.type in contents,
      hasUnits(base.type),
      base.type === "string" || base.type === "text",
    ];
    return fc
      .record(
        {
          unit: mayHaveUnit(base.type) ? anyUnit : fc.constant(undefined),
          size: base.type === "integer" ? fc.constantFrom(2 as const, 4 as const, 8 as const) : fc.constant(undefined),
          longest: lettered ? fc.constantFrom(100, 256, 1000) : fc.constant(undefined),
          numeric: number ? fc.constant(undefined) : fc.constant(true),
          choice: known ? fc.tuple(content, fc.boolean(), fc.boolean()) : fc.constant(undefined),
          synopsis: anySynopsis,
          description: anyDescription,
          better: fc.constantFrom("lower" as const, "higher" as const),
        },
        { requiredKeys: [] },
      )
      .map(({ choice, ...more }): Variable => {
        const kept = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
        const [value, asDefault, asValid] = choice ?? [null, false, false];
        return {
          ...base,
          ...kept,
          ...(asDefault ? { default: value } : { default: null }),
          ...(asValid ? { valid: [value] } : {}),
        };
      });
  });

export const anyExperiment: fc.Arbitrary<Experiment> = fc.record(
  {
    name: anyName,
    synopsis: anySynopsis,
    description: anyDescription,
    performedBy: anyText,
    organization: anyText,
    project: anyText,
    database: fc.oneof(
      fc.record({ name: anyText }),
      fc.record({ host: fc.constantFrom("localhost", "[::1]"), name: anyText }),
      fc.record({ host: fc.domain(), port: fc.integer({ min: 1, max: 65_535 }), user: anyName, name: anyName }),
    ),
    readers: fc.array(
      fc.oneof(
        anyText.filter((user) => user !== ""),
        anyName.map((group) => `@${group}`),
      ),
    ),
    writers: fc.array(anyName),
    admins: fc.array(anyName),
    variables: fc
      .uniqueArray(anyVariable, { selector: (each) => each.name.toLowerCase(), minLength: 1, maxLength: 5 })
      .filter((list) => list.some((each) => each.role === "result")),
  },
  { requiredKeys: ["name", "readers", "writers", "variables"] },
);
