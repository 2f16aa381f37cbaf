// Preloaded into a measured program: counts file system calls and started processes, and writes the counts to a file at
// exit.
const fs = require("node:fs");
const children = require("node:child_process");
const { syncBuiltinESMExports } = require("node:module");

const counts = { calls: 0, listed: 0, read: 0, written: 0, syncs: 0, processes: 0, answered: 0 };

/** Additional counts by the result of a call. */
const results = {
  readdirSync: (names) => (counts.listed += names.length),
  readSync: (bytes) => (counts.read += bytes),
  readFileSync: (data) => (counts.read += data.length),
  writeSync: (bytes) => (counts.written += bytes),
  fsyncSync: () => (counts.syncs += 1),
};

function counted(action, note) {
  const replaced = function (...words) {
    const answer = Reflect.apply(action, this, words);
    note(answer);
    return answer;
  };
  return Object.assign(replaced, action);
}

/** Counts a function that passes the number of bytes to a callback. */
function countedRead(action) {
  return function (...words) {
    counts.calls += 1;
    const done = words.pop();
    const callback = (error, bytes, ...more) => {
      counts.read += bytes ?? 0;
      done(error, bytes, ...more);
    };
    return Reflect.apply(action, this, [...words, callback]);
  };
}

for (const [name, action] of Object.entries(fs)) {
  if (!name.endsWith("Sync") || typeof action !== "function") continue;
  fs[name] = counted(action, (answer) => {
    counts.calls += 1;
    results[name]?.(answer);
  });
}
fs.read = countedRead(fs.read);
/** Output pipes of started processes, for the number of bytes read. */
const pipes = [];

children.spawnSync = counted(children.spawnSync, ({ stdout }) => {
  counts.processes += 1;
  counts.answered += stdout?.length ?? 0;
});
children.spawn = counted(children.spawn, ({ stdout }) => {
  counts.processes += 1;
  if (stdout) pipes.push(stdout);
});
syncBuiltinESMExports();

const { writeFileSync } = fs;
process.on("exit", () => {
  const answered = pipes.reduce((sum, { bytesRead }) => sum + bytesRead, counts.answered);
  const found = { ...counts, answered, peak: process.resourceUsage().maxRSS };
  writeFileSync(process.env.COUNT_FILE, JSON.stringify(found));
});
