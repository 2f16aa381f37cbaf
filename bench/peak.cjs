// Preloaded into a measured program: writes its peak resident memory (KiB) to a file at exit.
process.on("exit", () =>
  require("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)),
);
