/** Why a text is not a value of a type. Returned, not thrown: readers of benchmark output try many texts. */
export class InvalidValue {
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}
