import { importerContract } from "../../../../test/contracts/importer.ts";
import { parseExperiment } from "../../../formats/descriptions/experiment/experiment.ts";
import { parseInput } from "../../../formats/descriptions/input/input.ts";
import { description } from "./description.ts";

const experiment = parseExperiment(
  "*experiment ping\n*parameter op string\n*parameter S int Byte\n*parameter np int\n*parameter host string once\n*result T float us\n*result B float MByte/s\n",
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
    name: "single contents, a run each",
    bytes: new TextEncoder().encode("run 1 host=a\nop: read took 5 us\n\nrun 2 host=b\nop: write took 6 ms\n"),
    guide: {
      experiment,
      description: parseInput(
        'SEP regexp="^run [0-9]+" run=yes\nNAMED host\nNAMED op\nNAMED T regexp="took ([0-9]+)"\nEXPL S row=run pos=1 typed\nFIXED np 1',
        "runs.in",
      ),
    },
  },
]);
