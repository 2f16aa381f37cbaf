import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { packageFolder } from "../../workspace/files/index.ts";
import {
  isPluginName,
  type AddedKind,
  pluginFolder,
  skeletonFiles,
  writeSkeleton,
  type SkeletonLanguage,
  type SkeletonPhase,
} from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { setConfig } from "./config.ts";

/** Plug-in kind for each purpose. */
export const pluginPurposes = {
  collect: "collector",
  generate: "generator",
  import: "importer",
  read: "reader",
  postprocess: "postprocessor",
  check: "checker",
  detect: "detector",
  view: "view",
  render: "renderer",
  vcs: "vcs",
} as const satisfies Readonly<Record<string, AddedKind>>;

export interface CreatePluginOptions {
  /** One of the purposes. */
  readonly purpose: string;
  readonly name: string;
  readonly language: SkeletonLanguage;
  /** Collectors only. */
  readonly phases: readonly SkeletonPhase[];
}

export interface CreatedPlugin {
  readonly kind: AddedKind;
  readonly name: string;
  /** Paths of new files, relative to the project root. */
  readonly files: readonly string[];
  /** Entry added to `plugins` in the configuration. */
  readonly entry: string;
  /** Next commands to run in the project root. */
  readonly next: readonly string[];
}

/**
 * Writes the skeleton of a plug-in into the project and adds it to the configuration. Fails with `no-instance`,
 * `unknown-choice`, `bad-plugin-name` and `plugin-exists`.
 */
export async function createPlugin(workspace: Workspace, options: CreatePluginOptions): Promise<CreatedPlugin> {
  const { purpose, name, language, phases } = options;
  const root = workspace.root();
  const kind = kindOf(purpose);
  if (phases.length > 0 && kind !== "collector")
    throw new Failure("unusable-combination", { what: `a ${kind} has no phases`, instead: "leave out --phase" });
  requireFreeName(workspace, kind, name);
  const { entry } = skeletonFiles(name, language);
  const known = (await workspace.config()).only("local").texts("plugins");
  const files = writeSkeleton(root, { kind, name, language, phases });
  await setConfig(workspace, "local", "plugins", JSON.stringify([...new Set([...known, entry])]));
  return { kind, name, files, entry, next: nextCommands(kind, name, language) };
}

/** Kinds with a skeleton. */
type CreatedKind = (typeof pluginPurposes)[keyof typeof pluginPurposes];

function kindOf(purpose: string): CreatedKind {
  const found = Object.entries(pluginPurposes).find(([word]) => word === purpose);
  if (found) return found[1];
  throw new Failure("unknown-choice", {
    kind: "purpose of a plug-in",
    value: purpose,
    choices: Object.keys(pluginPurposes),
  });
}

function requireFreeName(workspace: Workspace, kind: AddedKind, name: string): void {
  if (!isPluginName(name))
    throw new Failure("bad-plugin-name", { kind, name: name.slice(0, 80), reason: "the name is invalid" });
  if (workspace.registry.isBuiltIn(kind, name))
    throw new Failure("bad-plugin-name", { kind, name, reason: `perfkeep has a built-in ${kind} of that name` });
}

function nextCommands(kind: CreatedKind, name: string, language: SkeletonLanguage): string[] {
  const uses: Readonly<Record<CreatedKind, readonly string[]>> = {
    collector: [`perfkeep collect ${name} -- sleep 0.1`],
    generator: [
      `perfkeep config set generators.workload '[{id: ${name}, type: ${name}}]'`,
      `perfkeep run job -c echo -w ${name} -C time`,
    ],
    importer: [`perfkeep import --from ${name} FILE`],
    reader: [`perfkeep import-profile --reader ${name} FILE`],
    postprocessor: [`perfkeep postprocessby 0@p ${name}`],
    checker: [`perfkeep check head --method ${name}`],
    detector: [`perfkeep check series --method ${name}`],
    view: [`perfkeep show 0@p ${name}`],
    renderer: [`perfkeep show 0@p --format ${name}`],
    vcs: [`perfkeep config set vcs.type ${name}`],
  };
  const isCompiled = language === "typescript";
  return [
    // Installed by path: a registry may have another package of this name.
    `npm install --save-dev vitest${isCompiled ? " typescript @types/node" : ""} ${quoteCommand([packageFolder()])}`,
    `npx vitest run ${skeletonFiles(name, language).test}`,
    ...(isCompiled ? [`npx tsc -p ${pluginFolder}`] : []),
    ...uses[kind],
  ];
}
