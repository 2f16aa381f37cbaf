import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChangeLine, Overview } from "../../core/pages/overview.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { readXml, type XmlElement } from "../../formats/text/xml.ts";
import { atomFeed } from "./atom-feed.ts";

const version = (at: number): VersionId => String(at).repeat(40).slice(0, 40) as VersionId;

function change(facts: Partial<ChangeLine> = {}, date: string | null = "2026-01-02T03:04:05Z"): ChangeLine {
  return {
    series: 0,
    key: "k",
    benchmark: "sort",
    metric: "time",
    unit: "s",
    outcome: "worse",
    delta: 0.12,
    deltaLow: 0.1,
    deltaHigh: 0.14,
    p: 0.001,
    q: 0.002,
    since: { before: version(1), after: version(2), suspects: 2, subject: "Cache answers", date },
    group: null,
    triage: null,
    latest: 1,
    spark: [],
    ...facts,
  };
}

function feed(changes: readonly ChangeLine[], facts: Partial<Overview> = {}): string {
  return atomFeed({
    schema: "perfkeep.overview/2",
    project: "libfast",
    range: "",
    program: "0.1.0",
    generatedAt: "2026-09-21T14:13:20Z",
    totals: { commits: 1, measured: 1, profiles: 1, series: 1, points: 1, experiments: 0, runs: 0 },
    outcomes: { worse: 1, better: 0, same: 0, inconclusive: 0 },
    unjudged: 0,
    changes,
    groups: [],
    environment: [],
    experiments: [],
    notes: [],
    ...facts,
  });
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly summary: string;
  readonly link: string;
}

interface Feed extends Omit<Entry, "summary" | "link"> {
  readonly entry: readonly Entry[];
}

function parsed(text: string): Feed {
  const root = readXml(text, "feed");
  const wordsOf = ({ children }: XmlElement, name: string): string =>
    children.find((each) => each.name === name)?.text ?? "";
  const headOf = (of: XmlElement) => ({
    id: wordsOf(of, "id"),
    title: wordsOf(of, "title"),
    updated: wordsOf(of, "updated"),
  });
  const entry = root.children
    .filter(({ name }) => name === "entry")
    .map((each) => ({
      ...headOf(each),
      summary: wordsOf(each, "summary"),
      link: each.children.find(({ name }) => name === "link")?.attributes.get("href") ?? "",
    }));
  return { ...headOf(root), entry };
}

test("a feed has an entry for each change, the newest first", () => {
  const { entry, ...head } = parsed(
    feed(
      [
        change(),
        change({ key: "other", outcome: "better", delta: -0.2 }, "2026-02-02T00:00:00Z"),
        change({ key: "unsure", outcome: "inconclusive" }),
        change({ key: "unknown", since: null }),
      ],
      { commitUrl: "https://example.org/c/" },
    ),
  );
  expect(head).toMatchObject({ title: "Performance of libfast", updated: "2026-02-02T00:00:00Z" });
  expect(entry).toMatchObject([
    { title: "better: sort: time -20.0 %", updated: "2026-02-02T00:00:00Z" },
    {
      title: "worse: sort: time +12.0 %",
      updated: "2026-01-02T03:04:05Z",
      link: `https://example.org/c/${version(2)}`,
      summary: "since 22222222 Cache answers; one of 2 commits; 95 % interval +10.0 % to +14.0 %",
    },
  ]);
});

test("the id of a change is the same in every feed, and another for another change", () => {
  const idOf = (line: ChangeLine, facts: Partial<Overview> = {}): string | undefined =>
    parsed(feed([line], facts)).entry[0]?.id;
  expect(idOf(change({ delta: 0.13 }), { range: "v1..HEAD", generatedAt: "2027-01-01T00:00:00Z" })).toBe(
    idOf(change()),
  );
  expect(idOf(change({ key: "other" }))).not.toBe(idOf(change()));
  expect(idOf(change())).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test("a feed is XML whatever names and messages are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, subject) => {
      const since = { before: null, after: version(3), suspects: 1, subject, date: null };
      const { entry, updated } = parsed(feed([change({ benchmark: name, key: name, since })], { project: name }));
      expect(entry).toHaveLength(1);
      expect(updated).toBe("2026-09-21T14:13:20Z");
    }),
  );
});
