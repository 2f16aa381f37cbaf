import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";

const attempts = 3;
/** Milliseconds for one attempt, and the longest wait between two. */
const [timeout, longestWait] = [15_000, 30_000];

/**
 * Posts JSON to a webhook: three attempts at most, after errors of the network, of the server and too many requests;
 * no redirects. Fails with `bad-option`, and with `notify-failed`, which names the host only: the rest of the address
 * is a secret.
 */
export async function postJson(address: string, body: string): Promise<void> {
  const url = webhookUrl(address);
  let reason = "";
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await post(url, body);
    if (answer === null) return;
    ({ reason } = answer);
    if (answer.wait === null || attempt === attempts) break;
    await sleep(Math.min(answer.wait ?? 1000 * 2 ** (attempt - 1), longestWait));
  }
  throw new Failure("notify-failed", { host: url.host, reason });
}

/** Fails with `bad-option`, which does not repeat the address. */
function webhookUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  const expected = "an address https://HOST/… without user and password";
  throw new Failure("bad-option", { option: "--url", value: "(not shown)", expected });
}

/** `wait`: milliseconds until the next attempt; null: there is no use in one. */
interface Refusal {
  readonly reason: string;
  readonly wait?: number | null;
}

/** Null if it was accepted. */
async function post(url: URL, body: string): Promise<Refusal | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    const reason = `it answered with HTTP status ${response.status}`;
    const canRetry = response.status === 429 || response.status >= 500;
    if (!canRetry) return { reason, wait: null };
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return seconds >= 0 ? { reason, wait: seconds * 1000 } : { reason };
  } catch (error) {
    // Messages of fetch can repeat the address; codes cannot.
    const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
    const code = typeof cause?.code === "string" && /^[A-Z_]+$/.test(cause.code) ? cause.code : undefined;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { reason: isLate ? "it did not answer in time" : (code ?? "the connection failed") };
  }
}
