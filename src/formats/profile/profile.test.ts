import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { floatText, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { printJson, readJson } from "../json/json.ts";
import { encodeObject } from "../store/object.ts";
import { readProfileHeader } from "./profile-header.ts";
import { profileOf } from "./build-profile.ts";
import { decodeProfile, encodeProfile, normaliseProfile } from "./profile.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (json: Uint8Array) => new TextDecoder().decode(json);
const body = (document: string) => text(normaliseProfile(bytes(document), "f.perf").body);

const header = '"header": {"type": "mixed", "cmd": "./a", "workload": "w"}';
const rest = '"header": {"type": "mixed", "cmd": "./a", "workload": "w"}';

describe("every layout becomes the columns layout", () => {
  test.each([
    [
      "columns are kept, their region moves to the front and the origin is removed",
      `{"origin": "x", ${header}, "resources": {"b#7": {"amount": [1, 1.50]}}, ` +
        '"resource_type_map": {"b#7": {"uid": "b"}}}',
      `{"resources": {"b#7": {"amount": [1, 1.5]}}, "resource_type_map": {"b#7": {"uid": "b"}}, "models": [], ${rest}}`,
    ],
    [
      "a list of resources is grouped into types by equal properties",
      `{${header}, "resources": [{"uid": "a", "amount": 1, "type": "t"}, {"amount": 2, "type": "u", ` +
        '"uid": "a"}, {"type": "t", "amount": 3.0, "uid": "a"}]}',
      '{"resources": {"a#0": {"amount": [1, 3.0]}, "a#1": {"amount": [2]}}, ' +
        '"resource_type_map": {"a#0": {"type": "t", "uid": "a"}, "a#1": {"type": "u", "uid": "a"}}, ' +
        `"models": [], ${rest}}`,
    ],
    [
      "global resources get its time, and its models are kept",
      '{"global": {"models": [{"uid": "a"}], "time": "1.5", "resources": [{"uid": "a", "order": 1, ' +
        `"amount": 2}]}, ${header}}`,
      '{"resources": {"a#0": {"order": [1], "amount": [2]}}, "resource_type_map": {"a#0": {"time": "1.5", ' +
        `"uid": "a"}}, "models": [{"uid": "a"}], ${rest}}`,
    ],
    [
      "snapshots are numbered; their time defaults to 0.0 and overrides that of the resource",
      `{${header}, "snapshots": [{"resources": [{"uid": "a", "time": "7"}]}, {"time": 2, ` +
        '"resources": [{"uid": "a", "address": 9}]}]}',
      '{"resources": {"a#0": {}, "a#1": {"address": [9]}}, "resource_type_map": {"a#0": {"snapshot": 0, ' +
        `"time": "0.0", "uid": "a"}, "a#1": {"snapshot": 1, "time": 2, "uid": "a"}}, "models": [], ${rest}}`,
    ],
    [
      "ids flatten nested uids from coarse to fine",
      '{"resources": [{"uid": {"line": 22, "function": "main", "source": "a.c"}}, {"uid": ["x", {"b": 1, ' +
        `"a": 2.0}]}, {"uid": {"zz": null, "aa": true}}], ${header}}`,
      '{"resources": {"a.c:main:22#0": {}, "x,1:2.0#0": {}, "True:None#0": {}}, ' +
        '"resource_type_map": {"a.c:main:22#0": {"uid": {"line": 22, "function": "main", "source": "a.c"}}, ' +
        '"x,1:2.0#0": {"uid": ["x", {"b": 1, "a": 2.0}]}, "True:None#0": {"uid": {"zz": null, "aa": true}}}, ' +
        `"models": [], ${rest}}`,
    ],
    [
      "resources with equal properties but different columns get separate types, so columns stay aligned",
      `{"resources": [{"uid": "a", "amount": 1, "order": 1}, {"uid": "a", "amount": 2}], ${header}}`,
      '{"resources": {"a#0": {"amount": [1], "order": [1]}, "a#1": {"amount": [2]}}, ' +
        `"resource_type_map": {"a#0": {"uid": "a"}, "a#1": {"uid": "a"}}, "models": [], ${rest}}`,
    ],
    [
      "all regions are merged in the order of the file",
      '{"snapshots": [], "resources": {"z#0": {"amount": []}}, "global": {"resources": [{"uid": "a"}]}, ' +
        `"resource_type_map": {"z#0": {"uid": "z"}}, ${header}}`,
      '{"resources": {"z#0": {"amount": []}, "a#0": {}}, "resource_type_map": {"a#0": {"time": "0.0", ' +
        `"uid": "a"}, "z#0": {"uid": "z"}}, "models": [], ${rest}}`,
    ],
    [
      "an empty global is ignored",
      `{"global": {}, ${header}}`,
      `{"resources": {}, "resource_type_map": {}, "models": [], ${rest}}`,
    ],
    [
      "duplicate keys take the last value at the first position",
      `{"x": 1, ${header}, "x": 2, "resources": [{"uid": "a", "amount": 1, "amount": 2}]}`,
      '{"resources": {"a#0": {"amount": [2]}}, "resource_type_map": {"a#0": {"uid": "a"}}, "models": [], ' +
        `"x": 2, ${rest}}`,
    ],
  ])("%s", (_, document, expected) => {
    expect(body(document)).toBe(expected);
    expect(body(expected)).toBe(expected);
  });

  test("resources with different times get different types, although the region overrides their time", () => {
    const resources =
      '[{"uid": "a", "time": 1, "amount": 1}, {"uid": "a", "time": 2, "amount": 2}, {"uid": "a", "time": 1, ' +
      '"amount": 3}]';
    expect(body(`{"global": {"resources": ${resources}}, ${header}}`)).toContain(
      '"resources": {"a#0": {"amount": [1, 3]}, "a#1": {"amount": [2]}}, ' +
        '"resource_type_map": {"a#0": {"time": "0.0", "uid": "a"}, "a#1"',
    );
  });

  test("the object has the same id as in Perun", () => {
    const resource = '{"uid": "fn(int)", "amount": 1e-05, "subtype": "é"}';
    const document = `{${header}, "global": {"time": "0.5", "resources": [${resource}]}}`;
    const { type, body: stored } = normaliseProfile(bytes(document), "f");
    expect(encodeObject("profile", type, stored).digest).toBe("03132a23b48ce0b6a39ec98226d8040178477021");
  });
});

test.each([
  ["[1, 2]", "not an object"],
  ["{}", "it has no header"],
  ['{"header": 1}', "the header is not an object"],
  ['{"header": {}}', "header.type is missing"],
  ['{"header": {"type": "curious"}}', "header.type is 'curious', not time, mixed, memory"],
  [`{${header}, "resources": 1}`, "resources is neither an object nor a list"],
  [`{${header}, "resources": [1]}`, "a resource is not an object"],
  [`{${header},\n "resources": [{"amount": 1}]}`, "the resource has no uid (line 2, column 16)"],
  [`{${header}, "resources": {"a#0": {}}}`, 'resource type "a#0" is not in resource_type_map'],
  [`{${header}, "resources": {"a#0": 1}, "resource_type_map": {"a#0": {}}}`, "a member of resources is not an object"],
  [
    `{${header}, "resources": {"a#0": {"amount": 1}}, "resource_type_map": {"a#0": {}}}`,
    "a column of resources is not a list",
  ],
  [`{${header}, "resource_type_map": []}`, "resource_type_map is not an object"],
  [`{${header}, "snapshots": {}}`, "snapshots are not a list"],
  [`{${header}, "snapshots": [1]}`, "a snapshot is not an object"],
  [`{${header}, "snapshots": [{"time": "1"}]}`, "the region has no resources"],
  [`{${header}, "global": {"time": "1"}}`, "the region has no resources"],
  [`{${header}, "global": null}`, "global is neither an object nor a list"],
  [`{${header}, "models": {}}`, "models are not a list"],
  [
    `{${header}, "resources": [{"uid": "a"}], "resource_type_map": {"a#0": {}}}`,
    'resource type "a#0" is described twice',
  ],
])("%s is not a profile: %s", (document, reason) => {
  expect(() => normaliseProfile(bytes(document), "f")).toThrow(
    expect.objectContaining({ code: "not-a-profile", message: expect.stringContaining(reason) }),
  );
});

const word = fc.constantFrom("", "a", "fn(int)", "é\u{1f600}", "\ud800", "10", "#0", "uid", "__proto__", '"\\');
const number = fc.oneof(
  fc.bigInt().map((value) => new JsonNumber(String(value))),
  fc.integer().map((value) => new JsonNumber(String(value))),
  fc.double().map((value) => new JsonNumber(floatText(value))),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(word, number, fc.constantFrom(null, true));
const value: fc.Arbitrary<Json> = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), objectOf(word, leaf));

