// Loaded before a measured program: leaves its peak resident memory (KiB) in a file when it ends.
process.on("exit", () =>
  require("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)),
);
