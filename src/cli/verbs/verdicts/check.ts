import {
  checkAll,
  checkHead,
  type ProfileCheck,
  type VersionCheck,
  type CheckMethod,
  checkProfiles,
  type CheckedPair,
  hasRegression,
  isInconclusive,
  changeVerdicts,
  pairVerdicts,
  noBaselineReason,
  verdictFormats,
} from "../../../commands/verdicts/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf, confirmOf } from "../../confirm.ts";
import {
  changeLines,
  checkSummary,
  machineNotes,
  mediumOf,
  noChange,
  type ReportWords,
  versionText,
  applyTriageTo,
  noteTriage,
  printVerdicts,
  checkJson,
} from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { checkSeriesVerb, firstExperiments, refuseWhy } from "./check-series.ts";
import { minorOption } from "../options.ts";

const methodOptions: readonly OptionSpec[] = [
  { flags: "--method <name>", synopsis: "comparison method (default: degradation.strategies)", means: ["checker"] },
  {
    flags: "--compat <program>",
    synopsis: "compute numbers as that program does, including its defects",
    choices: ["perun"],
  },
  { flags: "--any-machine", synopsis: "compare profiles of different machines" },
];

const modelsOption: OptionSpec = {
  flags: "--models-type <name>",
  synopsis: "models to compare, for methods that compare models (default: best-model)",
  choices: ["best-model", "best-param", "best-nonparam", "all-param", "all-nonparam", "all-models", "best-both"],
};

const computeOption: OptionSpec = {
  flags: "-c, --compute-missing",
  synopsis: "first measure commits without profiles of the configured matrix",
};

const whyOption: OptionSpec = {
  flags: "--why",
  synopsis: "explain changes: functions that differ and commits that touched their files",
};

const statuses = "Exit status: 0 no regression, 1 a regression, 3 no baseline, or nothing that can be judged.";

export const check: Verb = {
  name: "check",
  summary: "detect regressions and the commits that introduced them",
  subverbs: [
    {
      name: "head",
      summary: "compare a commit with its nearest ancestor that has comparable profiles",
      examples: ["perfkeep check head", "perfkeep check head v1.2 --method best-model-order --why"],
      details: statuses,
      operands: [{ name: "[rev]", synopsis: "commit (default: HEAD)" }],
      options: [...methodOptions, modelsOption, computeOption, whyOption],
      formats: ["json", ...verdictFormats],
      async run(session, args) {
        refuseWhy(session, args);
        const status = await measured(session, args, "head");
        const result = await checkHead(session.workspace, args.optionalOperand(0), methodOf(args));
        if (verdictFormats.includes(session.format)) return reportVersions(session, "check head", [result], status);
        const printed = await report(session, [result], status, {
          whys: args.flag("why") ? await explained(session, result) : new Map(),
          compat: args.text("compat"),
        });
        return printed === exitStatus.found
          ? triagedStatus(session, await changeVerdicts(session.workspace, [result]), status)
          : printed;
      },
    },
    {
      name: "all",
      summary: "compare every commit of the history",
      examples: ["perfkeep check all", "perfkeep check all main --format json"],
      details: statuses,
      operands: [{ name: "[rev]", synopsis: "first commit (default: HEAD)" }],
      options: [...methodOptions, modelsOption, computeOption],
      formats: ["json", ...verdictFormats],
      async run(session, args) {
        const status = await measured(session, args, "all");
        const versions: VersionCheck[] = [];
        for await (const version of checkAll(session.workspace, args.optionalOperand(0), methodOf(args)))
          versions.push(version);
        if (verdictFormats.includes(session.format)) return reportVersions(session, "check all", versions, status);
        const printed = await report(session, versions, status, { whys: new Map(), compat: args.text("compat") });
        return printed === exitStatus.found
          ? triagedStatus(session, await changeVerdicts(session.workspace, versions), status)
          : printed;
      },
    },
    {
      name: "profiles",
      summary: "compare two profiles",
      examples: ["perfkeep check profiles HEAD~1^0@i 0@i", "perfkeep check profiles old.perf new.perf"],
      details: statuses,
      operands: [
        { name: "<baseline>", synopsis: "older profile: tag, name, REV^tag, object or file" },
        { name: "<target>", synopsis: "newer profile" },
      ],
      options: [
        ...methodOptions,
        modelsOption,
        minorOption,
        { flags: "-f, --force", synopsis: "compare profiles of different configurations" },
      ],
      formats: ["json", ...verdictFormats],
      run: profiles,
    },
    checkSeriesVerb,
  ],
};

