import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { changeCreators, creators, namesOf, requireRight, unknownRoles, type Right } from "./rights.ts";

/** Who may do what with an experiment; each right includes those before it, and the owner has all. */
export interface ExperimentRights {
  readonly owner?: string;
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  readonly admins: readonly string[];
  /** Those of them that the server has no user or group of: their rights wait. */
  readonly waiting: readonly string[];
  /** Whether a server sees to it; a file is guarded by its permissions alone. */
  readonly enforced: boolean;
}

/** Questions about rights. Those to single experiments are changed by updates. */
export class ExperimentAccess {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Fails with `right-missing`, which says who can grant it. */
  require(stored: StoredExperiment, right: Right): Promise<void> {
    return requireRight(this.#engine, stored, right);
  }

  async of({ experiment, owner }: StoredExperiment): Promise<ExperimentRights> {
    const { readers, writers, admins = [] } = experiment;
    const waiting = await unknownRoles(this.#engine, namesOf(experiment));
    return {
      ...(owner === undefined ? {} : { owner }),
      readers,
      writers,
      admins,
      waiting,
      enforced: this.#engine.dialect === "postgres",
    };
  }

  /** Who may make experiments besides the owner of the schema; in a file nobody is named. */
  creators(): Promise<string[]> {
    return creators(this.#engine);
  }

  /**
   * Lets users make experiments, or no more; answers who may. Fails with `role-unknown`, `right-missing`; in a file
   * with `no-users`.
   */
  changeCreators(action: "grant" | "revoke", names: readonly string[]): Promise<string[]> {
    return this.#engine.transaction(() => changeCreators(this.#engine, action, names));
  }
}
