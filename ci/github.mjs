// The GitHub action of action.yml. Mode compare: measures, compares, and writes the step summary, annotations, outputs
// and the comment of the pull request. Mode post, in a workflow on workflow_run: posts a comment that a pull request
// from a fork was not allowed to write. Without dependencies: it runs as it is checked out.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { env } = process;
const input = (name) => (env[`PERFKEEP_${name}`] ?? "").trim();
const linesOf = (text) => text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

/** Where the comment waits for a workflow that may post it. */
const folder = "perfkeep-comment";
/** Comments are limited to 65,536 characters; the report of one comparison is shorter than 61,000. */
const [longestComment, longestSummary] = [65_536, 62_000];
/** A comment with this start is replaced. */
const marker = "<!-- perfkeep: ";
/** Most pages of a hundred comments that are searched. */
const mostPages = 10;

/** Ends with a message that the service shows, and status 2. */
class Refusal extends Error {}

function choice(name, choices) {
  const value = input(name) || choices[0];
  if (!choices.includes(value)) throw new Refusal(`input ${name.toLowerCase()}: ${choices.join(", ")}; not '${value}'`);
  return value;
}

function event() {
  return env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) : {};
}

/** Runs perfkeep. Statuses of comparisons are results, all others end the action. */
function perfkeep(words, { judges = true } = {}) {
  const { status, stdout, stderr, error } = spawnSync("perfkeep", words, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (error !== undefined) throw new Refusal(`perfkeep cannot run: ${error.message}`);
  process.stderr.write(stderr);
  if (status === 0 || (judges && (status === 1 || status === 3))) return { status, stdout };
  throw new Refusal(`perfkeep ${words[0]} ended with ${status}: ${stderr.trim().split("\n").at(-1) ?? ""}`);
}

/** Arguments of `compare` for each pair of sides, which are measured if there is a command. */
function sides() {
  const [command, files, baseline] = [input("COMMAND"), linesOf(input("FILES")), linesOf(input("BASELINE"))];
  const threshold = input("THRESHOLD") === "" ? [] : [`--min-effect=${input("THRESHOLD")}`];
  if ((command === "") === (files.length === 0)) throw new Refusal("give either the input command or the input files");
  if (files.length > 0) {
    if (files.length !== baseline.length) throw new Refusal("the input baseline needs a file for each of files");
    return files.map((file, at) => [...threshold, "--", baseline[at], file]);
  }
  const base = baseline[0] ?? event().pull_request?.base?.sha ?? "HEAD~1";
  if (!existsSync(".perun")) perfkeep(["init"], { judges: false });
  perfkeep([
    "run",
    "ab",
    `--max-pairs=${input("MAX_PAIRS") || "40"}`,
    `--cmd=${command}`,
    ...linesOf(input("BUILD")).map((line) => `--build=${line}`),
    ...threshold,
    "--",
    base,
    "HEAD",
  ]);
  return [[...threshold, "--", base, "HEAD"]];
}

function compare() {
  const comment = choice("COMMENT", ["on-change", "always", "never"]);
  const inconclusive = choice("INCONCLUSIVE", ["warn", "fail"]);
  const pairs = sides();
  const as = (format) => pairs.map((pair) => perfkeep(["compare", `--format=${format}`, ...pair]));
  const reports = as("summary");
  const statuses = reports.map((report) => report.status);
  const status = [1, 3].find((one) => statuses.includes(one)) ?? 0;
  const summary = reports.map(({ stdout }) => stdout).join("\n");
  process.stdout.write(
    as("annotations")
      .map(({ stdout }) => stdout)
      .join(""),
  );
  const rows = as("json").flatMap(({ stdout }) => JSON.parse(stdout).rows ?? []);
  writeFileSync("perfkeep-summary.md", summary);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summary);
  setOutput("status", String(status));
  setOutput("summary", "perfkeep-summary.md");
  const isChanged = rows.some(({ verdict }) => verdict === "worse" || verdict === "better");
  return { status, summary, comment, isChanged, fails: status === 1 || (status === 3 && inconclusive === "fail") };
}

