import type { FailureKind } from "./kind.ts";

/** Failures of the command line itself. */
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
    remedy: () => `add --help to see what the command expects`,
  },
  "unknown-verb": {
    exit: "usage",
    message: (d) => `unknown command '${d.verb}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () => `perfkeep --help lists all commands`,
  },
  "unknown-plugin": {
    exit: "usage",
    message: (d) => `unknown ${d.kind} '${d.name}'${d.near ? `, did you mean ${d.near}?` : ""}`,
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
    remedy: () => `choose another place with -o`,
  },
  "no-terminal": {
    exit: "usage",
    message: (d) => `'${d.question}' cannot be asked without a terminal`,
    remedy: (d) => `${d.instead}`,
  },
  "not-loopback": {
    exit: "usage",
    message: (d) => `--host ${d.host} lets other machines in`,
    remedy: () =>
      `leave it out, or add --allow-remote: whoever has the address that is printed can read everything and write decisions`,
  },
  "cannot-listen": {
    exit: "host",
    message: (d) => `cannot listen on ${d.host} port ${d.port}: ${d.reason}`,
    remedy: () => `choose another --port, or none for any that is free`,
  },
  "bad-page-request": {
    exit: "usage",
    message: (d) => `${d.call} has no fitting '${d.word}'`,
    remedy: () => `reload the page`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function listed(choices: unknown): string {
  return Array.isArray(choices) ? choices.join(", ") : String(choices);
}
