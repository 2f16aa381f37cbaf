import { Failure } from "../../../core/failures/failure.ts";
import { redactLogins } from "../../../core/text/redacted-address.ts";

/** What a git that did not succeed left behind. */
export interface GitOutcome {
  readonly status: number;
  readonly stderr: string;
  /** Of `push --porcelain`: `! <from>:<to> [remote rejected] (hook declined)` is among it. */
  readonly stdout?: string;
}

type ComplaintCode =
  | "share-login"
  | "share-proxy"
  | "share-certificate"
  | "share-too-large"
  | "share-unreachable"
  | "share-unsafe"
  | "share-declined"
  | "share-failed";

/** What was tried, with whom. */
export interface GitAttempt {
  /** `fetch from`, `push to`. */
  readonly action: string;
  /** As messages name it. */
  readonly remote: string;
}

/**
 * How git tells what is wrong, in the words of LC_ALL=C; the first that fits counts. What the other side says for
 * itself (`remote: …`) is not looked at: it may be anything.
 */
const errorPatterns: readonly (readonly [ComplaintCode, RegExp])[] = [
  ["share-unsafe", /dubious ownership/],
  ["share-unreachable", /^(?:fatal: )?transport '[^']*' not allowed/],
  ["share-proxy", /\bproxy\b|\b407\b/i],
  ["share-too-large", /returned error: 413|pack exceeds maximum allowed size/],
  [
    "share-login",
    /Permission denied \(|Authentication failed|could not read (?:Username|Password)|Host key verification failed|returned error: 401|Too many authentication failures/,
  ],
  [
    "share-declined",
    /returned error: 403|access denied|not allowed|hash algorithm|mismatched algorithms|denied to|service not enabled|not permitted|read-only/i,
  ],
  ["share-certificate", /certificate|CA cert|\bCA(?:file|path)\b/i],
  [
    "share-unreachable",
    /resolve |look up |unable to connect|Failed to connect|Connection (?:refused|timed out|closed)|No route to host|Network is unreachable|does not appear to be a git repository|not found|not exported|TLS|SSL|cannot run|Unsupported URL|returned error: \d{3}|is this a git repository|too slow|redirect/i,
  ],
];

/** Lines that are behind every failure of their kind and say nothing of it. */
const uninformative =
  /^(?:Could not read from remote repository|the remote end hung up|early EOF|failed to push some refs|(?:unpack-objects|index-pack) failed|Please make sure|and the repository exists|Done$|To |Everything up-to-date)/;

const progress = /^[A-Z][a-z]+(?: [a-z]+)*: +\d+(?:%|, done)|^(?:Total|Delta compression using) \d?/;

const prefix = /^(?:fatal|error): /;

/** Rejections that say little; with these words they are told only where nobody else pushed. */
const rejectionTexts: ReadonlyMap<string, string> = new Map([["stale info", "it hides the ref (stale info)"]]);

const maxReasonLength = 300;

/**
 * The failure of a git that was to do something with a remote: one line of what was wrong, and what to do by what kind
 * of thing that is.
 */
export function remoteFailure({ action, remote }: GitAttempt, end: GitOutcome): Failure {
  const rejected = rejectionOf(end);
  const reason =
    rejected === null ? reasonOf(end) : [rejectionTexts.get(rejected) ?? rejected, ...remoteMessages(end)].join(": ");
  const code = rejected === null ? codeOf(end) : codeOfRejection(rejected, end);
  return new Failure(code, { action, remote, reason: reason.slice(0, maxReasonLength) });
}

/** The line in which git says what went wrong. */
export function reasonOf(end: GitOutcome): string {
  const own = ownLines(end).filter((line) => !progress.test(line));
  const telling = own.filter((line) => !uninformative.test(withoutPrefix(line)));
  const sign = errorPatterns
    .map(([, pattern]) => telling.find((line) => pattern.test(line)))
    .find((line) => line !== undefined);
  const line =
    sign ??
    telling.find((each) => prefix.test(each)) ??
    telling.at(-1) ??
    own.find((each) => prefix.test(each)) ??
    own.at(-1);
  if (line === undefined) return [...remoteMessages(end), `git ended with status ${end.status}`][0]!;
  const isDeclined = errorPatterns.find(([, pattern]) => pattern.test(line))?.[0] === "share-declined";
  return [withoutPrefix(line), ...(isDeclined ? remoteMessages(end) : [])].join(": ").slice(0, maxReasonLength);
}

/** `hook declined`: why the remote did not take what was pushed; null when it did not come to that. */
export function rejectionOf({ stdout = "" }: GitOutcome): string | null {
  const line = stdout.split("\n").find((each) => each.startsWith("!"));
  return line === undefined ? null : (/\(([^)]*)\)\s*$/.exec(line)?.[1] ?? line.slice(1).trim()).slice(0, 200);
}

function codeOf(end: GitOutcome): ComplaintCode {
  const reason = reasonOf(end);
  return errorPatterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? "share-failed";
}

/** What the other side could not do may work the next time; what it did not want will not. */
function codeOfRejection(rejected: string, end: GitOutcome): ComplaintCode {
  if (rejected === "unpacker error" && remoteMessages(end).includes("pack exceeds maximum allowed size"))
    return "share-too-large";
  return /unpacker error|missing necessary objects|failed to|cannot lock/.test(rejected)
    ? "share-failed"
    : "share-declined";
}

/** What the other side said: the first error, else at most two lines. */
function remoteMessages(end: GitOutcome): string[] {
  const lines = linesOf(end);
  const told = lines
    .filter((line) => line.startsWith("remote: "))
    .map((line) => line.replace(/^remote: /, "").trim())
    .filter((line) => line !== "" && !progress.test(line) && !/hook declined to update/.test(line));
  const error =
    told.find((line) => prefix.test(line)) ??
    (told.length === 0 ? lines.find((line) => line.startsWith("error: remote unpack failed")) : undefined);
  return (error === undefined ? told.slice(0, 2) : [error]).map(withoutPrefix);
}

function ownLines(end: GitOutcome): string[] {
  return linesOf(end).filter((line) => !line.startsWith("remote: ") && line !== "remote:");
}

/** Without what would show a password: git hides some of them. Nor what GIT_TRACE adds. */
function linesOf({ stderr }: GitOutcome): string[] {
  return stderr
    .split(/[\n\r]/)
    .map((line) => redactLogins(line.trim()))
    .filter((line) => line !== "" && !/^\d\d:\d\d:\d\d\.\d{6} /.test(line));
}

function withoutPrefix(line: string): string {
  return line.replace(prefix, "");
}
