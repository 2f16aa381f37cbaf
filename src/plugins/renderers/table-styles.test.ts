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

async function told(style: string, rows: string[][], options: Partial<RenderOptions> = {}): Promise<string> {
  const head = [
    { label: "item", align: "left" },
    { label: "qty", align: "right" },
  ] as const;
  const figure: Figure = { title: "left out", blocks: [{ kind: "table", head, rows }] };
  return String(await table.render(figure, { ...paper, ...options }, new Map([["style", style]])));
}

/** What the documentation of tabulate shows of each form, with spam and eggs. */
const known: Readonly<Record<string, string>> = {
  plain: "item      qty\nspam       42\neggs      451",
  simple: "item      qty\n------  -----\nspam       42\neggs      451",
  presto: " item   |   qty\n--------+-------\n spam   |    42\n eggs   |   451",
  pretty: "+------+-----+\n| item | qty |\n+------+-----+\n| spam | 42  |\n| eggs | 451 |\n+------+-----+",
  psql: "+--------+-------+\n| item   |   qty |\n|--------+-------|\n| spam   |    42 |\n| eggs   |   451 |\n+--------+-------+",
  orgtbl: "| item   |   qty |\n|--------+-------|\n| spam   |    42 |\n| eggs   |   451 |",
  github: "| item   |   qty |\n|--------|-------|\n| spam   |    42 |\n| eggs   |   451 |",
  pipe: "| item   |   qty |\n|:-------|------:|\n| spam   |    42 |\n| eggs   |   451 |",
  rst: "======  =====\nitem      qty\n======  =====\nspam       42\neggs      451\n======  =====",
  grid: "+--------+-------+\n| item   |   qty |\n+========+=======+\n| spam   |    42 |\n+--------+-------+\n| eggs   |   451 |\n+--------+-------+",
  outline:
    "+--------+-------+\n| item   |   qty |\n+========+=======+\n| spam   |    42 |\n| eggs   |   451 |\n+--------+-------+",
  colon_grid:
    "+--------+-------+\n| item   |   qty |\n+:=======+======:+\n| spam   |    42 |\n+--------+-------+\n| eggs   |   451 |\n+--------+-------+",
  simple_grid:
    "┌────────┬───────┐\n│ item   │   qty │\n├────────┼───────┤\n│ spam   │    42 │\n├────────┼───────┤\n│ eggs   │   451 │\n└────────┴───────┘",
  simple_outline:
    "┌────────┬───────┐\n│ item   │   qty │\n├────────┼───────┤\n│ spam   │    42 │\n│ eggs   │   451 │\n└────────┴───────┘",
  rounded_grid:
    "╭────────┬───────╮\n│ item   │   qty │\n├────────┼───────┤\n│ spam   │    42 │\n├────────┼───────┤\n│ eggs   │   451 │\n╰────────┴───────╯",
  rounded_outline:
    "╭────────┬───────╮\n│ item   │   qty │\n├────────┼───────┤\n│ spam   │    42 │\n│ eggs   │   451 │\n╰────────┴───────╯",
  heavy_grid:
    "┏━━━━━━━━┳━━━━━━━┓\n┃ item   ┃   qty ┃\n┣━━━━━━━━╋━━━━━━━┫\n┃ spam   ┃    42 ┃\n┣━━━━━━━━╋━━━━━━━┫\n┃ eggs   ┃   451 ┃\n┗━━━━━━━━┻━━━━━━━┛",
  heavy_outline:
    "┏━━━━━━━━┳━━━━━━━┓\n┃ item   ┃   qty ┃\n┣━━━━━━━━╋━━━━━━━┫\n┃ spam   ┃    42 ┃\n┃ eggs   ┃   451 ┃\n┗━━━━━━━━┻━━━━━━━┛",
  mixed_grid:
    "┍━━━━━━━━┯━━━━━━━┑\n│ item   │   qty │\n┝━━━━━━━━┿━━━━━━━┥\n│ spam   │    42 │\n├────────┼───────┤\n│ eggs   │   451 │\n┕━━━━━━━━┷━━━━━━━┙",
  mixed_outline:
    "┍━━━━━━━━┯━━━━━━━┑\n│ item   │   qty │\n┝━━━━━━━━┿━━━━━━━┥\n│ spam   │    42 │\n│ eggs   │   451 │\n┕━━━━━━━━┷━━━━━━━┙",
  double_grid:
    "╔════════╦═══════╗\n║ item   ║   qty ║\n╠════════╬═══════╣\n║ spam   ║    42 ║\n╠════════╬═══════╣\n║ eggs   ║   451 ║\n╚════════╩═══════╝",
  double_outline:
    "╔════════╦═══════╗\n║ item   ║   qty ║\n╠════════╬═══════╣\n║ spam   ║    42 ║\n║ eggs   ║   451 ║\n╚════════╩═══════╝",
  fancy_grid:
    "╒════════╤═══════╕\n│ item   │   qty │\n╞════════╪═══════╡\n│ spam   │    42 │\n├────────┼───────┤\n│ eggs   │   451 │\n╘════════╧═══════╛",
  fancy_outline:
    "╒════════╤═══════╕\n│ item   │   qty │\n╞════════╪═══════╡\n│ spam   │    42 │\n│ eggs   │   451 │\n╘════════╧═══════╛",
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
  latex:
    "\\begin{tabular}{lr}\n\\hline\nitem   &   qty \\\\\n\\hline\nspam   &    42 \\\\\neggs   &   451 \\\\\n\\hline\n\\end{tabular}",
  latex_booktabs:
    "\\begin{tabular}{lr}\n\\toprule\nitem   &   qty \\\\\n\\midrule\nspam   &    42 \\\\\neggs   &   451 \\\\\n\\bottomrule\n\\end{tabular}",
  latex_longtable:
    "\\begin{longtable}{lr}\n\\hline\nitem   &   qty \\\\\n\\hline\n\\endhead\nspam   &    42 \\\\\neggs   &   451 \\\\\n\\hline\n\\end{longtable}",
  tsv: "item\tqty\nspam\t42\neggs\t451",
};

