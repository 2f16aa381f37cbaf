import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  isSettings,
  settingAt,
  settingList,
  settingText,
  type Setting,
  type Settings,
} from "../../core/values/index.ts";
import { readYaml } from "../../formats/text/index.ts";
import type { Config } from "../../workspace/config/index.ts";
import type { MatrixAxes, RequestedPlugin } from "../../workspace/jobs/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The matrix of a configuration. Fails with `bad-config`. */
export function matrixOf(config: Config): MatrixAxes {
  return {
    cmds: config.texts("cmds"),
    workloads: config.texts("workloads"),
    collectors: pluginsAt(config.lookup("collectors"), "collectors"),
    postprocessors: pluginsAt(config.lookup("postprocessors"), "postprocessors"),
    generators: config.gather("generators.workload"),
  };
}

/**
 * Axes in a file written by `perfkeep mine --jobs`: cmds, workloads, collectors and postprocessors in YAML or JSON.
 * Fails with `bad-config`.
 */
export function jobsInFile(workspace: Workspace, path: string): Omit<MatrixAxes, "generators"> {
  const value = readYaml(new TextDecoder().decode(workspace.files.read(path)), path);
  if (!isSettings(value)) throw badJobs(path, "not a mapping with cmds, workloads and collectors");
  return {
    cmds: textsAt(value, "cmds", path),
    workloads: textsAt(value, "workloads", path),
    collectors: pluginsAt(settingAt(value, "collectors"), path),
    postprocessors: pluginsAt(settingAt(value, "postprocessors"), path),
  };
}

/**
 * Plug-in options as YAML (`repeat: 5`, or several with or without braces: `repeat: 5, warmup: 1`), or the path of a
 * YAML file. Fails with `bad-config`.
 */
export function readParams(workspace: Workspace, text: string): Settings {
  const isFile = workspace.files.inspect(text) !== null;
  const value = isFile ? readYaml(new TextDecoder().decode(workspace.files.read(text)), text) : readOptions(text);
  if (isSettings(value)) return value;
  if (value === null) return new Map();
  throw new Failure("bad-config", {
    file: text,
    reason: "neither a file nor YAML such as 'repeat: 5'",
    instead: "write NAME: VALUE",
  });
}

function readOptions(text: string): Setting {
  const file = "options of the collector";
  try {
    return readYaml(text, file);
  } catch (error) {
    const isLine = /^[^{[\n]+$/.test(text) && text.includes(",");
    if (!isFailure(error, "bad-config") || !isLine) throw error;
    return readYaml(`{${text}}`, file);
  }
}

function textsAt(root: Settings, key: string, path: string): string[] {
  return settingList(settingAt(root, key)).map((entry) => {
    const text = settingText(entry);
    if (text === undefined) throw badJobs(path, `an entry of ${key} is not text`);
    return text;
  });
}

function badJobs(file: string, reason: string): Failure {
  return new Failure("bad-config", { file, reason, instead: "write cmds: [COMMAND] and collectors: [{name: time}]" });
}

/** Entries such as `- time`, or `- name: time` with `params` below. */
function pluginsAt(list: Setting | undefined, file: string): RequestedPlugin[] {
  return settingList(list).map((entry) => {
    const name = settingText(entry) ?? settingText(settingAt(entry, "name"));
    const params = settingAt(entry, "params") ?? null;
    if (name !== undefined && (params === null || isSettings(params))) return { name, params: params ?? new Map() };
    throw new Failure("bad-config", {
      file,
      reason: "an entry has no name, or its params are not a section",
      instead: "write - name: time",
    });
  });
}
