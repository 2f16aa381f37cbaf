import { describe, expect, it, test } from "vitest";
import type { Figure } from "../../core/figures/figure.ts";
import { tableStyleNames } from "../../core/figures/table-style-names.ts";
import { figures } from "../../../test/gallery/figures.ts";
import { rendererContract } from "../../../test/contracts/renderer.ts";
import type { RenderOptions } from "./renderer.ts";
import { tableStyles } from "./table-styles.ts";
import { table } from "./table.ts";

const paper: RenderOptions = { width: Number.POSITIVE_INFINITY, height: 24, color: false, dark: false, unicode: true };

rendererContract(table);

async function rendered(style: string, rows: string[][], options: Partial<RenderOptions> = {}): Promise<string> {
  const head = [
    { label: "item", align: "left" },
    { label: "qty", align: "right" },
  ] as const;
  const figure: Figure = { title: "left out", blocks: [{ kind: "table", head, rows }] };
  return String(await table.render(figure, { ...paper, ...options }, new Map([["style", style]])));
}

/** The examples of each style in the documentation of tabulate, with spam and eggs. */
const known: Readonly<Record<string, string>> = {
  plain: "item      qty\nspam       42\neggs      451",
  simple: "item      qty\n------  -----\nspam       42\neggs      451",
  presto: " item   |   qty\n--------+-------\n spam   |    42\n eggs   |   451",
  pretty: "+------+-----+\n| item | qty |\n+------+-----+\n| spam | 42  |\n| eggs | 451 |\n+------+-----+",
  psql: [
    "+--------+-------+",
    "| item   |   qty |",
    "|--------+-------|",
    "| spam   |    42 |",
    "| eggs   |   451 |",
    "+--------+-------+",
  ].join("\n"),
  orgtbl: "| item   |   qty |\n|--------+-------|\n| spam   |    42 |\n| eggs   |   451 |",
  github: "| item   |   qty |\n|--------|-------|\n| spam   |    42 |\n| eggs   |   451 |",
  pipe: "| item   |   qty |\n|:-------|------:|\n| spam   |    42 |\n| eggs   |   451 |",
  rst: "======  =====\nitem      qty\n======  =====\nspam       42\neggs      451\n======  =====",
  grid: [
    "+--------+-------+",
    "| item   |   qty |",
    "+========+=======+",
    "| spam   |    42 |",
    "+--------+-------+",
    "| eggs   |   451 |",
    "+--------+-------+",
  ].join("\n"),
  outline: [
    "+--------+-------+",
    "| item   |   qty |",
    "+========+=======+",
    "| spam   |    42 |",
    "| eggs   |   451 |",
    "+--------+-------+",
  ].join("\n"),
  colon_grid: [
    "+--------+-------+",
    "| item   |   qty |",
    "+:=======+======:+",
    "| spam   |    42 |",
    "+--------+-------+",
    "| eggs   |   451 |",
    "+--------+-------+",
  ].join("\n"),
  simple_grid: [
    "┌────────┬───────┐",
    "│ item   │   qty │",
    "├────────┼───────┤",
    "│ spam   │    42 │",
    "├────────┼───────┤",
    "│ eggs   │   451 │",
    "└────────┴───────┘",
  ].join("\n"),
  simple_outline: [
    "┌────────┬───────┐",
    "│ item   │   qty │",
    "├────────┼───────┤",
    "│ spam   │    42 │",
    "│ eggs   │   451 │",
    "└────────┴───────┘",
  ].join("\n"),
  rounded_grid: [
    "╭────────┬───────╮",
    "│ item   │   qty │",
    "├────────┼───────┤",
    "│ spam   │    42 │",
    "├────────┼───────┤",
    "│ eggs   │   451 │",
    "╰────────┴───────╯",
  ].join("\n"),
  rounded_outline: [
    "╭────────┬───────╮",
    "│ item   │   qty │",
    "├────────┼───────┤",
    "│ spam   │    42 │",
    "│ eggs   │   451 │",
    "╰────────┴───────╯",
  ].join("\n"),
  heavy_grid: [
    "┏━━━━━━━━┳━━━━━━━┓",
    "┃ item   ┃   qty ┃",
    "┣━━━━━━━━╋━━━━━━━┫",
    "┃ spam   ┃    42 ┃",
    "┣━━━━━━━━╋━━━━━━━┫",
    "┃ eggs   ┃   451 ┃",
    "┗━━━━━━━━┻━━━━━━━┛",
  ].join("\n"),
  heavy_outline: [
    "┏━━━━━━━━┳━━━━━━━┓",
    "┃ item   ┃   qty ┃",
    "┣━━━━━━━━╋━━━━━━━┫",
    "┃ spam   ┃    42 ┃",
    "┃ eggs   ┃   451 ┃",
    "┗━━━━━━━━┻━━━━━━━┛",
  ].join("\n"),
  mixed_grid: [
    "┍━━━━━━━━┯━━━━━━━┑",
    "│ item   │   qty │",
    "┝━━━━━━━━┿━━━━━━━┥",
    "│ spam   │    42 │",
    "├────────┼───────┤",
    "│ eggs   │   451 │",
    "┕━━━━━━━━┷━━━━━━━┙",
  ].join("\n"),
  mixed_outline: [
    "┍━━━━━━━━┯━━━━━━━┑",
    "│ item   │   qty │",
    "┝━━━━━━━━┿━━━━━━━┥",
    "│ spam   │    42 │",
    "│ eggs   │   451 │",
    "┕━━━━━━━━┷━━━━━━━┙",
  ].join("\n"),
  double_grid: [
    "╔════════╦═══════╗",
    "║ item   ║   qty ║",
    "╠════════╬═══════╣",
    "║ spam   ║    42 ║",
    "╠════════╬═══════╣",
    "║ eggs   ║   451 ║",
    "╚════════╩═══════╝",
  ].join("\n"),
  double_outline: [
    "╔════════╦═══════╗",
    "║ item   ║   qty ║",
    "╠════════╬═══════╣",
    "║ spam   ║    42 ║",
    "║ eggs   ║   451 ║",
    "╚════════╩═══════╝",
  ].join("\n"),
  fancy_grid: [
    "╒════════╤═══════╕",
    "│ item   │   qty │",
    "╞════════╪═══════╡",
    "│ spam   │    42 │",
    "├────────┼───────┤",
    "│ eggs   │   451 │",
    "╘════════╧═══════╛",
  ].join("\n"),
  fancy_outline: [
    "╒════════╤═══════╕",
    "│ item   │   qty │",
    "╞════════╪═══════╡",
    "│ spam   │    42 │",
    "│ eggs   │   451 │",
    "╘════════╧═══════╛",
  ].join("\n"),
  asciidoc: '[cols="<8,>7",options="header"]\n|====\n| item   |   qty\n| spam   |    42\n| eggs   |   451\n|====',
  jira: "|| item   ||   qty ||\n| spam   |    42 |\n| eggs   |   451 |",
  mediawiki: `{| class="wikitable" style="text-align: left;"
|-
! item   !! style="text-align: right;" |   qty
|-
| spam   || style="text-align: right;" |    42
|-
| eggs   || style="text-align: right;" |   451
|}`,
  moinmoin: `|| ''' item   ''' ||<style="text-align: right;"> '''   qty ''' ||
|| spam   ||<style="text-align: right;">    42 ||
|| eggs   ||<style="text-align: right;">   451 ||`,
  textile: "|_. item   |_.   qty |\n|<. spam   |>.    42 |\n|<. eggs   |>.   451 |",
  youtrack: "|| item   ||   qty ||\n| spam   |    42 |\n| eggs   |   451 |",
  html: `<table>
<thead>
<tr><th>item</th><th style="text-align: right;">qty</th></tr>
</thead>
<tbody>
<tr><td>spam</td><td style="text-align: right;">42</td></tr>
<tr><td>eggs</td><td style="text-align: right;">451</td></tr>
</tbody>
</table>`,
  latex: [
    "\\begin{tabular}{lr}",
    "\\hline",
    "item   &   qty \\\\",
    "\\hline",
    "spam   &    42 \\\\",
    "eggs   &   451 \\\\",
    "\\hline",
    "\\end{tabular}",
  ].join("\n"),
  latex_booktabs: [
    "\\begin{tabular}{lr}",
    "\\toprule",
    "item   &   qty \\\\",
    "\\midrule",
    "spam   &    42 \\\\",
    "eggs   &   451 \\\\",
    "\\bottomrule",
    "\\end{tabular}",
  ].join("\n"),
  latex_longtable: [
    "\\begin{longtable}{lr}",
    "\\hline",
    "item   &   qty \\\\",
    "\\hline",
    "\\endhead",
    "spam   &    42 \\\\",
    "eggs   &   451 \\\\",
    "\\hline",
    "\\end{longtable}",
  ].join("\n"),
  tsv: "item\tqty\nspam\t42\neggs\t451",
};

