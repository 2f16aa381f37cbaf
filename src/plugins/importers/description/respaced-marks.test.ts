import { describe, expect, test } from "vitest";
import { readText } from "../../../../test/importers/read-description.ts";

const noticesOf = async (mark: string, data: string, more = ""): Promise<readonly string[]> =>
  (await readText(`NAMED np\nTABLE S ${mark} pos=1\nTABLE T ${mark} pos=2\n${more}`, `np 4\n${data}`)).notices.filter(
    (each) => !each.includes("no result"),
  );

describe("a mark of a table that only a line with other blanks has is named", () => {
  test.each([
    ['row="# Size          Latency (us)"', "# Size   Latency (us)\n1 2\n", "# Size          Latency (us)"],
    ['row="Size t[us]"', "Size\tt [us]\n1 2\n", "Size t[us]"],
    ['row="a-size/t[1]: x"', "a - size / t[1] :  x\n1 2\n", "a-size/t[1]: x"],
    ['row="Size t"', "Size\u00a0t\n1 2\n", "Size t"],
    ['regexp="^Size {3}t$"', "  Size t\n1 2\n", "^Size {3}t$"],
    [String.raw`regexp="^\\s*Size\\s+t"`, "\ufeffSize t\n1 2\n", String.raw`^\s*Size\s+t`],
  ])("%s", async (mark, data, shown) => {
    const text = `no line matches '${shown}'; line 2 differs only in blanks`;
    expect(await noticesOf(mark, data)).toEqual([`2: ${text}`]);
    expect(await noticesOf(mark, `other\n${data}`)).toEqual([`3: ${text.replace("line 2", "line 3")}`]);
  });

  test.each([
    ["the mark is found, too", 'row="Size t"', "Size  t\nSize t\n1 2\n"],
    ["other text differs", 'row="Size t"', "Size of t\n1 2\n"],
    ["words are joined", 'row="Size t"', "Sizet\n1 2\n"],
    ["the mark is one word", 'row="Size "', "Sizes: 3\n"],
  ])("not if %s", async (_, mark, data) => expect(await noticesOf(mark, data)).toEqual([]));

  test("not if another table has that line", async () => {
    const other = 'TABLE B row="Size  t" pos=2\n';
    expect(await noticesOf('row="Size t"', "Size  t\n1 2\n", other)).toEqual([]);
  });

  test("also the mark of a matrix or of a line of values", async () => {
    const matrix = 'NAMED np\nMATRIX T row="size / n"\nACROSS B\nDOWN S\n';
    const [notice] = (await readText(matrix, "np 4\nsize/n 1 2\n8 1.5 2.5\n")).notices;
    expect(notice).toBe("2: no line matches 'size / n'; line 2 differs only in blanks");
    const lines = 'NAMED np\nTRANSPOSED S row="the size:"\nTRANSPOSED T row=time\n';
    const { notices } = await readText(lines, "np 4\nthe  size: 1 2\ntime 3 4\n");
    expect(notices).toContain("2: no line matches 'the size:'; line 2 differs only in blanks");
  });
});
