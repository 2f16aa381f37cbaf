import { scriptHash } from "../files/web-files.ts";

/** Exchanges the token behind the address for a cookie, so that it is in no address any longer. */
const loginScript = `
const token = /^#token=([\\w-]+)$/.exec(location.hash);
const say = (text) => { document.getElementById("say").textContent = text; };
if (token) {
  history.replaceState(null, "", "/");
  fetch("/enter", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token: token[1] }) })
    .then((answer) => answer.ok ? location.reload() : say("That address is not valid any longer: open the one that perfkeep serve printed."))
    .catch(() => say("The server does not answer. Is perfkeep serve still running?"));
} else say("Open the address that perfkeep serve printed: the part behind # lets you in.");
`;

/** Who is let in already may open the printed address again. */
const hideTokenScript = `if (location.hash.startsWith("#token=")) history.replaceState(null, "", "/");`;

const commonPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'`;

/** What pages may do (`web/README.md`): nothing of others is loaded, no other script runs. */
export const policies = {
  door: `${commonPolicy}; script-src ${scriptHash(loginScript)}; style-src 'unsafe-inline'; img-src data:`,
  app: `${commonPolicy}; script-src 'self' ${scriptHash(hideTokenScript)}; style-src 'self' 'unsafe-inline'; img-src 'self' data:`,
  // Speedscope compiles a reader of one of its formats; scripts from texts stay forbidden.
  speedscope: `${commonPolicy}; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:`,
  data: `${commonPolicy}; sandbox`,
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

/** For those who are not let in yet; tells nothing of the project. */
export const loginPage = `${pageHead}<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }</style>
</head>
<body>
<main><h1>perfkeep</h1><p id="say" role="status"></p><noscript>These pages are drawn by a script: allow it.</noscript></main>
<script>${loginScript}</script>
</body>
</html>
`;

export const appPage = `${pageHead}<link rel="stylesheet" href="/web/app.css">
</head>
<body>
<div id="perfkeep"><noscript>These pages are drawn by a script: allow it.</noscript></div>
<script>${hideTokenScript}</script>
<script id="perfkeep-source" type="application/json">{"kind":"live"}</script>
<script src="/web/app.js"></script>
</body>
</html>
`;