test("each named style exists and matches tabulate", async () => {
  expect([...tableStyles.keys()].sort()).toEqual(tableStyleNames.toSorted());
  const others = tableStyleNames.filter((name) => !Object.hasOwn(known, name));
  expect(others).toEqual(["unsafehtml", "latex_raw"]);
  const rows = [
    ["spam", "42"],
    ["eggs", "451"],
  ];
  for (const [name, text] of Object.entries(known)) expect(await rendered(name, rows), name).toBe(`${text}\n`);
  for (const [raw, safe] of [
    ["unsafehtml", "html"],
    ["latex_raw", "latex"],
  ] as const)
    expect(await rendered(raw, [["<b>&$", "1"]])).toBe(await rendered(safe, [["<b>&$", "1"]]));
});

/** Cell separators by style, for styles whose rows are parsed. */
const cellEnds: Readonly<Record<string, RegExp>> = {
  github: /(?<!\\)\|/g,
  pipe: /(?<!\\)\|/g,
  orgtbl: /\|/g,
  asciidoc: /\|/g,
  jira: /(?<!\\)\|/g,
  moinmoin: /\|\|/g,
  textile: /\|/g,
  youtrack: /\|/g,
  tsv: /\t/g,
  html: /<\/?[a-z]/g,
  latex: /(?<!\\)[&$\\]/g,
};

