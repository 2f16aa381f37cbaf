import { describe, expect, test } from "vitest";
import { concatTables } from "../../../core/tables/table-builder.ts";
import { rowsOf } from "../../../core/tables/table.ts";
import type { Value } from "../../../core/values/value.ts";
import { parseExperiment } from "../../../formats/descriptions/experiment/experiment.ts";
import { parseInput } from "../../../formats/descriptions/input/input.ts";
import type { ImportEvent } from "../importer.ts";
import { description } from "./description.ts";
import { chunks, eventsOf, failure, readText, rows, summary } from "../../../../test/importers/read-description.ts";

describe("NAMED", () => {
  test.each([
    ["NAMED T", "T=5", 5],
    ["NAMED T", "the T : 5.5, it says", 5.5],
    ["NAMED T", "MT=1 T=2", 2],
    ["NAMED T", "Time=7\nT=x\nT 8", 8],
    ['NAMED T alias="time taken"', "time taken (5)", 5],
    ['NAMED T alias=t ws="- >"', "t->6", 6],
    ["NAMED T", "T=5us", 5],
    ["NAMED T", "T=5ms", 5000],
    ["NAMED T unit=ms", "T=5", 5000],
    ["NAMED T unit=ms", "T=5s", 5e6],
    ['NAMED T alias="time (ms):"', "time (ms): 5", 5000],
    ['NAMED T match="time [ms] ="', "time [ms] = 5 s", 5e6],
    ['NAMED T alias=t_ms alias="wall ms"', "wall ms: 5", 5000],
    ['RULES stream\nNAMED T match="time (ms):" store=yes', "time (ms): 5", 5000],
    ['NAMED T alias="time (ms):" unit=us', "time (ms): 5", 5],
    ['NAMED T alias="time (ms):" scale=1', "time (ms): 5", 5],
    ['NAMED T alias="a (ms)" alias="b (s)"', "a (ms): 5", 5],
    ['NAMED T alias="time (MB):"', "time (MB): 5", 5],
    ["NAMED T unit=text", "T 3 apples, T=5 ms", 5000],
    ["NAMED T", "T=5Byte\nT=9", 9],
    ["NAMED T", "T=5abc\nT=0x10\nT=1e3", 1000],
    ["NAMED T", "T = nan", Number.NaN],
    ['NAMED T regexp="took ([0-9.]+)"', "T=1 took 2.5s", 2.5e6],
    ['NAMED T regexp="took ([0-9.]+)"', "took 2.5 (ms) in all", 2500],
    ['NAMED T regexp="took (?<T>[0-9]+) ms"', "took 2 ms", 2000],
    ['NAMED T regexp="took ([0-9.]+)"', "took 2.5 min", 2.5],
    ['NAMED T regexp="took ([0-9.]+)" unit=ms', "took 2.5", 2500],
    ['NAMED T regexp="took ([0-9.]+)" map={2.5,3}', "took 2.5 s", 3],
    ['PATTERN regexp="took (?<T>[0-9]+)" rows=yes', "took 2 ms", 2000],
    ['NAMED T regexp="^[a-z]+ took"', "T=1\nit took 4 us", 4],
  ])("%s in %j", async (input, data, value) => {
    expect(await rows(input, data)).toEqual([[value]]);
  });

  test("texts: a word, some characters, the rest of the line", async () => {
    const data = "host: my host name \r\nnote: all  of this \r\n";
    expect((await readText("NAMED host\nNAMED note\nNAMED total alias=x", `${data}x 1`)).runs[0]?.once).toEqual({
      host: "my",
      note: "all  of this",
      total: 1,
    });
    expect((await readText("NAMED host len=0", data)).runs[0]?.once).toEqual({ host: "my host name" });
    expect((await readText("NAMED host len=4", data)).runs[0]?.once).toEqual({ host: "my h" });
  });

  test("dates may have several words", async () => {
    const once = (await readText("NAMED when alias=Date", "# Date       : Sun Jun 30 12:15:58 2002 by me\n")).runs[0]
      ?.once;
    expect(once).toEqual({ when: Date.parse("2002-06-30T12:15:58Z") * 1000 });
  });

  test("the first value of a set counts; a second one is reported once", async () => {
    const read = await readText("NAMED T", "T=1\nT=1\nT=2\nT=3\n");
    expect(read.runs[0]?.rows).toEqual([[1]]);
    expect(read.notices).toEqual(["3: 'T' again in the same input set: the first value counts"]);
  });
});

