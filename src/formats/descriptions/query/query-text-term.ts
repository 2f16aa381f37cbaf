import { deepestNode, mostNodes } from "../../../core/variables/index.ts";
import type { Term } from "../../../core/experiments/index.ts";
import { descriptionError, type DescriptionLine } from "../lexical-syntax.ts";
import { singleQuoted, Tokens } from "./query-text-tokens.ts";

/*
 * Arithmetic of an eval operator: `(after[new] - before[old]) / before[old] * 100`. A variable is a result followed by
 * its input in brackets, and optionally by a colon and its type (`:scalar` for an input with one row). Precedence: + -,
 * then * / %, a sign, ^ (right-associative). `'text'` is a constant that is not a number, such as the id of a fixed
 * value.
 */

const tokenPattern = new RegExp(
  [
    /'([^'\\]*(?:\\.[^'\\]*)*)'/u,
    /([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/u,
    /([-+*/%^(),[\]:])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "suy",
);
const pairs: Readonly<Record<string, "difference" | "fraction" | "modulo">> = {
  "-": "difference",
  "/": "fraction",
  "%": "modulo",
};

/** Reads the rest of a line from the 0-based `from`. Fails with `description-error` at its line and column. */
export function parseTerm(line: DescriptionLine, from: number): Term {
  const tokens = new Tokens(line, line.text.slice(from), tokenPattern, (at) => from + at + 1);
  const parser = new TermParser(tokens, () =>
    descriptionError(line, from + 1, `the term has more than ${mostNodes} operands`),
  );
  return parser.complete();
}

class TermParser {
  readonly #tokens: Tokens;
  readonly #tooLong: () => Error;
  #nodes = 0;
  #depth = 0;

  constructor(tokens: Tokens, tooLong: () => Error) {
    this.#tokens = tokens;
    this.#tooLong = tooLong;
  }

  complete(): Term {
    const term = this.#sum();
    this.#tokens.needEnd();
    return term;
  }

  #node(term: Term): Term {
    this.#nodes += 1;
    if (this.#nodes > mostNodes) throw this.#tooLong();
    return term;
  }

  #sum(): Term {
    this.#depth += 1;
    if (this.#depth > deepestNode) throw this.#tokens.error(`the term is nested deeper than ${deepestNode}`);
    const term = this.#chain("+", ["-"], "sum", () => this.#product());
    this.#depth -= 1;
    return term;
  }

  #product(): Term {
    return this.#chain("*", ["/", "%"], "product", () => this.#signed());
  }

  /** Left-associative operands of one precedence. Operands combined by `many` become one node. */
  #chain(many: string, others: readonly string[], kind: "sum" | "product", operand: () => Term): Term {
    let left = operand();
    let open: Term[] | undefined;
    for (;;) {
      const sign = this.#tokens.takeSign(many, ...others);
      if (sign === undefined) return left;
      const right = operand();
      if (sign === many && open) {
        open.push(right);
        continue;
      }
      const of = [left, right];
      open = sign === many ? of : undefined;
      left = this.#node({ kind: pairs[sign] ?? kind, of });
    }
  }

  #signed(): Term {
    let signs = 0;
    while (this.#tokens.takeSign("-") !== undefined) signs += 1;
    if (signs > deepestNode) throw this.#tokens.error(`the term is nested deeper than ${deepestNode}`);
    let term = this.#power();
    for (; signs > 0; signs -= 1) term = this.#node({ kind: "negative", of: [term] });
    return term;
  }

  #power(): Term {
    const base = this.#atom();
    if (this.#tokens.takeSign("^") === undefined) return base;
    this.#depth += 1;
    if (this.#depth > deepestNode) throw this.#tokens.error(`the term is nested deeper than ${deepestNode}`);
    const exponent = this.#signed();
    this.#depth -= 1;
    return this.#node({ kind: "power", of: [base, exponent] });
  }

  #atom(): Term {
    if (this.#tokens.takeSign("(") !== undefined) {
      const term = this.#sum();
      this.#tokens.needSign(")");
      return term;
    }
    const token = this.#tokens.next;
    if (token.kind !== "word" && token.kind !== "text") throw this.#tokens.error("an operand is missing here");
    this.#tokens.take();
    if (this.#tokens.takeSign("[") !== undefined) return this.#variable(token.text);
    if (this.#tokens.takeSign("(") !== undefined) return this.#call(token.text, token.kind === "word");
    if (token.kind === "text" || /^[\d.]/.test(token.text)) return this.#node({ kind: "constant", value: token.text });
    throw this.#tokens.error(`'${token.text}' needs the input that it comes from`, {
      advice: `write ${token.text}[id of the input]`,
    });
  }

  #variable(name: string): Term {
    const input = this.#name("the id of an input");
    this.#tokens.needSign("]");
    const type = this.#tokens.takeSign(":") === undefined ? {} : { type: this.#name("a type") };
    return this.#node({ kind: "variable", name, input, ...type });
  }

  #name(what: string): string {
    if (!this.#tokens.is("word") && !this.#tokens.is("text")) throw this.#tokens.error(`${what} is missing here`);
    return this.#tokens.take().text;
  }

  /** `sum(a)` and `product(a)` are the sum and product of one operand; a function of that name is quoted. */
  #call(name: string, plain: boolean): Term {
    const of = [this.#sum()];
    while (this.#tokens.takeSign(",") !== undefined) of.push(this.#sum());
    this.#tokens.needSign(")");
    if (plain && (name === "sum" || name === "product")) return this.#node({ kind: name, of });
    return this.#node({ kind: "function", name, of });
  }
}

const infix = { sum: "+", product: "*", difference: "-", fraction: "/", modulo: "%", power: "^" } as const;

/** Prints a term; `parseTerm` reads it back. */
export function printTerm(term: Term): string {
  switch (term.kind) {
    case "constant":
      return /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(term.value) ? term.value : singleQuoted(term.value);
    case "variable":
      return `${name(term.name)}[${name(term.input)}]${term.type === undefined ? "" : `:${name(term.type)}`}`;
    case "function":
      return `${name(term.name ?? "", ["sum", "product"])}(${term.of.map(printTerm).join(", ")})`;
    case "negative":
      return `-${term.of.map(operand).join("")}`;
    default:
      return term.of.length === 1
        ? `${term.kind}(${term.of.map(printTerm).join("")})`
        : term.of.map(operand).join(` ${infix[term.kind]} `);
  }
}

function operand(term: Term): string {
  const single =
    term.kind === "constant" || term.kind === "variable" || term.kind === "function" || term.of.length === 1;
  return single && term.kind !== "negative" ? printTerm(term) : `(${printTerm(term)})`;
}

function name(text: string, taken: readonly string[] = []): string {
  return /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*$/u.test(text) && !taken.includes(text)
    ? text
    : singleQuoted(text);
}