function objectOf(key: fc.Arbitrary<string>, of: fc.Arbitrary<Json>, maxLength = 3): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, of), { maxLength }).map((members) => new Map(members));
}

const column = fc.oneof(
  { weight: 5, arbitrary: fc.array(number, { maxLength: 4 }) },
  fc.array(fc.oneof(number, value), { maxLength: 3 }),
);
const columns = objectOf(fc.constantFrom("amount", "order", "address", "extra", "uid"), column);
const types = fc.array(fc.tuple(word, columns, objectOf(word, value)), { maxLength: 4 });

/** Arbitrary stored profiles: unusual ids, columns of different lengths, regions in any order. */
const anyStored = fc
  .record({
    types,
    unused: objectOf(word, objectOf(word, value)),
    models: fc.array(value, { maxLength: 2 }),
    fields: objectOf(word, value),
    regions: objectOf(word, value),
    known: fc.tuple(value, value, value),
    order: fc.nat(5),
  })
  .map(({ types, unused, models, fields, regions, known: [info, postprocessors, machine], order }) => {
    const described: [string, Json][] = [
      ["header", new Map<string, Json>([...fields, ["type", "time"], ["cmd", info]])],
      ["collector_info", jsonObject({ name: "c", params: info })],
      ["postprocessors", order % 2 ? [jsonObject({ name: "p", params: postprocessors })] : postprocessors],
      ["machine", machine],
      ...regions,
    ];
    const rotated = [...described.slice(order), ...described.slice(0, order)];
    return new Map<string, Json>([
      ["resources", new Map(types.map(([id, own]) => [id, own]))],
      [
        "resource_type_map",
        new Map<string, Json>([...unused, ...types.map(([id, , own]): [string, Json] => [id, own])]),
      ],
      ["models", models],
      ...rotated,
    ]);
  });

