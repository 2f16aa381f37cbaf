import type { ViewChoice, ViewOption } from "../../core/pages/source.ts";
import { formatValue } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The views that people look at first; all others follow. */
const first = ["flamegraph", "scatter", "bars", "flow", "heatmap", "alloclist"];

/** All views with their options. */
export async function viewChoices({ registry }: Workspace): Promise<ViewChoice[]> {
  const known = registry.names("view");
  const names = [...first.filter((name) => known.includes(name)), ...known.filter((name) => !first.includes(name))];
  const views = await Promise.all(names.map((name) => registry.get("view", name)));
  return views.map(({ name, synopsis, options }) => ({ name, synopsis, options: options.map(viewOption) }));
}

function viewOption({ name, type, synopsis = "", default: usual = null, valid = [] }: Variable): ViewOption {
  return { name, type, synopsis, usual: usual === null ? "" : formatValue(usual, type), valid: valid.map(String) };
}