function setOutput(name, value) {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

/** A request to the service; null: not allowed, or not found. */
async function request(method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL ?? "https://api.github.com"}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${input("TOKEN")}`,
      "content-type": "application/json",
      "user-agent": "perfkeep",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if ([401, 403, 404].includes(response.status)) return null;
  if (!response.ok) throw new Refusal(`${method} ${path}: HTTP status ${response.status}`);
  return response.json();
}

/** The earlier comment of the same command by a bot; undefined: none; null: not allowed to read them. */
async function earlierComment(issue, first) {
  for (let page = 1; page <= mostPages; page++) {
    const comments = await request("GET", `${issue}/comments?per_page=100&page=${page}`);
    if (comments === null) return null;
    const found = comments.find(({ body, user }) => user?.type === "Bot" && body?.split("\n", 1)[0] === first);
    if (found !== undefined || comments.length < 100) return found;
  }
  return undefined;
}

/** A comment of this job, which its next run finds by the first line. */
function commentOf(summary) {
  const job = `${env.GITHUB_WORKFLOW ?? ""} ${env.GITHUB_JOB ?? ""}`.replace(/[^A-Za-z0-9 ._/]/g, "_");
  const cut = summary.length > longestSummary ? `${summary.slice(0, longestSummary)}\n\n… (cut)\n` : summary;
  return `${marker}action ${job} -->\n${cut}`;
}

/** Creates the comment, or updates it. `onlyUpdate`: creates none. Answers whether it was allowed. */
async function writeComment(number, body, onlyUpdate) {
  const repository = `/repos/${env.GITHUB_REPOSITORY}`;
  const issue = `${repository}/issues/${number}`;
  const earlier = await earlierComment(issue, body.split("\n", 1)[0]);
  if (earlier === null) return false;
  if (earlier !== undefined)
    return (await request("PATCH", `${repository}/issues/comments/${earlier.id}`, { body })) !== null;
  return onlyUpdate || (await request("POST", `${issue}/comments`, { body })) !== null;
}

/** Comments on the pull request of the event, or keeps the comment for mode post. */
async function comment({ summary, comment: when, isChanged }) {
  const { number, pull_request: pull } = event();
  const body = commentOf(summary);
  if (when === "never" || pull === undefined || !Number.isSafeInteger(number)) return;
  const onlyUpdate = when === "on-change" && !isChanged;
  const isFork = pull.head?.repo?.full_name !== env.GITHUB_REPOSITORY;
  if (!isFork && input("TOKEN") !== "" && (await writeComment(number, body, onlyUpdate))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/summary.md`, body);
  writeFileSync(`${folder}/pull.json`, JSON.stringify({ number, onlyUpdate }));
  setOutput("pending", "true");
  console.log(`::notice title=perfkeep::may not comment; the comment is in the artifact ${folder} (mode post)`);
}

/** A kept file, which the pull request may have written itself. */
function keptFile(name) {
  const path = `${folder}/${name}`;
  if (!existsSync(path)) throw new Refusal(`no ${path}: download the artifact ${folder} of the run first`);
  const { size } = lstatSync(path);
  if (!lstatSync(path).isFile() || size > 4 * longestComment) throw new Refusal(`${path} is no comment of perfkeep`);
  return readFileSync(path, "utf8");
}

/** Posts a kept comment to the pull request whose head is the one of the run that wrote it. */
async function post() {
  const head = event().workflow_run?.head_sha;
  if (typeof head !== "string") throw new Refusal("mode post is for workflows on workflow_run");
  const [body, { number, onlyUpdate }] = [keptFile("summary.md"), JSON.parse(keptFile("pull.json"))];
  if (!Number.isSafeInteger(number) || !body.startsWith(marker) || body.length > longestComment)
    throw new Refusal(`${folder} has no comment of perfkeep`);
  const pull = await request("GET", `/repos/${env.GITHUB_REPOSITORY}/pulls/${number}`);
  if (pull?.head?.sha !== head) throw new Refusal(`pull request ${number} has another head than the run: not posted`);
  if (!(await writeComment(number, body, onlyUpdate === true)))
    throw new Refusal("the token may not comment: the workflow needs the permission pull-requests: write");
}

async function main() {
  if (choice("MODE", ["compare", "post"]) === "post") return post();
  const result = compare();
  await comment(result);
  if (result.status === 3) console.log("::warning title=perfkeep::inconclusive");
  process.exitCode = result.fails ? result.status : 0;
}

await main().catch((error) => {
  if (!(error instanceof Refusal) && !(error instanceof TypeError) && error.name !== "TimeoutError") throw error;
  // A line break would end the command of the service.
  console.log(`::error title=perfkeep::${error.message.replaceAll("%", "%25").replaceAll(/[\r\n]/g, " ")}`);
  process.exitCode = 2;
});
