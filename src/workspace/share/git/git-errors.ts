import { Failure } from "../../../core/failures/index.ts";
import { redactLogins } from "../../../core/text/index.ts";

/** Output of a failed git. */
export interface GitOutcome {
  readonly status: number;
  readonly stderr: string;
  /** Of `push --porcelain`; includes lines like `! <from>:<to> [remote rejected] (hook declined)`. */
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

/** The failed action and its remote. */
export interface GitAttempt {
  /** `fetch from`, `push to`. */
  readonly action: string;
  /** For messages. */
  readonly remote: string;
}

function anyOf(flags: string, alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join("|"), flags);
}

function startsWithAny(alternatives: readonly string[]): RegExp {
  return new RegExp(`^(?:${alternatives.join("|")})`);
}

/**
 * Patterns of git's messages with LC_ALL=C; the first match counts. Messages of the remote (`remote: …`) are excluded,
 * since they may say anything.
 */
const errorPatterns: readonly (readonly [ComplaintCode, RegExp])[] = [
  ["share-unsafe", /dubious ownership/],
  ["share-unreachable", /^(?:fatal: )?transport '[^']*' not allowed/],
  ["share-proxy", /\bproxy\b|\b407\b/i],
  ["share-too-large", /returned error: 413|pack exceeds maximum allowed size/],
  [
    "share-login",
    anyOf("", [
      String.raw`Permission denied \(`,
      "Authentication failed",
      "could not read (?:Username|Password)",
      "Host key verification failed",
      "returned error: 401",
      "Too many authentication failures",
    ]),
  ],
  [
    "share-declined",
    anyOf("i", [
      "returned error: 403",
      "access denied",
      "not allowed",
      "hash algorithm",
      "mismatched algorithms",
      "denied to",
      "service not enabled",
      "not permitted",
      "read-only",
    ]),
  ],
  ["share-certificate", /certificate|CA cert|\bCA(?:file|path)\b/i],
  [
    "share-unreachable",
    anyOf("i", [
      "resolve ",
      "look up ",
      "unable to connect",
      "Failed to connect",
      "Connection (?:refused|timed out|closed)",
      "No route to host",
      "Network is unreachable",
      "does not appear to be a git repository",
      "not found",
      "not exported",
      "TLS",
      "SSL",
      "cannot run",
      "Unsupported URL",
      String.raw`returned error: \d{3}`,
      "is this a git repository",
      "too slow",
      "redirect",
    ]),
  ],
];

/** Generic lines that accompany every failure. */
const uninformative = startsWithAny([
  "Could not read from remote repository",
  "the remote end hung up",
  "early EOF",
  "failed to push some refs",
  "(?:unpack-objects|index-pack) failed",
  "Please make sure",
  "and the repository exists",
  "Done$",
  "To ",
  "Everything up-to-date",
]);

const progress = /^[A-Z][a-z]+(?: [a-z]+)*: +\d+(?:%|, done)|^(?:Total|Delta compression using) \d?/;

const prefix = /^(?:fatal|error): /;

/** Rejections that need an explanation, reported only if there was no race. */
const rejectionTexts: ReadonlyMap<string, string> = new Map([["stale info", "it hides the ref (stale info)"]]);

const maxReasonLength = 300;

/** The failure of a remote operation: one line of the reason, and a code that selects the remedy. */
export function remoteFailure({ action, remote }: GitAttempt, end: GitOutcome): Failure {
  const rejected = rejectionOf(end);
  const reason =
    rejected === null ? reasonOf(end) : [rejectionTexts.get(rejected) ?? rejected, ...remoteMessages(end)].join(": ");
  const code = rejected === null ? codeOf(end) : codeOfRejection(rejected, end);
  return new Failure(code, { action, remote, reason: reason.slice(0, maxReasonLength) });
}

/** The line that explains the failure. */
export function reasonOf(end: GitOutcome): string {
  const own = ownLines(end).filter((line) => !progress.test(line));
  const specific = own.filter((line) => !uninformative.test(withoutPrefix(line)));
  const match = errorPatterns
    .map(([, pattern]) => specific.find((line) => pattern.test(line)))
    .find((line) => line !== undefined);
  const line =
    match ??
    specific.find((each) => prefix.test(each)) ??
    specific.at(-1) ??
    own.find((each) => prefix.test(each)) ??
    own.at(-1);
  if (line === undefined) return [...remoteMessages(end), `git ended with status ${end.status}`][0]!;
  const isDeclined = errorPatterns.find(([, pattern]) => pattern.test(line))?.[0] === "share-declined";
  return [withoutPrefix(line), ...(isDeclined ? remoteMessages(end) : [])].join(": ").slice(0, maxReasonLength);
}

/** The remote's reason to reject a push, such as `hook declined`; null if it did not get that far. */
export function rejectionOf({ stdout = "" }: GitOutcome): string | null {
  const line = stdout.split("\n").find((each) => each.startsWith("!"));
  return line === undefined ? null : (/\(([^)]*)\)\s*$/.exec(line)?.[1] ?? line.slice(1).trim()).slice(0, 200);
}

function codeOf(end: GitOutcome): ComplaintCode {
  const reason = reasonOf(end);
  return errorPatterns.find(([, pattern]) => pattern.test(reason))?.[0] ?? "share-failed";
}

/** Errors of the remote may be temporary; refusals are not. */
function codeOfRejection(rejected: string, end: GitOutcome): ComplaintCode {
  if (rejected === "unpacker error" && remoteMessages(end).includes("pack exceeds maximum allowed size"))
    return "share-too-large";
  return /unpacker error|missing necessary objects|failed to|cannot lock/.test(rejected)
    ? "share-failed"
    : "share-declined";
}

/** Messages of the remote: the first error, else at most two lines. */
function remoteMessages(end: GitOutcome): string[] {
  const lines = linesOf(end);
  const messages = lines
    .filter((line) => line.startsWith("remote: "))
    .map((line) => line.replace(/^remote: /, "").trim())
    .filter((line) => line !== "" && !progress.test(line) && !/hook declined to update/.test(line));
  const error =
    messages.find((line) => prefix.test(line)) ??
    (messages.length === 0 ? lines.find((line) => line.startsWith("error: remote unpack failed")) : undefined);
  return (error === undefined ? messages.slice(0, 2) : [error]).map(withoutPrefix);
}

function ownLines(end: GitOutcome): string[] {
  return linesOf(end).filter((line) => !line.startsWith("remote: ") && line !== "remote:");
}

/** Lines without passwords, which git does not always hide, and without GIT_TRACE output. */
function linesOf({ stderr }: GitOutcome): string[] {
  return stderr
    .split(/[\n\r]/)
    .map((line) => redactLogins(line.trim()))
    .filter((line) => line !== "" && !/^\d\d:\d\d:\d\d\.\d{6} /.test(line));
}

function withoutPrefix(line: string): string {
  return line.replace(prefix, "");
}