describe("EXPL and ROW", () => {
  const data = "first 1 2.5 x\nnumber of processes: a:b:c:d: 16 17\nnumber of processes: 99\n";
  test.each([
    ["EXPL T row=1 pos=3", 2.5],
    ["EXPL T row=1 pos=2 typed", 2.5],
    ["EXPL op row=1 pos=2 typed", "x"],
    ['EXPL np row="number of processes" pos=":" rep=5', 16],
    ['ROW np row="number of processes" pos=a typed', 16],
    ['ROW np regexp="^number.*9$" pos=1 typed', 99],
    ["ROW op row=2 pos=3 len=7", "process"],
    ["ROW op row=2 pos=3 len=0", "processes: a:b:c:d: 16 17"],
    ['ROW np row=2 pos=8 ws=":"', 16],
  ])("%s", async (input, value) => {
    expect(await rows(`${input}\n${input.includes(" T ") ? "" : "NAMED T alias=first"}`, data)).toEqual([
      input.includes(" T ") ? [value] : [value, 1],
    ]);
  });

  test("a row after the end of the input, or an entry of another type, has no match", async () => {
    expect(await failure("EXPL T row=9 pos=1", data)).toContain(
      "no value of the description was found in 3 lines of input, searched for T",
    );
    expect(await failure("EXPL T row=1 pos=4", data)).toContain("no value");
  });
});

