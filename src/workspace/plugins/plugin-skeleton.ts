import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { wrapWriteErrors } from "../../store/durable/index.ts";
import { assetPath } from "../files/index.ts";
import type { AddedKind } from "./plugin-shape.ts";

export const skeletonLanguages = ["javascript", "typescript"] as const;

export type SkeletonLanguage = (typeof skeletonLanguages)[number];

/** Optional phases of a collector, as a template inserts them. */
const phaseTexts = {
  before: `
    // Prepares \`collect\`, for example by an instrumented build in the tree of the job.
    async before(job, shell) {},
`,
  after: `
    // Transforms the run after the program has ended.
    async after(run, job, shell) {
      return run;
    },
`,
  teardown: `
    // Undoes the other phases. Runs once per measurement, also after a failure.
    async teardown(job, shell) {},
`,
} as const;

export type SkeletonPhase = keyof typeof phaseTexts;

export const skeletonPhases = Object.keys(phaseTexts) as readonly SkeletonPhase[];

/** Parameters of a new plug-in. */
export interface SkeletonPlan {
  readonly kind: AddedKind;
  readonly name: string;
  readonly language: SkeletonLanguage;
  /** Only for collectors. */
  readonly phases: readonly SkeletonPhase[];
}

/** Paths of a new plug-in's files, relative to the root of the project. */
export interface SkeletonFiles {
  readonly source: string;
  readonly test: string;
  /** The path to list under `plugins`: the source, or its compiled file. */
  readonly entry: string;
}

/** Folder of new plug-ins. */
export const pluginFolder = "plugins";

/** Paths of the files of a plug-in. `.mjs` is a module in any package. */
export function skeletonFiles(name: string, language: SkeletonLanguage): SkeletonFiles {
  const ending = language === "typescript" ? "mts" : "mjs";
  const source = `${pluginFolder}/${name}.${ending}`;
  const entry = language === "typescript" ? `${pluginFolder}/build/${name}.mjs` : source;
  return { source, test: `${pluginFolder}/${name}.test.${ending}`, entry };
}

/**
 * Writes a plug-in and its test, and for TypeScript a missing compiler configuration. Returns the new paths. Fails with
 * `plugin-exists` before writing anything.
 */
export function writeSkeleton(root: string, plan: SkeletonPlan): readonly string[] {
  const { kind, name, language } = plan;
  const { source, test } = skeletonFiles(name, language);
  const taken = [source, test].find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new Failure("plugin-exists", { path: taken });
  const settings = `${pluginFolder}/tsconfig.json`;
  const texts: [string, string][] = [
    [source, fillTemplate(readTemplate(kind), plan)],
    [test, fillTemplate(readTemplate(`${kind}.test`), plan)],
  ];
  if (language === "typescript" && !existsSync(join(root, settings))) texts.push([settings, readTemplate("tsconfig")]);
  for (const [path, text] of texts) createFile(root, path, text);
  return texts.map(([path]) => path);
}

function readTemplate(name: string): string {
  return readFileSync(assetPath(`skeletons/${name}.txt`), "utf8");
}

const languageMarks = {
  typescript: { keeps: /[\u00ab\u00bb]/g, drops: /\u2039[^\u203a]*\u203a/g },
  javascript: { keeps: /[\u2039\u203a]/g, drops: /\u00ab[^\u00bb]*\u00bb/g },
};

/** In templates «…» is for TypeScript only and ‹…› for JavaScript only. */
function fillTemplate(text: string, { name, language, phases }: SkeletonPlan): string {
  const { keeps, drops } = languageMarks[language];
  const written = skeletonPhases.filter((phase) => phases.includes(phase)).map((phase) => phaseTexts[phase]);
  return text
    .replaceAll(drops, "")
    .replaceAll(keeps, "")
    .replace("@PHASES@\n", `${written.join("")}\n`)
    .replaceAll("@NAME@", name)
    .replaceAll("@RECORDED@", name.replaceAll("-", "_"));
}

/** Never overwrites a file, nor writes through a link that leads out of the project. */
function createFile(root: string, path: string, text: string): void {
  const absolute = join(root, path);
  wrapWriteErrors(absolute, () => mkdirSync(dirname(absolute), { recursive: true }));
  if (!(realpathSync(dirname(absolute)) + sep).startsWith(realpathSync(root) + sep))
    throw new Failure("bad-plugin", {
      file: relative(root, dirname(absolute)),
      reason: "it is a link that leads out of the project",
      instead: "make it a folder",
    });
  wrapWriteErrors(absolute, () => writeFileSync(absolute, text, { flag: "wx" }));
}
