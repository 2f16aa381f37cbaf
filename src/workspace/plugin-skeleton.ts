import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Failure } from "../core/errors.ts";
import { writing } from "../store/file-failure.ts";
import { assetPath } from "./assets.ts";
import type { AddedKind } from "./plugin-shape.ts";

export const skeletonLanguages = ["javascript", "typescript"] as const;

export type SkeletonLanguage = (typeof skeletonLanguages)[number];

/** Files of a new plug-in by their path from the root of the project. */
export interface SkeletonFiles {
  readonly source: string;
  readonly test: string;
  /** What `plugins` of the configuration names: the source, or what it is compiled to. */
  readonly entry: string;
}

/** The folder that plug-ins are written to. */
export const pluginFolder = "plugins";

/** Where the files of a plug-in of that name lie. `.mjs` is a module whatever package the project is. */
export function skeletonFiles(name: string, language: SkeletonLanguage): SkeletonFiles {
  const ending = language === "typescript" ? "mts" : "mjs";
  const source = `${pluginFolder}/${name}.${ending}`;
  const entry = language === "typescript" ? `${pluginFolder}/build/${name}.mjs` : source;
  return { source, test: `${pluginFolder}/${name}.test.${ending}`, entry };
}

/**
 * Writes a plug-in and its test into the project, and for TypeScript what the compiler needs, if there is none. Answers the paths of new files. Fails with
 * `plugin-exists` before anything is written.
 */
export function writeSkeleton(root: string, kind: AddedKind, name: string, language: SkeletonLanguage): readonly string[] {
  const { source, test } = skeletonFiles(name, language);
  const taken = [source, test].find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new Failure("plugin-exists", { path: taken });
  const settings = `${pluginFolder}/tsconfig.json`;
  const texts: [string, string][] = [
    [source, filled(asset(kind), name, language)],
    [test, filled(asset(`${kind}.test`), name, language)],
  ];
  if (language === "typescript" && !existsSync(join(root, settings))) texts.push([settings, asset("tsconfig")]);
  for (const [path, text] of texts) createFile(root, path, text);
  return texts.map(([path]) => path);
}

function asset(name: string): string {
  return readFileSync(assetPath(`skeletons/${name}.txt`), "utf8");
}

const marks = {
  typescript: { keeps: /[\u00ab\u00bb]/g, drops: /\u2039[^\u203a]*\u203a/g },
  javascript: { keeps: /[\u2039\u203a]/g, drops: /\u00ab[^\u00bb]*\u00bb/g },
};

/** In the texts «…» belongs to TypeScript alone and ‹…› to JavaScript. */
function filled(text: string, name: string, language: SkeletonLanguage): string {
  const { keeps, drops } = marks[language];
  return text.replaceAll(drops, "").replaceAll(keeps, "").replaceAll("@NAME@", name).replaceAll("@RECORDED@", name.replaceAll("-", "_"));
}

/** Never over a file, and never through a link that leads out of the project. */
function createFile(root: string, path: string, text: string): void {
  const absolute = join(root, path);
  writing(absolute, () => mkdirSync(dirname(absolute), { recursive: true }));
  if (!(realpathSync(dirname(absolute)) + sep).startsWith(realpathSync(root) + sep))
    throw new Failure("bad-plugin", {
      file: relative(root, dirname(absolute)),
      reason: "it is a link that leads out of the project",
      instead: "make it a folder",
    });
  writing(absolute, () => writeFileSync(absolute, text, { flag: "wx" }));
}