describe("hostile text", () => {
  const hostile = [
    ["a|b||c", "<b>x</b>"],
    ["x\n|-\n| y", "[[z]] {{t}} '''b'''"],
    ["tab\tand \x1b[31m and \u202e", "\\| & $x$ % ~"],
    ["{|", "|}"],
  ];

  it.each(Object.entries(cellEnds))("stays in its cells: %s", async (name, ends) => {
    const plain = await rendered(
      name,
      hostile.map(() => ["a", "b"]),
    );
    const text = await rendered(name, hostile);
    const counts = (all: string): number[] => all.split("\n").map((line) => line.match(ends)?.length ?? 0);
    if (name === "latex") expect(text.split("\n")).toHaveLength(plain.split("\n").length);
    else expect(counts(text)).toEqual(counts(plain));
    // oxlint-disable-next-line no-control-regex -- matches control characters
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });

  it("stays in its lines, in all styles and in ASCII", async () => {
    for (const name of tableStyleNames) {
      const plain = await rendered(
        name,
        hostile.map(() => ["a", "b"]),
      );
      expect((await rendered(name, hostile)).split("\n").length, name).toBe(plain.split("\n").length);
      expect(await rendered(name, [["é", "1"]], { unicode: false }), name).not.toContain("é");
    }
    expect(await rendered("mediawiki", hostile)).not.toMatch(/\[\[|\{\{|'''|<b>/);
  });

  it("escapes syntax of reStructuredText and Org", async () => {
    const text = await rendered("rst", [
      ["", "1"],
      ["====", "2"],
      ["a_ *b* `c`", "3"],
    ]);
    expect(text).toContain("\n..  ");
    expect(text).toContain("\n\\====  ");
    expect(text).toContain("a\\_ \\*b\\* \\`c\\`");
    expect(await rendered("orgtbl", [["<10>", "1"]])).toContain("| \\lt{}10> |");
  });
});

test("renders all blocks of a figure; an unknown style fails", async () => {
  const figure: Figure = {
    title: "t",
    blocks: [{ kind: "text", text: "a|b\nc" }, ...(figures["hostile"]?.blocks ?? [])],
  };
  expect(await table.render(figure, paper, new Map([["style", "github"]]))).toMatch(/^a\\\|b\nc\n\ntwo lines\n/);
  await expect(table.render(figure, paper, new Map([["style", "none"]]))).rejects.toMatchObject({
    code: "unknown-choice",
  });
});
