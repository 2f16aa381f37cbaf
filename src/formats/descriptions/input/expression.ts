import {
  argumentProblem,
  deepestNode,
  depthOf,
  expressionFunctions,
  functionNamed,
  mostNodes,
  type Expression,
  isName,
} from "../../../core/variables/index.ts";
import { descriptionError, type DescriptionLine, type ErrorDetails } from "../lexical-syntax.ts";

/*
 * Precedence, lowest first: + and -, * and / and %, a sign, ^ (right-associative). A sum or product of many operands is
 * one node. `e` and `pi` are constants. Variables with these names, or with characters other than letters, digits and
 * _, are quoted.
 */

const wordPattern =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|"([^"]*)"|([-+*/%^(),]))/uy;
/** Nesting limit for parentheses, which need not contain an operation. */
const deepestParenthesis = 2 * deepestNode;

interface Token {
  readonly kind: "number" | "word" | "quoted" | "sign" | "end";
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

/**
 * Reads the rest of a line from the 0-based offset `from`. Fails with `description-error` at its line and column.
 * `named` is called with each variable and its 1-based column.
 */
export function parseExpression(
  line: DescriptionLine,
  from: number,
  named: (variable: string, column: number) => void = () => {},
): Expression {
  const parser = new ExpressionParser(line, from, named);
  return parser.complete();
}

class ExpressionParser {
  readonly #line: DescriptionLine;
  readonly #start: number;
  readonly #named: (variable: string, column: number) => void;
  #at: number;
  #token: Token;
  #nodes = 0;
  #depth = 0;

  constructor(line: DescriptionLine, from: number, named: (variable: string, column: number) => void) {
    this.#line = line;
    this.#named = named;
    this.#start = from;
    this.#at = from;
    this.#token = this.#next();
  }

  complete(): Expression {
    const expression = this.#sum();
    if (this.#token.kind !== "end")
      throw this.#error(`'${this.#token.text}' is not expected there`, { advice: "an operator is missing" });
    if (depthOf(expression) > deepestNode)
      throw descriptionError(
        this.#line,
        this.#start + 1,
        `the expression is nested deeper than ${deepestNode} operations`,
      );
    return expression;
  }

  #next(): Token {
    wordPattern.lastIndex = this.#at;
    const match = wordPattern.exec(this.#line.text);
    const rest = this.#line.text.slice(this.#at);
    const column = this.#at + (/\S/.exec(rest)?.index ?? rest.length) + 1;
    if (!match) {
      const wrong = rest.trimStart().slice(0, 1);
      if (wrong === "") return { kind: "end", text: "", column };
      throw descriptionError(
        this.#line,
        column,
        wrong === '"' ? "this quote is not closed on its line" : `'${wrong}' is not expected there`,
      );
    }
    this.#at = wordPattern.lastIndex;
    const [, number, word, quoted, sign = ""] = match;
    if (number !== undefined) return { kind: "number", text: number, column };
    if (word !== undefined) return { kind: "word", text: word, column };
    return quoted === undefined ? { kind: "sign", text: sign, column } : { kind: "quoted", text: quoted, column };
  }

  #error(problem: string, details: ErrorDetails = {}): Error {
    return descriptionError(this.#line, this.#token.column, problem, details);
  }

  #take(): Token {
    const taken = this.#token;
    this.#token = this.#next();
    return taken;
  }

  #takeSign(...signs: readonly string[]): string | undefined {
    return this.#isSign(...signs) ? this.#take().text : undefined;
  }

