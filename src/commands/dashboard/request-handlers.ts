import { counted } from "../../core/text/plural.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Figure, Block } from "../../core/figures/figure.ts";
import { packValue } from "../../core/pages/packed-value.ts";
import type { ViewChoice, ViewOption } from "../../core/pages/source.ts";
import { triageStates } from "../../core/verdicts/triage.ts";
import { formatValue } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { speedscopeText } from "../../formats/stacks/speedscope-print.ts";
import { runStacks } from "../../query/profile/run-stacks.ts";
import type { ApiHandler, ApiCall, ApiReply } from "../../workspace/serve/api.ts";
import { VersionLookup } from "../../workspace/profiles/version-lookup.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { comparedPairs } from "../report/report-parts.ts";
import { addTriage } from "../verdicts/triage.ts";
import { evidenceOf } from "../report/evidence.ts";
import { experimentPage, failureFigure } from "../report/experiment-page.ts";
import { answerText, experimentVariables, keepQuery, keptQueries, minedFigure } from "./experiment-queries.ts";
import type { LivePages } from "./live-pages.ts";
import type { PageData } from "../report/page-data.ts";
import { drawableViews, profileDifferenceFigure, profileFigure, profileLines } from "../report/profile-pages.ts";

/** The views that people look at first; all others follow. */
const first = ["flamegraph", "scatter", "bars", "flow", "heatmap", "alloclist"];

/** All views with their options. */
async function viewChoices({ registry }: Workspace): Promise<ViewChoice[]> {
  const known = registry.names("view");
  const names = [...first.filter((name) => known.includes(name)), ...known.filter((name) => !first.includes(name))];
  const views = await Promise.all(names.map((name) => registry.get("view", name)));
  return views.map(({ name, synopsis, options }) => ({ name, synopsis, options: options.map(viewOption) }));
}

function viewOption({ name, type, synopsis = "", default: usual = null, valid = [] }: Variable): ViewOption {
  return { name, type, synopsis, usual: usual === null ? "" : formatValue(usual, type), valid: valid.map(String) };
}

/** Rows of a table that a page is sent: more are for programs. */
const mostRows = 5000;

/** The figure with no more rows in each table than a page can show; what was left out is told behind it. */
function boundedFigure(figure: Figure): Figure {
  return { ...figure, blocks: figure.blocks.flatMap(boundedBlock) };
}

function boundedBlock(block: Block): readonly Block[] {
  if (block.kind !== "table" || block.rows.length <= mostRows) return [block];
  const rest = {
    kind: "text",
    text: `${counted(block.rows.length - mostRows, "more row")}: the command line shows all`,
  } as const;
  return [{ ...block, rows: block.rows.slice(0, mostRows) }, rest];
}

type Answer = (pages: LivePages, call: ApiCall) => Promise<ApiReply>;

/** Differences that are offered; any two profiles can be asked for. */
const offeredDifferences = 50;

/** What pages ask for (`PageSource`), by method and name. */
const answers: Readonly<Record<string, Answer>> = {
  "GET overview": async (pages) => {
    const { value, isOld } = await pages.data();
    return json(isOld ? { ...value.overview, judging: true } : value.overview);
  },
  "GET versions": async (pages) => packed((await dataOf(pages)).message("versions")),
  "GET series": async (pages) => packed((await dataOf(pages)).message("series")),
  "GET changes-found": async (pages) => packed((await dataOf(pages)).message("changes")),
  "GET points": async (pages, call) => {
    const data = await dataOf(pages);
    return packed(data.points(placeOf(call, "block", data.blocks)));
  },
  "GET profiles": async (pages, call) => {
    const { ids } = (await dataOf(pages)).versions.facts;
    const workspace = pages.workspace();
    const version = ids[placeOf(call, "version", ids.length)];
    if (version === undefined || !workspace.hasInstance()) return json([]);
    return json(profileLines(new VersionLookup(workspace).profiles(version)));
  },
  "GET views": async (pages, call) => {
    // Those of a profile that there is.
    pages.run(wordOf(call, "object"));
    return json(await viewChoices(pages.workspace()));
  },
  "GET first-view": async (pages, call) => json(await firstView(pages, wordOf(call, "object"))),
  "GET view": async (pages, call) => figure(await viewOrReason(pages, call)),
  "GET difference": async (pages, call) => {
    const [base, target] = [wordOf(call, "base"), wordOf(call, "target")];
    return figure(
      await profileDifferenceFigure(
        pages.workspace(),
        { object: base, version: null },
        { object: target, version: null },
      ),
    );
  },
  "GET differences": async (pages) => {
    const pairs = comparedPairs(pages.workspace(), await dataOf(pages), offeredDifferences);
    return json(pairs.map(({ base, target }) => [base.object, target.object, target.title]));
  },
  "GET evidence": async (pages, call) => {
    const data = await dataOf(pages);
    const [series, version] = [
      placeOf(call, "series", data.series.arrays.key.length),
      placeOf(call, "version", data.versions.facts.ids.length),
    ];
    const { database } = pages.options;
    return json(
      await evidenceOf(pages.workspace(), data, { series, version, ...(database === undefined ? {} : { database }) }),
    );
  },
  "GET experiment": async (pages, call) =>
    packed(packValue(await experimentPage(pages.workspace(), wordOf(call, "name"), pages.options.database))),
  "GET variables": async (pages, call) => json(await experimentVariables(pages, wordOf(call, "experiment"))),
  "GET mine": async (pages, call) => figure(await minedFigure(pages, wordOf(call, "experiment"))),
  "GET stored-queries": async (pages, call) => json(await keptQueries(pages, wordOf(call, "experiment"))),
  "POST stored-queries": async (pages, { body }) => {
    await keepQuery(pages, textIn(body, "experiment"), textIn(body, "name"), textIn(body, "text"));
    return json(null);
  },
  "POST query": async (pages, { body, signal: gone }) =>
    figure(await answerText(pages, textIn(body, "experiment"), textIn(body, "text"), gone)),
  "POST triage": async (pages, { body }) => {
    await decide(pages, textIn(body, "key"), textIn(body, "state"), textIn(body, "note"));
    return json(null);
  },
};