describe("decoding is lossless", () => {
  test("stored bytes survive a round trip", () => {
    fc.assert(
      fc.property(anyStored, (document) => {
        const stored = printJson(document);
        expect(text(encodeProfile(decodeProfile(stored)))).toBe(text(stored));
        expect(text(normaliseProfile(stored, "f").body)).toBe(text(stored));
      }),
      { numRuns: 500 },
    );
  });

  test("a run survives a round trip in both forms", () => {
    fc.assert(
      fc.property(anyStored, fc.boolean(), (document, hasOrigin) => {
        const stored = decodeProfile(printJson(document));
        const run = hasOrigin ? { ...stored, origin: "ab".repeat(20) as NonNullable<typeof stored.origin> } : stored;
        expect(decodeProfile(encodeProfile(stored))).toEqual(stored);
        expect(decodeProfile(encodeProfile(run, "pending"))).toEqual(run);
      }),
      { numRuns: 300 },
    );
  });

  test("rows without groups are regrouped", () => {
    fc.assert(
      fc.property(anyStored, (document) => {
        const run = decodeProfile(printJson(document));
        const { groups: _, ...data } = run.data;
        const once = encodeProfile({ ...run, data });
        expect(text(normaliseProfile(once, "f").body)).toBe(text(once));
      }),
    );
  });
});

test("decodes number columns, shared properties and descriptive regions", () => {
  const run = decodeProfile(
    bytes(
      '{"header": {"type": "memory", "cmd": "./a", "workload": "w", "units": {"memory": "Byte"}, ' +
        '"args": "-x"}, "machine": {"cpu": 1}, "collector_info": {"name": "memory", "params": {"n": 1}}, ' +
        '"postprocessors": [{"name": "filter", "params": null}], "resources": {"b#0": {"amount": [1, 2.5], ' +
        '"address": [18446744073709551616, 7]}, "a#0": {"amount": [3]}}, ' +
        '"resource_type_map": {"a#0": {"uid": "a"}, "b#0": {"uid": {"line": 1}, "subtype": "s"}}, ' +
        '"what": [1]}',
    ),
  );
  const [amount, address, uid, subtype] = run.data.columns;
  expect(run.data.variables.map(({ name, role, type }) => [name, role, type])).toEqual([
    ["amount", "result", "float"],
    ["address", "parameter", "integer"],
    ["uid", "parameter", "text"],
    ["subtype", "parameter", "text"],
  ]);
  expect(run.data.variables[0]?.unit?.factors).toHaveLength(1);
  expect(amount).toMatchObject({ values: Float64Array.of(1, 2.5, 3), missing: null, integers: Uint8Array.of(1, 0, 1) });
  expect(address).toMatchObject({ missing: Uint8Array.of(0, 0, 1), exact: new Map([[0, "18446744073709551616"]]) });
  expect(uid).toMatchObject({
    codes: Int32Array.of(0, 0, 1),
    dictionary: [new Map([["line", new JsonNumber("1")]]), "a"],
  });
  expect(subtype).toMatchObject({ dictionary: ["s", undefined] });
  expect(run.fixed).toEqual(
    new Map([
      ["type", "memory"],
      ["cmd", "./a"],
      ["workload", "w"],
    ]),
  );
  expect(run.steps.map(({ kind, name }) => [kind, name])).toEqual([
    ["collector", "memory"],
    ["postprocessor", "filter"],
  ]);
  expect(run.machine?.get("cpu")).toEqual(new JsonNumber("1"));
  expect(run.extra.get("machine")).toBeNull();
  expect(run.extra.get("what")).toEqual([new JsonNumber("1")]);
});

