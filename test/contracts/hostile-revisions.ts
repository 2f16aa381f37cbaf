/**
 * Words that somebody could give as a revision to make a version control system write to or run something at `canary`
 * (a path that does not exist), or to make a careless caller crash.
 */
export function hostileRevisions(canary: string): string[] {
  return [...options(canary), ...transports(canary), ...shells(canary), ...syntax, ...bytes, ...lengths];
}

const plainOptions = [
  "-x",
  "-",
  "--",
  "---",
  "-n1",
  "-p",
  "-c",
  "-C",
  "-h",
  "--help",
  "--version",
  "--all",
  "--branches",
  "--stdin",
  "--end-of-options",
];

const options = (canary: string): string[] => [
  ...plainOptions,
  `--output=${canary}`,
  `-o${canary}`,
  `--upload-pack=touch ${canary}`,
  `--exec=touch ${canary}`,
  `--receive-pack=touch ${canary}`,
  `--open-files-in-pager=touch ${canary}`,
  `--git-dir=${canary}`,
  `--work-tree=${canary}`,
  `--template=${canary}`,
  `--config=core.fsmonitor=touch ${canary}`,
  `-cdiff.external=touch ${canary}`,
  `--ext-diff`,
  `--textconv`,
  `--no-index`,
  `--glob=*`,
  `--parseopt`,
  `--resolve-git-dir`,
  `--local-env-vars`,
  `--sq-quote`,
  `\u2212\u2212output=${canary}`,
];

const transports = (canary: string): string[] => [
  `ext::sh -c touch% ${canary}`,
  `ext::touch ${canary}`,
  `file://${canary}`,
  `ssh://-oProxyCommand=touch ${canary}/x`,
  `git@host:${canary}`,
  `fd::17/foo`,
  `https://user:secret@example.invalid/x.git`,
];

const shells = (canary: string): string[] => [
  `$(touch ${canary})`,
  `\`touch ${canary}\``,
  `; touch ${canary}`,
  `HEAD; touch ${canary}`,
  `HEAD && touch ${canary}`,
  `HEAD | tee ${canary}`,
  `HEAD > ${canary}`,
  `'; touch ${canary}; '`,
  `"; touch ${canary}; "`,
  `HEAD\ntouch ${canary}`,
  `%x00`,
  `%(trailers)`,
];

const syntax = [
  [
    "",
    " ",
    ".",
    "..",
    "...",
    "/",
    "\\",
    "~",
    "^",
    "^HEAD",
    "^^",
    "@",
    "@{",
    "@{}",
    "@{-1}",
    "@{u}",
    "@{push}",
    "@{999999999}",
    "@{now}",
  ],
  [
    "HEAD^{/x}",
    "HEAD^{/(a*)*b}",
    ":/x",
    ":/!-x",
    ":",
    ":0:f",
    "HEAD:f",
    "HEAD:../../etc/passwd",
    "HEAD^{",
    "HEAD^{}",
    "HEAD^{blob}",
    "HEAD^{tree}",
  ],
  [
    "HEAD^@",
    "HEAD^!",
    "HEAD^-",
    "HEAD~99999999999999999999",
    "HEAD^99999999999",
    "HEAD..HEAD",
    "HEAD...HEAD",
    "HEAD^{commit}^{commit}",
  ],
  [
    "refs/heads/../../config",
    "../../etc/passwd",
    "/etc/passwd",
    ".git/config",
    "FETCH_HEAD",
    "ORIG_HEAD",
    "refs/stash",
    "stash@{0}",
  ],
  [
    "0".repeat(40),
    "f".repeat(40),
    "0".repeat(64),
    "g".repeat(40),
    "0000",
    "HEAD ",
    " HEAD",
    "HEAD\t",
    "HEAD@{1 day ago}",
    "*",
    "?",
    "[a-z]*",
  ],
  ["__proto__", "constructor", "undefined", "null", "NaN"],
].flat();

const bytes = [
  [
    "\0",
    "HEAD\0",
    "HEAD\0--output=x",
    "\n",
    "HEAD\n",
    "HEAD\nHEAD",
    "\r",
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\x7f",
    "\x85",
    "\x9b31m",
  ],
  ["\u202eDAEH", "\u200b", "\ufeffHEAD", "ＨＥＡＤ", "HEA\u0301D", "\ud800", "\udfff\ud800", "🜁", "né", "日本語"],
].flat();

const lengths = [
  "A".repeat(4096),
  "a/".repeat(2048),
  "HEAD" + "~".repeat(4096),
  "HEAD" + "^".repeat(100_000),
  "x".repeat(3_000_000),
];
