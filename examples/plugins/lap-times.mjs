/** `sort n=1000 stable=yes: 12.5 ms`: a benchmark, its parameters, and what it took. */
const resultLine = /^([a-z][\w/-]{0,99})((?: [a-z]\w{0,30}=[^ :]{1,60}){0,9}): ([\d.]{1,20}) (ns|us|ms|s)$/;

const firstLine = "# lap-times";

/**
 * Reads the times that a small benchmark prints, with parameters. Lines that are the same but for their time are
 * samples.
 *
 * @param {import("perfkeep/plugin").PluginKit} kit
 * @returns {import("perfkeep/plugin").Importer}
 */
export function plugin(kit) {
  return kit.reportImporter({
    name: "lap-times",
    synopsis: "lines of benchmarks with parameters, and their times",
    marks: "a first line `# lap-times`",
    sniff: (head) => ([...kit.reportLines(head)][0] === firstLine ? 0.9 : 0),

    reports(bytes) {
      const results = new kit.RepeatedResults();
      for (const line of kit.reportLines(bytes)) {
        const [, benchmark = "", given = "", amount = "", unit = ""] = resultLine.exec(line) ?? [];
        if (benchmark !== "") results.add(benchmark, [["time", kit.printedSeconds(amount, unit)]], parametersIn(given));
      }
      return [results.report([{ name: "time", unit: "s", better: "lower" }])];
    },
  });

  /** @param {string} given */
  function parametersIn(given) {
    const pairs = given.split(" ").flatMap((pair) => {
      const [name = "", text = ""] = pair.split("=");
      const number = kit.printedNumber(text);
      return name === "" ? [] : [/** @type {const} */ ([name, Number.isNaN(number) ? text : number])];
    });
    return new Map(pairs);
  }
}
