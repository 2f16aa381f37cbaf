import { refusesWith, understandsOrRefuses } from "../../../../test/contracts/description-language.ts";
import { describe, expect, test } from "vitest";
import { parseInput } from "./input.ts";

const text = `# what b_eff prints
SEP string="*****"
SEP param=S_cache alias=cachesize run=yes
NAMED N_proc alias=NP ignore="= :"
named fs alias="file system" len=0
EXPL N_node row=13 pos=5 typed
ROW N_core row="number of processes"  pos=":" rep=5
TABLE S row="#bytes" skip=1 pos=1 unit=KiByte
TABLE T row="#bytes" skip=1 pos="t[usec]" unit=text
TABLE any pos=2 typed=no
SEP regexp="^-+ \\\\d"
FIXED N_run 16
FIXED comment "two  words"
FIXED other  two  words  
`;

const wide = `RULES stream
INPUT short
EXPERIMENT io
SYNOPSIS a = b
DATABASE host=db port=5432
NAMED call match=call terminator="(" match=jump trigger=t trigger_skip=-1 trigger_regexp=u+ store=yes sticky=no run=yes
NAMED text begin=B begin_skip=1 begin_regexp=C end=E
NAMED x match=x filter=x filter_i=y map={"a b",c} map_regexp={"d.*",""} scale=0.5
TABLE P row="# p" regexp=^q start=0 columns=3 rows=2 separator=";" run=yes pos=1
TABLE Q row="# p" regexp=^q start=0 columns=3 rows=2 separator=";" run=yes pos=+2 update=auto
TABLE R row="# p" regexp=^q start=0 columns=3 rows=2 separator=";" run=yes table=2 pos=1
FILENAME N match=_p terminator=. fuzzy=yes len=2
FILENAME N key=np key="n p" folder=2
DERIVED N_node store=yes = N_proc / N_ppn
DERIVED fs retrigger=sticky of=os map={Linux,ext2}
SPLIT trace update=yes
ENTER
  NAMED func match=enter
LEAVE
  NAMED t match=leave
STORE func
STORE t diff
END
`;

