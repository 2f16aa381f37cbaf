import fc from "fast-check";

/* A check of a change must not fail by chance: there properties are tried on the same inputs every time, elsewhere on others each time. */
if (process.env["CI"]) fc.configureGlobal({ seed: 1_402_653_007 });