describe("TABLE", () => {
  const table = "TABLE S row=#bytes pos=1\nTABLE T row=#bytes pos=2\n";
  test("starts below its row, skips rules and empty lines, and ends at another entry count or type", async () => {
    const data = "1 2\n #bytes t\n\n ------ ---\n 0 1.5\r\n\t8\t2.5\n3\n4 5\n#bytes t\n1 x\n2 3\n#bytes t\n7 8";
    expect(await rows(table, data)).toEqual([
      [0, 1.5],
      [8, 2.5],
      [7, 8],
    ]);
  });
  test("a row with more entries ends it as well", async () => {
    expect(await rows(table, "#bytes t\n1 2\n3 4 5\n6 7\n")).toEqual([[1, 2]]);
  });
  test("a row selected by number matches within a table, and long after the last keyword", async () => {
    expect(await rows("TABLE S row=0 pos=1\nEXPL T row=3 pos=2", "1 10\n2 20\n3 30\n4 40")).toEqual(
      [1, 2, 3, 4].map((n) => [n, 30]),
    );
    expect(await rows("EXPL T row=5 pos=1\nEXPL S row=4 pos=1", "a\nb\nc\n4\n5\n6")).toEqual([[4, 5]]);
  });
  test("skip, units, columns by heading, by keyword, by type", async () => {
    expect(await rows("TABLE S row=size skip=1 pos=1 unit=KiByte", "size\nl [KiB]\n1\n2\n")).toEqual([[1024], [2048]]);
    expect(await rows("TABLE T row=size pos=lat\nTABLE S row=size pos=size", "# size lat\n1 2\n3 4\n")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(
      await rows('TABLE T row=begin pos="t="\nTABLE S row=begin pos=1 typed', "begin\na 1 t=2\nb 3 t=4\n"),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await rows("TABLE op row=begin pos=2\nTABLE T row=begin pos=1 unit=text", "begin\n1 ms\n2 us\n")).toEqual([
      ["ms", 1000],
      ["us", 2],
    ]);
    expect(await rows('TABLE S row=0 pos=1 ws=","\nTABLE T row=0 pos=2 ws=","', "1,2\n3,4")).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
  test("headings that do not match the rows are an error", async () => {
    expect(await failure('TABLE T row=size pos="t usec"', "size t usec\n1 2\n")).toContain(
      "line 1 has 3 headings, the row at line 2 2 entries: 't usec' names no column",
    );
  });
  test("by row number; without row at any line that fits", async () => {
    expect(await rows("TABLE S row=1 pos=1", "5\n1\n2\nend\n3")).toEqual([[1], [2]]);
    expect(await rows("TABLE S pos=1\nTABLE T pos=2", "head\n1 2\n3 4\nx y\n5 6 7\n8 9 10\nEOF 1")).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [8, 9],
    ]);
  });
  test("strange numbers keep their exact value", async () => {
    const data = "9007199254740993 1e-3\n-9223372036854775808 nan\n1 123456789012345678\n2 1.5us\n";
    expect(await rows("TABLE S row=0 pos=1\nTABLE T row=0 pos=2", data)).toEqual([
      [9007199254740993n, 0.001],
      [-9223372036854775808n, Number.NaN],
      [1, 123456789012345680],
      [2, 1.5],
    ]);
  });
  test("two tables have separate rows", async () => {
    const data = "one\n1 2\ntwo\n3\n";
    expect(await rows("TABLE S row=one pos=1\nTABLE T row=one pos=2\nTABLE B row=two pos=1", data)).toEqual([
      [1, 2, null],
      [null, null, 3],
    ]);
  });
  test("a keyword inside the rows also matches", async () => {
    expect(await rows("TABLE S row=0 pos=1\nTABLE op row=0 pos=2\nNAMED T alias=w", "1 read 0\n2 w 4\n3 x 0")).toEqual([
      [1, "read", 4],
      [2, "w", 4],
      [3, "x", 4],
    ]);
  });
});

describe("sets and runs", () => {
  const sep = 'SEP string="***"\nNAMED op\nNAMED np\nTABLE S row=size pos=1\nTABLE T row=size pos=2\nNAMED host\n';
  test("parameters persist until they change, results do not", async () => {
    const data = "host=h np=4\n*** op=a\nsize t\n1 2\n2 3\n*** op=b\nsize t\n1 4\nnp=8\n*** nothing\n";
    const { runs, names } = await readText(sep, data);
    expect(names).toEqual(["S", "op", "np", "T"]);
    expect(runs).toEqual([
      {
        once: { host: "h" },
        rows: [
          [1, "a", 4, 2],
          [2, "a", 4, 3],
          [1, "b", 8, 4],
        ],
      },
    ]);
  });
  test("a set without table is one row, a set without result has none", async () => {
    expect(await rows("SEP param=S\nNAMED T\nNAMED B", "S=1\nT=1\nS=2\nT=2 B=3\nS=2\nS=3 B=1")).toEqual([
      [1, 1, null],
      [2, 2, 3],
      [3, null, 1],
    ]);
  });
  test("a separating parameter may have a NAMED line and aliases", async () => {
    expect(await rows('SEP param=S alias=size\nNAMED S alias=len ws="#"\nNAMED T', "size#1 T=1\nlen#2 T=2")).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
  test("run=yes starts a new run without values of the previous one", async () => {
    const { runs } = await readText(
      "SEP string=### run=yes\nNAMED host\nNAMED T\nNAMED S",
      "### host=a S=1 T=3\n### T=1\n### host=b T=2\n###\n",
    );
    expect(runs).toEqual([
      { once: { host: "a" }, rows: [[1, 3]] },
      { once: {}, rows: [[null, 1]] },
      { once: { host: "b" }, rows: [[null, 2]] },
    ]);
  });
  test("SEP by pattern", async () => {
    expect(await rows('SEP regexp="^run [0-9]+$"\nNAMED T', "run 1\nT=1\nrun x T=5\nrun 2\nT=2")).toEqual([[1], [2]]);
  });
  test("values fixed by the description and by the user", async () => {
    const input = 'FIXED np 16\nFIXED S 4 KiByte\nFIXED host "a b"\nNAMED T\nNAMED op\n';
    expect((await readText(input, "T=1 op=x")).runs).toEqual([{ once: { host: "a b" }, rows: [[4096, "x", 16, 1]] }]);
    expect(
      (
        await readText(
          input,
          "T=1 op=x",
          new Map<string, Value>([
            ["OP", "y"],
            ["np", 3],
          ]),
        )
      ).runs[0]?.rows,
    ).toEqual([[4096, "y", 3, 1]]);
    expect((await readText("FIXED host a", "")).runs).toEqual([{ once: { host: "a" }, rows: [] }]);
  });
  test("reports a run of only parameters", async () => {
    expect((await readText("NAMED np\nNAMED T", "np=4\n")).notices).toEqual([
      "1: no result was found in this run, only parameters",
    ]);
  });
});

describe("mismatches with the experiment are reported with their position", () => {
  test.each([
    ["NAMED TT", "in:1:1: experiment 'e' has no parameter or result 'TT', did you mean T"],
    ["NAMED T\nEXPL t row=1 pos=1", "in:2:1: 'T' has a location already, at line 1"],
    ["TABLE host row=1 pos=1", "in:1:1: 'host' is once per run, a table column has many values"],
    ["SEP param=host\nNAMED T", "in:1:1: 'host' is once per run and cannot separate"],
    ["NAMED T unit=Byte", "in:1:1: 'T': cannot convert Byte to us"],
    ["NAMED S\nDERIVED T = S * 2 + SS", "in:2:21: experiment 'e' has no parameter or result 'SS'"],
    [
      'RULES stream\nNAMED S match="S="\nDERIVED T = sqrt(S + "n n")',
      "in:3:22: 'n n' is not a valid name of a parameter",
    ],
    [
      'RULES stream\nNAMED S match="S="\nDERIVED T = sqrt(S + TT) - TT',
      "in:3:22: experiment 'e' has no parameter or result 'TT'",
    ],
    ["FIXED S 16 apples", "in:1:1: '16 apples' is no value for 'S' (integer)"],
    ["FIXED T fast", "in:1:1: 'fast' is no value for 'T' (float)"],
  ])("%s", async (input, message) => expect(await failure(input, "x")).toContain(message));
});

describe("hostile input", () => {
  test("the result is independent of chunks and encoding", async () => {
    const input = [
      'NAMED host alias="gr\u00f6\u00dfe"',
      "TABLE S row=size pos=1",
      "TABLE op row=size pos=2",
      "TABLE T row=size pos=3",
      "SEP string=size",
    ].join("\n");
    const text = "gr\u00f6\u00dfe: w\u00e4rme\r\nsize o t\r\n1 a\u00e4 2\r\n2 b 3\r\n\r\nsize o t\r\n3 \u20ac 4\r\n";
    const expected = [
      {
        once: { host: "w\u00e4rme" },
        rows: [
          [1, "a\u00e4", 2],
          [2, "b", 3],
          [3, "\u20ac", 4],
        ],
      },
    ];
    const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (character) => character.charCodeAt(0)).buffer);
    for (const data of [new TextEncoder().encode(text), new TextEncoder().encode(`\ufeff${text}`), utf16]) {
      for (const size of [1, 3, 7, 1 << 16])
        expect(summary(await eventsOf(input, data, new Map(), size)).runs).toEqual(expected);
    }
    const latin1 = Uint8Array.from(text.replaceAll("\u20ac", "\u00e9"), (character) => character.charCodeAt(0));
    const read = summary(await eventsOf(input, latin1));
    expect(read.runs).toEqual([
      {
        once: { host: "w\u00e4rme" },
        rows: [
          [1, "a\u00e4", 2],
          [2, "b", 3],
          [3, "\u00e9", 4],
        ],
      },
    ]);
    expect(read.notices.some((notice) => notice.endsWith("text that is not UTF-8 is read as latin1"))).toBe(true);
  });

  test.each(["", "RULES stream\n"])(
    "reports a truncated UTF-16 character at the end under the rules of %j",
    async (rules) => {
      const utf16 = new Uint8Array(
        Uint16Array.from("\ufeffsize o t\n1 a 2\n", (character) => character.charCodeAt(0)).buffer,
      );
      const table = `${rules}TABLE S row=size pos=1\nTABLE op row=size pos=2\nTABLE T row=size pos=3`;
      const { notices } = summary(await eventsOf(table, Uint8Array.of(...utf16, 0x34)));
      expect(notices).toContain("3: the input ends within a UTF-16 character, which is dropped");
      expect(summary(await eventsOf(table, utf16)).notices.join()).not.toContain("UTF-16");
    },
  );

  test("garbage gives nothing-found or values, never a crash", async () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48271) % 2147483647);
    const input = [
      "NAMED T alias=a",
      "NAMED host alias=b len=0",
      "TABLE S pos=1",
      "TABLE B pos=2",
      'SEP regexp="x+"',
      "EXPL np row=3 pos=2 typed",
    ].join("\n");
    for (let round = 0; round < 50; round++) {
      const bytes = Uint8Array.from({ length: 3000 }, () => (round % 2 === 0 ? random() & 255 : 32 + (random() % 30)));
      const message = await failure(input, bytes);
      expect(message === "no failure" || message.startsWith("no value of the description was found")).toBe(true);
    }
    expect(await failure("NAMED T", "")).toContain("in 0 lines");
  });

  test("an overlong line is truncated and reported, and reading continues after it", async () => {
    const read = await readText("NAMED T", `T=1 ${"x".repeat(3 << 20)}T=2\nT=1\n`);
    expect(read.runs[0]?.rows).toEqual([[1]]);
    expect(read.notices).toEqual(["1: this line is longer than 1 MiB; only its beginning is read"]);
  });

  test("a line of only keywords takes linear time", async () => {
    expect(await failure("NAMED T\nNAMED host alias=zz", `${"T=x\u00e4 ".repeat(150_000)}\n`)).toContain("no value");
  });

  test("NUL is printed as an escape", async () => {
    expect((await readText("NAMED host", "host=a\0b T")).runs[0]?.once).toEqual({ host: "a\\0b" });
  });
});

