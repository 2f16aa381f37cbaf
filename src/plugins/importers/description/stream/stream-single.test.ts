import { describe, expect, test } from "vitest";
import { onceValues, failure, named, read, rows, sizes } from "../../../../../test/importers/read-stream.ts";

describe("named", () => {
  test.each([
    ["host", "<match>host:</match>", "", "on host: a1 b2", "a1"],
    ["host", "<match>host</match>", 'content="leads"', "x a1 host b2", "a1"],
    ["host", "<match>host:</match>", 'len="0"', "host:  a b c ", "a b c"],
    ["host", "<match>host:</match>", 'len="4"', "host: a bcd", "a bc"],
    ["host", '<match terminator="(">call</match>', "", "call f g(3)", "f g"],
    ["host", "<match>host:</match><ws>;</ws>", "", "host: a;b", "a"],
    ["host", "<match>host:</match><ws>;</ws>", "", "host: a;b c", "a;b"],
    ["host", "<regexp>^h[a-z]+ </regexp>", "", "host a1 b", "a1"],
    ["host", "<regexp>on ([a-z]+) at</regexp>", "", "run on ab at c", "ab"],
    ["host", "<regexp>;</regexp>", 'len="0"', "a;b;c;d", "abc"],
    ["host", "<match>host:</match><filter>[.].*</filter>", "", "host: a1.example.org", "a1"],
    ["host", "<alias>host</alias>", "", "localhost a host b", "b"],
    ["n", "<match>n=</match>", "", "n= about 12", undefined],
    ["n", "<match>n=</match>", "", "n=(12,", 12],
    ["n", "<match>n=</match>", 'scale="1000"', "n= 1.5 kB", 1500],
    ["load", "<match>load</match>", "", "load 0,75", 0.75],
    ["load", "<match>load</match>", 'len="0"', "load is 3.25s", 3.25],
    ["ok", "<match>ok:</match><map><content_in>on</content_in><content_out>t</content_out></map>", "", "ok: on", true],
    ["release", "<match>Version:</match>", 'len="0"', "Version: 1.0.3 a", "1.0.3-a"],
    ["day", "<match>began:</match>", 'len="0"', "began: Tue Nov 23 18:30:30 2004", 12_745],
    ["fs", "", "", "on nfs it is", "nfs"],
    ["fs", "<map><content_in>network</content_in><content_out>nfs</content_out></map>", "", "a network", "nfs"],
  ])("%s %s %s: %s", async (name, marks, attributes, line, value) => {
    expect((await onceValues(named(name, marks, attributes), `first\n${line}\n`))?.[name]).toEqual(value);
  });

  test("the first value counts if it is once per run, unless it may repeat", async () => {
    expect(await onceValues(named("n", "<match>n=</match>"), "n=x\nn=1\nn=2\n")).toEqual({ n: 1 });
    expect(await onceValues(named("n", "<match>n=</match>", 'retrigger="yes"'), "n=1\nn=2\n")).toEqual({ n: 2 });
  });

  test.each([
    [1, "mark\na 5\nb 6\n", 5],
    [2, "mark\na 5\nb 6\n", 6],
    [-1, "z 4\nmark\na 5\n", 4],
    [0, "z 4\nb 6 mark\na 5\n", 6],
  ])("a trigger %i lines away", async (skip, text, n) => {
    const marks = `<trigger><match>mark</match><skip>${skip}</skip></trigger><regexp>[a-z] </regexp>`;
    expect((await onceValues(named("load", marks), text))?.["load"]).toBe(n);
  });

  test("a trigger after its line, which was in an earlier chunk", async () => {
    const xml = named("n", "<trigger><match>mark</match><skip>-3</skip></trigger><match>n</match>");
    expect((await read(xml, ["x\n".repeat(40_000), "n 1\nn 2\n", "n 3\n", "n 4\r\nmark\n"])).once).toEqual([{ n: 2 }]);
  });

  test("lines and blocks of text", async () => {
    const trigger = "<trigger><match>result</match><skip>1</skip></trigger>";
    expect(await onceValues(named("note", trigger, 'lines="2"'), "result\na\nb\nc\n")).toEqual({ note: "a\nb\n" });
    expect(await onceValues(named("note", trigger, 'lines="0"'), "result\na\nb\n\nc\n")).toEqual({ note: "a\nb\n" });
    expect(await onceValues(named("note", trigger, 'lines="0"'), "result\na\nb")).toEqual({ note: "a\nb\n" });
    const block = (skip: string): string =>
      named("note", `<match marker="begin"${skip}>BEGIN</match><match marker="end">END</match>`);
    expect(await onceValues(block(""), "BEGIN a\nb\nc END\n")).toEqual({ note: " a\nb\nc " });
    expect(await onceValues(block(""), "BEGIN\nb\nEND\n")).toEqual({ note: "b\n" });
    expect(await onceValues(block(' skip="2"'), "BEGIN a\nb\nc\nEND\n")).toEqual({ note: "c\n" });
    expect(await onceValues(block(""), "BEGIN a\nb\n")).toBeUndefined();
  });

  test("a multi-line text is truncated at 1 MiB with a notice", async () => {
    const xml = named("note", '<match marker="begin">BEGIN</match><match marker="end">END</match>');
    const { once: found, notices } = await read(xml, `BEGIN\n${"0123456789abcde\n".repeat(70_000)}END\n`);
    expect(String(found[0]?.["note"])).toHaveLength(1 << 20);
    expect(notices.join()).toContain("longer than 1 MiB");
  });

  test("modes", async () => {
    expect(await onceValues(named("hits", "<match>ga</match>", 'mode="count"'), "ga gaga\nx\nga\n")).toEqual({
      hits: 4,
    });
    expect(await onceValues(named("hits", "<regexp>g[ao]</regexp>", 'mode="count"'), "ga goga\n")).toEqual({ hits: 3 });
    expect(await onceValues(named("hits", "<match>ga</match>", 'mode="count"'), "x\n")).toEqual({ hits: 0 });
    expect(await onceValues(named("ok", "<match>fine</match>", 'mode="boolean"'), "all fine\n")).toEqual({ ok: true });
    expect(await onceValues(named("ok", "<match>fine</match>", 'mode="boolean"'), "x\n")).toEqual({ ok: false });
    expect(await onceValues(named("load", "<match>t=</match>", 'mode="accumulate"'), "t=1.5\nt=2\n")).toEqual({
      load: 3.5,
    });
    expect(await failure(named("ok", "<match>died</match>", 'mode="abort"'), "x\nit died\n")).toMatch(
      /^import-aborted line 2/,
    );
  });
});

