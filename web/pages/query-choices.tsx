import type { ComponentChildren, JSX } from "preact";
import type { FilterComparison } from "../../src/core/experiments/index.ts";
import type { QueryVariable } from "../../src/core/pages/index.ts";
import {
  type BuilderFilter,
  type BuilderQuery,
  comparisonTitles,
  needsValue,
  offeredStatistics,
  type Shape,
  shapes,
} from "../model/query-builder-model.ts";
import { shown, Text } from "../parts/text.tsx";

interface QueryChoicesProps {
  readonly variables: readonly QueryVariable[];
  readonly query: BuilderQuery;
  readonly onChange: (next: Partial<BuilderQuery>) => void;
}

/** The form fields of a query. */
export function QueryChoices({ variables, query, onChange }: QueryChoicesProps): JSX.Element {
  const results = variables.filter(({ role }) => role === "result");
  const parameters = variables.filter(({ role }) => role === "parameter");
  return (
    <div class="bar choices">
      <Choices
        title="Results"
        all={results}
        chosen={query.results}
        onChoose={(chosen) => onChange({ results: chosen })}
      />
      <fieldset>
        <legend>Statistics</legend>
        {offeredStatistics.map((word) => (
          <Check
            key={word}
            isOn={query.statistics.includes(word)}
            onToggle={() => onChange({ statistics: toggled(query.statistics, word) })}
          >
            {word}
          </Check>
        ))}
      </fieldset>
      <Choices title="Group by" all={parameters} chosen={query.by} onChoose={(by) => onChange({ by })} />
      <Filters variables={variables} filters={query.filters} onFilters={(filters) => onChange({ filters })} />
      <label>
        Show as
        <select value={query.shape} onChange={(event) => onChange({ shape: event.currentTarget.value as Shape })}>
          {shapes.map((shape) => (
            <option key={shape} value={shape}>
              {shape}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** The list without the item, or with it at the end. */
function toggled(all: readonly string[], one: string): readonly string[] {
  return all.includes(one) ? all.filter((each) => each !== one) : [...all, one];
}

interface ChoicesProps {
  readonly title: string;
  readonly all: readonly QueryVariable[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

function Choices({ title, all, chosen, onChoose }: ChoicesProps): JSX.Element {
  return (
    <fieldset>
      <legend>{title}</legend>
      {all.map(({ name, unit }) => (
        <Check key={name} isOn={chosen.includes(name)} onToggle={() => onChoose(toggled(chosen, name))}>
          <Text of={name} short={60} />
          {unit !== "" && (
            <span class="quiet">
              <Text of={unit} short={20} />
            </span>
          )}
        </Check>
      ))}
    </fieldset>
  );
}

function Check({
  isOn,
  onToggle,
  children,
}: {
  isOn: boolean;
  onToggle: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <label class="line">
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      {children}
    </label>
  );
}

interface FiltersProps {
  readonly variables: readonly QueryVariable[];
  readonly filters: readonly BuilderFilter[];
  readonly onFilters: (filters: readonly BuilderFilter[]) => void;
}

function Filters({ variables, filters, onFilters }: FiltersProps): JSX.Element {
  const change = (at: number, next: Partial<BuilderFilter>): void =>
    onFilters(filters.map((each, i) => (i === at ? { ...each, ...next } : each)));
  const first = variables[0]?.name;
  return (
    <fieldset>
      <legend>Filters</legend>
      {filters.map((filter, i) => (
        <FilterLine
          key={i}
          variables={variables}
          filter={filter}
          onChange={(next) => change(i, next)}
          onRemove={() => onFilters(filters.filter((_, k) => k !== i))}
        />
      ))}
      {first !== undefined && (
        <button type="button" onClick={() => onFilters([...filters, { of: first, comparison: "equal", value: "" }])}>
          Add filter
        </button>
      )}
    </fieldset>
  );
}

interface FilterLineProps {
  readonly variables: readonly QueryVariable[];
  readonly filter: BuilderFilter;
  readonly onChange: (next: Partial<BuilderFilter>) => void;
  readonly onRemove: () => void;
}

function FilterLine({ variables, filter, onChange, onRemove }: FilterLineProps): JSX.Element {
  return (
    <span class="condition">
      <select aria-label="Variable" value={filter.of} onChange={(event) => onChange({ of: event.currentTarget.value })}>
        {variables.map(({ name }) => (
          <option key={name} value={name}>
            {shown(name).slice(0, 60)}
          </option>
        ))}
      </select>
      <select
        aria-label="Comparison"
        value={filter.comparison}
        onChange={(event) => onChange({ comparison: event.currentTarget.value as FilterComparison })}
      >
        {comparisonTitles.map(([comparison, title]) => (
          <option key={comparison} value={comparison}>
            {title}
          </option>
        ))}
      </select>
      {needsValue(filter.comparison) && (
        <input
          aria-label="Value"
          type="text"
          value={filter.value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      <button type="button" aria-label="Remove filter" onClick={onRemove}>
        ×
      </button>
    </span>
  );
}