describe("many rows", () => {
  const many = 150_000;
  const lines = Array.from({ length: many }, (_, row) => `${row} ${row / 8}\n`).join("");
  test("arrive in batches with unchanged single values", async () => {
    const events = await eventsOf("NAMED op\nTABLE S row=size pos=1\nTABLE T row=size pos=2", `op=w\nsize\n${lines}`);
    const tables = events.flatMap((event) => (event.kind === "rows" ? [event.table] : []));
    expect(tables.map((table) => table.length)).toEqual([65_536, 65_536, many - 131_072]);
    const whole = concatTables(tables);
    expect(rowsOf(whole).every(([s, op, t], row) => s === row && op === "w" && t === row / 8)).toBe(true);
  });
  test("a value too late for its set is an error, not a wrong number", async () => {
    expect(await failure("NAMED op\nTABLE S row=size pos=1", `size\n${lines.replaceAll(/ .*/g, "")}op=w\n`)).toContain(
      "line 150002: 'op' appears more than 65536 table rows after",
    );
  });
});

describe("numbers that do not fit", () => {
  const noWhole = "is no value for 'S' (integer): it is not an integer number of Byte, at line";
  test("a fraction of a unit that is an integer up to rounding is accepted", async () => {
    expect(await rows("NAMED S unit=text\nNAMED T", "S=2.01 GByte T=1")).toEqual([[2_010_000_000, 1]]);
    expect(await rows("TABLE S row=size pos=1 unit=MByte\nTABLE T row=size pos=2", "size\n1.001 1\n2.01 2\n")).toEqual([
      [1_001_000, 1],
      [2_010_000, 2],
    ]);
  });
  test.each([
    ["TABLE S row=size pos=1 unit=bit\nTABLE T row=size pos=2", "size\n8 1\n9 2\n16 3\n", `'9 bit' ${noWhole} 3`],
    ["TABLE S pos=1 unit=bit\nTABLE T pos=2", "some text\n9 1\n16 3\n", `'9 bit' ${noWhole} 2`],
    ["NAMED S unit=bit\nNAMED T", "T=1\nS=9", `'9 bit' ${noWhole} 2`],
    ["NAMED S regexp=S=(.*)\nNAMED T", "T=1\nS=9bit", `'9 bit' ${noWhole} 2`],
    ["EXPL S row=2 pos=2 unit=bit\nNAMED T", "T=1\nS 9", `'9 bit' ${noWhole} 2`],
    ["SEP param=S unit=bit\nNAMED T", "S=8\nT=1\nS=9\nT=2", `'9 bit' ${noWhole} 3`],
  ])("%s refuses a fraction", async (input, data, message) => expect(await failure(input, data)).toContain(message));
  test("a fraction in a line that is not a row, or after the value that counts, is ignored", async () => {
    expect(await rows("TABLE S pos=1 unit=bit\nTABLE T pos=2", "9 bits\n16 3\n")).toEqual([[2, 3]]);
    expect(await rows("NAMED S unit=bit\nNAMED T", "S=8 T=1\nS=9")).toEqual([[1, 1]]);
    expect(await rows("NAMED T\nTABLE S row=size pos=1 typed unit=bit", "T=1\nsize\n9 16\n")).toEqual([[2, 1]]);
  });
});

