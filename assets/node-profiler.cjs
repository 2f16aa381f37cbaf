// Loaded into Node.js by perfkeep's collectors node and node-heap, where a program or what it starts is run: takes a
// profile of this thread and writes it when the thread ends. Processes that were started with Node's own flag do
// without: its profiles begin earlier, and a terminated worker has one, too.
"use strict";
const { PERFKEEP_V8_FOLDER: folder, PERFKEEP_V8_KIND: kind, PERFKEEP_V8_INTERVAL: interval } = process.env;

if (folder && !process.execArgv.some((word) => word.startsWith(`--${kind}-prof`))) profile();

function profile() {
  const { writeFileSync } = require("node:fs");
  const { Session } = require("node:inspector");
  const { threadId } = require("node:worker_threads");
  const session = new Session();
  session.connect();
  const isCpu = kind === "cpu";
  if (isCpu) {
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: Number(interval) });
    session.post("Profiler.start");
  } else session.post("HeapProfiler.startSampling", { samplingInterval: Number(interval) });
  // Requests of a thread to itself are answered at once, so that there is time for it in a handler of `exit`.
  process.once("exit", () => {
    session.post(isCpu ? "Profiler.stop" : "HeapProfiler.stopSampling", (error, answer) => {
      if (error) return;
      const [kind, extension] = isCpu ? ["CPU", "cpuprofile"] : ["Heap", "heapprofile"];
      const name = `${kind}.0.0.${process.pid}.${threadId}.001.${extension}`;
      try {
        writeFileSync(`${folder}/${name}`, JSON.stringify(answer.profile));
      } catch {
        // A full disk must not change how the program ends; what is missing is noticed by who reads the folder.
      }
    });
  });
}
