import fc from "fast-check";
import {
  chronologies,
  comparisons,
  inputAttributes,
  labelStyles,
  missingRows,
  outputAttributes,
  rowKinds,
  shows,
  type ElementInput,
  type FilterGroup,
  type FilterMember,
  type QueryDescription,
  type Term,
} from "../../src/core/experiments/query-description.ts";

/* Any query that can be written: every element, every attribute, texts with all that XML has to escape. */

const text = fc
  .string({
    unit: fc.constantFrom("a", "B", "1", " ", "<", "&", '"', "'", "é", "\n", "\t", "]", "(", ")"),
    minLength: 1,
    maxLength: 6,
  })
  .map((each) => each.trim() || "x");
const junction = fc.constantFrom("and" as const, "or" as const);
const bare: readonly string[] = ["all", "null", "notnull"];

/** Every property is there or not; what is left out is absent, not undefined. */
function some<T extends object>(properties: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(properties, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const condition: fc.Arbitrary<FilterMember> = fc
  .tuple(fc.constantFrom(...comparisons), text)
  .map(([kind, content]) => ({ kind, value: bare.includes(kind) ? "" : content }));

const filter: fc.Arbitrary<FilterGroup> = fc.letrec<{ filter: FilterGroup }>((tie) => ({
  filter: fc
    .tuple(
      some({ boolean: junction }),
      fc.array(fc.oneof({ depthSize: "small", withCrossShrink: true }, condition, tie("filter")), { maxLength: 3 }),
    )
    .map(([boolean, members]) => ({ kind: "filter" as const, ...boolean, members })),
})).filter;

const filters = fc.array(filter, { maxLength: 2 });

/** Conditions of sources say what they are on. */
function named(group: FilterGroup): FilterGroup {
  const members = group.members.map((member) =>
    member.kind === "filter" ? named(member) : { kind: member.kind, of: member.value || "x", value: member.value },
  );
  return { ...group, members };
}
const attributes = <T extends string>(names: readonly T[]): fc.Arbitrary<ReadonlyMap<T, string>> =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }).chain((chosen) =>
    fc.tuple(...chosen.map(() => text)).map((contents) => {
      const inOrder = names.filter((name) => chosen.includes(name));
      return new Map(inOrder.map((name, at) => [name, contents[at] ?? ""]));
    }),
  );

const term: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => {
  const list = fc.array(tie("term"), { minLength: 1, maxLength: 3 });
  const pair = fc.tuple(tie("term"), tie("term")).map((of) => [...of]);
  return {
    term: fc.oneof(
      { depthSize: "small" },
      text.map((content): Term => ({ kind: "constant", value: content })),
      fc
        .tuple(text, text, some({ type: text }))
        .map(([name, input, type]): Term => ({ kind: "variable", name, input, ...type })),
      fc.tuple(fc.constantFrom("sum" as const, "product" as const), list).map(([kind, of]): Term => ({ kind, of })),
      fc
        .tuple(fc.constantFrom("difference" as const, "fraction" as const, "modulo" as const, "power" as const), pair)
        .map(([kind, of]): Term => ({ kind, of })),
      tie("term").map((of): Term => ({ kind: "negative", of: [of] })),
      fc.tuple(text, list).map(([name, of]): Term => ({ kind: "function", name, of })),
    ),
  };
}).term;

const point = some({ date: fc.record({ day: text, month: text, year: text }), time: text });
const range = some({ from: point, to: point });

