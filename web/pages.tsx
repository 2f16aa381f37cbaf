import type { FunctionComponent } from "preact";
import type { Overview } from "../src/core/pages/overview.ts";
import type { PageProps } from "./page-props.ts";
import { CommitPage } from "./pages/commit.tsx";
import { CommitsPage } from "./pages/commits.tsx";
import { ComparePage } from "./pages/compare.tsx";
import { EnvironmentPage } from "./pages/environment.tsx";
import { ExperimentPage } from "./pages/experiment.tsx";
import { ExperimentsPage } from "./pages/experiments.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { ProfilesPage } from "./pages/profiles.tsx";
import { SeriesListPage } from "./pages/series-list.tsx";
import { SeriesPage } from "./pages/series.tsx";

/** A page of the app; its name is the first part of its address. */
export interface PageKind {
  readonly name: string;
  readonly title: string;
  readonly Page: FunctionComponent<PageProps>;
  /** It has nothing to show where there is none of these. */
  readonly needs?: keyof Overview["totals"];
}

/** One page for the list and, where the address names one, for what is in it. */
function listOrOne(
  List: FunctionComponent<PageProps>,
  One: FunctionComponent<PageProps>,
): FunctionComponent<PageProps> {
  return (props) => (props.route.of === "" ? <List {...props} /> : <One {...props} />);
}

export const pages: readonly PageKind[] = [
  { name: "", title: "Overview", Page: OverviewPage },
  { name: "series", title: "Series", Page: listOrOne(SeriesListPage, SeriesPage), needs: "series" },
  { name: "commits", title: "Commits", Page: listOrOne(CommitsPage, CommitPage), needs: "versions" },
  { name: "profiles", title: "Profiles", Page: ProfilesPage, needs: "profiles" },
  { name: "compare", title: "Compare", Page: ComparePage, needs: "profiles" },
  { name: "experiments", title: "Experiments", Page: listOrOne(ExperimentsPage, ExperimentPage), needs: "experiments" },
  { name: "environment", title: "Environment", Page: EnvironmentPage },
];
