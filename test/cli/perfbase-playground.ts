import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Playground, type Ended } from "./program.ts";

const experiment = [
  "<experiment><name>disk</name>",
  "<info><performed_by><name>Ada</name><organization>Lab</organization></performed_by>",
  "<synopsis>how fast disks write</synopsis><description>A sample.</description></info>",
  '<parameter occurrence="once"><name>host</name><synopsis>machine</synopsis><datatype>string</datatype></parameter>',
  "<parameter><name>size</name><synopsis>chunk</synopsis><datatype>" +
    "integer</datatype><unit><base_unit>byte</base_unit></unit></parameter>",
  "<result><name>rate</name><synopsis>speed</synopsis><datatype>float</datatype><default/></result></experiment>",
].join("\n");

/** Input description of the experiment. */
export const input = [
  '<input id="disk_in"><named_location><name>host</name><match>host:</match></named_location>',
  "<tabular_location><match>size rate</match><skip>1</skip>",
  "<tabular_value><name>size</name><pos>0</pos></tabular_value>",
  "<tabular_value><name>rate</name><pos>1</pos></tabular_value></tabular_location></input>",
].join("\n");

/** The program under the name perfbase, with descriptions and files of an experiment. */
export class Perfbase extends Playground {
  readonly program2: string = join(this.home, "perfbase");

  constructor() {
    super();
    symlinkSync(this.program, this.program2);
    this.environment = { PERFKEEP_HOME: join(this.home, "kept"), PB_EXPERIMENT: "disk", USER: "ada" };
    this.write("exp.xml", experiment);
    this.write("inp.xml", input);
    this.write("a.dat", "host: node7\nsize rate\n1024 0.5\n4096 2\n");
    this.write("b.dat", "host: node8\nsize rate\n1024 8.25\n");
  }

  pb(...words: string[]): Ended {
    return this.start(this.program2, words);
  }

  /** Expects success. */
  did(...words: string[]): string {
    const ended = this.pb(...words);
    if (ended.status !== 0) throw new Error(`perfbase ${words.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
    return ended.stdout;
  }

  /** Two runs, of 2004-11-23 and the day after. */
  filled(): this {
    this.did("setup", "-d", "exp.xml");
    this.did("input", "-d", "inp.xml", "-s", "first", "-p", "2004-11-23", "a.dat");
    this.did("input", "-d", "inp.xml", "-p", "2004-11-24", "b.dat");
    return this;
  }
}
