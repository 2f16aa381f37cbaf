import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { createDurably } from "../../store/durable/durable-file.ts";
import { createStore } from "../../store/store.ts";
import { localTemplate, type TemplateName } from "./templates.ts";
import { findPrograms, findWorkloads } from "./project-scan.ts";

export interface InstanceFacts {
  readonly template: TemplateName;
  readonly type: string;
  /** Absolute path of the repository. */
  readonly repository: string;
}

/**
 * Makes `.perun` in `root` with its configuration. Nothing that is there is changed; git is told not to look in
 * (`.perun/.gitignore`), so the user's `git status` stays as it was.
 */
export function createInstance(
  root: string,
  facts: InstanceFacts,
): { readonly perun: string; readonly created: boolean } {
  const perun = join(root, ".perun");
  createStore(perun);
  const encoder = new TextEncoder();
  if (!existsSync(join(perun, ".gitignore"))) createDurably(join(perun, ".gitignore"), [encoder.encode("*\n")]);
  const created = createDurably(join(perun, "local.yml"), [encoder.encode(configuration(root, perun, facts))]);
  return { perun, created };
}

function configuration(root: string, perun: string, { template, type, repository }: InstanceFacts): string {
  const away = relative(root, repository).startsWith("..") || isAbsolute(relative(root, repository));
  const url = away ? repository : relative(perun, repository) || ".";
  const scan = template === "user";
  return localTemplate(template, {
    type,
    url,
    commands: scan ? findPrograms(root) : [],
    workloads: scan ? findWorkloads(root) : [],
  });
}
