import fc from "fast-check";

/* Property tests use a fixed seed in CI, so that they do not fail by chance, and random inputs elsewhere. */
if (process.env["CI"]) fc.configureGlobal({ seed: 1_402_653_007 });
