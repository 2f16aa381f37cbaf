import type { Figure } from "../src/core/figures/figure.ts";
import type { ChangeColumns, SeriesColumns, VersionColumns } from "../src/core/pages/columns.ts";
import type { PointBlock } from "../src/core/pages/frame.ts";
import { unpackFrame, type Frame, unpackPoints, unpackValue } from "../src/core/pages/frame.ts";
import type { Overview } from "../src/core/pages/overview.ts";
import { type PageStart, reportParts, type ReportProfiles } from "../src/core/pages/report-parts.ts";
import type { ExperimentPage, PageSource, LiveSource } from "../src/core/pages/source.ts";
import { type PageHost, startApp } from "./start.tsx";

/* The parts of a report: elements behind its script, which the browser may still be reading when the first picture stands. */

/** Fails with an Error for people where the report has no such part. */
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
  const element = await wholeElement(document, id);
  if (element === null) throw new Error("This report does not hold that part.");
  return inflated(fromBase64(element.textContent ?? ""));
}

/** Milliseconds until it is looked again for a part that the browser has not read yet. */
const patience = 20;

/** An element is whole when something stands behind it, or all is read. */
async function wholeElement(document: Document, id: string): Promise<HTMLElement | null> {
  for (;;) {
    const isAll = document.readyState !== "loading";
    const element = document.getElementById(id);
    if (isAll || (element !== null && element.nextElementSibling !== null)) return element;
    await new Promise((resolve) => setTimeout(resolve, patience));
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

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* Where a page begins: README.md tells what it has to hold. */

const start: PageStart = JSON.parse(document.getElementById("perfkeep-source")?.textContent ?? `{"kind":"live"}`);

/** The drawing of charts says by this that it is there. */
async function runScript(script: HTMLScriptElement): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("The drawing of charts could not be loaded.")));
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

const root = document.getElementById("perfkeep");
if (root !== null) {
  if (start.kind === "report") startApp(root, reportSource(document, start.overview as Overview), report);
  else startApp(root, liveSource(), live);
}

/** What a report holds in itself. */
function reportSource(document: Document, overview: Overview): PageSource {
  const contents = async (): Promise<ReportProfiles> =>
    (await partValue(document, reportParts.profiles)) as ReportProfiles;
  const figure = async (id: string): Promise<Figure> => (await partValue(document, id)) as Figure;
  return {
    overview: () => Promise.resolve(overview),
    versions: (): Promise<VersionColumns> => partFrame(document, reportParts.versions),
    series: (): Promise<SeriesColumns> => partFrame(document, reportParts.series),
    changes: (): Promise<ChangeColumns> => partFrame(document, reportParts.changes),
    points: (block): Promise<PointBlock> => partPoints(document, reportParts.points(block)),
    profiles: async (version) => new Map((await contents()).profiles).get(version) ?? [],
    views: async (object) => {
      const held = (await contents()).views.filter(([each]) => each === object);
      return held.map(([, name]) => ({ name, synopsis: "", options: [] }));
    },
    firstView: async (object) => (await contents()).views.find(([each]) => each === object)?.[1] ?? "",
    view: async (object, view) => {
      const place = (await contents()).views.findIndex(([each, name]) => each === object && name === view);
      return figure(reportParts.view(place));
    },
    difference: async (base, target) => {
      const place = (await contents()).differences.findIndex(([before, after]) => before === base && after === target);
      return figure(reportParts.difference(place));
    },
    differences: async () => (await contents()).differences,
    experiment: async (name) => {
      const place = overview.experiments.findIndex((experiment) => experiment.name === name);
      return (await partValue(document, reportParts.experiment(place))) as ExperimentPage;
    },
  };
}

/*
 * What the local server answers: `GET /api/<call>?<argument>=…` with a packed message (`application/octet-stream`) or
 * JSON, `POST` with a JSON body where something is written or computed, `{ "message": … }` where it fails.
 */

function liveSource(): PageSource {
  return {
    overview: () => json("overview"),
    versions: () => frame("versions"),
    series: () => frame("series"),
    changes: () => frame("changes-found"),
    points: async (block) => unpackPoints(await bytes("points", { block: String(block) })),
    profiles: (version) => json("profiles", { version: String(version) }),
    views: (object) => json("views", { object }),
    firstView: (object) => json("first-view", { object }),
    view: (object, view, options) => figure("view", { object, view, options: JSON.stringify(options) }),
    difference: (base, target) => figure("difference", { base, target }),
    differences: () => json("differences"),
    experiment: (name) => message("experiment", { name }),
    speedscope: (object) =>
      Promise.resolve(
        `/speedscope/#profileURL=${encodeURIComponent(`/api/profile/${object}.speedscope.json`)}&title=${object.slice(0, 12)}`,
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
    query: (experiment, text) => answered("query", {}, { experiment, text }).then(unpackedBody) as Promise<Figure>,
    storedQueries: (experiment) => json("stored-queries", { experiment }),
    storeQuery: async (experiment, name, text) =>
      void (await answered("stored-queries", {}, { experiment, name, text })),
    mine: (experiment) => figure("mine", { experiment }),
    triage: async (key, state, note) => void (await answered("triage", {}, { key, state, note })),
  };
}

type Words = Readonly<Record<string, string>>;

/** Fails with an Error that says what the server said. */
async function answered(call: string, words: Words, body?: unknown): Promise<Response> {
  const asked = new URLSearchParams(words).toString();
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`/api/${call}${asked === "" ? "" : `?${asked}`}`, body === undefined ? {} : post).catch(
    () => {
      throw new Error("The server does not answer. Is perfkeep serve still running?");
    },
  );
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(said.message ?? `The server answered with status ${response.status}.`);
}

async function unpackedBody(response: Response): Promise<unknown> {
  return unpackValue(new Uint8Array(await response.arrayBuffer()));
}

async function json<Answer>(call: string, words: Words = {}): Promise<Answer> {
  return (await answered(call, words)).json() as Promise<Answer>;
}

async function frame<Facts, Names extends string>(call: string, words: Words = {}): Promise<Frame<Facts, Names>> {
  return unpackFrame(await bytes(call, words));
}

async function bytes(call: string, words: Words): Promise<Uint8Array> {
  return new Uint8Array(await (await answered(call, words)).arrayBuffer());
}

async function message<Answer>(call: string, words: Words): Promise<Answer> {
  return (await unpackedBody(await answered(call, words))) as Answer;
}

async function figure(call: string, words: Words): Promise<Figure> {
  return message<Figure>(call, words);
}
