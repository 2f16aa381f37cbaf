import { Failure, isFailure } from "../src/core/failures/index.ts";
import type { Figure } from "../src/core/figures/index.ts";
import {
  type ChangeColumns,
  type SeriesColumns,
  type VersionColumns,
  type PointBlock,
  type StateLevels,
  unpackFrame,
  type Frame,
  unpackPoints,
  unpackValue,
  type Overview,
  type PageStart,
  reportParts,
  type ReportProfiles,
  type ExperimentPage,
  type PageSource,
  type LiveSource,
} from "../src/core/pages/index.ts";
import { StateLevelsBuilder } from "../src/query/pages/index.ts";
import { type PageHost, startApp } from "./start.tsx";

/* The parts of a report are elements after its script, which may still be loading when the first page renders. */

/** Fails with a readable Error if the report has no such part. */
async function partValue(document: Document, id: string): Promise<unknown> {
  return unpackValue(await partBytes(document, id));
}

async function partFrame<Facts, Names extends string>(document: Document, id: string): Promise<Frame<Facts, Names>> {
  return unpackFrame(await partBytes(document, id));
}

async function partPoints(document: Document, id: string): Promise<PointBlock> {
  return unpackPoints(await partBytes(document, id));
}

async function partText(document: Document, id: string): Promise<string> {
  return new TextDecoder().decode(await partBytes(document, id));
}

async function partBytes(document: Document, id: string): Promise<Uint8Array> {
  const element = await completeElement(document, id);
  if (element === null) throw new Error("This report does not include this data.");
  return inflate(fromBase64(element.textContent ?? ""));
}

/** Blocks of points that are inflated at the same time. */
const inFlight = 16;

/** Milliseconds between polls for a part that the browser has not loaded yet. */
const pollMs = 20;

/** An element is complete once it has a next sibling or the document is loaded. */
async function completeElement(document: Document, id: string): Promise<HTMLElement | null> {
  for (;;) {
    const isLoaded = document.readyState !== "loading";
    const element = document.getElementById(id);
    if (isLoaded || (element !== null && element.nextElementSibling !== null)) return element;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (direct !== undefined) return direct.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { writable, readable } = new DecompressionStream("deflate");
  // A Blob would be copied to another process. A damaged stream fails the reader, too.
  const writer = writable.getWriter();
  void writer.write(bytes).catch(() => undefined);
  void writer.close().catch(() => undefined);
  return new Uint8Array(await new Response(readable).arrayBuffer());
}

/* The entry point of a page; README.md describes its markup. */

const start: PageStart = JSON.parse(document.getElementById("perfkeep-source")?.textContent ?? `{"kind":"live"}`);

/** Appends the chart script and waits until it has run. */
async function runScript(script: HTMLScriptElement): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("The chart script failed to load.")));
  });
  document.head.append(script);
  if (script.src !== "") await ended;
}

const report: PageHost = {
  loadCharts: async () => {
    const script = document.createElement("script");
    script.textContent = await partText(document, reportParts.charts);
    await runScript(script);
  },
};

const live: PageHost = {
  loadCharts: async () => {
    const script = document.createElement("script");
    script.src = "/web/charts.js";
    await runScript(script);
  },
};

// The built chart script uses this class, because its catalogue is large (scripts/web.mjs).
(globalThis as { perfkeepFailures?: object }).perfkeepFailures = { Failure, isFailure };

const root = document.getElementById("perfkeep");
if (root !== null) {
  if (start.kind === "report") startApp(root, reportSource(document, start.overview as Overview), report);
  else startApp(root, liveSource(), live);
}

/** A source that reads the parts embedded in a report. */
function reportSource(document: Document, overview: Overview): PageSource {
  const profileSection = async (): Promise<ReportProfiles> =>
    (await partValue(document, reportParts.profiles)) as ReportProfiles;
  const figure = async (id: string): Promise<Figure> => (await partValue(document, id)) as Figure;
  return {
    overview: () => Promise.resolve(overview),
    versions: (): Promise<VersionColumns> => partFrame(document, reportParts.versions),
    series: (): Promise<SeriesColumns> => partFrame(document, reportParts.series),
    changes: (): Promise<ChangeColumns> => partFrame(document, reportParts.changes),
    points: (block): Promise<PointBlock> => partPoints(document, reportParts.points(block)),
    levels: (from, to) => reportLevels(document, from, to),
    machines: () => partFrame(document, reportParts.machines),
    profiles: async (version) => new Map((await profileSection()).profiles).get(version) ?? [],
    views: async (object) => {
      const stored = (await profileSection()).views.filter(([each]) => each === object);
      return stored.map(([, name]) => ({ name, synopsis: "", options: [] }));
    },
    firstView: async (object) => (await profileSection()).views.find(([each]) => each === object)?.[1] ?? "",
    view: async (object, view) => {
      const index = (await profileSection()).views.findIndex(([each, name]) => each === object && name === view);
      return figure(reportParts.view(index));
    },
    difference: async (base, target) => {
      const index = (await profileSection()).differences.findIndex(
        ([before, after]) => before === base && after === target,
      );
      return figure(reportParts.difference(index));
    },
    differences: async () => (await profileSection()).differences,
    experiment: async (name) => {
      const index = overview.experiments.findIndex((experiment) => experiment.name === name);
      return (await partValue(document, reportParts.experiment(index))) as ExperimentPage;
    },
  };
}

