import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Answered, useAnswer } from "./parts/answer.tsx";
import type { CachedSource } from "./context/cached-source.ts";
import type { ChartDrawing } from "./context/chart-drawing.ts";
import { dayText, timeText } from "./model/number-text.ts";
import { PageContext } from "./context/page-context.ts";
import { pages } from "./pages/pages.tsx";
import { href, type Route, useRoute } from "./context/route.ts";
import { shown, Text } from "./parts/text.tsx";
import { chooseTheme, isDark, onTheme, type ThemeChoice, themeChoice } from "./context/theme.ts";
import type { Overview } from "../src/core/pages/overview.ts";

interface AppProps {
  readonly source: CachedSource;
  readonly charts: () => Promise<ChartDrawing>;
}

/** The frame of all pages: what project it is, where one can go, the page one is on. */
export function App({ source, charts }: AppProps): JSX.Element {
  const route = useRoute();
  const [dark, setDark] = useState(isDark());
  const moment = useMoment(source);
  useEffect(() => onTheme(setDark), []);
  const overview = useAnswer(() => source.overview(), [moment]);
  const kind = pages.find((each) => each.name === route.page) ?? pages[0];
  useFirstPicture(overview.state !== "waiting");
  return (
    <PageContext.Provider value={{ source, charts, moment, dark }}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the contents
      </a>
      <Top overview={overview.state === "there" ? overview.value : undefined} current={kind?.name ?? ""} />
      <Main route={route} title={kind?.title ?? ""}>
        <Answered of={overview} what="the overview">
          {(value) => kind && <kind.Page key={`${kind.name}/${route.of}`} overview={value} route={route} />}
        </Answered>
      </Main>
      {overview.state === "there" && <Bottom overview={overview.value} />}
    </PageContext.Provider>
  );
}

/** Counts what the source tells of news. */
function useMoment(source: CachedSource): number {
  const [moment, setMoment] = useState(0);
  useEffect(
    () =>
      source.live?.watch(() => {
        source.forget();
        setMoment((before) => before + 1);
      }),
    [source],
  );
  return moment;
}

function useFirstPicture(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    requestAnimationFrame(() => {
      performance.mark("perfkeep-ready");
      document.documentElement.dataset["ready"] = "yes";
    });
  }, [isThere]);
}

/** The address of the page stays what it is. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Main({ route, title, children }: { route: Route; title: string; children: JSX.Element }): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = [shown(route.of).slice(0, 80), title, "perfkeep"].filter((part) => part !== "").join(" · ");
    // Who goes to another page by the keyboard or a reader of screens goes on from its beginning.
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
  const there = pages.filter(
    ({ needs }) => needs === undefined || overview === undefined || overview.totals[needs] > 0,
  );
  return (
    <header class="top">
      <a class="project" href={href("")}>
        {overview === undefined ? "perfkeep" : <Text of={overview.project} short={60} />}
      </a>
      <nav aria-label="Pages">
        {there.map((page) => (
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
      <option value="system">as the system</option>
      <option value="light">light</option>
      <option value="dark">dark</option>
    </select>
  );
}

function Bottom({ overview }: { overview: Overview }): JSX.Element {
  return (
    <footer class="bottom">
      {overview.made > 0 && (
        <>
          Made on <time dateTime={dayText(overview.made)}>{timeText(overview.made)} UTC</time> by{" "}
        </>
      )}
      perfkeep <Text of={overview.program} short={40} />. All times are in UTC.
    </footer>
  );
}
