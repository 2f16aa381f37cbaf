import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";
import { pathToFileURL } from "node:url";
import { chromiumPath } from "../test/browser/chromium.ts";
import { flameTimes, type FlameTimes } from "./flames.ts";

export { writeReportFile } from "../test/browser/fake/report-file.ts";

/** Milliseconds from opening the file until the first picture, and from opening the list until all series are shown. */
export interface FirstPicture {
  readonly picture: number;
  readonly list: number;
  /** From opening the comparison of two commits until its rows are shown. */
  readonly compare: number;
}

/** undefined: there is no Chromium. */
export async function openings(file: string, times: number): Promise<FirstPicture[] | undefined> {
  const browser = await started();
  if (browser === undefined) return undefined;
  try {
    const found: FirstPicture[] = [];
    for (let i = 0; i < times; i++) found.push(await opening(browser, pathToFileURL(file).href));
    return found;
  } finally {
    await browser.close();
  }
}

async function started(): Promise<Browser | undefined> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return undefined;
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args: ["--disable-gpu"] });
}

/** Milliseconds, except for `peak` in MiB. */
export interface FirstSight {
  /** From requesting the page until the first picture. */
  readonly picture: number;
  /** From the start of the server until the analysis is complete and shown. */
  readonly judged: number;
  /** Response times of other requests meanwhile: median and 95th percentile. */
  readonly answer: number;
  readonly slowAnswer: number;
  /** From opening the list until all series are shown. */
  readonly list: number;
  /** From opening the comparison of two commits until its rows are shown. */
  readonly compare: number;
  /** Of the server, without the analysis process. */
  readonly peak: number;
}

/** Starts a dashboard and opens it. undefined: there is no Chromium. */
export function firstSight(
  argv: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<FirstSight | undefined> {
  return withDashboard(argv, directory, environment, async (browser, server, address, startedAt) =>
    sight(await browser.newPage(), server, address, startedAt),
  );
}

/** Starts a dashboard and uses the flame graph of its newest profile. undefined: there is no Chromium. */
export function firstFlames(
  argv: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<FlameTimes | undefined> {
  return withDashboard(argv, directory, environment, (browser, _, address) => flameTimes(browser, address));
}

async function withDashboard<Found>(
  argv: readonly string[],
  directory: string,
  environment: NodeJS.ProcessEnv,
  use: (browser: Browser, server: ChildProcess, address: string, startedAt: number) => Promise<Found>,
): Promise<Found | undefined> {
  const browser = await started();
  if (browser === undefined) return undefined;
  const startedAt = performance.now();
  const server = spawn(argv[0] ?? "", argv.slice(1), {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const address = await new Promise<string>((resolve) =>
      server.stdout.once("data", (text) => resolve(String(text).trim())),
    );
    return await use(browser, server, address, startedAt);
  } finally {
    const ended = new Promise((resolve) => server.on("close", resolve));
    server.kill("SIGINT");
    await Promise.all([ended, browser.close()]);
  }
}

async function sight(page: Page, server: ChildProcess, address: string, startedAt: number): Promise<FirstSight> {
  const requested = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForSelector("html[data-ready] h1");
  const picture = performance.now() - requested;
  const shown = page.waitForSelector(".changes .spark", { timeout: 600_000 }).then(() => performance.now() - startedAt);
  const answers = await answersUntil(page, new URL(address).origin, shown);
  const judged = await shown;
  const listed = performance.now();
  await page.evaluate("location.hash = '#/series'");
  await page.waitForSelector(".rows .body a", { timeout: 120_000 });
  const [list, compare] = [performance.now() - listed, await comparing(page)];
  const peak = peakOf(server);
  return {
    picture,
    judged,
    answer: answers[answers.length >> 1] ?? 0,
    slowAnswer: answers[Math.floor(answers.length * 0.95)] ?? 0,
    list,
    compare,
    peak,
  };
}

/** Sorted response times of a request, sent 20 times per second until `done` resolves. */
async function answersUntil(page: Page, origin: string, done: Promise<unknown>): Promise<number[]> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const times: number[] = [];
  const pause = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(false), 50));
  do {
    const startedAt = performance.now();
    await (await fetch(`${origin}/api/overview`, { headers: { cookie } })).text();
    times.push(performance.now() - startedAt);
  } while (!(await Promise.race([done.then(() => true), pause()])));
  return times.toSorted((x, y) => x - y);
}

function peakOf({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

async function opening(browser: Browser, url: string): Promise<FirstPicture> {
  const page = await browser.newPage();
  try {
    await page.goto(url, { waitUntil: "commit", timeout: 120_000 });
    await page.waitForSelector("html[data-ready] .changes .spark", { timeout: 120_000 });
    const picture = await page.evaluate(
      () => performance.getEntriesByName("perfkeep-ready")[0]?.startTime ?? Number.NaN,
    );
    const requested = await page.evaluate(() => performance.now());
    await page.evaluate("location.hash = '#/series'");
    await page.waitForSelector(".rows .body a", { timeout: 120_000 });
    const list = (await page.evaluate(() => performance.now())) - requested;
    return { picture, list, compare: await comparing(page) };
  } finally {
    await page.close();
  }
}

async function comparing(page: Page): Promise<number> {
  const requested = performance.now();
  await page.evaluate("location.hash = '#/compare'");
  await page.waitForSelector(".sentence", { timeout: 120_000 });
  await page.waitForSelector(".rows .body [role=row]", { timeout: 120_000 });
  return performance.now() - requested;
}
