import type { ChangeLine, Overview } from "../../core/pages/index.ts";
import { abbreviate } from "../../core/versions/index.ts";
import { attribute as text, hashOf } from "./ci-formats.ts";
import { percent } from "./verdict-text.ts";

/**
 * The worse and better changes of an overview as an Atom feed (RFC 4287), the newest first. An entry is the same in
 * every feed of the project: readers show it once.
 */
export function atomFeed(overview: Overview): string {
  const { project, range, generatedAt, changes, program } = overview;
  const shown = changes
    .filter(({ outcome, since }) => since !== null && (outcome === "worse" || outcome === "better"))
    .map((line) => ({ line, date: line.since?.date ?? generatedAt }))
    .sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1));
  const title = `Performance of ${project}${range === "" ? "" : ` ${range}`}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${idOf(`feed\n${project}\n${range}`)}</id>`,
    `  <title>${text(title)}</title>`,
    `  <updated>${shown[0]?.date ?? generatedAt}</updated>`,
    `  <generator version="${text(program)}">perfkeep</generator>`,
    "  <author><name>perfkeep</name></author>",
    ...shown.map(({ line, date }) => entry(line, date, overview)),
    "</feed>",
    "",
  ].join("\n");
}

function entry(line: ChangeLine, date: string, { project, commitUrl }: Overview): string {
  const { key, benchmark, metric, outcome, delta, deltaLow, deltaHigh, since, triage } = line;
  const change = delta === null ? "" : ` ${percent(delta)}`;
  const interval =
    deltaLow === null || deltaHigh === null ? [] : [`95 % interval ${percent(deltaLow)} to ${percent(deltaHigh)}`];
  const after = since?.after ?? "";
  const suspects = (since?.suspects ?? 1) > 1 ? [`one of ${since?.suspects} commits`] : [];
  const details = [`since ${abbreviate(after)} ${since?.subject ?? ""}`, ...suspects, ...interval, triage ?? ""];
  return [
    "  <entry>",
    `    <id>${idOf(`${project}\n${key}\n${after}`)}</id>`,
    `    <title>${text(`${outcome}: ${benchmark}: ${metric}${change}`)}</title>`,
    `    <updated>${date}</updated>`,
    ...(commitUrl === undefined ? [] : [`    <link rel="alternate" href="${text(`${commitUrl}${after}`)}"/>`]),
    `    <summary>${text(details.filter((each) => each !== "").join("; "))}</summary>`,
    "  </entry>",
  ].join("\n");
}

/** A UUID of one's own kind (version 8, RFC 9562) of a hash, as an IRI. */
function idOf(words: string): string {
  const digits = hashOf(words) + hashOf(`${words}\n`);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return `urn:uuid:${[...parts, digits.slice(20, 32)].join("-")}`;
}
