import type {
  BlockMark,
  Cut,
  DerivedLocation,
  ExplicitLocation,
  FilenameLocation,
  FixedLocation,
  InputLocation,
  MatrixLocation,
  NamedLocation,
  PatternLocation,
  Separation,
  SplitLocation,
  TableLocation,
  TableValue,
  TransposedLocation,
  Trigger,
} from "../../../../formats/descriptions/index.ts";

/**
 * Support for a field under the rules `sets`: true, a description of the unsupported feature, or a function for
 * fields that support only some values.
 */
type Support = true | string | ((value: never) => string | undefined);
type Fields<T> = Readonly<Record<keyof T, Support>>;

const cut: Fields<Cut> = {
  length: true,
  blanks: true,
  unit: true,
  scale: true,
  decimal: true,
  thousands: true,
  prefixes: true,
  format: true,
  zone: true,
  escapes: true,
  filters: true,
  maps: true,
};
const unsupportedStoring = (stores: boolean): string | undefined => (stores ? "storing a row on a value" : undefined);
const effects = {
  storesRow: unsupportedStoring,
  update: "an update",
  sticky: "a value for a single row",
  retrigger: "retrigger",
} as const;
const common = { kind: true, name: true, origin: true } as const;

const named: Fields<NamedLocation> = {
  ...common,
  ...cut,
  ...effects,
  startsRun: true,
  aliases: true,
  patterns: true,
  matches: true,
  triggers: (triggers: readonly Trigger[]) =>
    triggers.some(({ skip }) => skip < 0) ? "a trigger after its line" : undefined,
  block: ({ end }: { end: readonly BlockMark[] }) =>
    end.some(({ skip }) => skip !== 0) ? "skipped lines at the end of a block" : undefined,
  lines: true,
  leads: true,
  mode: true,
};

const explicit: Fields<ExplicitLocation> = {
  ...common,
  ...cut,
  ...effects,
  startsRun: true,
  row: true,
  position: ({ kind }: { kind: string }) =>
    kind === "relative" ? "a relative position outside of a table" : undefined,
  repetition: true,
  typed: true,
};

const table: Fields<TableLocation> = {
  kind: true,
  origin: true,
  rows: true,
  start: true,
  columns: true,
  most: true,
  blanks: true,
  separator: true,
  gap: true,
  grid: true,
  header: true,
  startsRun: true,
  skipsBlank: true,
  skipPatterns: true,
  skipsHeads: true,
  values: true,
};

const { blanks: _, ...columnCut } = cut;
const column: Fields<TableValue> = {
  ...columnCut,
  name: true,
  origin: true,
  position: true,
  repetition: true,
  typed: true,
  optional: true,
  missing: true,
  label: true,
  update: effects.update,
};

const filename: Fields<FilenameLocation> = {
  ...common,
  ...cut,
  matches: true,
  patterns: true,
  keys: true,
  folder: true,
  mode: true,
};
const fixed: Fields<FixedLocation> = { ...common, value: true };
const derived: Fields<DerivedLocation> = {
  ...common,
  from: true,
  storesRow: effects.storesRow,
  update: effects.update,
  // Under these rules derived values belong to every row: this is what sticky requests.
  retrigger: (again: DerivedLocation["retrigger"]) => (again === "sticky" ? undefined : effects.retrigger),
};
const split: Fields<SplitLocation> = {
  ...common,
  kind: "a split location",
  enter: true,
  leave: true,
  stores: true,
  update: effects.update,
};
const separation: Fields<Separation> = { kind: true, origin: true, mark: true, run: true, skip: true };

const rows = { kind: true, origin: true, blanks: true, separator: true, gap: true, grid: true } as const;
const pattern: Fields<PatternLocation> = {
  kind: true,
  origin: true,
  source: true,
  rows: true,
  groups: true,
  startsRun: true,
  ...effects,
};
const transposed: Fields<TransposedLocation> = { ...rows, values: true };
const matrix: Fields<MatrixLocation> = {
  ...rows,
  rows: true,
  start: true,
  most: true,
  cell: true,
  across: true,
  down: true,
  label: true,
  optional: true,
  missing: true,
};

const fields: Readonly<Record<InputLocation["kind"], Readonly<Record<string, Support>>>> = {
  named,
  explicit,
  table,
  filename,
  fixed,
  derived,
  split,
  separation,
  pattern,
  transposed,
  matrix,
};

/** Describes the first unsupported feature of a location or column under the rules `sets`. */
export function unsupportedFeature(location: InputLocation | TableValue): string | undefined {
  const meanings: Readonly<Record<string, Support>> = "kind" in location ? fields[location.kind] : column;
  for (const [field, value] of Object.entries(location)) {
    const meaning = value === undefined ? true : (meanings[field] ?? `'${field}'`);
    const word = typeof meaning === "function" ? meaning(value as never) : meaning;
    if (typeof word === "string") return word;
  }
  return undefined;
}
