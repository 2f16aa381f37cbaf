/** A named line of the legend below an exported picture. */
export interface ExportedLine {
  readonly label: string;
  /** Class and dashes of its line. */
  readonly line: string;
  readonly dash: string;
}

const copiedStyles = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "font-size"] as const;
const namespace = "http://www.w3.org/2000/svg";
const rowHeight = 18;

/** A drawn chart as a document of its own, with its title above and its legend below, in the colours of the page. */
export function exportedSvg(drawn: SVGSVGElement, title: string, legend: readonly ExportedLine[]): string {
  const { width, height } = drawn.viewBox.baseVal;
  const full = height + rowHeight * (legend.length + 1) + 14;
  const copy = document.createElementNS(namespace, "svg");
  for (const [name, value] of Object.entries({ width, height: full, viewBox: `0 0 ${width} ${full}` }))
    copy.setAttribute(name, String(value));
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const page = getComputedStyle(document.body);
  const append = (parent: Element, name: string, attributes: Record<string, string | number>, text = ""): Element => {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    parent.append(element);
    return element;
  };
  append(copy, "rect", { width, height: full, fill: page.backgroundColor });
  append(copy, "text", { x: 12, y: 20, fill: page.color, "font-size": 13, "font-weight": 600 }, title);
  const chart = drawn.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawn, chart);
  for (const part of chart.querySelectorAll(".frame, .selected")) part.remove();
  const group = append(copy, "g", { transform: `translate(0 ${rowHeight + 8})` });
  group.append(...chart.childNodes);
  legend.forEach(({ label, line, dash }, i) => {
    const y = height + rowHeight * (i + 2) + 2;
    const source = drawn.querySelector(`.${line.replaceAll(" ", ".")} path`);
    const stroke = source === null ? page.color : getComputedStyle(source).stroke;
    append(copy, "path", { d: `M12 ${y}h24`, stroke, "stroke-width": 1.6, "stroke-dasharray": dash });
    append(copy, "text", { x: 44, y: y + 4, fill: page.color, "font-size": 12 }, label);
  });
  return new XMLSerializer().serializeToString(copy);
}

function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of copiedStyles) to.setAttribute(name, style.getPropertyValue(name));
  to.removeAttribute("class");
  if (from.matches(".frame, .selected")) to.setAttribute("class", from.getAttribute("class") ?? "");
  Array.from(from.children).forEach((child, i) => inlineStyles(child, to.children[i]!));
}

/** An SVG document as PNG, at twice its size. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture is too large.")) : resolve(blob))),
  );
}

/** Hands a file to the user. */
export function saveFile(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