describe("reports values of a wrong type", () => {
  const narrow = parseExperiment(
    "*experiment e\n*parameter n int size=2\n*parameter w string\n*result T float s\n",
    "e.exp",
  );
  const noticesOf = async (input: string, data: string): Promise<string[]> => {
    const guide = { experiment: narrow, description: parseInput(input, "in"), path: "n=40000" };
    const events: ImportEvent[] = [];
    for await (const event of description.read(chunks(new TextEncoder().encode(data), 1 << 16), new Map(), guide))
      events.push(event);
    return summary(events).notices;
  };
  const table = "TABLE n row=size pos=1\nTABLE T row=size pos=2";
  test.each([
    [
      table,
      "size T\n1 1\n4.5 2\n3 3\n",
      [
        "3: the table ends here: '4.5' is not a valid integer of 2 bytes for 'n'",
        "4: 1 line after the end of the table at line 3 looks like one of its rows: 4",
      ],
    ],
    [
      "TABLE n pos=1\nTABLE T pos=2",
      "1 1\n2 x\n3 3\n4 -\n",
      [
        "2: the table ends here: 'x' is not a valid float for 'T'",
        "4: table ends at a line that resembles a row: 1 more, on line 4",
      ],
    ],
    [table, "size T\n4.5 1\n", null],
    [table, "size T\n1 1\nthe end of it\n", []],
    [table, "size T\n1 1\nsize T\n2 2\n", []],
    [`${table}\nNAMED w`, "size T\n1 1\nw write\n", []],
    [`${table}\nSEP string=next`, "size T\n1 1\nnext one\nsize T\n2 2\n", []],
  ])("%s in %j", async (input, data, notices) => {
    if (notices === null) await expect(noticesOf(input, data)).rejects.toMatchObject({ code: "nothing-found" });
    else expect(await noticesOf(input, data)).toEqual(notices);
  });
  test.each([
    [table, "size T\n1 1\n40000 2\n3 3\n", "it does not fit into 2 bytes, at line 3"],
    [table, "size T\n1 1\n2 1e400\n", "it is larger than any float, at line 3"],
    ["NAMED n\nNAMED T", "T=1\nn = 40000\n", "it does not fit into 2 bytes, at line 2"],
    ["FILENAME n match=n=\nNAMED T", "T=1\n", "it does not fit into 2 bytes, at the name of the input"],
  ])(
    "%s in %j is refused instead of lost",
    async (input, data, message) => await expect(noticesOf(input, data)).rejects.toThrow(message),
  );
  test.each([
    ["NAMED w\nNAMED T alias=time", "w=a\ntime = 12 s\n", []],
    [
      "NAMED w\nNAMED T alias=time unit=text",
      "w=a\ntime = 12 furlong\ntime: x\n",
      ["2: 'time' found, but no float after it", "3: no value for 'T': 1 more, on line 3"],
    ],
    ["NAMED w\nNAMED T alias=time", "w=a\ntime:\nT=1\ntime is up\n", []],
    ["NAMED w\nEXPL T row=time pos=2", "w=a\ntime up\ntime 3\n", ["2: 'T': no float at its position in this row"]],
  ])("%s in %j", async (input, data, notices) =>
    expect((await noticesOf(input, data)).filter((notice) => !notice.includes("no result"))).toEqual(notices),
  );
});

describe("a separating parameter that the user fixed", () => {
  test.each([
    ["SEP param=S\nNAMED T", "S=1\nT=1\nS=2\nT=2\n"],
    ['SEP param=S alias=size\nNAMED S alias=len ws="#"\nNAMED T', "size#1\nT=1\nlen#2\nT=2\n"],
  ])("%s still separates", async (input, data) => {
    const read = await readText(input, data, new Map([["S", 7]]));
    expect(read.runs.flatMap((run) => run.rows)).toEqual([
      [7, 1],
      [7, 2],
    ]);
  });
});