describe("parseInput", () => {
  test("reads every keyword of the original design and the new ones", () => {
    const { locations } = parseInput(text, "in");
    const plain = locations.map(({ origin, ...location }) => ({ ...location, at: origin.line }));
    expect(plain).toMatchObject([
      { kind: "separation", mark: { kind: "keyword", text: "*****" }, run: false },
      { kind: "separation", mark: { kind: "named", name: "S_cache", aliases: ["cachesize"] }, run: true },
      { kind: "named", name: "N_proc", aliases: ["NP"], blanks: "=:" },
      { kind: "named", name: "fs", aliases: ["file system"], length: 0 },
      { kind: "explicit", name: "N_node", row: { number: 13 }, position: { number: 5 }, typed: true },
      {
        kind: "explicit",
        name: "N_core",
        row: { text: "number of processes" },
        position: { text: ":" },
        repetition: 5,
        typed: false,
      },
      {
        kind: "table",
        rows: [{ text: "#bytes" }],
        start: 2,
        values: [
          { name: "S", position: { number: 1 } },
          { name: "T", position: { text: "t[usec]" }, unit: "text" },
        ],
      },
      { kind: "table", values: [{ name: "any", position: { number: 2 }, typed: false }] },
      { kind: "separation", mark: { kind: "pattern", source: "^-+ \\d" } },
      { kind: "fixed", name: "N_run", value: "16" },
      { kind: "fixed", name: "comment", value: "two  words" },
      { kind: "fixed", name: "other", value: "two  words", at: 14 },
    ]);
  });

  test("reads the keywords added for perfbase", () => {
    const { rules, id, experiment, synopsis, database, locations } = parseInput(wide, "in");
    expect({ rules, id, experiment, synopsis, database }).toEqual({
      rules: "stream",
      id: "short",
      experiment: "io",
      synopsis: "a = b",
      database: { host: "db", port: 5432 },
    });
    expect(locations).toMatchObject([
      {
        matches: [{ text: "call", terminator: "(" }, { text: "jump" }],
        triggers: [
          { mark: { kind: "keyword", text: "t" }, skip: -1 },
          { mark: { kind: "pattern", source: "u+" }, skip: 0 },
        ],
        storesRow: true,
        sticky: false,
        startsRun: true,
      },
      {
        block: {
          begin: [
            { mark: { text: "B" }, skip: 1 },
            { mark: { source: "C" }, skip: 0 },
          ],
          end: [{ mark: { text: "E" } }],
        },
      },
      {
        filters: [
          { source: "x", ignoreCase: false },
          { source: "y", ignoreCase: true },
        ],
        maps: [
          { from: { kind: "keyword", text: "a b" }, to: "c" },
          { from: { kind: "pattern", source: "d.*" }, to: "" },
        ],
        scale: 0.5,
      },
      {
        kind: "table",
        rows: [{ text: "# p" }, { kind: "pattern", source: "^q" }],
        start: 0,
        columns: 3,
        most: 2,
        separator: ";",
        startsRun: true,
        values: [{ position: { number: 1 } }, { position: { kind: "relative", offset: 2 }, update: "auto" }],
      },
      { kind: "table", values: [{ name: "R" }] },
      { kind: "filename", matches: [{ text: "_p", terminator: ".", fuzzy: true }], length: 2 },
      { kind: "filename", keys: ["np", "n p"], folder: 2 },
      { kind: "derived", storesRow: true, from: { term: { kind: "fraction" } } },
      { kind: "derived", retrigger: "sticky", from: { parameter: "os", maps: [{ to: "ext2" }] } },
      {
        kind: "split",
        enter: [{ name: "func" }],
        leave: [{ name: "t" }],
        stores: [
          { name: "func", store: "current" },
          { name: "t", store: "diff" },
        ],
        update: "yes",
      },
    ]);
  });

  test.each<[string, string]>([
    ["NAMED x terminator=a", "i:1:9: terminator needs match= before it"],
    ["NAMED x match=a terminator=b terminator=c", "i:1:30: terminator is given twice"],
    ["NAMED x begin=a", "i:1:1: begin needs end="],
    ["NAMED x mode=count len=3", "i:1:1: mode count takes no value"],
    ["NAMED x lines=2 begin=a end=b", "i:1:1: lines and marks of begin and end exclude each other"],
    ["NAMED x lines=2 len=3", "i:1:1: lines exclude len"],
    ["NAMED x mode=sum", "i:1:9: mode 'sum' is neither assign nor count"],
    ["NAMED x scale=ten", "i:1:9: scale 'ten' is not a number"],
    ["NAMED x map=a", "i:1:9: map needs two values"],
    ["NAMED x map={a,b,c}", "i:1:9: map needs two values"],
    ['NAMED x map_regexp={"(",b}', "i:1:9: invalid regular expression '('"],
    ["TABLE x row=a pos=1 skip=1 start=2", "i:1:28: skip= and start= exclude each other"],
    ["TABLE x pos=1 start=2", "i:1:15: start needs row="],
    ["DERIVED x", "i:1:1: DERIVED needs an expression"],
    ["DERIVED x = a +", "i:1:16: the expression ends"],
    ["DERIVED x of=y = a", "i:1:11: of and an expression exclude each other"],
    ["DERIVED x of=y", "i:1:1: DERIVED needs an expression, as in DERIVED x = a / b, or of= and map="],
    ["SPLIT x\nENTER\nNAMED a", "i:1:1: SPLIT needs END"],
    ["SPLIT x\nNAMED a", "i:2:1: NAMED within SPLIT needs ENTER or LEAVE before it"],
    ["SPLIT x\nENTER\nFIXED a 1", "i:3:1: unknown keyword 'FIXED'"],
    ["SPLIT x\nENTER\nNAMED a\nLEAVE\nNAMED a\nEND", "i:1:1: SPLIT x has nothing to STORE"],
    ["SPLIT x\nSTORE a dif", "i:2:9: 'dif' is none of current, enter, leave, max, min, diff, sum, did you mean diff?"],
    ["RULES streem", "i:1:1: rules 'streem' are neither sets nor stream, did you mean stream?"],
    ["RULES sets\nRULES sets", "i:2:1: RULES is given twice"],
    ["DATABASE port=99999", "i:1:10: port '99999' is above 65535"],
    ["EXPERIMENT 1", "i:1:1: '1' is not a valid name of an experiment"],
    ["NAEMD x", "i:1:1: unknown keyword 'NAEMD', did you mean NAMED?"],
    ["\n  NAMED", "i:2:3: NAMED needs the name of a parameter or result"],
    ["NAMED x aliass=y", "i:1:9: NAMED has no descriptor 'aliass', did you mean alias?"],
    ["NAMED x y", "i:1:9: 'y' is one word too many"],
    ["NAMED 1x", "i:1:7: '1x' is not a valid name"],
    ["NAMED x len=-1", "i:1:9: len '-1' is not an integer >= 0"],
    ["NAMED x unit=Btye", "i:1:9: unknown unit 'Btye'"],
    ["NAMED x ws=a ignore=b", "i:1:14: ws and ignore are the same"],
    ["NAMED x len=1 len=2", "i:1:15: len is given twice"],
    ["NAMED x alias=", "i:1:9: alias needs a text within one line"],
    ["NAMED x alias={a,b}", "i:1:9: alias takes one value, not a list"],
    ['NAMED x regexp="(?=a)"', "i:1:9: invalid regular expression '(?=a)'"],
    ["EXPL x pos=1", "i:1:1: EXPL needs row="],
    ["EXPL x row=0 pos=1", "i:1:8: EXPL needs row=, a number from 1 on"],
    ["EXPL x row=1", "i:1:1: EXPL needs pos="],
    ["EXPL x row=1 pos=0", "i:1:14: pos '0' is not an integer >= 1"],
    ["EXPL x row=-1 pos=1", "i:1:8: row '-1' is not an integer >= 0"],
    ["EXPL x row=1 pos=1 rep=2", "i:1:20: rep needs a keyword as pos"],
    ["TABLE x pos=1 skip=2", "i:1:15: skip needs row="],
    ["EXPL x row=a regexp=b pos=1", "i:1:14: row= and regexp= exclude each other"],
    ["TABLE x row=1 regexp=b pos=1", "i:1:1: a row's number excludes other rows"],
    ["TABLE x pos=1 typed=maybe", "i:1:15: typed 'maybe' is neither yes nor no"],
    ["SEP", "i:1:1: SEP needs one of string=, regexp= and param="],
    ["SEP string=a param=b", "i:1:1: SEP needs one of"],
    ["SEP string=a alias=b", "i:1:14: alias needs param="],
    ["SEP '***'", "i:1:5: SEP needs string=, regexp= or param= before ''***''"],
    ["FIXED x", "i:1:1: FIXED needs a name and a value"],
    ['FIXED x "a" b', "i:1:13: 'b' is one word too many after the quoted value"],
    ["# nothing\n", "i:2:1: there is no location"],
  ])("reports the position: %j", (source, message) => {
    refusesWith(message, () => parseInput(source, "i"));
  });
});

test("any text gives a description or a description error", () => {
  understandsOrRefuses(
    (source) => parseInput(source, "x"),
    [
      "SEP",
      "NAMED",
      "EXPL",
      "TABLE",
      "FIXED",
      " ",
      "\n",
      "x",
      "=",
      '"',
      "row=",
      "pos=",
      "1",
      "regexp=",
      "(",
      "\\",
      "{",
      "unit=",
      "alias=",
      "\u0000",
      "typed",
      "SPLIT x\nENTER\nLEAVE\nSTORE x\nEND",
      "DERIVED x = ",
      "FILENAME",
      "map={a,b}",
      "begin=a end=b",
      "match=",
      "terminator=",
      "RULES stream",
    ],
  );
});