/** Answers to pages that look at the store of `pages`. */
export function liveAnswers(pages: LivePages, failed: (error: unknown) => void): ApiHandler {
  return {
    reportError: failed,
    watch: (changed) => pages.watch(changed),
    handle: async (call) => {
      const [, object] = /^profile\/([0-9a-f]{40})\.speedscope\.json$/.exec(call.name) ?? [];
      if (object !== undefined && call.method === "GET") return stacksOf(pages, object);
      const name = `${call.method} ${call.name}`;
      return Object.hasOwn(answers, name) ? answers[name]?.(pages, call) : undefined;
    },
  };
}

/** For speedscope. */
function stacksOf(pages: LivePages, object: string): ApiReply {
  const profile = runStacks(pages.run(object));
  const types = [profile.main, ...profile.types.keys()].filter((at, place) => place === 0 || at !== profile.main);
  return { type: "application/json", body: speedscopeText(profile, types) };
}

/** That a profile has nothing for a view to show, or not what its options ask for, is an answer. */
async function viewOrReason(pages: LivePages, call: ApiCall): Promise<Figure> {
  const run = pages.run(wordOf(call, "object"));
  const [view, options] = [wordOf(call, "view"), optionsIn(call)];
  try {
    return await profileFigure(pages.workspace(), run, view, options);
  } catch (error) {
    if (isFailure(error) && error.code !== "unknown-plugin") return failureFigure(error);
    throw error;
  }
}

async function firstView(pages: LivePages, object: string): Promise<string> {
  const [workspace, run] = [pages.workspace(), pages.run(object)];
  for (const { name } of await viewChoices(workspace))
    if ((await drawableViews(workspace, run, [name])).length > 0) return name;
  return "";
}

async function dataOf(pages: LivePages): Promise<PageData> {
  return (await pages.data()).value;
}

function json(value: unknown): ApiReply {
  return { type: "application/json", body: JSON.stringify(value) };
}

function packed(content: Uint8Array): ApiReply {
  return { type: "application/octet-stream", body: content };
}

function figure(shown: Figure): ApiReply {
  return packed(packValue(boundedFigure(shown)));
}

function wordOf({ name, parameters: words }: ApiCall, word: string): string {
  const found = words.get(word);
  if (found === undefined) throw new Failure("bad-page-request", { call: name, word });
  return found;
}

function placeOf(call: ApiCall, word: string, end: number): number {
  const text = wordOf(call, word);
  const place = /^\d{1,9}$/.test(text) ? Number(text) : end;
  if (place < end) return place;
  throw new Failure("bad-page-request", { call: call.name, word });
}

function textIn(body: unknown, word: string): string {
  const found =
    typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[word] : undefined;
  if (typeof found === "string") return found;
  throw new Failure("bad-page-request", { call: "what was posted", word });
}

function optionsIn(call: ApiCall): Record<string, string> {
  const found = parsed(call.parameters.get("options") ?? "{}");
  const isFit =
    typeof found === "object" &&
    found !== null &&
    !Array.isArray(found) &&
    Object.values(found).every((each) => typeof each === "string");
  if (!isFit) throw new Failure("bad-page-request", { call: call.name, word: "options" });
  return found as Record<string, string>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Writes a decision about a series for the change that the page shows of it; where it shows none, for the head. Fails
 * like `addTriage`.
 */
async function decide(pages: LivePages, key: string, state: string, note: string): Promise<void> {
  const chosen = triageStates.find((known) => known === state && known !== "renamed");
  if (chosen === undefined) throw new Failure("unknown-choice", { kind: "state", value: state, choices: triageStates });
  const { value: data } = await pages.data();
  await addTriage(pages.workspace(), { key, state: chosen, at: changedAt(data, key) ?? "HEAD", note });
}

function changedAt({ series, changes, versions }: PageData, key: string): VersionId | undefined {
  const text = series.facts.texts.indexOf(key);
  const place = text < 0 ? -1 : series.arrays.key.indexOf(text);
  const change = place < 0 ? -1 : changes.arrays.series.indexOf(place);
  return versions.facts.ids[changes.arrays.after[change] ?? -1];
}
