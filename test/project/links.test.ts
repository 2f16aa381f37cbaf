import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const documents = ["README.md", "CONTRIBUTING.md", ...markdownBelow("docs"), ...markdownBelow("examples")];

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(folder, path));
}

/** What is no code. */
function proseOf(path: string): string {
  return readFileSync(path, "utf8")
    .replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, "")
    .replaceAll(/(`+)[^`][\s\S]*?\1/g, "code");
}

/** Targets of links and pictures that are not on other machines. */
function linksIn(path: string): string[] {
  const targets = [...proseOf(path).matchAll(/\]\(([^()\s]+)\)|<(?:img|a)\b[^>]* (?:src|href)="([^"]+)"/g)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  return targets.filter((target) => !/^(?:https?|mailto):/.test(target));
}

/** The names that GitHub gives to headings. */
function anchorsOf(path: string): Set<string> {
  const text = readFileSync(path, "utf8").replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, "");
  const seen = new Map<string, number>();
  const names = [...text.matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm)].map(([, heading = ""]) => {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set([...names, ...[...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id)]);
}

/** Links that lead nowhere. */
function deadLinks(document: string): string[] {
  return linksIn(document).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? document : join(dirname(document), decodeURIComponent(path));
    if (!existsSync(target) || relative(".", target).startsWith("..")) return true;
    return (
      anchor !== undefined && (statSync(target).isDirectory() || !anchorsOf(target).has(decodeURIComponent(anchor)))
    );
  });
}

test.each(documents)("%s: every link leads somewhere", (document) => {
  expect(deadLinks(document)).toEqual([]);
});

test("the README leads to every page of docs/", () => {
  const reached = new Set(["README.md"]);
  for (const document of reached) {
    const near = linksIn(document).map((link) => join(dirname(document), link.split("#")[0] ?? ""));
    for (const target of near) if (target.endsWith(".md") && existsSync(target)) reached.add(target);
    for (const target of near)
      if (existsSync(target) && statSync(target).isDirectory())
        for (const page of markdownBelow(target)) reached.add(page);
  }
  expect(documents.filter((document) => document.startsWith("docs/") && !reached.has(document))).toEqual([]);
});
