import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";

/** The variable that holds the address, which is a secret: a command line is visible to all users and in logs. */
const variable = "PERFKEEP_NOTIFY_URL";
const services = ["slack", "mattermost", "teams", "json"];
/** Checks that reports exist for. */
const checks = ["check", "compare"];
/** Bytes of a message; verdicts in JSON are cut to this size. */
const mostCharacters = 200_000;
const mostVerdicts = 200;

/** Statuses of a check that gave a verdict. */
const judged: readonly number[] = [exitStatus.fine, exitStatus.found, exitStatus.inconclusive];

export const notify: Verb = {
  name: "notify",
  summary: "post the verdicts of a check to a chat or a webhook",
  details: [
    "Runs `check …` or `compare …` and posts what it reports. The address of a webhook is a secret: pass it in the",
    `environment (${variable}); it is never printed. Errors of the network or the server are retried twice.`,
    "",
    "Exit status: that of the check (0, 1 or 3); 74 if the message was not delivered.",
  ].join("\n"),
  examples: [
    "perfkeep notify --format slack check series HEAD~20..HEAD",
    "perfkeep notify --format teams --when worse -- compare main HEAD --min-effect 2%",
  ],
  operands: [{ name: "<check...>", synopsis: "the check: check … or compare …, with its options after --" }],
  options: [
    { flags: "--url <url>", synopsis: `address of the webhook (default: ${variable} of the environment)` },
    { flags: "--format <service>", synopsis: "format of the message", choices: services, default: "json" },
    {
      flags: "--when <outcome>",
      synopsis: "post always, or only when something is worse",
      choices: ["always", "worse"],
      default: "always",
    },
    { flags: "--dry-run", synopsis: "print the message instead of posting it" },
  ],
  async run(session, args) {
    const words = args.rest(0);
    if (!checks.includes(words[0] ?? ""))
      throw new Failure("bad-option", { option: "<check>", value: words[0] ?? "", expected: "check or compare" });
    const address = args.text("url") ?? session.world.environment[variable];
    const isDry = args.flag("dryRun");
    if (address === undefined && !isDry)
      throw new Failure("bad-option", { option: "--url", value: "", expected: `an address, or one in ${variable}` });
    const { status, message } = await check(session, words, args.text("format") ?? "json");
    if (isDry) session.output.data(`${message}\n`);
    else if (args.text("when") === "worse" && status !== exitStatus.found)
      session.output.note("nothing is worse: not posted");
    else {
      const { postJson } = await import("../../../workspace/serve/webhook.ts");
      await postJson(address ?? "", message);
      session.output.note("posted");
    }
    return status;
  },
};

/** Runs the check. Fails with its failure. */
async function check(
  { world, output }: Session,
  words: readonly string[],
  service: string,
): Promise<{ readonly status: number; readonly message: string }> {
  const { askSelf } = await import("../../../workspace/serve/subprocesses.ts");
  const bounds = { items: mostVerdicts, characters: mostCharacters, last: [] };
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const asked = [...words.slice(0, end), `--format=${service}`, ...words.slice(end)];
  const { status, answer, failure, reason } = await askSelf(world, asked, new AbortController().signal, bounds);
  if (status === null || !judged.includes(status) || answer === null)
    throw failure ?? new Failure("no-verdicts", { what: words.join(" "), reason: reason || `exit status ${status}` });
  if (failure !== undefined) output.note(failure.message);
  return { status, message: answer };
}
