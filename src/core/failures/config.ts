import type { FailureKind } from "./kind.ts";

/** Failures of configuration files and of trust in them. */
export const configFailures = {
  "no-instance": {
    exit: "usage",
    message: (d) => `no .perun directory in ${d.path} or above`,
    remedy: () => `run perfkeep init in the root of the repository`,
  },
  "bad-config": {
    exit: "badInput",
    message: (d) => `${d.file}${d.line === undefined ? "" : `:${d.line}:${d.column}`}: ${d.reason}`,
    remedy: (d) => `${d.instead ?? "correct the YAML there"}`,
  },
  "bad-config-key": {
    exit: "usage",
    message: (d) => `'${d.key}' is not a configuration key`,
    remedy: () => `a key is words of letters, digits and _ joined by dots, such as general.paging`,
  },
  "unset-config-key": {
    exit: "nothingMatched",
    message: (d) => `${d.key} is not set in the ${d.where} configuration${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `perfkeep config set ${d.key} VALUE sets it`,
  },
  "config-conflict": {
    exit: "usage",
    message: (d) => `${d.key} cannot be set in ${d.file}: ${d.parent} is not a section`,
    remedy: () => `perfkeep config edit shows the file`,
  },
  "bad-config-value": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.key}: '${d.value}' is not ${d.expected}`,
    remedy: (d) => `perfkeep config set ${d.key} VALUE corrects it`,
  },
  "editor-failed": {
    exit: "host",
    message: (d) => `editor '${d.editor}' ${d.ending}; the configuration is unchanged`,
    remedy: () => `name another one: perfkeep config set --shared general.editor COMMAND`,
  },
  "edit-refused": {
    exit: "badInput",
    message: (d) => `edited configuration is not kept: ${d.reason}`,
    remedy: (d) => `your text lies in ${d.kept}`,
  },
  "not-trusted": {
    exit: "untrusted",
    message: (d) =>
      `${d.path} names commands that were not confirmed yet: ${Array.isArray(d.commands) ? d.commands.join("; ") : ""}`,
    remedy: () => `read them, then run perfkeep trust`,
  },
  "foreign-instance": {
    exit: "untrusted",
    message: (d) => `${d.path} belongs to another user (uid ${d.owner}); none of its commands are run`,
    remedy: () => `take it over (chown), or clone it for yourself`,
  },
  "bad-plugin": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "plugin-failed": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.kind} ${d.name}: ${d.reason}`,
    remedy: () => `this plug-in is your project's own: correct it there; PERFKEEP_DEBUG=1 prints where`,
  },
  "plugin-refused": {
    exit: "badInput",
    message: (d) => `${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "bad-plugin-name": {
    exit: "usage",
    message: (d) => `'${d.name}' cannot be the name of the ${d.kind}: ${d.reason}`,
    remedy: () => `use words of small letters and digits, joined by hyphens`,
  },
  "plugin-exists": {
    exit: "usage",
    message: (d) => `${d.path} is there already`,
    remedy: () => `choose another name, or move it away`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
