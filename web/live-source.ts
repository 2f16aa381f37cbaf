import type { Figure } from "../src/core/figure.ts";
import { unpackValue } from "../src/core/pages/packed-value.ts";
import { unpackPoints } from "../src/core/pages/packed-points.ts";
import { unpackFrame, type Frame } from "../src/core/pages/frame.ts";
import type { LiveSource, PageSource } from "../src/core/pages/source.ts";

/*
 * What the local server answers: `GET /api/<call>?<argument>=…` with a packed message (`application/octet-stream`) or JSON, `POST` with a
 * JSON body where something is written or computed, `{ "message": … }` where it fails.
 */

export function liveSource(): PageSource {
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
