import type { FailureKind } from "./kind.ts";

/** Failures of what compares measurements and looks for changes. */
export const verdictFailures = {
  "bad-series": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () =>
      `a table of series is CSV: a line of names, then a line for each place with its label and a number for each series, or nothing`,
  },
  "bad-triage": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: ${d.reason}`,
    remedy: () =>
      `correct the line: "KEY" VERSION STATE WHO, WHEN AND WHY (docs/triage.md); perfkeep triage add writes such lines`,
  },
  "bad-threshold": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () =>
      `correct or delete the entry (docs/calibrate.md); perfkeep calibrate writes entries anew, --no-thresholds does without`,
  },
  "circular-names": {
    exit: "badInput",
    message: (d) => `${d.file}: '${d.key}' was renamed in a circle, or to two names`,
    remedy: () => `keep one line with 'renamed' for each old key, and none that leads back`,
  },
  "no-series": {
    exit: "inconclusive",
    message: (d) =>
      `there is nothing to check: nothing that fits was measured in the ${d.versions} versions of the history`,
    remedy: () =>
      `check --collector, --cmd, --location and the range, add profiles (perfkeep run job, perfkeep add), or name an experiment`,
  },
  "nothing-to-compare": {
    exit: "inconclusive",
    message: (d) => `nothing to compare: ${d.what}`,
    remedy: (d) => `${d.instead}`,
  },
  "no-measurements": {
    exit: "badInput",
    message: (d) => `${d.file} holds no samples: ${d.reason}`,
    remedy: () =>
      `give a file of a format that perfkeep import --list-formats shows, CSV with columns benchmark,value,unit, or a JSON object with these on each line (docs/compare.md)`,
  },
  "bad-measurement": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () => `each line names a benchmark and one finite number: "benchmark", "value", and perhaps "unit"`,
  },
  "no-models-compared": {
    exit: "usage",
    message: (d) => `the method ${d.method} compares no models, so that --models-type ${d.modelsType} says nothing`,
    remedy: () => `leave out --models-type, or choose integral-comparison or local-statistics with --method`,
  },
  "bisect-ends": {
    exit: "usage",
    message: (d) => `nothing lies between ${d.good} and ${d.bad}: ${d.reason}`,
    remedy: () => `name first a version from before the change, then one with it that comes from the first`,
  },
  "bisect-end-unmeasurable": {
    exit: "host",
    message: (d) =>
      `version ${d.version}, between which and another one is to be searched, cannot be measured: ${d.reason}`,
    remedy: () => `name versions that build and run, and what builds them with --build`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
