import { useEffect, useState } from "preact/hooks";

const paper = window.matchMedia("print");

/** Whether the page is being printed; everything is then rendered unfolded. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(paper.matches);
  useEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(paper.matches);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    paper.addEventListener("change", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      paper.removeEventListener("change", end);
    };
  }, []);
  return isPrinting;
}