test("each form that is named is there, and looks as it is known to", async () => {
  expect([...tableStyles.keys()].sort()).toEqual(tableStyleNames.toSorted());
  const others = tableStyleNames.filter((name) => !Object.hasOwn(known, name));
  expect(others).toEqual(["unsafehtml", "latex_raw"]);
  const rows = [
    ["spam", "42"],
    ["eggs", "451"],
  ];
  for (const [name, text] of Object.entries(known)) expect(await told(name, rows), name).toBe(`${text}\n`);
  for (const [raw, safe] of [
    ["unsafehtml", "html"],
    ["latex_raw", "latex"],
  ] as const)
    expect(await told(raw, [["<b>&$", "1"]])).toBe(await told(safe, [["<b>&$", "1"]]));
});

/** What stands between cells, by form, for those whose rows are read by programs. */
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

describe("hostile texts", () => {
  const hostile = [
    ["a|b||c", "<b>x</b>"],
    ["x\n|-\n| y", "[[z]] {{t}} '''b'''"],
    ["tab\tand \x1b[31m and \u202e", "\\| & $x$ % ~"],
    ["{|", "|}"],
  ];

  it.each(Object.entries(cellEnds))("stay in their cells: %s", async (name, ends) => {
    const plain = await told(
      name,
      hostile.map(() => ["a", "b"]),
    );
    const text = await told(name, hostile);
    const counts = (all: string): number[] => all.split("\n").map((line) => line.match(ends)?.length ?? 0);
    if (name === "latex") expect(text.split("\n")).toHaveLength(plain.split("\n").length);
    else expect(counts(text)).toEqual(counts(plain));
    // oxlint-disable-next-line no-control-regex -- controls are what it looks for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });

  it("stay in their lines, in all forms and in ASCII", async () => {
    for (const name of tableStyleNames) {
      const plain = await told(
        name,
        hostile.map(() => ["a", "b"]),
      );
      expect((await told(name, hostile)).split("\n").length, name).toBe(plain.split("\n").length);
      expect(await told(name, [["é", "1"]], { unicode: false }), name).not.toContain("é");
    }
    expect(await told("mediawiki", hostile)).not.toMatch(/\[\[|\{\{|'''|<b>/);
  });

  it("of reStructuredText and Org that would be more than text", async () => {
    const text = await told("rst", [
      ["", "1"],
      ["====", "2"],
      ["a_ *b* `c`", "3"],
    ]);
    expect(text).toContain("\n..  ");
    expect(text).toContain("\n\\====  ");
    expect(text).toContain("a\\_ \\*b\\* \\`c\\`");
    expect(await told("orgtbl", [["<10>", "1"]])).toContain("| \\lt{}10> |");
  });
});

test("everything of a figure is told; an unknown style is none", async () => {
  const figure: Figure = {
    title: "t",
    blocks: [{ kind: "text", text: "a|b\nc" }, ...(figures["hostile"]?.blocks ?? [])],
  };
  expect(await table.render(figure, paper, new Map([["style", "github"]]))).toMatch(/^a\\\|b\nc\n\ntwo lines\n/);
  await expect(table.render(figure, paper, new Map([["style", "none"]]))).rejects.toMatchObject({
    code: "unknown-choice",
  });
});
