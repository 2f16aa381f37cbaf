import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-site-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const site = join(scratch, "site");
const made = (folder: string): { status: number | null; stderr: string } =>
  spawnSync(process.execPath, ["scripts/site.mjs", folder], { encoding: "utf8" });

test("the site holds every page, and its links lead somewhere within it", () => {
  expect(made(site)).toMatchObject({ status: 0, stderr: "" });
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  const documents = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  expect(pages).toEqual(
    expect.arrayContaining(["index.html", ...documents.map((path) => join("docs", path.replace(/\.md$/, ".html")))]),
  );
  const dead = pages.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`));
  expect(dead).toEqual([]);
});

test("blocks of a tutorial that are files tell their names", () => {
  const html = readFileSync(join(site, "docs/tutorials/gate-a-pull-request.html"), "utf8");
  expect([...html.matchAll(/<figcaption>(.*?)<\/figcaption>/g)].map(([, name]) => name)).toEqual([
    "bench.sh",
    "sort.exp",
    "sort.inp",
  ]);
});

test("every page of docs/ and every tutorial is in the navigation", () => {
  const [, nav = ""] = /<nav[^>]*>(.*?)<\/nav>/s.exec(readFileSync(join(site, "index.html"), "utf8")) ?? [];
  const pages = ["docs", "docs/tutorials"].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  const missing = pages.filter(
    (page) => page.endsWith(".md") && !nav.includes(`href="${page.replace(/\.md$/, ".html")}"`),
  );
  expect(missing, "the last section of README.md links to them").toEqual([]);
});

/** Links that lead nowhere, and whatever would be loaded from elsewhere. */
function deadLinks(page: string): string[] {
  const html = readFileSync(join(site, page), "utf8");
  const loaded = [...html.matchAll(/<(?:link|img|script|iframe)\b[^>]* (?:src|href)="([^"]*)"/g)].map(
    ([, target = ""]) => target,
  );
  const links = [...html.matchAll(/<a\b[^>]* href="([^"]*)"/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(?:https?|mailto):/.test(target));
  return [...loaded, ...links].filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? join(site, page) : join(site, dirname(page), path);
    if (!target.startsWith(site) || !existsSync(target)) return true;
    return anchor !== undefined && !readFileSync(target, "utf8").includes(` id="${anchor}"`);
  });
}

test("what is no site is not replaced, and one that is there is renewed", () => {
  const other = join(scratch, "other");
  expect(made(other).status).toBe(0);
  writeFileSync(join(other, "old.html"), "");
  expect(made(other).status).toBe(0);
  expect(existsSync(join(other, "old.html"))).toBe(false);
  expect(made(".")).toMatchObject({ status: 1, stderr: expect.stringContaining("specify another folder") });
  expect(made("..").status).toBe(1);
  rmSync(join(other, ".perfkeep-site"));
  writeFileSync(join(other, "mine.txt"), "");
  expect(made(other).status).toBe(0);
  expect(existsSync(join(other, "mine.txt"))).toBe(true);
});
