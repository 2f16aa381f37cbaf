import { counted } from "../../core/text/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Figure, Block } from "../../core/figures/index.ts";
import { packFrame, packValue, type ViewChoice, type ViewOption } from "../../core/pages/index.ts";
import { triageStates } from "../../core/verdicts/index.ts";
import { formatValue } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { speedscopeText } from "../../formats/stacks/index.ts";
import { runStacks } from "../../query/profile/index.ts";
import type { ApiHandler, ApiCall, ApiReply } from "../../workspace/serve/index.ts";
import { VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  comparedPairs,
  evidenceOf,
  experimentPage,
  failureFigure,
  type PageData,
  profileDifferenceFigure,
  profileFigure,
  profileLines,
} from "../report/index.ts";
import { addTriage } from "../verdicts/index.ts";
import { runQueryText, experimentVariables, storeQuery, storedQueries, minedFigure } from "./experiment-queries.ts";
import type { LivePages } from "./live-pages.ts";

/** Views listed first, in this order. */
const firstViews = ["flamegraph", "flamechart", "scatter", "bars", "flow", "heatmap", "alloclist"];

/** All views with their options. */
async function viewChoices({ registry }: Workspace): Promise<ViewChoice[]> {
  const known = registry.names("view");
  const names = [
    ...firstViews.filter((name) => known.includes(name)),
    ...known.filter((name) => !firstViews.includes(name)),
  ];
  const views = await Promise.all(names.map((name) => registry.get("view", name)));
  return views.map(({ name, synopsis, options }) => ({ name, synopsis, options: options.map(viewOption) }));
}

function viewOption({ name, type, synopsis = "", default: usual = null, valid = [] }: Variable): ViewOption {
  return { name, type, synopsis, default: usual === null ? "" : formatValue(usual, type), valid: valid.map(String) };
}

/** Maximum rows of a table sent to a page. */
const maxRows = 5000;

/** Truncates tables to the row limit and adds a note. */
function boundedFigure(figure: Figure): Figure {
  return { ...figure, blocks: figure.blocks.flatMap(boundedBlock) };
}

function boundedBlock(block: Block): readonly Block[] {
  if (block.kind !== "table" || block.rows.length <= maxRows) return [block];
  const rest = {
    kind: "text",
    text: `${counted(block.rows.length - maxRows, "more row")}: use the command line to see all`,
  } as const;
  return [{ ...block, rows: block.rows.slice(0, maxRows) }, rest];
}

type Handler = (pages: LivePages, call: ApiCall) => Promise<ApiReply>;

/** Maximum listed differences; any two profiles can be requested. */
const offeredDifferences = 50;

/** Request handlers (`PageSource`) by method and name. */
const handlers: Readonly<Record<string, Handler>> = {
  "GET overview": async (pages) => {
    const { value, isStale: isOld } = await pages.data();
    return json(isOld ? { ...value.overview, judging: true } : value.overview);
  },
  "GET versions": async (pages) => packed((await dataOf(pages)).message("versions")),
  "GET series": async (pages) => {
    const data = await dataOf(pages);
    pages.readAhead(data);
    return packed(data.message("series"));
  },
  "GET changes-found": async (pages) => packed((await dataOf(pages)).message("changes")),
  "GET machines": async (pages) => packed((await dataOf(pages)).message("machines")),
  "GET points": async (pages, call) => {
    const data = await dataOf(pages);
    return packed(data.points(indexParameter(call, "block", data.blocks)));
  },
  "GET levels": async (pages, call) => {
    const data = await dataOf(pages);
    const count = data.versions.facts.ids.length;
    const [from, to] = [indexParameter(call, "from", count), indexParameter(call, "to", count)];
    return packed(packFrame(pages.levelsOf(data).read(from, to)));
  },
  "GET profiles": async (pages, call) => {
    const { ids } = (await dataOf(pages)).versions.facts;
    const workspace = pages.workspace();
    const version = ids[indexParameter(call, "version", ids.length)];
    if (version === undefined || !workspace.hasInstance()) return json([]);
    return json(profileLines(new VersionLookup(workspace).profiles(version)));
  },
  "GET views": async (pages, call) => {
    const object = parameter(call, "object");
    const fitting: ViewChoice[] = [];
    for (const choice of await viewChoices(pages.workspace())) {
      if ((await pages.figure(object, choice.name)) !== null) fitting.push(choice);
      // Drawing takes long for large profiles: other requests are handled in between.
      await new Promise((resolve) => setTimeout(resolve));
    }
    return json(fitting);
  },
  "GET first-view": async (pages, call) => json(await firstView(pages, parameter(call, "object"))),
  "GET view": async (pages, call) => figure(await viewOrFailure(pages, call)),
  "GET difference": async (pages, call) => {
    const [base, target] = [parameter(call, "base"), parameter(call, "target")];
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
      indexParameter(call, "series", data.series.arrays.key.length),
      indexParameter(call, "version", data.versions.facts.ids.length),
    ];
    const { database } = pages.options;
    return json(
      await evidenceOf(pages.workspace(), data, { series, version, ...(database === undefined ? {} : { database }) }),
    );
  },
  "GET experiment": async (pages, call) =>
    packed(packValue(await experimentPage(pages.workspace(), parameter(call, "name"), pages.options.database))),
  "GET variables": async (pages, call) => json(await experimentVariables(pages, parameter(call, "experiment"))),
  "GET mine": async (pages, call) => figure(await minedFigure(pages, parameter(call, "experiment"))),
  "GET stored-queries": async (pages, call) => json(await storedQueries(pages, parameter(call, "experiment"))),
  "POST stored-queries": async (pages, { body }) => {
    await storeQuery(pages, textMember(body, "experiment"), textMember(body, "name"), textMember(body, "text"));
    return json(null);
  },
  "POST query": async (pages, { body, signal }) =>
    figure(await runQueryText(pages, textMember(body, "experiment"), textMember(body, "text"), signal)),
  "POST triage": async (pages, { body }) => {
    await addDecision(pages, textMember(body, "key"), textMember(body, "state"), textMember(body, "note"));
    return json(null);
  },
};

