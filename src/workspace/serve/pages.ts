import { readdirSync, readFileSync } from "node:fs";
import { webFilePath, scriptHash } from "../files/index.ts";

/** Exchanges the token in the URL's fragment for a cookie and removes it from the address bar. */
const loginScript = `
const token = /^#token=([\\w-]+)$/.exec(location.hash);
const show = (text) => { document.getElementById("status").textContent = text; };
if (token) {
  history.replaceState(null, "", "/");
  const body = JSON.stringify({ token: token[1] });
  fetch("/enter", { method: "POST", headers: { "content-type": "application/json" }, body })
    .then((answer) => {
      if (answer.ok) location.reload();
      else show("This address is no longer valid: open the one printed by perfkeep serve.");
    })
    .catch(() => show("The server does not answer. Is perfkeep serve still running?"));
} else show("Open the address printed by perfkeep serve: its part after # grants access.");
`;

/** A client with a cookie may open the printed URL again: only hides the token. */
const hideTokenScript = `if (location.hash.startsWith("#token=")) history.replaceState(null, "", "/");`;

const commonPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "connect-src 'self'",
].join("; ");

const policyOf = (...directives: readonly string[]): string => [commonPolicy, ...directives].join("; ");

/** Content security policies (`web/README.md`): no foreign resources, no inline scripts but ours. */
export const policies = {
  login: policyOf(`script-src ${scriptHash(loginScript)}`, "style-src 'unsafe-inline'", "img-src data:"),
  app: policyOf(
    `script-src 'self' ${scriptHash(hideTokenScript)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
  ),
  // Speedscope compiles WebAssembly for one of its formats; eval of strings stays forbidden.
  speedscope: policyOf(
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
  ),
  data: policyOf("sandbox"),
} as const;

const pageHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>perfkeep</title>
`;

const loginStyle = "body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }";

/** Page for clients without a cookie; discloses nothing about the project. */
export const loginPage = `${pageHead}<style>${loginStyle}</style>
</head>
<body>
<main><h1>perfkeep</h1><p id="status" role="status"></p>
<noscript>These pages require JavaScript.</noscript></main>
<script>${loginScript}</script>
</body>
</html>
`;

export const appPage = `${pageHead}<link rel="stylesheet" href="/web/app.css">
</head>
<body>
<div id="perfkeep"><noscript>These pages require JavaScript.</noscript></div>
<script>${hideTokenScript}</script>
<script id="perfkeep-source" type="application/json">{"kind":"live"}</script>
<script src="/web/app.js"></script>
</body>
</html>
`;

export interface ServedFile {
  readonly type: string;
  readonly policy: string;
  bytes(): Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

/** All served files by URL path; a closed list, so no path traversal. Files are read lazily. */
export function servedFiles(): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  for (const name of ["app.js", "app.css", "charts.js"]) files.set(`/web/${name}`, servedFile(name, policies.app));
  for (const name of readdirSync(webFilePath("speedscope"))) {
    const file = servedFile(`speedscope/${name}`, policies.speedscope);
    files.set(`/speedscope/${name}`, file);
    if (name === "index.html") files.set("/speedscope/", file);
  }
  return files;
}

function servedFile(name: string, policy: string): ServedFile {
  let cached: Uint8Array | undefined;
  const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return { type, policy, bytes: () => (cached ??= readFileSync(webFilePath(name))) };
}

/** Security headers of every response; responses are never cached. */
export function securityHeaders(policy: string): Record<string, string> {
  return {
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
}
