// Proposes an experiment and an input description for sample files, and checks the proposal with the importer.
// Used by the verb describe.
// Never stores anything and never writes a file: the verb does, on request.

export { type DescribedSample, type DescribeResult, describeSamples } from "./describe.ts";
