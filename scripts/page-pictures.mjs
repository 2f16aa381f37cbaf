// Makes the pictures of pages in docs/gallery: a small store, the built program's dashboard, and Chromium. Usage:
// `npm run pictures`. Nothing depends on the speed of the machine.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./prepare.mjs";

const scratch = mkdtempSync(join(realpathSync(tmpdir()), "perfkeep-pictures-"));
const repository = join(scratch, "textindex");
const program = join(root, "dist/cli.js");
const environment = {
  PATH: process.env.PATH,
  HOME: scratch,
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada Byron",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada Byron",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

function run(words, more = {}) {
  const options = { cwd: repository, env: { ...environment, ...more }, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(words[0], words.slice(1), options);
  if (status !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const perfkeep = (...words) => run([process.execPath, program, ...words]);

/** Benchmarks, milliseconds at the start, and what commits changed: factors by commit. */
const benchmarks = [
  ["parse/size=1k", 1.21, {}],
  ["parse/size=64k", 71.4, { 31: 0.84 }],
  ["index/size=1k", 0.84, { 22: 1.19 }],
  ["index/size=64k", 63.1, { 22: 1.31 }],
  ["search/words=1", 0.0132, {}],
  ["search/words=8", 0.0961, { 12: 0.71 }],
  ["render/table", 12.6, { 31: 1.08 }],
];
const commits = 40;
const subjects = new Map([
  [12, "Search with a bitmap per block"],
  [22, "Keep index entries as objects"],
  [31, "Read files in larger blocks"],
]);

/** A small pseudo-random generator (mulberry32): every run makes the same store. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

function makeStore() {
  mkdirSync(repository);
  run(["git", "init", "--quiet", "--initial-branch=main", "."]);
  perfkeep("init");
  const random = randomFrom(23);
  for (let at = 0; at < commits; at++) {
    const date = `2026-0${3 + Math.floor(at / 20)}-${String(1 + (at % 20)).padStart(2, "0")}T09:00:00Z`;
    const subject = subjects.get(at) ?? ["Tidy up", "Add tests", "Describe options", "Rename a type"][at % 4];
    run(["git", "commit", "--quiet", "--allow-empty", "-m", subject], {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    });
    if (at === 10 || at === 30) run(["git", "tag", `v1.${at / 10}`]);
    writeFileSync(join(scratch, "bench.json"), JSON.stringify(report(at, date, random)));
    perfkeep("import", "-e", "textindex", join(scratch, "bench.json"));
    if (at === commits - 1) addProfile("new.folded", 1.31);
    if (at === 15) addProfile("old.folded", 1);
  }
}

/** The output of Google Benchmark at a commit, five repetitions each. */
function report(at, date, random) {
  const rows = benchmarks.flatMap(([name, start, changes]) => {
    const factor = Object.entries(changes).reduce(
      (all, [commit, each]) => (at >= Number(commit) ? all * each : all),
      1,
    );
    return Array.from({ length: 5 }, (_, index) => ({
      name,
      run_name: name,
      run_type: "iteration",
      repetitions: 5,
      repetition_index: index,
      threads: 1,
      iterations: 100,
      real_time: start * factor * (0.99 + random() / 50),
      cpu_time: start * factor * (0.98 + random() / 50),
      time_unit: "ms",
    }));
  });
  return { context: { date, host_name: "bench", num_cpus: 8, mhz_per_cpu: 3600 }, benchmarks: rows };
}

/** Stacks of a run; `factor`: the cost of the index. */
function addProfile(name, factor) {
  const stacks = [
    ["main;read_files;read", 310],
    ["main;parse;tokenize;next_token", 620],
    ["main;parse;tokenize;is_space", 140],
    ["main;parse;build_words;copy_text", 260],
    ["main;index;add_word;hash_of", 330 * factor],
    ["main;index;add_word;find_entry;compare", 410 * factor],
    ["main;index;add_word;new_entry;allocate", 240 * factor ** 3],
    ["main;search;candidates;next_block", 180],
    ["main;search;candidates;allocate", 60],
    ["main;render;format_row;copy_text", 150],
  ];
  const text = stacks.map(([stack, samples]) => `${stack} ${Math.round(samples)}\n`).join("");
  writeFileSync(join(scratch, name), text);
  const profile = join(scratch, `${name}.perf`);
  perfkeep("convert", join(scratch, name), "--to", "perun", "-o", profile);
  perfkeep("add", "--force", "--minor", "HEAD", profile);
}

/** Pages by the name of the picture; `act` prepares what is shown. */
const pages = [
  { name: "page-overview", hash: "#/", wait: ".changes .spark" },
  { name: "page-compare", hash: "#/compare?from=v1.1&to=HEAD", wait: ".rows .body [role=row]" },
  {
    name: "page-series",
    hash: "#/series",
    wait: ".rows .body a",
    act: async (page) => {
      await page.getByRole("link", { name: "index/size=64k" }).first().click();
      await page.waitForSelector(".history .median");
    },
  },
  { name: "page-commits", hash: "#/commits", wait: ".rows .body a" },
  {
    name: "page-flame-graph",
    hash: "#/profiles",
    wait: ".flame .frames canvas",
    act: async (page) => {
      await page.getByLabel("Order").selectOption("largest first");
      await page.getByLabel("Search frames").fill("allocate");
    },
  },
  { name: "page-experiment", hash: "#/experiments/textindex", wait: "main figure, main table" },
];

async function takePictures(folder) {
  const server = spawn(process.execPath, [program, "serve"], { cwd: repository, env: environment });
  const address = await new Promise((resolve) =>
    server.stdout.once("data", (text) => resolve(String(text).trim().split("\n")[0])),
  );
  const executablePath = process.env.PERFKEEP_CHROMIUM ?? run(["which", "chromium"]);
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: "UTC", locale: "en-GB" });
    await page.goto(address);
    await page.waitForSelector("html[data-ready] h1");
    for (const { name, hash, wait, act } of pages) {
      await page.evaluate((next) => (location.hash = next), hash);
      await page.waitForSelector(wait, { timeout: 120_000 });
      await act?.(page);
      await page.waitForFunction(() => document.querySelector(".waiting") === null);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      console.log(`docs/gallery/${name}.png`);
    }
  } finally {
    await browser.close();
    server.kill("SIGINT");
  }
}

try {
  makeStore();
  await takePictures(join(root, "docs/gallery"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
