import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import type { TriageEntry } from "../../core/verdicts/triage.ts";
import { printTriageLine, readTriageLine } from "./triage-line.ts";
import { decodeTriage, encodeTriage, triageEntries, withEntry } from "./triage.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-triage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const id = fc.integer({ min: 0, max: 0xffffffff }).map((n) => `${n.toString(16).padStart(8, "0")}0`);
const bound = fc.option(id, { nil: null });
const scope = fc.oneof(
  fc.constant({ kind: "any" } as const),
  id.map((version) => ({ kind: "version", version }) as const),
  fc
    .tuple(bound, bound)
    .map(([after, until]) => ({ kind: "range", after: after ?? (until === null ? "abcdef0" : null), until }) as const),
);
const key = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
const note = fc.string({ maxLength: 12 }).map((text) => text.trim());
const plainEntry = fc
  .record({ key, scope, state: fc.constantFrom("accepted", "expected", "fixed", "went-away"), note })
  .filter(({ scope: { kind }, state }) => kind !== "any" || state !== "went-away")
  .map((entry): TriageEntry => ({ ...entry, to: null }));
const renaming = fc
  .record({ key, to: key, note })
  .map((entry): TriageEntry => ({ ...entry, scope: { kind: "any" }, state: "renamed" }));
const entry: fc.Arbitrary<TriageEntry> = fc.oneof(plainEntry, renaming);

const read = (line: string): TriageEntry => readTriageLine(line, { file: "f", line: 1 });

