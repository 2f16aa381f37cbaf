/**
 * @param {import("perfkeep/plugin").PluginKit} kit
 * @returns {import("perfkeep/plugin").Collector}
 */
export function plugin(kit) {
  /** @type {import("perfkeep/plugin").Collector} */
  const collector = {
    kind: "collector",
    name: "peak-memory",
    synopsis: "the most memory that a command has at once",
    profileType: "memory",
    options: [kit.collectorOption("repeat", "integer", 3, "runs, one row each")],
    async prepare() {},

    async collect(job, shell, progress = () => {}) {
      const repeat = kit.countOf("peak-memory", job.params, "repeat", 3, 1, 1000);
      const argv = kit.splitCommand(`${job.cmd} ${job.workload}`);
      /** @type {number[]} */
      const bytes = [];
      for (let run = 1; run <= repeat; run++) {
        const outcome = await shell.run(argv, { directory: job.directory });
        kit.requireSuccess(outcome, job);
        if (Number.isNaN(outcome.peakBytes))
          kit.refuse("this machine does not report the peak memory of a process", "measure on Linux");
        bytes.push(outcome.peakBytes);
        progress(run / repeat);
      }
      return kit.profileOf({
        type: "memory",
        cmd: job.cmd,
        workload: job.workload,
        machine: job.machine,
        units: { memory: "B" },
        collector: { name: "peak-memory", params: kit.jsonObject({ repeat: kit.JsonNumber.integer(repeat) }) },
        subjects: [
          {
            properties: kit.jsonObject({ uid: job.cmd, type: "memory", subtype: "peak-memory" }),
            columns: [{ name: "amount", type: "integer", values: bytes }],
          },
        ],
      });
    },
  };
  return Object.freeze(collector);
}
