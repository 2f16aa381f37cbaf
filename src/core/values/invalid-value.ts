/** Why a text is no content of a type; returned, not thrown, because readers of benchmark output try many texts. */
export class InvalidValue {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}
