import { importerContract } from "../../../../test/contracts/importer.ts";
import { parseExperiment } from "../../../formats/descriptions/experiment/experiment.ts";
import { parseInput } from "../../../formats/descriptions/input/input.ts";
import { description } from "./description.ts";

const experiment = parseExperiment(
  [
    "*experiment ping",
    "*parameter op string",
    "*parameter S int Byte",
    "*parameter np int",
    "*parameter host string once",
    "*result T float us",
    "*result B float MByte/s",
    "",
  ].join("\n"),
  "ping.exp",
);
const listing = `# host : n\u00f6de1
# Benchmarking PingPong
# #processes = 2
  #bytes  t[usec]  Mbytes/sec
       0     8.80        0.00
       8     9.62        0.10
# Benchmarking Bcast
# #processes = 4
  #bytes  t[usec]  Mbytes/sec
       0    18.80        0.00
`;

importerContract(description, [
  {
    name: "tables between separators",
    bytes: new TextEncoder().encode(listing),
    guide: {
      experiment,
      description: parseInput(
        `SEP string="# Benchmarking"
NAMED op alias=Benchmarking
NAMED np alias="#processes"
NAMED host
TABLE S row=#bytes pos=#bytes
TABLE T row=#bytes pos=t[usec]
TABLE B row=#bytes pos=3`,
        "ping.in",
      ),
    },
  },
  {
    name: "single values, a run each",
    bytes: new TextEncoder().encode("run 1 host=a\nop: read took 5 us\n\nrun 2 host=b\nop: write took 6 ms\n"),
    guide: {
      experiment,
      description: parseInput(
        [
          'SEP regexp="^run [0-9]+" run=yes',
          "NAMED host",
          "NAMED op",
          'NAMED T regexp="took ([0-9]+)"',
          "EXPL S row=run pos=1 typed",
          "FIXED np 1",
        ].join("\n"),
        "runs.in",
      ),
    },
  },
]);
