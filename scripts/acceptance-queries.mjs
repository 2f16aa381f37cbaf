// Compares the output of the queries of perfbase's examples with the recorded output: curves of plots, tables and
// numbers in files.

/**
 * Plots of quotients, by query and number: perfbase omits rows without a result and shifts the following ones against
 * their parameters. Only the values of these plots are compared.
 */
const shiftedPlots = new Set(["pmb_query.xml 2", "iozone_3d-diff_qry.xml 2"]);

const near = (a, b) => a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const cell = (text) => (/^[-+]?(\d|\.\d)/.test(text) && Number.isFinite(Number(text)) ? Number(text) : unquoted(text));
const unquoted = (text) => text.replace(/^'(.*)'$/, "$1");
const sameCell = (a, b) => (typeof a === "number" && typeof b === "number" ? near(a, b) : a === b);
const sameRow = (a, b) => a.length === b.length && a.every((each, at) => sameCell(each, b[at]));

/** The gnuplot scripts in a text: the title, and the label and points of each curve. */
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

/** The raw_text tables in a text: labels, columns and rows. Labels apply up to the next header. */
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

/** Files may come in any order: each plot is compared with the best match. */
function differingPlots(query, expected, found) {
  if (expected.length !== found.length) return [`${found.length} plots, not ${expected.length}`];
  return expected.flatMap((plot, at) => {
    const valuesOnly = shiftedPlots.has(`${query} ${at + 1}`);
    const problems =
      found.map((each) => differingPlot(plot, each, valuesOnly)).sort((a, b) => a.length - b.length)[0] ?? [];
    return problems.map((problem) => `plot ${at + 1}: ${problem}`);
  });
}

function differingPlot({ title, series }, found, valuesOnly) {
  const titles = title === null || title === found.title ? [] : [`its title is '${found.title}', not '${title}'`];
  if (series.length !== found.series.length) return [...titles, `${found.series.length} curves, not ${series.length}`];
  const curves = series.flatMap((curve, at) =>
    differingCurve(curve, found.series[at], valuesOnly).map((text) => `curve ${at + 1}: ${text}`),
  );
  return [...titles, ...curves];
}

function differingCurve({ label, points, first, last }, found, valuesOnly) {
  const problems = label === found.label ? [] : [`its label is '${found.label}', not '${label}'`];
  if (points !== found.points.length) problems.push(`${found.points.length} points, not ${points}`);
  const isFound = (wanted) =>
    found.points.some((point) => (valuesOnly ? near(point.at(-1), wanted.at(-1)) : sameRow(point, wanted)));
  for (const wanted of [first, last]) if (!isFound(wanted)) problems.push(`no point ${wanted.join(", ")}`);
  return problems;
}

/** Compares rows in any order, because unsorted queries have none. */
function differingTables(expected, found) {
  if (expected.length !== found.length) return [`${found.length} tables, not ${expected.length}`];
  return expected.flatMap(({ labels, columns, rows }, at) => {
    const own = found[at];
    const problems = [];
    // Labels shared by several inputs are printed once.
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

/** `coll_better.dat`: its numbers; `coll_full.dat data lines`: its number of lines that are not comments. */
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
      : [`${file} contains ${numbers.join()}, not ${wanted.join()}`];
  });
}

/** The differences of a query's output: `printed` is its stdout, `written` maps the files it wrote to their text. */
export function differingAnswer(query, { plots, tables, files = [], facts }, printed, written) {
  const textOf = (file) => written.get(file) ?? "";
  const drawn = [...written].flatMap(([file, text]) => (file.endsWith(".gp") ? [text] : []));
  // Some queries write the same plot to the screen and to a file, with different titles.
  const scripts = [printed, drawn.join("")].map(plotsIn).filter((found) => found.length > 0);
  const ways = scripts.map((found) => differingPlots(query, plots ?? [], found)).sort((a, b) => a.length - b.length);
  return [
    ...(plots === undefined ? [] : (ways[0] ?? ["no plot"])),
    ...(tables === undefined ? [] : differingTables(tables, tablesIn(printed))),
    ...(facts === undefined ? [] : differingFacts(facts, textOf)),
    ...files.filter((file) => !written.has(file)).map((file) => `${file} was not written`),
  ];
}
