import type { Browser, Page } from "playwright-core";

/** An event of Chromium's trace; times are microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Milliseconds. */
export interface FlameTimes {
  /** From opening the profile until its flame graph is drawn. */
  readonly picture: number;
  /** 95th percentile of the processor time of the page's main thread for a frame, by what the user does. */
  readonly zoom: number;
  readonly pan: number;
  readonly hover: number;
  /** Number of frames that these are of. */
  readonly frames: number;
}

const canvas = ".flame .frames canvas";
/** Steps of each gesture, and milliseconds between them: faster than frames. */
const [steps, pause] = [90, 8];

/** Opens the newest profile of a dashboard as a flame graph, and zooms, drags and points in it. */
export async function flameTimes(browser: Browser, address: string): Promise<FlameTimes> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForSelector("html[data-ready] h1");
    const requested = performance.now();
    await page.evaluate("location.hash = '#/profiles?view=flamegraph'");
    await page.waitForSelector(canvas, { timeout: 60_000 });
    await painted(page);
    const picture = performance.now() - requested;
    const box = (await page.locator(canvas).first().boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
    const at = (share: number): [number, number] => [box.x + box.width * share, box.y + Math.min(box.height / 2, 200)];
    await page.mouse.move(...at(0.4));
    const zoom = await traced(browser, page, async (step) => {
      await page.mouse.wheel(0, step < steps / 2 ? -60 : 60);
    });
    for (let step = 0; step < 8; step++) await page.mouse.wheel(0, -60);
    await page.mouse.down();
    const pan = await traced(browser, page, (step) => page.mouse.move(...at(0.4 + 0.3 * Math.sin(step / 12))));
    await page.mouse.up();
    const hover = await traced(browser, page, (step) => page.mouse.move(...at(0.5 + 0.4 * Math.sin(step / 9))));
    return {
      picture,
      zoom: quantile(zoom, 0.95),
      pan: quantile(pan, 0.95),
      hover: quantile(hover, 0.95),
      frames: zoom.length + pan.length + hover.length,
    };
  } finally {
    await page.close();
  }
}

async function painted(page: Page): Promise<void> {
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
}

/** The work for each frame while the user does something, in milliseconds. */
async function traced(browser: Browser, page: Page, act: (step: number) => Promise<void>): Promise<number[]> {
  await painted(page);
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  for (let step = 0; step < steps; step++) {
    await act(step);
    await page.waitForTimeout(pause);
  }
  await painted(page);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return frameTimes(traceEvents);
}

/**
 * The work of the main thread for each frame with input: the processor time of the tasks that began after the previous
 * frame was committed, and before this one was, so that other load of the machine does not count.
 */
function frameTimes(events: readonly TraceEvent[]): number[] {
  const inputs = events.filter(({ name }) => name === "EventDispatch");
  const main = inputs[0];
  if (main === undefined) return [];
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
  const tasks = outermost(own.filter(({ name, ph }) => ph === "X" && name.endsWith("RunTask")));
  const commits = own.filter(({ name }) => name === "Commit").map(({ ts, dur = 0 }) => ts + dur);
  const ends = [...new Set(commits)].sort((a, b) => a - b);
  return ends.flatMap((end, at) => {
    const start = ends[at - 1] ?? Number.NEGATIVE_INFINITY;
    if (!inputs.some(({ ts }) => ts > start && ts <= end)) return [];
    const begun = tasks.filter(({ ts }) => ts > start && ts <= end);
    return [begun.reduce((sum, { tdur, dur = 0 }) => sum + (tdur ?? dur), 0) / 1000];
  });
}

/** Tasks that are not within others. */
function outermost(tasks: readonly TraceEvent[]): TraceEvent[] {
  let until = Number.NEGATIVE_INFINITY;
  return [...tasks]
    .sort((a, b) => a.ts - b.ts)
    .filter(({ ts, dur = 0 }) => {
      if (ts < until) return false;
      until = ts + dur;
      return true;
    });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
