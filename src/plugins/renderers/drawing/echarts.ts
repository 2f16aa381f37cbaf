import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridSimpleComponent } from "echarts/components";
import { init, setPlatformAPI, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { textWidth } from "./svg/dejavu-sans.ts";

/** Renders an echarts option as an `<svg>` element. The only importer of echarts, loaded lazily because of its size. */
export function echartsSvg(option: Readonly<Record<string, unknown>>, width: number, height: number): string {
  use([CustomChart, LineChart, ScatterChart, GridSimpleComponent, SVGRenderer]);
  // Without a canvas echarts estimates widths with another font and clips labels.
  setPlatformAPI({ measureText });
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** `font` is a CSS font such as `12px DejaVu Sans`. echarts uses the width only. */
function measureText(text: string, font?: string): { width: number } {
  return { width: textWidth(text, Number(/([\d.]+)px/.exec(font ?? "")?.[1] ?? 12)) };
}