/** Elements of one kind, with the ids that they have. */
const ids = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${prefix}.${at}`);
const each = <T>(names: readonly string[], element: (id: string) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.tuple(...names.map(element));

export const anyQuery: fc.Arbitrary<QueryDescription> = fc
  .tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 2 }), fc.nat({ max: 2 }), fc.nat({ max: 2 }))
  .chain(([small, sources, operators, outputs]) => {
    const [parameterIds, sourceIds, operatorIds, combinerIds] = [
      ids("p", small),
      ids("s", sources),
      ids("o", operators),
      ids("c", small),
    ];
    const [runIds, seriesIds] = [ids("r", small), ids("n", small)];
    const input: fc.Arbitrary<ElementInput> = fc.record({
      id: fc.constantFrom(...sourceIds, ...operatorIds, ...combinerIds),
      attributes: attributes(inputAttributes),
    });
    const inputs = fc.array(input, { minLength: 1, maxLength: 2 });
    const joined = <A, B>(first: fc.Arbitrary<A>, second: fc.Arbitrary<B>): fc.Arbitrary<A & B> =>
      fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
    return joined(
      some({ id: text, experiment: text, synopsis: text, description: text }),
      fc.record({
        fixed: each(ids("f", small), (id) => text.map((content) => ({ id, value: content }))),
        runs: each(runIds, (id) =>
          some({
            mask: fc.constantFrom("include" as const, "exclude" as const),
            boolean: junction,
            index: fc.array(text, { minLength: 1, maxLength: 2 }),
            created: range,
            performed: range,
            label: text,
            commit: fc.array(text, { minLength: 1, maxLength: 2 }),
            branch: text,
            firstParent: fc.boolean(),
            since: text,
            until: text,
            synopsis: text,
            description: text,
          }).map((more) => ({ id, ...more })),
        ),
        parameters: each(parameterIds, (id) =>
          joined(
            fc.record({ id: fc.constant(id), value: text, filters }),
            some({
              alias: text,
              show: fc.constantFrom(...shows),
              style: fc.constantFrom(...labelStyles),
              unit: fc.boolean(),
              boolean: junction,
              sweep: fc.record({ filters }),
            }),
          ),
        ),
        series: each(seriesIds, (id) =>
          joined(
            fc.record({ id: fc.constant(id), name: text }),
            some({ inc: fc.constantFrom("linear" as const, "exponential" as const), base: text, increment: text }),
          ),
        ),
        sources: each(sourceIds, (id) =>
          joined(
            fc.record({
              id: fc.constant(id),
              results: fc.array(joined(fc.record({ name: text }), some({ alias: text, axislabel: text })), {
                minLength: 1,
                maxLength: 2,
              }),
              inputs: fc.subarray([...parameterIds, ...runIds, ...seriesIds]),
            }),
            some({
              boolean: junction,
              order: fc.constantFrom("ascending" as const, "descending" as const, "keep" as const),
              key: text,
              chronology: fc.constantFrom(...chronologies),
              filters: fc.array(filter.map(named), { minLength: 1, maxLength: 2 }),
              missing: fc.constantFrom(...missingRows),
              rows: fc.constantFrom(...rowKinds),
            }),
          ).chain((source) =>
            (source.inputs.length === 0 ? fc.constant(new Map<string, string>()) : attributes(source.inputs)).map(
              (axislabels) => (axislabels.size === 0 ? source : { ...source, axislabels }),
            ),
          ),
        ),
        operators: each(operatorIds, (id) =>
          joined(
            fc.record({
              id: fc.constant(id),
              inputs,
              terms: fc.array(joined(fc.record({ term }), some({ id: text, unit: text })), { maxLength: 2 }),
            }),
            some({
              type: text,
              value: text,
              option: text,
              variant: text,
              scope: fc.constantFrom("run" as const, "global" as const),
              match: fc.constantFrom("parameter" as const, "index" as const, "modulo" as const),
              sweep: text,
              sweepCombine: fc.constantFrom("match" as const, "alltoall" as const),
            }),
          ),
        ),
        combiners: each(combinerIds, (id) =>
          joined(
            fc.record({
              id: fc.constant(id),
              inputs,
              omit: fc.array(joined(fc.record({ name: text }), some({ input: text })), { maxLength: 2 }),
            }),
            some({
              datasets: fc.constantFrom("merge" as const, "append" as const),
              parameters: fc.constantFrom("all" as const, "unique" as const, "none" as const),
              mkparam: fc.boolean(),
              sweepGroup: text,
              sweepCombine: fc.constantFrom("match" as const, "alltoall" as const),
            }),
          ),
        ),
        outputs: each(ids("out", outputs), (id) =>
          joined(
            fc.record({
              attributes: attributes(outputAttributes),
              inputs,
              options: fc.array(text, { maxLength: 2 }),
              tics: fc.array(joined(fc.record({ value: text }), some({ axis: text })), { maxLength: 1 }),
            }),
            some({
              id: fc.constant(id),
              filename: joined(
                fc.record({ name: text }),
                some({ unify: fc.constantFrom("no" as const, "filter" as const, "sweep" as const, "fixed" as const) }),
              ),
            }),
          ),
        ),
      }),
    );
  });
