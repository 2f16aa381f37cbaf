// What the queries of perfbase's examples show, compared with what is recorded: curves of plots, tables, single numbers
// of files.

/**
 * Plots of quotients, by query and number: perfbase leaves rows without an answer out and moves those behind them up,
 * against their parameters. Of these the values are compared only.
 */
const misplaced = new Set(["pmb_query.xml 2", "iozone_3d-diff_qry.xml 2"]);

const near = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const cell = (text) => (/^[-+]?(\d|\.\d)/.test(text) && Number.isFinite(Number(text)) ? Number(text) : unquoted(text));
const unquoted = (text) => text.replace(/^'(.*)'$/, "$1");
const sameCell = (a, b) => (typeof a === "number" && typeof b === "number" ? near(a, b) : a === b);
const sameRow = (a, b) => a.length === b.length && a.every((each, at) => sameCell(each, b[at]));

/** Scripts of gnuplot in a text, as the examples record them: the title, and of each curve its label and points. */
function plotsIn(text) {
  return text.split(/^(?=set terminal )/m).flatMap((script) => {
    const command = /^s?plot (.*)$/m.exec(script);
    if (command === null) return [];
    const quoted = (words) => words.replaceAll("''", "'");
    const title = /^set title '((?:[^']|'')*)'$/m.exec(script);
    const labels = [...command[1].matchAll(/ title '((?:[^']|'')*)'/g)].map(([, label]) => quoted(label));
    const blocks = script.slice(command.index).split("\n").slice(1).join("\n").split(/^e$/m).slice(0, labels.length);
    const points = blocks.map((block) =>
      block
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => line.trim().split(" ").map(cell)),
    );
    return [
      { title: title && quoted(title[1]), series: labels.map((label, at) => ({ label, points: points[at] ?? [] })) },
    ];
  });
}

/** Tables of raw_text: labels, columns and rows. A head holds until the next one. */
function tablesIn(text) {
  const tables = [];
  let labels = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const isColumns = line.startsWith("# ") && line.endsWith("]\t");
    if (isColumns) tables.push({ labels, columns: line.slice(2, -1).split("\t"), rows: [] });
    else if (line.startsWith("# ")) labels = line.slice(2).trim().split(/ {2,}/);
    else
      tables.at(-1)?.rows.push(
        line
          .split("\t")
          .slice(0, -1)
          .map((each) => cell(each.trimEnd())),
      );
    if (isColumns) labels = [];
  }
  return tables;
}

/** Several files come in any order: each plot is compared with the one that fits best. */
function differingPlots(query, expected, found) {
  if (expected.length !== found.length) return [`${found.length} plots, not ${expected.length}`];
  return expected.flatMap((plot, at) => {
    const isMisplaced = misplaced.has(`${query} ${at + 1}`);
    const problems =
      found.map((each) => differingPlot(plot, each, isMisplaced)).sort((a, b) => a.length - b.length)[0] ?? [];
    return problems.map((problem) => `plot ${at + 1}: ${problem}`);
  });
}

function differingPlot({ title, series }, found, isMisplaced) {
  const titles = title === null || title === found.title ? [] : [`its title is '${found.title}', not '${title}'`];
  if (series.length !== found.series.length) return [...titles, `${found.series.length} curves, not ${series.length}`];
  const curves = series.flatMap((curve, at) =>
    differingCurve(curve, found.series[at], isMisplaced).map((text) => `curve ${at + 1}: ${text}`),
  );
  return [...titles, ...curves];
}

function differingCurve({ label, points, first, last }, found, isMisplaced) {
  const problems = label === found.label ? [] : [`its label is '${found.label}', not '${label}'`];
  if (points !== found.points.length) problems.push(`${found.points.length} points, not ${points}`);
  const isThere = (wanted) =>
    found.points.some((point) => (isMisplaced ? near(point.at(-1), wanted.at(-1)) : sameRow(point, wanted)));
  for (const wanted of [first, last]) if (!isThere(wanted)) problems.push(`no point ${wanted.join(", ")}`);
  return problems;
}

/** Rows are compared in any order, as only sorted ones have one. */
function differingTables(expected, found) {
  if (expected.length !== found.length) return [`${found.length} tables, not ${expected.length}`];
  return expected.flatMap(({ labels, columns, rows }, at) => {
    const own = found[at];
    const problems = [];
    // Labels that several inputs share stand there once.
    if ([...new Set(labels)].map(unquoted).join() !== own.labels.map(unquoted).join())
      problems.push(`labels are ${own.labels.join()}, not ${labels.join()}`);
    if (columns.join() !== own.columns.join())
      problems.push(`columns are ${own.columns.join()}, not ${columns.join()}`);
    if (rows.length !== own.rows.length) problems.push(`${own.rows.length} rows, not ${rows.length}`);
    const missing = rows.find((row) => !own.rows.some((each) => sameRow(each, row)));
    if (missing) problems.push(`no row ${missing.join(", ")}`);
    return problems.map((problem) => `table ${at + 1}: ${problem}`);
  });
}

/** `coll_better.dat`: the numbers in it; `coll_full.dat data lines`: how many lines are no remarks. */
function differingFacts(facts, textOf) {
  return Object.entries(facts).flatMap(([name, wanted]) => {
    const [file, ...counted] = name.split(" ");
    const lines = textOf(file)
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"));
    if (counted.length > 0) return lines.length === wanted ? [] : [`${file} has ${lines.length} lines, not ${wanted}`];
    const numbers = lines.flatMap((line) => line.trim().split(/\s+/).map(cell));
    return wanted.every((number, at) => near(number, numbers[at]))
      ? []
      : [`${file} holds ${numbers.join()}, not ${wanted.join()}`];
  });
}

/** What is wrong with the answer to a query: what it printed, and the texts that it wrote by their names. */
export function differingAnswer(query, { plots, tables, files = [], facts }, printed, written) {
  const textOf = (file) => written.get(file) ?? "";
  const drawn = [...written].flatMap(([file, text]) => (file.endsWith(".gp") ? [text] : []));
  // Some queries show the same plot on the screen and in a file, under titles that differ.
  const scripts = [printed, drawn.join("")].map(plotsIn).filter((found) => found.length > 0);
  const ways = scripts.map((found) => differingPlots(query, plots ?? [], found)).sort((a, b) => a.length - b.length);
  return [
    ...(plots === undefined ? [] : (ways[0] ?? ["no plot"])),
    ...(tables === undefined ? [] : differingTables(tables, tablesIn(printed))),
    ...(facts === undefined ? [] : differingFacts(facts, textOf)),
    ...files.filter((file) => !written.has(file)).map((file) => `${file} was not written`),
  ];
}
