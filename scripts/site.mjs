// `npm run site`: builds README and docs/ as a static site in site/ or the given folder. Plain HTML and one style
// sheet, without external resources.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { Marked } from "marked";
import { root } from "./prepare.mjs";

const out = resolve(process.argv[2] ?? join(root, "site"));

const pages = ["README.md", "CONTRIBUTING.md", ...markdownBelow("docs"), ...markdownBelow("examples")];
const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));

function markdownBelow(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => path.endsWith(".md")).map((path) => posix.join(folder, ...path.split(sep)));
}

function titleOf(page) {
  return /^# (.+)$/m.exec(texts.get(page))?.[1] ?? page;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The path of a page or linked file in the site. */
function outputPath(path) {
  if (path === "README.md") return "index.html";
  return texts.has(path) ? path.replace(/\.md$/, ".html") : path;
}

/** The anchor that GitHub gives to a heading, so that links work on both sites. */
function slug(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** The pages in the order in which docs/README.md lists them. */
function navigation() {
  const linked = [...texts.get("docs/README.md").matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, page]) => `docs/${page}`);
  return ["README.md", "docs/README.md", ...new Set(linked)];
}

/** Files and folders that pages link to and that are not pages. */
const linkedFiles = new Set();
const folders = new Set();

/** A link of `page`, rewritten for the site. */
function linkFrom(page, href) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  let target = posix.join(posix.dirname(page), path).replace(/\/$/, "");
  const folderPage = posix.join(target, "README.md");
  if (texts.has(folderPage)) target = folderPage;
  if (statSync(join(root, target)).isDirectory()) {
    folders.add(target);
    target = posix.join(target, "index.html");
  } else if (!texts.has(target)) linkedFiles.add(target);
  const link = posix.relative(posix.dirname(outputPath(page)), outputPath(target));
  return anchor === undefined ? link : `${link}#${anchor}`;
}

/** The Markdown of a page as HTML. */
function bodyOf(page) {
  const seen = new Map();
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === "link" || token.type === "image") token.href = linkFrom(page, token.href);
    },
    renderer: {
      // Tutorials name the file after the language of a code block.
      code({ text, lang = "" }) {
        const [, path] = lang.split(" ");
        const block = `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`;
        return path === undefined ? block : `<figure><figcaption>${escaped(path)}</figcaption>\n${block}</figure>\n`;
      },
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const name = slug(this.parser.parseInline(tokens, this.parser.textRenderer));
        const count = seen.get(name) ?? 0;
        seen.set(name, count + 1);
        return `<h${depth} id="${count === 0 ? name : `${name}-${count}`}">${html}</h${depth}>\n`;
      },
    },
  });
  const html = marked.parse(texts.get(page));
  return html.replaceAll(/(<(?:img|a)\b[^>]* (?:src|href)=")(?!https?:|#)([^"]+)(")/g, (found, before, href, after) =>
    texts.has(posix.join(posix.dirname(page), href)) || existsSync(join(root, posix.dirname(page), href))
      ? `${before}${linkFrom(page, href)}${after}`
      : found,
  );
}

/** A page that lists the files of a folder. */
function listOf(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => statSync(join(root, folder, name)).isFile());
  const items = names.map(
    (name) => `- [${texts.has(posix.join(folder, name)) ? titleOf(posix.join(folder, name)) : name}](${name})`,
  );
  return `# ${folder}\n\n${items.join("\n")}\n`;
}

function htmlOf(page, nav) {
  const here = posix.dirname(outputPath(page));
  const link = (to) => {
    const current = to === page ? ' aria-current="page"' : "";
    const title = escaped(titleOf(to).replaceAll("`", ""));
    return `<li><a href="${posix.relative(here, outputPath(to))}"${current}>${title}</a></li>`;
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(titleOf(page).replaceAll("`", ""))}${page === "README.md" ? "" : " · perfkeep"}</title>
<link rel="stylesheet" href="${posix.relative(here, "style.css")}">
</head>
<body>
<nav aria-label="Pages"><ul>
${nav.map(link).join("\n")}
</ul></nav>
<main>
${bodyOf(page)}</main>
</body>
</html>
`;
}

const style = `:root {
  color-scheme: light dark; --text: #1f2328; --back: #fff; --soft: #f3f4f6; --line: #d0d7de;
  --link: #0a58ca;
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e6e6; --back: #16181c; --soft: #22262d; --line: #3a404a; --link: #7ab0ff; }
}
* { box-sizing: border-box; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--text);
  background: var(--back); font: 16px/1.55 system-ui, sans-serif;
}
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: 0.9rem; }
nav ul {
  position: sticky; top: 1.5rem; max-height: calc(100vh - 3rem); overflow: auto; margin: 0; padding: 0;
  list-style: none;
}
nav li { margin: 0.25rem 0; }
nav a[aria-current] { font-weight: 700; }
main { max-width: 56rem; padding: 1.5rem 2rem 4rem; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.2rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--line); }
code {
  font: 0.88em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--soft);
  padding: 0.1em 0.25em; border-radius: 3px;
}
pre {
  overflow: auto; padding: 0.8rem 1rem; background: var(--soft); border: 1px solid var(--line);
  border-radius: 6px;
}
pre code { padding: 0; background: none; }
figure { margin: 1em 0; }
figcaption {
  width: fit-content; margin-bottom: -1px; padding: 0.1rem 0.7rem; border: 1px solid var(--line);
  border-radius: 6px 6px 0 0; font: 0.85em ui-monospace, "DejaVu Sans Mono", monospace;
}
figure pre { margin: 0; border-top-left-radius: 0; }
table { display: block; overflow: auto; border-collapse: collapse; }
th, td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid var(--line); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { border: 0; border-bottom: 1px solid var(--line); }
  nav ul { position: static; max-height: 12rem; }
  main { padding: 1rem; }
}
`;

function put(path, write) {
  const target = join(out, path);
  mkdirSync(dirname(target), { recursive: true });
  write(target);
}

if (relative(out, root) === "" || !relative(out, root).startsWith(".."))
  throw new Error(`${out} contains the project: specify another folder`);
const mark = ".perfkeep-site";
if (existsSync(join(out, mark))) rmSync(out, { recursive: true });
const nav = navigation();
for (const page of pages) put(outputPath(page), (target) => writeFileSync(target, htmlOf(page, nav)));
put("style.css", (target) => writeFileSync(target, style));
for (const folder of folders) {
  const page = posix.join(folder, "index.html");
  texts.set(page, listOf(folder));
  put(page, (target) => writeFileSync(target, htmlOf(page, nav)));
}
for (const path of linkedFiles) put(path, (target) => copyFileSync(join(root, path), target));
put(mark, (target) => writeFileSync(target, ""));