describe("rows", () => {
  const size = named("size", "<match>size=</match>");
  const time = named("t", "<match>t=</match>", 'store_set="yes"');

  test("values persist for later rows, which are stored as the description defines", async () => {
    expect(await rows(time + size, "size=1\nt=1\nt=2\nsize=2 t=3\n")).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  test("sticky=no: for one row only", async () => {
    const op = named("op", "<match>op=</match>", 'sticky="no"');
    expect(await rows(op + sizes, "# size\n op=a 1\n1 2\n\nop=b\n# size\n3 4\n5 6\n")).toEqual([
      [1, "a", 2],
      [3, "b", 4],
      [5, null, 6],
    ]);
  });

  test("reports values that are never stored", async () => {
    const { rows: stored, runs, notices } = await read(size, "size=1\n");
    expect([stored.length, runs]).toEqual([0, 1]);
    expect(notices.join()).toContain("store_set");
  });

  test("a boolean of many rows", async () => {
    expect(await rows(named("seen", "<match>warm</match>", 'mode="boolean"') + time, "t=1\nwarm\nt=2\n")).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  test("is_separator starts a run with its value; a separation ends one", async () => {
    const host = named("host", "<match>host=</match>", 'is_separator="yes"');
    const { once: found, runs } = await read(host + time + size, "host=a size=1\nt=1\nhost=b\nt=2\n");
    expect([runs, found]).toEqual([2, [{ host: "a" }, { host: "b" }]]);
    const separated = await read(
      `<set_separation><match>---</match></set_separation>${named("n", "<match>n=</match>")}`,
      "---\nn=1\n---\nn=2\n---\n",
    );
    expect(separated.once).toEqual([{ n: 1 }, { n: 2 }]);
    const later = "<set_separation><match>---</match><skip>1</skip></set_separation>";
    const passed = await read(
      `${later}${named("n", "<match>n=</match>", 'retrigger="yes"')}`,
      "n=1\n---\nn=2\n---\nn=3\n",
    );
    expect(passed.once).toEqual([{ n: 2 }, { n: 3 }]);
  });
});
