/**
 * The contract suites that a user's plug-in is held to, for vitest: `perfkeep/contracts`. The built-in plug-ins pass
 * the same ones.
 */
export { amountsRun, checkerContract } from "./checker.ts";
export { collectorContract, type CollectorCase } from "./collector.ts";
export { detectorContract } from "./detector.ts";
export { generatorContract, paperWorld, type GeneratorCase, type PaperWorld } from "./generator.ts";
export { gitRepositories, type GitRepositories } from "./git-repositories.ts";
export { curve, pointsRun, postprocessorContract, type Pairs } from "./postprocessor.ts";
export { readerContract } from "./reader.ts";
export { rendererContract } from "./renderer.ts";
export { readReport, reportImporterContract, type ReadRun } from "./report-importer.ts";
export { vcsContract, type ScriptedRepository } from "./vcs.ts";
export { sampleRun, viewContract } from "./view.ts";
export { fakeShell, type FakeProgram, type FakeShell } from "../fakes/shell.ts";
