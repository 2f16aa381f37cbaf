import type { Overview } from "../../src/core/pages/index.ts";
import type { PageProps } from "./page-props.ts";
import { CommitPage } from "./commit.tsx";
import { CommitsPage } from "./commits.tsx";
import { ExperimentPage, ExperimentsPage } from "./experiments.tsx";
import { ComparePage } from "./compare.tsx";
import { OverviewPage } from "./overview.tsx";
import { ProfilesPage } from "./profiles.tsx";
import { SeriesListPage } from "./series-list.tsx";
import { SeriesPage } from "./series.tsx";
import { Text } from "../parts/text.tsx";
import type { FunctionComponent, JSX } from "preact";

/** A page of the app; `name` is the first segment of its address. */
export interface PageKind {
  readonly name: string;
  readonly title: string;
  readonly Page: FunctionComponent<PageProps>;
  /** The page is hidden if this total is 0. */
  readonly needs?: keyof Overview["totals"];
}

/** A list page, or the page of one item if the address names it. */
function listOrOne(
  List: FunctionComponent<PageProps>,
  One: FunctionComponent<PageProps>,
): FunctionComponent<PageProps> {
  return (props) => (props.route.of === "" ? <List {...props} /> : <One {...props} />);
}

export const pages: readonly PageKind[] = [
  { name: "", title: "Overview", Page: OverviewPage },
  { name: "series", title: "Series", Page: listOrOne(SeriesListPage, SeriesPage), needs: "series" },
  { name: "commits", title: "Commits", Page: listOrOne(CommitsPage, CommitPage), needs: "commits" },
  { name: "profiles", title: "Profiles", Page: ProfilesPage, needs: "profiles" },
  { name: "compare", title: "Compare", Page: ComparePage, needs: "commits" },
  { name: "experiments", title: "Experiments", Page: listOrOne(ExperimentsPage, ExperimentPage), needs: "experiments" },
  { name: "environment", title: "Environment", Page: EnvironmentPage },
];

/** The environment of the newest measured commit. */
function EnvironmentPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Environment</h1>
      <p class="lead">The environment of the newest measured commit.</p>
      {overview.environment.length === 0 && <p>No environment was recorded.</p>}
      <dl class="facts">
        {overview.environment.flatMap(([name, value], i) => [
          <dt key={`n${i}`}>
            <Text of={name} short={80} />
          </dt>,
          <dd key={`v${i}`}>
            <Text of={value} />
          </dd>,
        ])}
      </dl>
    </>
  );
}