/** Request handlers for the store of `pages`. */
export function liveAnswers(pages: LivePages, failed: (error: unknown) => void): ApiHandler {
  return {
    reportError: failed,
    watch: (changed) => pages.watch(changed),
    handle: async (call) => {
      const [, object] = /^profile\/([0-9a-f]{40})\.speedscope\.json$/.exec(call.name) ?? [];
      if (object !== undefined && call.method === "GET") return stacksOf(pages, object);
      const name = `${call.method} ${call.name}`;
      return Object.hasOwn(handlers, name) ? handlers[name]?.(pages, call) : undefined;
    },
  };
}

/** The profile in speedscope's format. */
function stacksOf(pages: LivePages, object: string): ApiReply {
  const profile = runStacks(pages.run(object));
  const types = [profile.main, ...profile.types.keys()].filter((at, index) => index === 0 || at !== profile.main);
  return { type: "application/json", body: speedscopeText(profile, types) };
}

/** A failure to draw is shown as a figure: the profile may have no data for the view. */
async function viewOrFailure(pages: LivePages, call: ApiCall): Promise<Figure> {
  const object = parameter(call, "object");
  const [view, options] = [parameter(call, "view"), optionsIn(call)];
  const known = Object.keys(options).length === 0 ? await pages.figure(object, view) : null;
  if (known !== null) return known;
  const run = pages.run(object);
  try {
    return await profileFigure(pages.workspace(), run, view, options);
  } catch (error) {
    if (isFailure(error) && error.code !== "unknown-plugin") return failureFigure(error);
    throw error;
  }
}

async function firstView(pages: LivePages, object: string): Promise<string> {
  for (const { name } of await viewChoices(pages.workspace()))
    if ((await pages.figure(object, name)) !== null) return name;
  return "";
}

async function dataOf(pages: LivePages): Promise<PageData> {
  return (await pages.data()).value;
}

function json(value: unknown): ApiReply {
  return { type: "application/json", body: JSON.stringify(value) };
}

function packed(body: Uint8Array): ApiReply {
  return { type: "application/octet-stream", body };
}

function figure(shown: Figure): ApiReply {
  return packed(packValue(boundedFigure(shown)));
}

function parameter({ name, parameters: words }: ApiCall, word: string): string {
  const found = words.get(word);
  if (found === undefined) throw new Failure("bad-page-request", { call: name, word });
  return found;
}

function indexParameter(call: ApiCall, word: string, end: number): number {
  const text = parameter(call, word);
  const index = /^\d{1,9}$/.test(text) ? Number(text) : end;
  if (index < end) return index;
  throw new Failure("bad-page-request", { call: call.name, word });
}

function textMember(body: unknown, word: string): string {
  const found =
    typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[word] : undefined;
  if (typeof found === "string") return found;
  throw new Failure("bad-page-request", { call: "request body", word });
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

/** Adds a triage decision for the series' displayed change; without one, for the head. Fails like `addTriage`. */
async function addDecision(pages: LivePages, key: string, state: string, note: string): Promise<void> {
  const chosen = triageStates.find((known) => known === state && known !== "renamed");
  if (chosen === undefined) throw new Failure("unknown-choice", { kind: "state", value: state, choices: triageStates });
  const { value: data } = await pages.data();
  await addTriage(pages.workspace(), { key, state: chosen, at: changedAt(data, key) ?? "HEAD", note });
}

function changedAt({ series, changes, versions }: PageData, key: string): VersionId | undefined {
  const text = series.facts.texts.indexOf(key);
  const index = text < 0 ? -1 : series.arrays.key.indexOf(text);
  const change = index < 0 ? -1 : changes.arrays.series.indexOf(index);
  return versions.facts.ids[changes.arrays.after[change] ?? -1];
}
