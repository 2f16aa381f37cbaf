import { describe, expect, it } from "vitest";
import type { Trend } from "../../../commands/verdicts/trends.ts";
import type { LogEntry } from "../../../commands/history/log.ts";
import type { VersionId } from "../../../core/versions/digest.ts";
import { asciiText, displayWidth, terminalText } from "../../../core/text/terminal-text.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";
import { longEntry, ShortLog, type TrendColumn } from "./log.ts";
import { LogTrends } from "./log-trend.ts";
import type { Medium } from "../medium.ts";
import { paintFor } from "../paint.ts";

const plain: Medium = {
  width: 80,
  asPerun: false,
  unicode: true,
  ellipsis: "…",
  shown: terminalText,
  drawn: (line) => line,
  version: (shown) => shown,
  paint: paintFor(false),
};
const ascii: Medium = { ...plain, unicode: false, ellipsis: "...", shown: (text) => asciiText(terminalText(text)) };

function entry(digit: string, description: string, changes: LogEntry["changes"] = []): LogEntry {
  const id = digit.repeat(40) as VersionId;
  return {
    version: { id, parents: [], author: "Ada", email: "ada@example.org", date: 0, description },
    profiles: [],
    changes,
  };
}

function shortLog(entries: readonly LogEntry[], format: string, medium: Medium, trend?: TrendColumn): string {
  const table = new ShortLog(format, medium, trend);
  for (const entry of entries) table.add([entry]);
  return [...table.text()].join("");
}

const history = [
  entry("a", "Sort by merging instead of inserting, which is what everybody else does nowadays"),
  entry("b", "日本語の件名 with wide characters and 😀, which go on and on and on until nothing fits"),
  entry("c", "evil \x1b[31m red and \u202e bidi"),
];
const format = "%checksum:6% (%stats%) %desc% %changes%";
const linesOf = (medium: Medium, entries = history): string[] =>
  shortLog(entries, format, medium).trimEnd().split("\n");

describe("the table of the log", () => {
  it.each([40, 60, 80, 200])("fits into %i columns", (width) => {
    for (const medium of [plain, ascii]) {
      const lines = linesOf({ ...medium, width });
      expect(lines).toHaveLength(4);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(/^aaaaaaaa \(no profiles\)/);
    }
  });

  it("shortens subjects in the middle, between graphemes", () => {
    const [, merging, wide, evil] = linesOf(plain);
    expect(merging).toMatch(/ Sort by merging [^…]*…[^…]* nowadays\s*$/);
    expect(wide).toMatch(/ 日本語の件名 with[^…]*…[^…]*fits\s*$/);
    expect(evil).toContain("evil ^[[31m red and <U+202E> bidi");
  });

  it("shortens nothing in a pipe and does not widen other lines", () => {
    const lines = linesOf({ ...plain, width: Number.POSITIVE_INFINITY }, [
      entry("a", "x".repeat(100_000)),
      entry("b", "short"),
    ]);
    expect(lines[1]).toContain("x".repeat(100_000));
    expect(lines[2]?.length).toBeLessThan(100);
  });

  it("escapes non-ASCII characters for ASCII terminals", () => {
    expect(linesOf({ ...ascii, width: 300 }).join("\n")).toMatch(/^[\n\x20-\x7e]*$/);
    expect(linesOf({ ...ascii, width: 300 })[2]).toContain(String.raw`\u{65e5}`);
  });

  it("ignores links and colors in widths", () => {
    const linked: Medium = { ...plain, version: (shown, id) => `<${id}>${shown}</>`, paint: paintFor(true) };
    const changes = ["Optimization", "Degradation"].map((result) => ({ result })) as unknown as LogEntry["changes"];
    const entries = [entry("a", "+- in a subject", changes)];
    const dressed = shortLog(entries, format, linked).split("\n")[1] ?? "";
    expect(dressed).toMatch(
      new RegExp(
        `^<${"a".repeat(40)}>aaaaaaaa</> \\(.*\\) \\+- in a subject \\x1b\\[32m\\+\\x1b\\[0m\\x1b\\[31m-\\x1b\\[0m`,
      ),
    );
    // oxlint-disable-next-line no-control-regex -- colours
    expect(dressed.replace(/<[^>]*>|\x1b\[\d+m/g, "")).toBe(shortLog(entries, format, plain).split("\n")[1]);
  });
});

function trend(
  benchmark: string,
  values: number[],
  changed?: { at: number; word: Verdict["outcome"]; delta: number },
): Trend {
  const ids = "fedcba".split("").map((digit) => digit.repeat(40) as VersionId);
  const points = values.map((value, at) => ({ version: ids[at] as VersionId, value }));
  const subject = {
    source: "profile",
    key: benchmark,
    benchmark,
    metric: "time",
    unit: undefined,
    better: "lower",
  } as const;
  const since = changed === undefined ? null : { before: null, after: ids[changed.at] as VersionId, suspects: [] };
  const verdict = {
    subject,
    outcome: changed?.word ?? "same",
    delta: changed?.delta ?? null,
    since,
  } as unknown as Verdict;
  return { subject, points, verdicts: [verdict] };
}

describe("trends in the log", () => {
  const trends = new LogTrends([
    trend("sort", [1, 1, 1, 1, 2, 2], { at: 4, word: "worse", delta: 1 }),
    trend("parse", [4, 4, 4, 2, 2, 2], { at: 3, word: "better", delta: -0.5 }),
    trend("scan", [3, 3, 3, 3, 3, 3]),
    trend("more", [3, 3, 3, 3, 3, 3]),
  ]);

  it("end at each commit, changed series first", () => {
    const [newest, second, third] = history.map((each) =>
      longEntry(each, plain, trends.lines(each, plain)).split("\n").slice(6),
    );
    expect(newest).toEqual([
      "              ▁▁▁▁██ 2 sort time",
      "              ███▁▁▁ 2 parse time",
      "              ▅▅▅▅▅▅ 3 scan time",
      "",
      "",
    ]);
    expect(second?.[0]).toBe("               ▁▁▁▁█ 2 +100.0 % worse sort time");
    expect(third?.[0]).toBe("                ███▁ 2 -50.0 % better parse time");
    expect(third?.[1]).toBe("                ▅▅▅▅ 1 sort time");
  });

  it("are a column of the short form, also in ASCII and color", () => {
    const shown = (medium: Medium): string[] => shortLog(history, "%checksum:6% %trend%", medium, trends).split("\n");
    expect(shown(plain).map((line) => line.trimEnd())).toEqual([
      "checksum             sort time",
      "aaaaaaaa           ▁▁▁▁██ 2",
      "bbbbbbbb            ▁▁▁▁█ 2 +100.0 % worse",
      "cccccccc             ▅▅▅▅ 1",
      "",
    ]);
    expect(shown(ascii)[2]).toContain("____# 2 +100.0 % worse");
    expect(shown({ ...plain, paint: paintFor(true) })[2]).toContain("\x1b[31m+100.0 % worse\x1b[0m");
  });

  it("fit into the width and omit commits without a value", () => {
    const long = new LogTrends([trend("a very long benchmark of a very long path/to/a/function", [1, 1, 1, 1, 2, 2])]);
    const [line = ""] = long.lines(history[0] as LogEntry, { ...plain, width: 40 }).slice(1);
    expect(displayWidth(line)).toBeLessThanOrEqual(40);
    expect(line).toMatch(/ a ver.*….*time$/);
    expect(long.lines(entry("0", "elsewhere"), plain)).toEqual([]);
    expect(long.cell(entry("0", "elsewhere"), plain)).toBe("");
  });
});