test("encodes the changes of a run", () => {
  const run = decodeProfile(
    bytes(
      `{${header}, "collector_info": {"name": "c", "params": {}}, "postprocessors": [], ` +
        '"resources": [{"uid": "a", "amount": 1}]}',
    ),
  );
  const changed = {
    ...run,
    fixed: new Map([...run.fixed, ["cmd", "./b"]]),
    steps: [...run.steps, { kind: "postprocessor" as const, name: "p", params: null }],
  };
  expect(text(encodeProfile(changed))).toBe(
    '{"resources": {"a#0": {"amount": [1]}}, "resource_type_map": {"a#0": {"uid": "a"}}, "models": [], ' +
      '"header": {"type": "mixed", "cmd": "./b", "workload": "w"}, "collector_info": {"name": "c", ' +
      '"params": {}}, "postprocessors": [{"name": "p", "params": null}]}',
  );
});

test("profileOf builds a run from lists of numbers", () => {
  const run = profileOf({
    type: "time",
    cmd: "./a",
    workload: "w",
    units: { time: "s" },
    collector: { name: "time", params: jsonObject({ repeat: JsonNumber.integer(2) }) },
    machine: jsonObject({ system: "Linux" }),
    subjects: ["real", "user"].map((subtype) => ({
      properties: jsonObject({ subtype, type: "time", uid: "./a" }),
      columns: [
        { name: "amount", type: "float" as const, values: [1, 0.5] },
        { name: "order", type: "integer" as const, values: Float64Array.of(1, 2) },
      ],
    })),
  });
  expect(text(encodeProfile(run))).toBe(
    '{"resources": {"./a#0": {"amount": [1.0, 0.5], "order": [1, 2]}, "./a#1": {"amount": [1.0, 0.5], ' +
      '"order": [1, 2]}}, "resource_type_map": {"./a#0": {"subtype": "real", "type": "time", "uid": "./a"}, ' +
      '"./a#1": {"subtype": "user", "type": "time", "uid": "./a"}}, "models": [], "header": {"type": "time", ' +
      '"cmd": "./a", "workload": "w", "units": {"time": "s"}}, "machine": {"system": "Linux"}, ' +
      '"collector_info": {"name": "time", "params": {"repeat": 2}}, "postprocessors": []}',
  );
  expect(decodeProfile(encodeProfile(run))).toEqual(run);
});

test("readProfileHeader reads the header of a profile", () => {
  const origin = "ab".repeat(20);
  const result = readProfileHeader(
    bytes(
      `{"origin": "${origin}", "resources": [{}], ${header}, "collector_info": {"name": "time"}, ` +
        '"postprocessors": [{"name": "a"}, {}], "machine": {"dirty": true}}',
    ),
    "f",
  );
  expect(result).toEqual({
    origin,
    type: "mixed",
    cmd: "./a",
    workload: "w",
    collector: "time",
    postprocessors: ["a", ""],
    dirty: true,
  });
});

test("damaged profiles only ever throw a Failure", () => {
  const valid = bytes(
    '{"global": {"time": "1", "resources": [{"uid": {"line": 1}, "amount": 1.5, "trace": [{"a": 1}]}]}, ' +
      `"snapshots": [{"resources": []}], ${header}, "models": []}`,
  );
  const edit = fc.record({ at: fc.nat(valid.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }) });
  const swap = fc.tuple(fc.nat(12), fc.constantFrom("1", "null", "[]", "{}", '""', "[{}]", "[[]]"));
  const tokens = text(valid).split(/(?<=: )/);
  const documents = fc.oneof(
    edit.map(({ at, bytes: put }) => Uint8Array.from([...valid.slice(0, at), ...put, ...valid.slice(at + put.length)])),
    swap.map(([at, other]) => bytes(tokens.map((token, i) => (i === at ? `${other}, "k": ` : token)).join(""))),
  );
  const attempt = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
  };
  fc.assert(
    fc.property(documents, (document) => {
      attempt(() => normaliseProfile(document, "f"));
      attempt(() => encodeProfile(decodeProfile(document)));
      attempt(() => readProfileHeader(document, "f"));
      attempt(() => readJson(document, "f"));
    }),
    { numRuns: 1000 },
  );
});