/** Levels of two commits; blocks of points are inflated while others are read. */
async function reportLevels(document: Document, from: number, to: number): Promise<StateLevels> {
  const series: SeriesColumns = await partFrame(document, reportParts.series);
  const builder = new StateLevelsBuilder(series, from, to);
  const waiting = [...builder.blocks];
  const next = async (): Promise<void> => {
    const block = waiting.shift();
    if (block === undefined) return;
    builder.add(await partPoints(document, reportParts.points(block)));
    await next();
  };
  await Promise.all(Array.from({ length: inFlight }, next));
  return builder.levels;
}

/*
 * The server API: `GET /api/<call>?<argument>=…` returns a packed message (`application/octet-stream`) or
 * JSON; `POST` with a JSON body writes or computes something; failures return `{ "message": … }`.
 */

function liveSource(): PageSource {
  return {
    overview: () => json("overview"),
    versions: () => frame("versions"),
    series: () => frame("series"),
    changes: () => frame("changes-found"),
    points: async (block) => unpackPoints(await bytes("points", { block: String(block) })),
    machines: () => frame("machines"),
    levels: (from, to) => frame("levels", { from: String(from), to: String(to) }),
    profiles: (version) => json("profiles", { version: String(version) }),
    views: (object) => json("views", { object }),
    firstView: (object) => json("first-view", { object }),
    view: (object, view, options) => figure("view", { object, view, options: JSON.stringify(options) }),
    difference: (base, target) => figure("difference", { base, target }),
    differences: () => json("differences"),
    experiment: (name) => message("experiment", { name }),
    speedscope: (object) =>
      Promise.resolve(
        `/speedscope/#profileURL=${encodeURIComponent(`/api/profile/${object}.speedscope.json`)}` +
          `&title=${object.slice(0, 12)}`,
      ),
    live: liveCalls(),
  };
}

function liveCalls(): LiveSource {
  return {
    watch: (changed) => {
      const events = new EventSource("/api/changes");
      events.addEventListener("message", ({ data }) => changed(JSON.parse(String(data))));
      return () => events.close();
    },
    evidence: (series, version) => json("evidence", { series: String(series), version: String(version) }),
    variables: (experiment) => json("variables", { experiment }),
    query: (experiment, text) => request("query", {}, { experiment, text }).then(unpackedBody) as Promise<Figure>,
    storedQueries: (experiment) => json("stored-queries", { experiment }),
    storeQuery: async (experiment, name, text) =>
      void (await request("stored-queries", {}, { experiment, name, text })),
    mine: (experiment) => figure("mine", { experiment }),
    triage: async (key, state, note) => void (await request("triage", {}, { key, state, note })),
  };
}

type Params = Readonly<Record<string, string>>;

/** Fails with an Error that carries the message of the server. */
async function request(call: string, params: Params, body?: unknown): Promise<Response> {
  const query = new URLSearchParams(params).toString();
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`/api/${call}${query === "" ? "" : `?${query}`}`, body === undefined ? {} : post).catch(
    () => {
      throw new Error("The server does not respond. Is perfkeep serve still running?");
    },
  );
  if (response.ok) return response;
  const error = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(error.message ?? `The server returned status ${response.status}.`);
}

async function unpackedBody(response: Response): Promise<unknown> {
  return unpackValue(new Uint8Array(await response.arrayBuffer()));
}

async function json<Answer>(call: string, params: Params = {}): Promise<Answer> {
  return (await request(call, params)).json() as Promise<Answer>;
}

async function frame<Facts, Names extends string>(call: string, params: Params = {}): Promise<Frame<Facts, Names>> {
  return unpackFrame(await bytes(call, params));
}

async function bytes(call: string, params: Params): Promise<Uint8Array> {
  return new Uint8Array(await (await request(call, params)).arrayBuffer());
}

async function message<Answer>(call: string, params: Params): Promise<Answer> {
  return (await unpackedBody(await request(call, params))) as Answer;
}

async function figure(call: string, params: Params): Promise<Figure> {
  return message<Figure>(call, params);
}
