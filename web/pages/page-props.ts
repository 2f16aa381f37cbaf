import type { Overview } from "../../src/core/pages/index.ts";
import type { Route } from "../context/route.ts";

export interface PageProps {
  readonly overview: Overview;
  readonly route: Route;
}
