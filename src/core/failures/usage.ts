import { type FailureKind, suggestion } from "./kind.ts";

/** Failures of the command line. */
export const usageFailures = {
  "unknown-choice": {
    exit: "usage",
    message: (d) => `unknown ${d.kind} '${d.value}'`,
    remedy: (d) => `choose from ${listed(d.choices)}`,
  },
  "bad-option": {
    exit: "usage",
    message: (d) => `option ${d.option}: '${d.value}' is not ${d.expected}`,
    remedy: (d) => `see ${d.command ?? "perfkeep"} --help`,
  },
  "unusable-combination": {
    exit: "usage",
    message: (d) => `${d.what}`,
    remedy: (d) => `${d.instead}`,
  },
  "missing-operand": {
    exit: "usage",
    message: (d) => `argument ${d.index} is missing`,
    remedy: () => `--help lists the arguments of the command`,
  },
  "unknown-verb": {
    exit: "usage",
    message: (d) => `unknown command '${d.verb}'${suggestion(d)}`,
    remedy: () => `perfkeep --help lists all commands`,
  },
  "unknown-plugin": {
    exit: "usage",
    message: (d) => `unknown ${d.kind} '${d.name}'${suggestion(d)}`,
    remedy: (d) => `choose from ${listed(d.known)}`,
  },
  "retired-plugin": {
    exit: "usage",
    message: (d) => `there is no ${d.kind} ${d.name}: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "duplicate-plugin": {
    exit: "usage",
    message: (d) => `two plug-ins of kind ${d.kind} are named '${d.name}'`,
    remedy: () => `remove one of them from the configuration`,
  },
  "unreadable-file": {
    exit: "badInput",
    message: (d) => `${d.path}: ${d.reason}`,
    remedy: () => `check the path and its permissions`,
  },
  "unknown-format-token": {
    exit: "usage",
    message: (d) => `${d.setting}: unknown token '%${d.token}%'`,
    remedy: (d) => `choose from ${listed(d.known)}`,
  },
  "bad-instance": {
    exit: "usage",
    message: (d) => `${d.path} ${d.reason}`,
    remedy: () => `move it away, or work on a copy of your own`,
  },
  "bad-usage": {
    exit: "usage",
    message: (d) => `${d.reason}`,
    remedy: (d) => `see ${d.command} --help`,
  },
  "cannot-write-output": {
    exit: "host",
    message: (d) => `cannot write ${d.path}: ${d.reason}`,
    remedy: () => `choose another path with -o`,
  },
  "directory-lost": {
    exit: "usage",
    message: (d) => `the working directory no longer exists: ${d.path}`,
    remedy: () => `start from another directory`,
  },
  "directory-not-utf8": {
    exit: "usage",
    message: (d) => `the name of the working directory is not UTF-8: ${d.path}`,
    remedy: () => `rename it, or start from another directory`,
  },
  "no-terminal": {
    exit: "usage",
    message: (d) => `cannot ask '${d.question}' without a terminal`,
    remedy: (d) => `${d.instead}`,
  },
  declined: {
    exit: "found",
    message: (d) => `${d.what}: the question was answered with no`,
    remedy: (d) => `${d.instead}`,
  },
  "not-loopback": {
    exit: "usage",
    message: (d) => `--host ${d.host} accepts connections from other machines`,
    remedy: () =>
      `omit it, or add --allow-remote: anyone with the printed address can read everything and record decisions`,
  },
  "cannot-listen": {
    exit: "host",
    message: (d) => `cannot listen on ${d.host} port ${d.port}: ${d.reason}`,
    remedy: () => `choose another --port, or omit it to use any free port`,
  },
  "bad-page-request": {
    exit: "usage",
    message: (d) => `${d.call}: missing or invalid '${d.word}'`,
    remedy: () => `reload the page`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of configuration files, of plug-ins, and of trust in them. */
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
    remedy: () => `a key consists of words of letters, digits and _ joined by dots, such as general.paging`,
  },
  "unset-config-key": {
    exit: "nothingMatched",
    message: (d) => `${d.key} is not set in the ${d.where} configuration${suggestion(d)}`,
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
    remedy: () => `set another editor: perfkeep config set --shared general.editor COMMAND`,
  },
  "edit-refused": {
    exit: "badInput",
    message: (d) => `the edited configuration was not saved: ${d.reason}`,
    remedy: (d) => `your text is in ${d.kept}`,
  },
  "not-trusted": {
    exit: "untrusted",
    message: (d) =>
      `${d.path} contains unconfirmed commands: ${Array.isArray(d.commands) ? d.commands.join("; ") : ""}`,
    remedy: () => `review them, then run perfkeep trust`,
  },
  "foreign-instance": {
    exit: "untrusted",
    message: (d) => `${d.path} belongs to another user (uid ${d.owner}); its commands are not run`,
    remedy: () => `take ownership of it (chown), or make your own clone`,
  },
  "bad-plugin": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "plugin-failed": {
    exit: "badInput",
    message: (d) => `${d.file}: ${d.kind} ${d.name}: ${d.reason}`,
    remedy: () => `this plug-in belongs to your project: fix it there; PERFKEEP_DEBUG=1 prints a stack trace`,
  },
  "plugin-refused": {
    exit: "badInput",
    message: (d) => `${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "bad-plugin-name": {
    exit: "usage",
    message: (d) => `'${d.name}' is not a valid name for the ${d.kind}: ${d.reason}`,
    remedy: () => `use words of lower-case letters and digits, joined by hyphens`,
  },
  "description-exists": {
    exit: "usage",
    message: (d) => `${d.path} already exists`,
    remedy: () => `give --force to overwrite it, or another folder or name`,
  },
  "plugin-exists": {
    exit: "usage",
    message: (d) => `${d.path} already exists`,
    remedy: () => `choose another name, or move it away`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function listed(choices: unknown): string {
  return Array.isArray(choices) ? choices.join(", ") : String(choices);
}
