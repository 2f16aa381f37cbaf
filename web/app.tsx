import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Loaded, useLoaded } from "./parts/answer.tsx";
import type { CachedSource } from "./context/cached-source.ts";
import type { ChartDrawing } from "./context/chart-drawing.ts";
import { minuteText } from "./model/number-text.ts";
import { PageContext } from "./context/page-context.ts";
import { pages } from "./pages/pages.tsx";
import { href, type Route, useRoute } from "./context/route.ts";
import { shown, Text } from "./parts/text.tsx";
import { chooseTheme, isDark, onTheme, type ThemeChoice, themeChoice } from "./context/theme.ts";
import type { Overview } from "../src/core/pages/index.ts";

interface AppProps {
  readonly source: CachedSource;
  readonly charts: () => Promise<ChartDrawing>;
}

/** The frame of all pages: project name, navigation, the current page and the footer. */
export function App({ source, charts }: AppProps): JSX.Element {
  const route = useRoute();
  const [dark, setDark] = useState(isDark());
  const revision = useRevision(source);
  useEffect(() => onTheme(setDark), []);
  const overview = useLoaded(() => source.overview(), [revision]);
  const kind = pages.find((each) => each.name === route.page) ?? pages[0];
  useReadyMark(overview.state !== "waiting");
  return (
    <PageContext.Provider value={{ source, charts, revision, dark }}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to main content
      </a>
      <Top overview={overview.state === "there" ? overview.value : undefined} current={kind?.name ?? ""} />
      <Main route={route} title={kind?.title ?? ""}>
        <Loaded of={overview} what="the overview">
          {(value) => kind && <kind.Page key={`${kind.name}/${route.of}`} overview={value} route={route} />}
        </Loaded>
      </Main>
      {overview.state === "there" && <Bottom overview={overview.value} />}
    </PageContext.Provider>
  );
}

/** A counter that grows with every change the source reports. */
function useRevision(source: CachedSource): number {
  const [revision, setRevision] = useState(0);
  useEffect(
    () =>
      source.live?.watch(() => {
        source.clear();
        setRevision((before) => before + 1);
      }),
    [source],
  );
  return revision;
}

function useReadyMark(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    requestAnimationFrame(() => {
      performance.mark("perfkeep-ready");
      document.documentElement.dataset["ready"] = "yes";
    });
  }, [isThere]);
}

/** Moves the focus without changing the address. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Main({ route, title, children }: { route: Route; title: string; children: JSX.Element }): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = [shown(route.of).slice(0, 80), title, "perfkeep"].filter((part) => part !== "").join(" · ");
    // Keyboard and screen-reader users continue at the start of the new page.
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [route.page, route.of]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
}

function Top({ overview, current }: { overview: Overview | undefined; current: string }): JSX.Element {
  const available = pages.filter(
    ({ needs }) => needs === undefined || overview === undefined || overview.totals[needs] > 0,
  );
  return (
    <header class="top">
      <a class="project" href={href("")}>
        {overview === undefined ? "perfkeep" : <Text of={overview.project} short={60} />}
      </a>
      <nav aria-label="Pages">
        {available.map((page) => (
          <a key={page.name} href={href(page.name)} aria-current={page.name === current ? "page" : undefined}>
            {page.title}
          </a>
        ))}
      </nav>
      <ThemeSwitch />
    </header>
  );
}

function ThemeSwitch(): JSX.Element {
  const [choice, setChoice] = useState(themeChoice());
  const change = (event: Event): void => {
    const next = (event.target as HTMLSelectElement).value as ThemeChoice;
    setChoice(next);
    chooseTheme(next);
  };
  return (
    <select aria-label="Colours" value={choice} onChange={change}>
      <option value="system">system</option>
      <option value="light">light</option>
      <option value="dark">dark</option>
    </select>
  );
}

function Bottom({ overview }: { overview: Overview }): JSX.Element {
  return (
    <footer class="bottom">
      {Date.parse(overview.generatedAt) > 0 && (
        <>
          Generated on <time dateTime={overview.generatedAt}>{minuteText(overview.generatedAt)} UTC</time> by{" "}
        </>
      )}
      perfkeep <Text of={overview.program} short={40} />. All times are in UTC.
    </footer>
  );
}