describe("a line", () => {
  test("known answers", () => {
    expect(read('"sort:amount"  3f2a91c0 accepted Ada 2026-03-01: the stable sort costs that')).toEqual({
      key: "sort:amount",
      scope: { kind: "version", version: "3f2a91c0" },
      state: "accepted",
      to: null,
      note: "Ada 2026-03-01: the stable sort costs that",
    });
    expect(read('"a" * renamed "b \\"c\\" \\u0041"')).toMatchObject({ state: "renamed", to: 'b "c" A', note: "" });
    expect(read('"a" 1234567..89abcde fixed:')).toMatchObject({
      scope: { kind: "range", after: "1234567", until: "89abcde" },
      note: "",
    });
    expect(read('"a" ..89abcde expected')).toMatchObject({ scope: { after: null, until: "89abcde" } });
  });

  test("printed entries read back", () => {
    fc.assert(fc.property(entry, (each) => void expect(read(printTriageLine(each))).toEqual(each)));
  });

  test("a printed key escapes hidden characters", () => {
    const line = printTriageLine({
      key: "a\u202eb\n\u{e0041}",
      scope: { kind: "any" },
      state: "accepted",
      to: null,
      note: "x\ny",
    });
    expect(line).toBe('"a\\u202eb\\n\\udb40\\udc41" * accepted x y');
    expect(read(line).key).toBe("a\u202eb\n\u{e0041}");
  });

  test.each([
    ["sort * accepted", "1:1: a line begins with the key"],
    ['"sort * accepted', "1:1: a double quote is not closed"],
    ['"so\\qrt" * accepted', "1:1: the key has an escape"],
    ['"sort"* accepted', "1:7: a blank must follow the closing"],
    ['"" * accepted', "1:1: the key is empty"],
    ['"sort" main accepted', "1:8: 'main' is not a commit"],
    ['"sort" 123456 accepted', "1:8: '123456' is not a commit"],
    ['"sort" .. accepted', "1:8: a range has an end"],
    ['"sort"', "1:7: '' is not a commit"],
    ['"sort" * acepted why', "1:10: unknown state 'acepted': did you mean accepted?"],
    ['"sort" * whatever', "choose from accepted, expected, fixed, went-away, renamed"],
    ['"sort" * renamed new', "1:18: after 'renamed'"],
    ['"sort" 1234567 renamed "new"', "write * after the key"],
    ['"sort" * went-away', "write its id after the key"],
  ])("%s is refused at its position", (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});

describe("a file", () => {
  const text = '\uFEFF# head\r\n\r\n"b" * accepted why\r\n  # of c\n"c" 1234567 fixed\n"b" * accepted why';

  test("round-trips", () => {
    expect(encodeTriage(decodeTriage(text, "f"))).toBe(text);
    const line = fc.oneof(entry.map(printTriageLine), fc.constantFrom("", "# remark", "  ", "\t# é", "\r"));
    fc.assert(
      fc.property(
        fc.array(line),
        (lines) => void expect(encodeTriage(decodeTriage(lines.join("\n"), "f"))).toBe(lines.join("\n")),
      ),
    );
  });

  test("lists each entry once", () => {
    expect(triageEntries(decodeTriage(text, "f")).map((each) => each.key)).toEqual(["b", "c"]);
  });

  test("any text is read or refused at a position", () => {
    const bits = fc.constantFrom(
      '"',
      "\\",
      "a",
      " ",
      "*",
      "..",
      "accepted",
      "renamed",
      "\n",
      "#",
      "1234567",
      "\u2028",
      "<<<<<<<",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 14 }), (parts) => {
        try {
          decodeTriage(parts.join(""), "f");
        } catch (error) {
          expect(isFailure(error, "bad-triage") && error.message).toMatch(/^f:\d+:\d+: ./);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("an unresolved git conflict is reported", () => {
    expect(() => decodeTriage('"a" * accepted\n<<<<<<< HEAD\n', "f")).toThrow(/^f:2:1: unresolved git conflict/);
  });

  test("a new entry is inserted in order, and comments stay with their entries", () => {
    const [a, c] = [read('"a" * accepted'), read('"c" * accepted')];
    const file = decodeTriage('# head\n\n# of b\n"b" * accepted\n', "f");
    expect(encodeTriage(withEntry(withEntry(file, a), c))).toBe(
      '# head\n\n"a" * accepted\n# of b\n"b" * accepted\n"c" * accepted\n',
    );
    expect(withEntry(withEntry(file, a), a)).toEqual(withEntry(file, a));
    expect(encodeTriage(withEntry(decodeTriage("", "f"), a))).toMatch(/^# Decisions[^]*\n\n"a" \* accepted\n$/);
    expect(encodeTriage(withEntry(decodeTriage('"b" * fixed\r\n', "f"), a))).toBe('"a" * accepted\r\n"b" * fixed\r\n');
  });

  test("adding preserves all entries and their order", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        let file = decodeTriage("", "f");
        for (const each of entries) file = withEntry(file, each);
        const again = triageEntries(decodeTriage(encodeTriage(file), "f"));
        const lines = again.map(printTriageLine);
        expect(lines).toEqual([...lines].sort());
        expect(new Set(lines)).toEqual(new Set(entries.map(printTriageLine)));
      }),
    );
  });
});

test("git's union merge has the entries of both sides", () => {
  const few = fc.uniqueArray(entry, { maxLength: 4, selector: printTriageLine });
  const add = (text: string, entries: readonly TriageEntry[]): string =>
    encodeTriage(entries.reduce((file, each) => withEntry(file, each), decodeTriage(text, "f")));
  fc.assert(
    fc.property(few, few, few, (common, ours, theirs) => {
      const base = add("", common);
      const [one, two] = [add(base, ours), add(base, theirs)];
      const merged = [union(one, base, two), union(two, base, one)].map((text) => linesOf(text));
      expect(merged[0]).toEqual(merged[1]);
      expect(merged[0]).toEqual([...new Set([...common, ...ours, ...theirs].map(printTriageLine))].sort());
    }),
    { numRuns: 25 },
  );
});

function linesOf(text: string): string[] {
  return triageEntries(decodeTriage(text, "f")).map(printTriageLine).sort();
}

function union(ours: string, base: string, theirs: string): string {
  const paths = [ours, base, theirs].map((text, at) => {
    writeFileSync(join(folder, String(at)), text);
    return join(folder, String(at));
  });
  const { stdout, status, stderr } = spawnSync("git", ["merge-file", "-p", "--union", ...paths], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(status, stderr).toBe(0);
  return stdout;
}
