import { shuffledOrder } from "../../math/sampling/seeded-random.ts";
import { bestOf, fitModel, fitModels, type Fitted, type ModelName } from "../../math/regression/regression-models.ts";

/** The points of one location and what is asked of them. */
export interface Task {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly models: readonly ModelName[];
  /** Parts of `interval`, `iterative` and `initial_guess`. */
  readonly steps: number;
  readonly isPerun: boolean;
  readonly random: () => number;
}

/**
 * How models are computed from points, by Perun's names. Answers nothing where there are too few points for the steps.
 */
export const methods: Readonly<Record<string, (task: Task) => Fitted[]>> = {
  full: ({ x, y, models, isPerun }) => fitModels(models, x, y, isPerun),
  interval: (task) => parts(byX(task), task.steps).flatMap((part) => best(part) ?? []),
  bisection: (task) => {
    const whole = byX(task);
    const found = best(whole);
    return found ? bisected(whole, found) : [];
  },
  initial_guess: (task) => {
    const [first] = parts(shuffled(task), task.steps);
    const guess = first && best(first);
    return guess ? fitModels([guess.model], task.x, task.y, task.isPerun) : [];
  },
  iterative,
};

function best({ x, y, models, isPerun }: Task): Fitted | undefined {
  return bestOf(fitModels(isPerun ? compared(models) : models, x, y, isPerun));
}

/** Perun adds constants only to what its method full found. */
function compared(models: readonly ModelName[]): readonly ModelName[] {
  const others = models.filter((model) => model !== "constant");
  return others.length > 0 ? others : models;
}

/** Each model sees one part more only while it is the best; the first that saw all of them is taken. */
function iterative(task: Task): Fitted[] {
  const mixed = shuffled(task);
  const ends = parts(mixed, task.steps).reduce<number[]>(
    (all, part) => [...all, (all.at(-1) ?? 0) + part.x.length],
    [],
  );
  const seen = new Map<ModelName, number>();
  const fits = new Map<ModelName, Fitted>();
  const advance = (model: ModelName): void => {
    const step = (seen.get(model) ?? 0) + 1;
    const fitted = fitModel(
      model,
      mixed.x.subarray(0, ends[step - 1]),
      mixed.y.subarray(0, ends[step - 1]),
      task.isPerun,
    );
    seen.set(model, step);
    if (fitted) fits.set(model, fitted);
    else fits.delete(model);
  };
  if (ends.length > 0) for (const model of task.isPerun ? compared(task.models) : task.models) advance(model);
  for (;;) {
    const leading = bestOf([...fits.values()]);
    if (leading === undefined || seen.get(leading.model) === ends.length) return leading ? [leading] : [];
    advance(leading.model);
  }
}

/** A half that another model fits best is halved again; when the halves agree with the whole, the whole stands. */
function bisected(task: Task, whole: Fitted): Fitted[] {
  const halves = parts(task, 2).flatMap((part) => {
    const fitted = best(part);
    return fitted ? [{ part, fitted }] : [];
  });
  if (halves.length < 2 || halves.every(({ fitted }) => fitted.model === whole.model)) return [whole];
  return halves.flatMap(({ part, fitted }) => (fitted.model === whole.model ? [fitted] : bisected(part, fitted)));
}

/** Nearly equal parts, the longer ones first; none where one would have less than three points. */
function parts(task: Task, count: number): Task[] {
  const { length } = task.x;
  if (Math.floor(length / count) < 3) return [];
  const [least, longer] = [Math.floor(length / count), length % count];
  const start = (part: number): number => part * least + Math.min(part, longer);
  return Array.from({ length: count }, (_, part) => ({
    ...task,
    x: task.x.subarray(start(part), start(part + 1)),
    y: task.y.subarray(start(part), start(part + 1)),
  }));
}

function byX(task: Task): Task {
  return inOrder(
    task,
    Uint32Array.from({ length: task.x.length }, (_, i) => i).sort((a, b) => task.x[a]! - task.x[b]! || a - b),
  );
}

function shuffled(task: Task): Task {
  return inOrder(task, shuffledOrder(task.x.length, task.random));
}

function inOrder(task: Task, order: Uint32Array): Task {
  return {
    ...task,
    x: Float64Array.from(order, (at) => task.x[at]!),
    y: Float64Array.from(order, (at) => task.y[at]!),
  };
}
