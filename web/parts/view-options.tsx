import type { JSX } from "preact";
import type { ViewOption } from "../../src/core/pages/index.ts";
import { shown, Text } from "./text.tsx";

/** Options of a view by name; defaults are omitted. */
export type ChosenOptions = Readonly<Record<string, string>>;

interface ViewOptionsProps {
  readonly options: readonly ViewOption[];
  readonly chosen: ChosenOptions;
  readonly onChoose: (chosen: ChosenOptions) => void;
}

/** A form for the options of a view. */
export function ViewOptions({ options, chosen, onChoose }: ViewOptionsProps): JSX.Element | null {
  if (options.length === 0) return null;
  const draw = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const given = options.flatMap(({ name, default: defaultText }): [string, string][] => {
      const text = data.get(name);
      return typeof text !== "string" || text === defaultText || text.trim() === "" ? [] : [[name, text]];
    });
    onChoose(Object.fromEntries(given));
  };
  return (
    <details class="options" open={Object.keys(chosen).length > 0}>
      <summary>View options</summary>
      <form key={JSON.stringify(chosen)} onSubmit={draw}>
        <div class="fields">
          {options.map((option) => (
            <label key={option.name} title={shown(option.synopsis)}>
              {option.name}
              <Field option={option} text={chosen[option.name] ?? option.default} />
              <span class="quiet">
                <Text of={option.synopsis} short={200} />
              </span>
            </label>
          ))}
        </div>
        <button type="submit">Apply</button>{" "}
        <button type="button" disabled={Object.keys(chosen).length === 0} onClick={() => onChoose({})}>
          Reset
        </button>
      </form>
    </details>
  );
}

function Field({
  option: { name, type, default: defaultText, valid },
  text,
}: {
  option: ViewOption;
  text: string;
}): JSX.Element {
  const choices = type === "boolean" ? ["true", "false"] : valid;
  if (choices.length > 0) {
    return (
      <select name={name} defaultValue={text}>
        {defaultText === "" && <option value="" />}
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === text}>
            {shown(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (type === "text") return <textarea name={name} rows={2} defaultValue={text} />;
  if (type === "integer" || type === "float") return <input name={name} type="number" step="any" defaultValue={text} />;
  return <input name={name} type="text" defaultValue={text} />;
}
