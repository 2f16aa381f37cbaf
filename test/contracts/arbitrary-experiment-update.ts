import fc from "fast-check";
import type {
  ExperimentUpdate,
  VariableAlteration,
  VariableChange,
} from "../../src/core/experiments/experiment-update.ts";
import { dataTypes } from "../../src/core/values/value.ts";
import { anyDescription, anyName, anySynopsis, anyText, anyUnit, anyVariable } from "./arbitrary-experiment.ts";

const orNull = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some);
const contents = fc.oneof(anyText, fc.constantFrom("None", "NULL", "-", "any", "none", " a"));
const list = fc.array(contents, { minLength: 1, maxLength: 3 });

/** Without stated types: contents have to fit those, and `unstated` contents have not. */
const unstated: fc.Arbitrary<VariableAlteration> = fc.record(
  {
    newName: anyName,
    role: fc.constantFrom("parameter", "result"),
    size: fc.constantFrom(2, 4, 8),
    occurrence: fc.constantFrom("once", "multiple"),
    default: fc.oneof(
      fc.constant("none" as const),
      orNull(contents).map((value) => ({ value })),
    ),
    unit: orNull(anyUnit),
    synopsis: orNull(anySynopsis),
    description: orNull(anyDescription),
    valid: fc.oneof(
      fc.constant("any" as const),
      list.map((only) => ({ only })),
      list.map((add) => ({ add })),
    ),
    longest: orNull(fc.integer({ min: 1, max: 999_999_999 })),
    numeric: fc.boolean(),
    better: orNull(fc.constantFrom("lower", "higher")),
  },
  { requiredKeys: [] },
);

const stated: fc.Arbitrary<VariableAlteration> = fc.oneof(
  fc.record({ type: fc.constantFrom(...dataTypes) }),
  fc.record({ type: fc.constantFrom("string", "text"), longest: orNull(fc.constantFrom(256, 1000)) }),
  fc.record({ type: fc.constant("integer"), size: fc.constantFrom(2, 4, 8), default: fc.constant({ value: "12" }) }),
);

const change: fc.Arbitrary<VariableChange> = fc.oneof(
  anyVariable.map((variable) => ({ kind: "add" as const, variable })),
  anyName.map((name) => ({ kind: "drop" as const, name })),
  fc
    .tuple(fc.constantFrom("alter" as const, "auto" as const), anyName, fc.oneof(unstated, stated))
    .map(([kind, name, more]) => ({ kind, name, ...more })),
);

/** Any update that either spelling can hold. */
export const anyExperimentUpdate: fc.Arbitrary<ExperimentUpdate> = fc.record({
  experiment: anyName,
  about: fc.record(
    {
      synopsis: orNull(anySynopsis),
      description: orNull(anyDescription),
      performedBy: orNull(anyText),
      organization: orNull(anyText),
      project: orNull(anyText),
    },
    { requiredKeys: [] },
  ),
  changes: fc.array(change, { maxLength: 4 }),
  access: fc.array(
    fc.record({
      action: fc.constantFrom("grant", "revoke"),
      level: fc.constantFrom("read", "write", "admin"),
      who: fc.oneof(
        anyName,
        anyName.map((group) => `@${group}`),
      ),
    }),
    { maxLength: 3 },
  ),
});
