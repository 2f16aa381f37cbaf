import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCommands } from "../../../test/reports/annotations.ts";
import { expectJunit } from "../../../test/reports/junit.ts";
import { readOpenMetrics } from "../../../test/reports/open-metrics.ts";
import { expectSarif } from "../../../test/reports/sarif.ts";
import { renderVerdicts, verdictFormats } from "../../commands/verdicts/render-verdicts.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { terminalText } from "../../core/text/terminal-text.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { TriagedVerdict, TriageMark } from "../../core/verdicts/triage.ts";
import type { VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { verdictOutcomes, type VerdictOutcome } from "../../core/verdicts/verdict.ts";

const version = (digit: string): VersionId => digit.repeat(40) as VersionId;

interface Facts {
  readonly benchmark?: string;
  readonly word?: VerdictOutcome;
  readonly triage?: TriageMark | null;
  readonly fails?: boolean;
  readonly delta?: number | null;
  readonly reason?: string | null;
  readonly unit?: string;
}

function one(facts: Facts = {}): TriagedVerdict {
  const { benchmark = "sort", word = "worse", triage = null, delta = 0.29, reason = null, unit = "s" } = facts;
  const side = (center: number): { center: number; low: number; high: number; n: number } => ({
    center,
    low: center,
    high: center,
    n: 10,
  });
  return {
    verdict: {
      subject: {
        source: "profile",
        key: `k ${benchmark}`,
        benchmark,
        metric: "time",
        unit: parseUnit(unit),
        better: "lower",
      },
      outcome: word,
      before: delta === null ? null : side(0.093),
      after: delta === null ? null : side(0.12),
      delta,
      deltaLow: delta === null ? null : 0.25,
      deltaHigh: delta === null ? null : 0.33,
      p: 0.00012,
      test: "Mann-Whitney",
      q: null,
      detectable: word === "inconclusive" ? 0.2 : null,
      reason,
      since: { before: version("1"), after: version("3"), suspects: [version("2"), version("3")] },
    },
    triage,
    fails: facts.fails ?? (word === "worse" && triage === null),
  };
}

const report = (verdicts: readonly TriagedVerdict[], more: Partial<VerdictReport> = {}): VerdictReport => ({
  title: "check series",
  outcome: verdicts.some(({ fails }) => fails) ? "worse" : "fine",
  verdicts,
  notes: [],
  ...more,
});

const rendered = (format: string, of: VerdictReport): string => renderVerdicts(format, of) ?? "";

const mixed = report([
  one({ benchmark: "quiet", word: "same", delta: 0.001 }),
  one({ benchmark: "search", triage: { state: "accepted", note: "Ada: it is worth it" } }),
  one(),
  one({ benchmark: "parse", word: "inconclusive", reason: "3 values are too few" }),
]);
const nothing = report([], { outcome: "inconclusive", notes: ["no earlier version has a profile"] });

/** Breaks long lines after separators. */
function inLines(text: string): string {
  return text.replaceAll(/(?:; | \| (?=since)|evidence|",|worse \()(?=.)|(?<=<testcase[^>]*>)(?=<)/g, "$&⏎\n");
}

describe("known answers", () => {
  test("a summary", () => {
    expect(inLines(rendered("summary", mixed))).toMatchInlineSnapshot(`
      "<!-- perfkeep: check series -->
      **performance got worse**: 2 worse (⏎
      1 of them accepted or known), 1 inconclusive, 1 number not worse (⏎
      check series)

      |  | what | before | after | change | ⏎
      since | evidence⏎
       |
      | --- | --- | --- | --- | --- | --- | --- |
      | ❌ worse | <code>sort&#58;<!-- --> time</code> | 93 ms | 120 ms | +29.0 % &#91;+25.0 %, +33.0 %&#93; ⏎
      | since 33333333 (one of 2 commits) | p = 0.00012, Mann-Whitney, n = 10 + 10 |
      | ☑️ worse | <code>search&#58;<!-- --> time</code> | 93 ms | 120 ms | +29.0 % &#91;+25.0 %, +33.0 %&#93; ⏎
      | since 33333333 (one of 2 commits) | p = 0.00012, Mann-Whitney, n = 10 + 10&#59; ⏎
      accepted&#58;<!-- --> Ada&#58;<!-- --> it is worth it |

      - 33333333 changed 2 series (2 worse)&#59; ⏎
      suspects in common&#58;<!-- --> 2 commits

      <details><summary>All other numbers</summary>

      |  | what | before | after | change | ⏎
      since | evidence⏎
       |
      | --- | --- | --- | --- | --- | --- | --- |
      | ❔ inconclusive | <code>parse&#58;<!-- --> time</code> | 93 ms | 120 ms | +29.0 % &#91;+25.0 %, +33.0 %&#93; ⏎
      | since 33333333 (one of 2 commits) | p = 0.00012, Mann-Whitney, n = 10 + 10&#59; ⏎
      3 values are too few |
      | same | <code>quiet&#58;<!-- --> time</code> | 93 ms | 120 ms | +0.10 % &#91;+25.0 %, +33.0 %&#93; ⏎
      | since 33333333 (one of 2 commits) | p = 0.00012, Mann-Whitney, n = 10 + 10 |

      </details>
      "
    `);
  });

  test("annotations", () => {
    expect(inLines(rendered("annotations", mixed))).toMatchInlineSnapshot(`
      "::error title=sort%3A time::sort: time is worse: 93 ms → 120 ms; ⏎
      +29.0 %25 [+25.0 %25, +33.0 %25]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10
      ::warning title=parse%3A time::parse: time is inconclusive (could have seen >= 20.0 %25): 93 ms → 120 ms; ⏎
      +29.0 %25 [+25.0 %25, +33.0 %25]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10; ⏎
      3 values are too few
      ::notice title=search%3A time::search: time is worse: 93 ms → 120 ms; ⏎
      +29.0 %25 [+25.0 %25, +33.0 %25]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10; ⏎
      accepted: Ada: it is worth it
      "
    `);
  });

  test("JUnit", () => {
    expect(inLines(rendered("junit", mixed))).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="perfkeep" tests="4" failures="1" errors="0">
        <testsuite name="check series" tests="4" failures="1" errors="0" skipped="1">
          <testcase classname="sort" name="time">⏎
      <failure message="sort: time is worse: 93 ms → 120 ms; ⏎
      +29.0 % [+25.0 %, +33.0 %]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10" type="worse">sort: time is worse: 93 ms → 120 ms; ⏎
      +29.0 % [+25.0 %, +33.0 %]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10</failure></testcase>
          <testcase classname="search" name="time">⏎
      <system-out>search: time is worse: 93 ms → 120 ms; ⏎
      +29.0 % [+25.0 %, +33.0 %]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10; ⏎
      accepted: Ada: it is worth it</system-out></testcase>
          <testcase classname="parse" name="time">⏎
      <skipped message="parse: time is inconclusive (could have seen &gt;= 20.0 %): 93 ms → 120 ms; ⏎
      +29.0 % [+25.0 %, +33.0 %]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10; ⏎
      3 values are too few"/></testcase>
          <testcase classname="quiet" name="time">⏎
      <system-out>quiet: time is same: 93 ms → 120 ms; ⏎
      +0.10 % [+25.0 %, +33.0 %]; ⏎
      since 33333333 (one of 2 commits); ⏎
      p = 0.00012, Mann-Whitney, n = 10 + 10</system-out></testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });

  test("OpenMetrics", () => {
    const bytes = one({ benchmark: 'a "b" \\', word: "better", unit: "KiByte" });
    const text = rendered("openmetrics", report([bytes, one({ unit: "1", delta: null })]));
    expect(inLines(text)).toMatchInlineSnapshot(`
      "# TYPE perfkeep_level_bytes gauge
      # UNIT perfkeep_level_bytes bytes
      # HELP perfkeep_level_bytes The median of the latest measurements.
      perfkeep_level_bytes{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time"} 122.88
      # TYPE perfkeep_change_ratio gauge
      # UNIT perfkeep_change_ratio ratio
      # HELP perfkeep_change_ratio After / before - 1 of the medians.
      perfkeep_change_ratio{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time"} 0.29
      # TYPE perfkeep_verdict stateset
      # HELP perfkeep_verdict The verdict on the number.
      perfkeep_verdict{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time",⏎
      perfkeep_verdict="worse"} 0
      perfkeep_verdict{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time",⏎
      perfkeep_verdict="better"} 1
      perfkeep_verdict{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time",⏎
      perfkeep_verdict="same"} 0
      perfkeep_verdict{key="k a \\"b\\" \\\\",⏎
      benchmark="a \\"b\\" \\\\",⏎
      metric="time",⏎
      perfkeep_verdict="inconclusive"} 0
      perfkeep_verdict{key="k sort",⏎
      benchmark="sort",⏎
      metric="time",⏎
      perfkeep_verdict="worse"} 1
      perfkeep_verdict{key="k sort",⏎
      benchmark="sort",⏎
      metric="time",⏎
      perfkeep_verdict="better"} 0
      perfkeep_verdict{key="k sort",⏎
      benchmark="sort",⏎
      metric="time",⏎
      perfkeep_verdict="same"} 0
      perfkeep_verdict{key="k sort",⏎
      benchmark="sort",⏎
      metric="time",⏎
      perfkeep_verdict="inconclusive"} 0
      # EOF
      "
    `);
  });

  test("code quality", () => {
    expect(JSON.parse(rendered("code-quality", mixed))).toMatchObject([
      {
        severity: "major",
        check_name: "performance-worse",
        location: { path: "perfkeep.triage", lines: { begin: 1 } },
      },
      { severity: "info" },
    ]);
  });

  test("SARIF", () => {
    const { version: form, runs } = JSON.parse(rendered("sarif", mixed)) as { version: string; runs: SarifRun[] };
    expect(form).toBe("2.1.0");
    expect(
      runs[0]?.results.map(({ ruleId, level, suppressions }) => [ruleId, level, suppressions?.length ?? 0]),
    ).toEqual([
      ["performance-worse", "error", 0],
      ["performance-worse", "note", 1],
      ["performance-inconclusive", "note", 0],
    ]);
  });
});

describe("reports without comparisons are no success", () => {
  test.each([
    ["summary", "nothing could be compared"],
    ["annotations", "::warning title=check series::nothing could be compared: no earlier version has a profile"],
    ["junit", 'errors="1"'],
    ["sarif", '"executionSuccessful": false'],
  ])("in %s", (format, text) => {
    expect(rendered(format, nothing)).toContain(text);
    expect(rendered(format, nothing)).toContain("no earlier version has a profile");
    expectJunit(rendered("junit", nothing));
    expectSarif(rendered("sarif", nothing));
    expect(readOpenMetrics(rendered("openmetrics", nothing)).size).toBe(0);
  });
});

/** Names that attack one format or another, and arbitrary texts. */
const evil = fc.oneof(
  fc.constantFrom(
    "]]>&\"'<b>",
    "a\n::error::owned",
    "::set-output name=x::y",
    "%0A::error::x",
    "@everyone #1 | x | --> <script>",
    "```\n</details>",
    "\u0000\u001b[31m\ufffe\ud800\u202e",
    'x",key="y"} 1\n# EOF\n',
    "https://evil.example [a](javascript:x) ![p](x) **b** _c_",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const anyReport = fc
  .record({
    title: evil,
    notes: fc.array(evil, { maxLength: 3 }),
    verdicts: fc.array(
      fc
        .record({
          benchmark: evil,
          word: fc.constantFrom(...verdictOutcomes),
          reason: fc.option(evil),
          delta: fc.option(fc.double()),
          triage: fc.option(fc.record({ state: fc.constantFrom("accepted", "came-back"), note: evil })),
        })
        .map((facts) => one({ ...facts, fails: facts.word === "worse" && facts.triage?.state !== "accepted" })),
      { maxLength: 6 },
    ),
  })
  .map(({ title, notes, verdicts }) => report(verdicts, { title, notes }));

const always = (check: (of: VerdictReport) => void): void => fc.assert(fc.property(anyReport, check), { numRuns: 150 });

/** Subjects as reports may show them. */
const titleOf = ({ verdict: { subject } }: TriagedVerdict): string =>
  terminalText(`${subject.benchmark}: ${subject.metric}`);

describe("with arbitrary names", () => {
  test("annotations are one command per line, which the runner parses back", () => {
    always((of) => {
      const text = rendered("annotations", of);
      const commands = readCommands(text);
      expect(text.split("\n")).toHaveLength(commands.length + 1);
      expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
      const selected = of.verdicts.filter(
        ({ verdict }) => verdict.outcome === "worse" || verdict.outcome === "inconclusive",
      );
      expect(commands.map(({ properties }) => properties.get("title")).toSorted()).toEqual(
        selected.map(titleOf).toSorted(),
      );
      for (const { name, properties, message } of commands) {
        expect(["error", "warning", "notice"]).toContain(name);
        expect([...properties.keys()]).toEqual(["title"]);
        expect(message.startsWith(`${properties.get("title")} is `)).toBe(true);
      }
    });
  });

  test("JUnit matches Jenkins and Ant, with a case for each subject", () => {
    always((of) => {
      const root = expectJunit(rendered("junit", of));
      const cases = (root.children[0]?.children ?? []).filter(({ name }) => name === "testcase").length;
      expect(cases).toBe(of.verdicts.length);
    });
  });

  test("SARIF matches its schema", () => {
    always((of) => expectSarif(rendered("sarif", of)));
  });

  test("OpenMetrics matches its specification, with the original names", () => {
    always((of) => {
      const families = readOpenMetrics(rendered("openmetrics", of));
      const words = families.get("perfkeep_verdict")?.samples ?? [];
      const keys = new Set(of.verdicts.map(({ verdict }) => terminalText(verdict.subject.key)));
      expect(words).toHaveLength(4 * keys.size);
      expect(new Set(words.map(({ labels }) => labels.get("key")))).toEqual(keys);
    });
  });

  test("code quality matches GitLab's format, without duplicate findings", () => {
    always((of) => {
      const findings = JSON.parse(rendered("code-quality", of)) as { fingerprint: string }[];
      for (const finding of findings) {
        expect(finding).toEqual({
          description: expect.stringMatching(/^\P{Cc}+$/u),
          check_name: "performance-worse",
          fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
          severity: expect.stringMatching(/^(?:info|major)$/),
          location: { path: "perfkeep.triage", lines: { begin: 1 } },
        });
      }
      expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
    });
  });

  test("a summary is Markdown without markup from names", () => {
    always((of) => {
      const text = rendered("summary", of);
      const [marker = "", ...body] = text.split("\n");
      expect(marker).toMatch(/^<!-- perfkeep: [A-Za-z0-9 ._/]* -->$/);
      const own = body.join("\n").replaceAll(/<!-- -->|&#\d+;|<\/?code>|<\/?details>|<\/?summary>/g, "");
      expect(own.replace(/^\*\*|\*\*(?=:)/gm, "")).not.toMatch(/[<>@`*_#[\]\\~&]/);
      for (const line of body.filter((each) => each.startsWith("|"))) expect(line.split("|")).toHaveLength(9);
    });
  });
});

test("a summary of ten thousand long names fits into a comment and counts omitted ones", () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    one({ benchmark: `${"@".repeat(400)}${n}`, reason: "#".repeat(400) }),
  );
  const text = rendered(
    "summary",
    report(many, { title: "@".repeat(1000), notes: Array.from({ length: 99 }, () => "@".repeat(999)) }),
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/… and \d+ more/);
});

test("counts annotations beyond GitHub's limit", () => {
  const lines = rendered("annotations", report(Array.from({ length: 25 }, () => one())))
    .trim()
    .split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("::error title=more::and 16 more");
});

test("a change has the same fingerprint in every report, another change another one", () => {
  const [a, again, other] = [one(), one({ delta: 0.5 }), one({ benchmark: "other" })].map((each) => {
    const { runs } = JSON.parse(rendered("sarif", report([each]))) as { runs: SarifRun[] };
    return runs[0]?.results[0]?.partialFingerprints;
  });
  expect(again).toEqual(a);
  expect(other).not.toEqual(a);
});

/** The texts of a message, which services show as they are. */
const messageTexts: Readonly<Record<string, (message: never) => string[]>> = {
  slack: ({ blocks }: { blocks: { type: string; text: { type: string; text: string } }[] }) =>
    blocks.map(({ type, text }) => {
      expect([type, text.type]).toEqual(["section", "plain_text"]);
      return text.text;
    }),
  mattermost: ({ text }: { text: string }) => {
    const [, code = ""] = /^```text\n([^`]*)\n```$/.exec(text) ?? [];
    return code.split("\n");
  },
  teams: ({ attachments }: { attachments: { content: { body: { type: string; inlines: { text: string }[] }[] } }[] }) =>
    (attachments[0]?.content.body ?? []).map(({ type, inlines }) => {
      expect(type).toBe("RichTextBlock");
      return inlines.map(({ text }) => text).join("");
    }),
};

test.each(Object.keys(messageTexts))("messages for %s have a headline and a line for each change", (format) => {
  const given = report([one({ word: "better", delta: -0.5 }), one(), one({ word: "same" })]);
  const [headline, ...lines] = messageTexts[format]?.(JSON.parse(rendered(format, given)) as never) ?? [];
  expect(headline).toMatch(/^performance got worse: 1 worse, 2 numbers not worse \(/);
  expect(lines.map((line) => line.split(";")[0])).toEqual([
    "sort: time is worse: 93 ms → 120 ms",
    "sort: time is better: 93 ms → 120 ms",
  ]);
});

test.each(Object.keys(messageTexts))("messages for %s are short and without markup, whatever names are", (format) => {
  always((given) => {
    const text = rendered(format, given);
    expect(text.length).toBeLessThan(28_000);
    const texts = messageTexts[format]?.(JSON.parse(text) as never) ?? [];
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(50);
    for (const each of texts) {
      expect(each.length).toBeLessThanOrEqual(3000);
      expect(terminalText(each)).toBe(each);
    }
  });
});

test("rejects unknown formats", () => {
  expect(verdictFormats).toEqual([
    "summary",
    "annotations",
    "junit",
    "sarif",
    "openmetrics",
    "code-quality",
    "slack",
    "mattermost",
    "teams",
  ]);
  expect(renderVerdicts("pdf", nothing)).toBeUndefined();
});

interface SarifRun {
  readonly results: readonly {
    readonly ruleId: string;
    readonly level: string;
    readonly locations: readonly object[];
    readonly partialFingerprints: Readonly<Record<string, string>>;
    readonly suppressions?: readonly object[];
  }[];
}
