import type { FailureKind } from "./kind.ts";

/** Failures of profiles: their format, their origin, their look-up. */
export const profileFailures = {
  "not-a-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a profile: ${d.reason}`,
    remedy: () => `a profile is one JSON object with a header and resources`,
  },
  "not-numbers": {
    exit: "nothingMatched",
    message: (d) => `no row has a number in ${Array.isArray(d.columns) ? d.columns.join(" and in ") : d.columns}`,
    remedy: () => `name other columns with --per-key and --of-key; perfkeep show PROFILE tableof resources lists them`,
  },
  "not-json": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: not JSON: ${d.reason}`,
    remedy: () => `mend the file at that place, or write it again with the program that made it`,
  },
  "not-perf-script": {
    exit: "badInput",
    message: (d) => `${d.file}: no sample of perf script`,
    remedy: () => `write it by perf script; at least the fields comm, tid, and time or event have to be there`,
  },
  "bad-stack-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a whole profile of ${d.format}: ${d.reason}`,
    remedy: () => `copy the file again, or write it again with the program that made it`,
  },
  "no-stacks": {
    exit: "badInput",
    message: (d) => `${d.file}: no stack in it that could be one of ${d.what}`,
    remedy: () => `if it is of another format, name that with --from`,
  },
  "unknown-value-type": {
    exit: "usage",
    message: (d) => `${d.file}: no quantity '${d.type}' in it`,
    remedy: (d) =>
      `it has ${Array.isArray(d.choices) ? d.choices.join(", ") : d.choices}; name one of them with --type`,
  },
  "not-v8-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a profile of V8: ${d.reason}`,
    remedy: () => `write it again by node --cpu-prof or --heap-prof, or from the browser's developer tools`,
  },
  "not-callgrind": {
    exit: "badInput",
    message: (d) => `${d.file}: not written by callgrind: ${d.reason}`,
    remedy: () => `write it again by valgrind --tool=callgrind`,
  },
  "profile-too-large": {
    exit: "badInput",
    message: (d) => `${d.file}: the profile has more than ${d.limit} bytes`,
    remedy: () => `store a profile of fewer resources`,
  },
  "profile-not-found": {
    exit: "nothingMatched",
    message: (d) => `profile '${d.profile}' was not found`,
    remedy: () => `name a file, a tag of perfkeep status (0@i, 0@p), an object, or a registered or pending name`,
  },
  "ambiguous-profile": {
    exit: "usage",
    message: (d) => `profile '${d.profile}' may be ${Array.isArray(d.candidates) ? d.candidates.join(", ") : ""}`,
    remedy: () => `write one of them in full`,
  },
  "bad-tag": {
    exit: "usage",
    message: (d) => `invalid tag '${d.tag}'`,
    remedy: (d) => `choose from ${Array.isArray(d.choices) ? d.choices.join(", ") : d.choices}`,
  },
  "missing-origin": {
    exit: "badInput",
    message: (d) => `${d.profile}: the profile does not say which version it was measured at`,
    remedy: () => `register it with --force when you are sure of the version`,
  },
  "wrong-origin": {
    exit: "badInput",
    message: (d) => `${d.profile}: measured at ${d.origin}, not at ${d.version}`,
    remedy: (d) => `register it with --minor ${d.origin}, or with --force`,
  },
  "dirty-profile": {
    exit: "badInput",
    message: (d) => `${d.profile}: measured in a tree with uncommitted changes`,
    remedy: () => `commit and measure again, or register it with --allow-dirty`,
  },
  "bad-object-id": {
    exit: "usage",
    message: (d) => `'${d.id}' is not the id of an object`,
    remedy: () => `an id is 40 hexadecimal digits; perfkeep status --format json lists them`,
  },
  "no-independent-key": {
    exit: "usage",
    message: () => `the rows have none of the usual columns to relate amounts to`,
    remedy: (d) => `name one by --per: ${d.known}`,
  },
  "several-quantities": {
    exit: "usage",
    message: (d) => `the amounts of the rows do not add up, they are of several things: ${d.known}`,
    remedy: () => `choose one with --subtype NAME (convert --to: --type NAME), or the rows with --where`,
  },
  "no-such-subtype": {
    exit: "usage",
    message: (d) => `no row has the subtype '${d.subtype}'`,
    remedy: (d) => `the rows have: ${d.known}`,
  },
  "unknown-profile-format": {
    exit: "badInput",
    message: (d) => `${d.file}: its first bytes are of no format that profiles are made of`,
    remedy: (d) =>
      `known are ${Array.isArray(d.known) ? d.known.join(", ") : d.known}; ${d.option ?? "--reader"} NAME takes one all the same`,
  },
  "packed-file": {
    exit: "badInput",
    message: (d) => `${d.path}: ${d.reason}`,
    remedy: (d) => `${d.instead}`,
  },
  "unlike-profiles": {
    exit: "badInput",
    message: (d) => `profile ${d.target} cannot be compared with ${d.baseline}: ${d.reason}`,
    remedy: () => `compare profiles of the same quantity; perfkeep show PROFILE raw tells the units of each`,
  },
  "incompatible-profiles": {
    exit: "badInput",
    message: (d) => `profiles of different configurations: ${d.baseline} and ${d.target}`,
    remedy: () => `compare them nevertheless with --force`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