  #isSign(...signs: readonly string[]): boolean {
    return this.#token.kind === "sign" && signs.includes(this.#token.text);
  }

  #node(expression: Expression): Expression {
    this.#nodes += 1;
    if (this.#nodes <= mostNodes) return expression;
    throw this.#error(`the expression has more than ${mostNodes} operands`);
  }

  #sum(): Expression {
    return this.#chain(
      ["+", "-"],
      () => this.#product(),
      "sum",
      () => "difference",
    );
  }

  #product(): Expression {
    return this.#chain(
      ["*", "/", "%"],
      () => this.#signed(),
      "product",
      (sign) => (sign === "/" ? "fraction" : "modulo"),
    );
  }

  /** Left-associative operands of one precedence. Operands combined by the first sign become one node. */
  #chain(
    signs: readonly string[],
    operand: () => Expression,
    many: "sum" | "product",
    pair: (sign: string) => "difference" | "fraction" | "modulo",
  ): Expression {
    let left = operand();
    let open: Expression[] | undefined;
    for (;;) {
      const sign = this.#takeSign(...signs);
      if (sign === undefined) return left;
      const right = operand();
      if (sign !== signs[0]) {
        left = this.#node({ kind: pair(sign), left, right });
        open = undefined;
      } else if (open) open.push(right);
      else {
        open = [left, right];
        left = this.#node({ kind: many, of: open });
      }
    }
  }

  #signed(): Expression {
    if (this.#takeSign("+") !== undefined) return this.#deeper(() => this.#signed());
    if (this.#takeSign("-") === undefined) return this.#power();
    if (this.#token.kind !== "number") return this.#node({ kind: "negative", of: this.#deeper(() => this.#signed()) });
    const number = this.#number();
    if (this.#isSign("^")) return this.#node({ kind: "negative", of: this.#powerOf(number) });
    return { ...number, value: 0 - number.value };
  }

  #power(): Expression {
    return this.#powerOf(this.#atom());
  }

  #powerOf(left: Expression): Expression {
    if (this.#takeSign("^") === undefined) return left;
    return this.#node({ kind: "power", left, right: this.#deeper(() => this.#signed()) });
  }

  #deeper<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepestParenthesis)
      throw this.#error(`the expression is nested deeper than ${deepestNode} operations`);
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #atom(): Expression {
    if (this.#token.kind === "number") return this.#number();
    if (this.#token.kind === "quoted") return this.#variable(this.#take());
    if (this.#token.kind === "word") return this.#word(this.#take());
    if (this.#takeSign("(") === undefined)
      throw this.#error(
        this.#token.kind === "end"
          ? "the expression ends where a number, a name or ( should follow"
          : `'${this.#token.text}' is not expected there`,
      );
    const inner = this.#deeper(() => this.#sum());
    this.#close();
    return inner;
  }

  #number(): { kind: "constant"; value: number } {
    const value = Number(this.#token.text);
    if (!Number.isFinite(value)) throw this.#error(`'${this.#token.text.slice(0, 40)}' is too large`);
    this.#node({ kind: "constant", value });
    this.#take();
    return { kind: "constant", value };
  }

  #word(word: Token): Expression {
    if (this.#isSign("(")) return this.#call(word);
    if (word.text === "e") return this.#node({ kind: "constant", value: Math.E, name: "e" });
    if (word.text === "pi") return this.#node({ kind: "constant", value: Math.PI, name: "pi" });
    return this.#variable(word);
  }

  #variable(word: Token): Expression {
    if (isName(word.text)) {
      this.#named(word.text, word.column);
      return this.#node({ kind: "variable", name: word.text });
    }
    throw descriptionError(this.#line, word.column, `'${word.text.slice(0, 80)}' is not a valid name of a parameter`);
  }

  #call(word: Token): Expression {
    const name = functionNamed(word.text);
    if (!name) {
      const known = Object.keys(expressionFunctions);
      const details = { word: word.text, candidates: known, advice: `functions are ${known.join(", ")}` };
      throw descriptionError(this.#line, word.column, `unknown function '${word.text.slice(0, 40)}'`, details);
    }
    this.#take();
    const of = [this.#deeper(() => this.#sum())];
    while (this.#takeSign(",") !== undefined) of.push(this.#deeper(() => this.#sum()));
    this.#close();
    const problem = argumentProblem(name, of.length);
    if (problem !== undefined) throw descriptionError(this.#line, word.column, problem);
    return this.#node({ kind: "function", name, of });
  }

  #close(): void {
    if (this.#takeSign(")") === undefined) throw this.#error("a closing parenthesis is missing here");
  }
}
