import { Failure } from "../../core/failures/failure.ts";
import { misshapenAnswers, type AddedPlugin } from "./plugin-shape.ts";

type Call = (...words: readonly unknown[]) => unknown;
type Check = (answer: unknown) => string | null;

const anything: Check = () => null;

interface Place {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * The plug-in of a user as the program may call it: whatever goes wrong in it, and whatever misshapen it answers, is a
 * Failure that names its file. A Failure that it throws itself, or that what it was handed throws, passes through.
 */
export function guarded<P extends AddedPlugin>(plugin: P, file: string): P {
  return guardedObject({ file, kind: plugin.kind, name: plugin.name }, plugin, misshapenAnswers[plugin.kind]) as P;
}

/**
 * All that it has, and its classes, with every function guarded; `checks` are those of what functions answer, by their
 * names.
 */
function guardedObject(place: Place, target: object, checks: Readonly<Record<string, Check>> = {}): object {
  const members = target as Readonly<Record<string, unknown>>;
  const guards = namesOf(target).map((name): [string, unknown] => {
    const member = members[name];
    if (typeof member !== "function") return [name, wrapped(place, member)];
    return [
      name,
      (...words: unknown[]) =>
        judged(place, name, () => (member as Call).apply(target, words), checks[name] ?? anything),
    ];
  });
  return Object.freeze(Object.fromEntries(guards));
}

function judged(place: Place, name: string, call: () => unknown, check: Check): unknown {
  const judge = (answer: unknown): unknown => {
    const wrong = check(answer);
    if (wrong !== null) throw failed(place, `${name} answered ${wrong}`);
    return wrapped(place, answer);
  };
  try {
    const answer = call();
    if (!(answer instanceof Promise)) return judge(answer);
    return answer.then(judge).catch((error: unknown) => {
      throw failureOf(place, error);
    });
  } catch (error) {
    throw failureOf(place, error);
  }
}

/**
 * What it answers may be called as well (a repository, a worktree, a walk): that is guarded, too. Data stay as they
 * are.
 */
function wrapped(place: Place, answer: unknown): unknown {
  if (
    typeof answer !== "object" ||
    answer === null ||
    Array.isArray(answer) ||
    answer instanceof Map ||
    ArrayBuffer.isView(answer)
  )
    return answer;
  if (Symbol.asyncIterator in answer) return walked(place, answer as AsyncIterable<unknown>);
  const hasFunctions = namesOf(answer).some(
    (name) => typeof (answer as Readonly<Record<string, unknown>>)[name] === "function",
  );
  return hasFunctions ? guardedObject(place, answer) : answer;
}

function namesOf(thing: object): string[] {
  const names = new Set<string>();
  for (
    let at: object | null = thing;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names];
}

async function* walked(place: Place, source: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    for await (const item of source) yield item;
  } catch (error) {
    throw failureOf(place, error);
  }
}

function failureOf(place: Place, error: unknown): Failure {
  return error instanceof Failure
    ? error
    : failed(place, error instanceof Error ? `${error.name}: ${error.message}` : String(error), error);
}

function failed({ file, kind, name }: Place, reason: string, cause?: unknown): Failure {
  return new Failure(
    "plugin-failed",
    { file, kind, name, reason: (reason.split("\n", 1)[0] ?? "").slice(0, 500) },
    cause,
  );
}