/** Measures missing profiles if requested; returns the exit status of failures. */
async function measured(session: Session, args: Arguments, scope: "head" | "all"): Promise<number> {
  const isWanted = args.flag("computeMissing");
  if (!isWanted && !(await session.workspace.config()).flag("degradation.collect_before_check")) return exitStatus.fine;
  const options = { revision: args.optionalOperand(0), scope, isWanted, confirm: confirmCommandsOf(session) };
  // Loaded lazily: most checks measure nothing.
  const [{ collectBeforeCheck }, { withProgress: watched }] = await Promise.all([
    import("../../../commands/jobs/collect-before-check.ts"),
    import("../profiles/job-options.ts"),
  ]);
  const { failed } = await watched(session, (watcher) =>
    collectBeforeCheck(session.workspace, options, { ...watcher, kept: () => {} }),
  );
  return failed[0]?.failure.exit ?? exitStatus.fine;
}

async function explained({ workspace }: Session, result: VersionCheck): Promise<ReportWords["whys"]> {
  const [{ explainChecks }, { changesWhyJson, whyLines }] = await Promise.all([
    import("../../../commands/verdicts/explain-verdict.ts"),
    import("../../print/verdicts/explanation.ts"),
  ]);
  const whys = await explainChecks(workspace, result);
  return new Map([...whys].map(([one, why]) => [one, { json: changesWhyJson(why), lines: whyLines(why) }]));
}

function methodOf(args: Arguments): CheckMethod {
  const [method, compat, modelsType] = ["method", "compat", "modelsType"].map((name) => args.text(name));
  return {
    ...(method === undefined ? {} : { method }),
    ...(compat === undefined ? {} : { compat }),
    ...(modelsType === undefined ? {} : { modelsType }),
    anyMachine: args.flag("anyMachine"),
  };
}

async function profiles(session: Session, args: Arguments): Promise<number> {
  const minor = args.text("minor");
  const result = await checkProfiles(session.workspace, {
    baseline: args.operand(0),
    target: args.operand(1),
    ...(minor === undefined ? {} : { minor }),
    ...methodOf(args),
    force: args.flag("force"),
    confirm: confirmOf(session),
  });
  if (verdictFormats.includes(session.format)) return reportPair(session, args, result);
  const { output } = session;
  if (session.format === "json") output.document("perfkeep.changes/1", jsonPair(result));
  else {
    const { paint, shown, drawn } = await mediumOf(session);
    for (const note of machineNotes(result)) output.data(`${note}\n`);
    if (result.incomparable !== undefined) output.data(`not compared: ${shown(result.incomparable)}\n`);
    else {
      const compat = args.text("compat");
      const summary = checkSummary(result.changes, paint, noChange(result.changes.length), compat);
      const lines = changeLines(result.changes, paint, compat);
      output.data(`${[...lines, summary].map(drawn).join("\n")}\n`);
    }
  }
  if (hasRegression([result]))
    return triagedStatus(session, await pairVerdicts(session.workspace, result), exitStatus.fine);
  return statusOfPair(result);
}

function jsonPair({ changes, otherMachine, unknownMachine, incomparable }: CheckedPair): object {
  return { changes, otherMachine, unknownMachine, ...(incomparable === undefined ? {} : { incomparable }) };
}

