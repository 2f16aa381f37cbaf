import { importerContract } from "../../../../../test/contracts/importer.ts";
import { parseExperiment } from "../../../../formats/descriptions/experiment/experiment.ts";
import { parseInputXml } from "../../../../formats/descriptions/input/input-xml.ts";
import { description } from "../description.ts";

const experiment = parseExperiment(
  `*experiment trace
*parameter host string once
*parameter procs int once
*parameter note text once
*parameter op string
*parameter size int Byte
*parameter depth int
*result T float us
*result all float once
`,
  "trace.exp",
);

const listing = `host: n\u00f6de1, 4 processes
BEGIN a note
of two lines END
# op = Bcast
#bytes  t[usec]
     0     8.80
     8     9.62
# total 18.42 us

# op = Gather
#bytes  t[usec]
     0    18.80
     8     n/a
    16    20,5
====
host: b, 8 processes
enter at 1
enter at 2
leave at 4
leave at 8
`;

const named = (name: string, marks: string, attributes = ""): string =>
  `<named_location ${attributes}><name>${name}</name>${marks}</named_location>`;

const at = (word: string): string => named("T", `<regexp>${word} at </regexp>`, 'store_set="yes"');

importerContract(description, [
  {
    name: "by perfbase's rules",
    bytes: new TextEncoder().encode(listing),
    guide: {
      experiment,
      description: parseInputXml(
        `<input>
          <set_separation><match>====</match></set_separation>
          ${named("host", '<match terminator=",">host:</match>')}
          ${named("procs", "<match>processes</match>", 'content="leads"')}
          ${named("note", '<match marker="begin">BEGIN</match><match marker="end">END</match>')}
          ${named("op", "<trigger><match>#bytes</match><skip>-1</skip></trigger><match>op =</match>")}
          ${named("all", "<match>total</match>", 'mode="accumulate"')}
          <tabular_location columns="2"><match>#bytes</match><skip>1</skip>
            <tabular_value><name>size</name></tabular_value>
            <tabular_value><name>T</name></tabular_value></tabular_location>
          <split_location><name>calls</name><enter>${at("enter")}</enter><leave>${at("leave")}</leave>
            <store><name store="diff">T</name></store></split_location>
          <derived_parameter><name>depth</name><term><product>
            <factor><parameter>size</parameter></factor>
            <factor><parameter>procs</parameter></factor></product></term></derived_parameter>
        </input>`,
        "trace.xml",
      ),
    },
  },
]);