const statusOfPair = (pair: CheckedPair): number => (isInconclusive(pair) ? exitStatus.inconclusive : exitStatus.fine);

/** Prints one of `verdictFormats`; the status is 3 if nothing could be compared. */
async function reportVersions(
  session: Session,
  title: string,
  versions: readonly VersionCheck[],
  otherwise: number,
): Promise<number> {
  const checks = versions.flatMap((each) => each.checks);
  const verdicts = await changeVerdicts(session.workspace, versions);
  const triaged = await applyTriageTo(session, verdicts, statusWithout(checks, otherwise));
  const notes = [
    ...(checks.length === 0 ? ["no profile was measured"] : []),
    ...(checks.some((each) => each.otherMachine)
      ? ["some profiles were measured on another machine than their baseline"]
      : []),
  ];
  printVerdicts(session, title, triaged, notes);
  return triaged.status;
}

async function reportPair(session: Session, args: Arguments, result: CheckedPair): Promise<number> {
  const triaged = await applyTriageTo(session, await pairVerdicts(session.workspace, result), statusOfPair(result));
  const title = `check profiles ${args.operand(0)} ${args.operand(1)}`;
  printVerdicts(
    session,
    title,
    triaged,
    result.otherMachine ? ["the two profiles were measured on different machines"] : [],
  );
  return triaged.status;
}

/** The status after a regression: perfkeep.triage may accept all of them. */
async function triagedStatus(session: Session, verdicts: readonly Verdict[], otherwise: number): Promise<number> {
  const triaged = await applyTriageTo(session, verdicts, otherwise);
  noteTriage(session, triaged);
  return triaged.status;
}

/** `otherwise` is the status without a regression. */
async function report(
  session: Session,
  versions: readonly VersionCheck[],
  otherwise: number,
  { whys, compat }: ReportWords,
): Promise<number> {
  const { output } = session;
  const checks = versions.flatMap((version) => version.checks);
  if (session.format === "json")
    output.document("perfkeep.changes/1", {
      changes: checks.flatMap((one) => one.changes),
      versions: versions.map((version) => jsonVersion(version, whys)),
    });
  else {
    const medium = await mediumOf(session);
    for (const version of versions) output.data(versionText(version, medium, { whys, compat }));
  }
  if (hasRegression(checks)) return exitStatus.found;
  if (!checks.some((one) => one.baseline !== null)) output.note(await withoutBaseline(session, versions));
  return statusWithout(checks, otherwise);
}

async function withoutBaseline({ workspace }: Session, versions: readonly VersionCheck[]): Promise<string> {
  const pending = workspace.pending().length;
  const hint = pending === 0 ? "" : `; ${pending} pending: perfkeep add --all registers them where they were measured`;
  if (versions.some(({ checks }) => checks.length > 0))
    return `no baseline: ${await noBaselineReason(workspace)}${hint}`;
  const nothing = versions.length === 0 ? "no commit has a" : "the commit has no";
  const experiments = (await firstExperiments(workspace)).map(terminalText).join(" or ");
  const others = experiments === "" ? "" : `; perfkeep check series --experiment ${experiments} checks results`;
  return `nothing was checked: ${nothing} registered profile${hint}${others}`;
}

/** The status without a regression: 3 if nothing was judged, or if a pair cannot be compared. */
function statusWithout(checks: readonly ProfileCheck[], otherwise: number): number {
  const isKnown =
    checks.some((one) => one.baseline !== null && !isInconclusive(one)) &&
    checks.every((one) => one.incomparable === undefined);
  return isKnown ? otherwise : exitStatus.inconclusive;
}

function jsonVersion({ version, checks }: VersionCheck, whys: ReportWords["whys"]): object {
  const explained = checks.map((one) => {
    const why = whys.get(one);
    return why === undefined ? checkJson(one) : { ...checkJson(one), why: why.json };
  });
  return { version: version.id, checks: explained };
}
