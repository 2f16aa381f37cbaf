/*
 * Makes the flame graphs of a page or picture (svg-flame.ts) interactive: resizing to the window, zoom by click or
 * Enter, navigation with the arrow keys, search, and a description of the frame under the pointer. Names are only
 * compared and set as text.
 */
export const flameScript = `
for (const box of document.querySelectorAll("[data-flame]:not([data-ready])")) {
  box.dataset.ready = "yes";
  const picture = box.ownerSVGElement;
  const isAlone = picture === document.documentElement;
  const [margin, row, up] = box.dataset.flame.split(",").map(Number);
  const area = box.querySelector(".flame-frames");
  const [summary, status] = [".flame-summary", ".flame-status"].map((name) => box.querySelector(name));
  const pen = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext("2d");
  const family = picture.getAttribute("font-family");
  const widths = new Map();
  const widthOf = (char, size) => {
    if (!widths.has(char)) {
      pen.font = "100px " + family;
      widths.set(char, pen.measureText(char).width / 100);
    }
    return widths.get(char) * size;
  };
  const cut = (text, room, size) => {
    let [used, kept] = [0, ""];
    const dots = widthOf("…", size);
    let fitting = "";
    for (const char of text) {
      used += widthOf(char, size);
      if (used > room) return fitting === "" ? "" : fitting + "…";
      kept += char;
      if (used + dots <= room) fitting = kept;
    }
    return text;
  };
  const setText = (line, text, room) => {
    line.textContent = cut(text, room, Number(line.getAttribute("font-size")));
  };

  let full = 0;
  const drawn = [...area.children].map((g) => {
    const [title, rect, label] = [g.querySelector("title"), g.querySelector("rect"), g.querySelector("text")];
    const [x, y, w] = [Number(rect.getAttribute("x")), Number(rect.getAttribute("y")), Number(g.dataset.w)];
    full = Math.max(full, w);
    return { g, rect, label, title, x, y, w, shown: true, found: false };
  });
  const rows = drawn.reduce((most, { y }) => Math.max(most, y), 0) / row;
  for (const frame of drawn) frame.level = up ? rows - frame.y / row : frame.y / row;
  // The frames that were too small to draw, each with the number of drawn ones before. Boxes are made when they are
  // zoomed to.
  const small = JSON.parse(box.querySelector(".flame-rest")?.textContent ?? '{"after":[],"omitted":0}');
  const frames = [];
  let next = 0;
  small.after.forEach((after, i) => {
    while (next < after) frames.push(drawn[next++]);
    const [level, x, w] = [small.level[i], small.x[i], small.w[i]];
    const [name, fill] = [small.names[small.name[i]], small.fills[small.fill[i]]];
    frames.push({ g: null, level, y: (up ? rows - level : level) * row, x, w, name, fill, shown: false, found: false });
  });
  while (next < drawn.length) frames.push(drawn[next++]);
  const open = [];
  for (const frame of frames) {
    open.length = frame.level;
    frame.parent = open[frame.level - 1];
    open.push(frame);
  }
  const root = frames[0];
  const nameOf = (frame) => (frame.name ??= frame.title.textContent.split("\\n")[0]);
  const make = (frame) => {
    const [g, title, rect] = ["g", "title", "rect"].map((name) => document.createElementNS(picture.namespaceURI, name));
    title.textContent = frame.name + "\\n" + Number(((frame.w / full) * 100).toPrecision(2)) + " %";
    for (const [name, value] of [["y", frame.y], ["height", row - 1], ["rx", 1], ["fill", frame.fill]])
      rect.setAttribute(name, value);
    g.append(title, rect);
    area.append(g);
    Object.assign(frame, { g, title, rect, label: null });
    enter(frame);
  };
  const byBox = new Map();
  const enter = (frame) => {
    byBox.set(frame.g, frame);
    frame.g.setAttribute("role", "treeitem");
    frame.g.setAttribute("aria-level", frame.level + 1);
    frame.g.setAttribute("tabindex", frame === root ? "0" : "-1");
  };
  const descriptionOf = (frame) => frame.title.textContent.split("\\n").slice(0, 2).join(": ");

  let [zoomed, focused, room] = [root, root, Number(picture.getAttribute("width")) - 2 * margin];
  let defaultSummary = summary.dataset.text;
  const size = Math.min(12, Math.round(row * 0.62));
  const relabel = (frame, x, w) => {
    const text = w < 3 * size || size < 6 ? "" : cut(nameOf(frame), w - 7, size);
    if (text === "") return frame.label?.remove(), (frame.label = null);
    if (frame.label === null) {
      frame.label = document.createElementNS(picture.namespaceURI, "text");
      const baseline = Math.round((frame.y + row * 0.5 + size * 0.36) * 10) / 10;
      for (const [name, value] of [["y", baseline], ["font-size", size], ["fill", "#161616"]])
        frame.label.setAttribute(name, value);
      frame.g.append(frame.label);
    }
    frame.label.setAttribute("x", x + 3);
    frame.label.textContent = text;
  };
  // Boxes below the last row need a taller picture, which is possible for a picture of one graph.
  const canGrow = picture.querySelectorAll("[data-flame]").length === 1;
  const origin = area.getAttribute("transform");
  const [mostBoxes, mostRows, narrowest] = [40000, 400, 0.5];
  let [boxes, extra, tall] = [drawn.length, 0, Number(picture.getAttribute("height"))];
  const grow = (more) => {
    if (more === extra) return;
    extra = more;
    const shift = "translate(0 " + more * row + ")";
    if (up) area.setAttribute("transform", origin + " " + shift);
    for (const note of box.querySelectorAll(".flame-note")) note.setAttribute("transform", shift);
    const height = tall + more * row;
    picture.setAttribute("height", height);
    picture.setAttribute("viewBox", "0 0 " + picture.getAttribute("width") + " " + height);
  };
  const draw = () => {
    const scale = room / zoomed.w;
    let deepest = 0;
    for (const frame of frames) {
      const isAbove = frame.level < zoomed.level;
      const from = Math.max(0, (frame.x - zoomed.x) * scale);
      const to = Math.min(room, (frame.x + frame.w - zoomed.x) * scale);
      const least = !frame.fill ? 0.05 : zoomed === root ? Infinity : narrowest;
      frame.shown = to - from > (isAbove ? room * 0.999 : least);
      if (frame.shown && frame.level > rows) frame.shown = canGrow && frame.level < mostRows;
      if (frame.shown && frame.g === null && boxes < mostBoxes) make(frame), (boxes += 1);
      frame.shown &&= frame.g !== null;
      if (frame.g !== null) frame.g.style.display = frame.shown ? "" : "none";
      if (!frame.shown) continue;
      deepest = Math.max(deepest, frame.level);
      const w = to - from;
      frame.g.classList.toggle("flame-above", isAbove);
      frame.g.classList.toggle("flame-found", frame.found);
      frame.rect.setAttribute("x", from);
      frame.rect.setAttribute("width", w > 2 ? w - 0.5 : w);
      relabel(frame, from, w);
    }
    grow(Math.max(0, deepest - rows));
  };
  const rest = () => {
    setText(summary, defaultSummary, Math.max(0, room - controlsWidth));
    setText(status, status.dataset.text, room);
  };
  const zoom = (frame) => {
    zoomed = frame;
    reset.disabled = frame === root;
    draw();
  };
  const describe = (frame) => setText(status, descriptionOf(frame), room);

  const html = (name, properties) =>
    Object.assign(document.createElementNS("http://www.w3.org/1999/xhtml", name), properties);
  const controlsWidth = 236;
  const controls = document.createElementNS(picture.namespaceURI, "foreignObject");
  const hint = "Search the names of frames (Ctrl-F or /)";
  const field = html("input", { type: "search", placeholder: "Search", title: hint });
  const reset = html("button", { type: "button", textContent: "Reset zoom", disabled: true });
  field.setAttribute("aria-label", "Search frames");
  const line = html("div", {});
  line.style.cssText = "display:flex;gap:6px;justify-content:flex-end;height:26px";
  field.style.cssText = "font:13px sans-serif;width:130px;min-width:0;box-sizing:border-box";
  reset.style.cssText = "font:13px sans-serif;white-space:nowrap";
  line.append(field, reset);
  controls.append(line);
  controls.setAttribute("class", "flame-controls");
  controls.setAttribute("width", controlsWidth);
  controls.setAttribute("height", 28);
  controls.setAttribute("y", 2);
  box.insertBefore(controls, status);

  const search = () => {
    const query = field.value.toLowerCase();
    let [count, amount, end] = [0, 0, null];
    for (const frame of frames) {
      frame.found = query !== "" && nameOf(frame).toLowerCase().includes(query);
      frame.g?.classList.toggle("flame-found", frame.found);
      if (end !== null && frame.level <= end) end = null;
      if (!frame.found) continue;
      count += 1;
      if (end === null) [amount, end] = [amount + frame.w, frame.level];
    }
    const share = ((amount / full) * 100).toFixed(1) + " %";
    const unknown = small.omitted === 0 ? "" : " (" + small.omitted + " smallest frames not searched)";
    const matches = share + " in " + count + (count === 1 ? " frame" : " frames") + unknown;
    defaultSummary = query === "" ? summary.dataset.text : matches;
    rest();
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") (field.value = ""), search(), go(focused);
    if (event.key === "Enter") visit(frames.find(({ found, shown }) => found && shown) ?? frames.find(isFound));
  });
  reset.addEventListener("click", () => zoom(root));

  const isFound = ({ found }) => found;
  // A frame without a box gets one when its parent fills the picture, or else the frame itself.
  const visit = (frame = focused) => {
    if (frame.g === null) zoom(frame.parent);
    if (frame.g === null) zoom(frame);
    go(frame.g === null ? focused : frame);
  };
  const frameOf = (target) => byBox.get(target.closest?.(".flame-frames > g"));
  const go = (frame) => {
    focused.g.setAttribute("tabindex", "-1");
    focused = frame;
    focused.g.setAttribute("tabindex", "0");
    focused.g.focus({ preventScroll: false });
  };
  const sibling = (step) => {
    const level = frames.filter((frame) => frame.shown && frame.level === focused.level);
    return level[level.indexOf(focused) + step];
  };
  const keys = {
    ArrowLeft: () => sibling(-1),
    ArrowRight: () => sibling(1),
    [up ? "ArrowDown" : "ArrowUp"]: () => focused.parent,
    [up ? "ArrowUp" : "ArrowDown"]: () => frames.find((frame) => frame.shown && frame.parent === focused),
    Home: () => root,
  };
  area.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = keys[event.key];
    if (next === undefined && !["Enter", " ", "Escape"].includes(event.key)) return;
    event.preventDefault();
    if (next !== undefined) return go(next() ?? focused);
    zoom(event.key === "Escape" ? root : focused);
    go(focused);
  });
  (isAlone ? document : box).addEventListener("keydown", (event) => {
    const isFind = (event.key === "f" && (event.ctrlKey || event.metaKey)) || event.key === "/";
    if (!isFind || event.target === field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  area.addEventListener("click", (event) => {
    const frame = frameOf(event.target);
    if (frame !== undefined) zoom(frame), go(frame);
  });
  area.addEventListener("pointerover", (event) => {
    const frame = frameOf(event.target);
    if (frame !== undefined) describe(frame);
  });
  area.addEventListener("pointerleave", rest);
  // On the document, since Chromium makes SVG elements with focus listeners tab stops.
  document.addEventListener("focusin", (event) => {
    const frame = frameOf(event.target);
    if (frame !== undefined) (focused = frame), describe(frame);
    else rest();
  });

  picture.setAttribute("role", "group");
  area.setAttribute("role", "tree");
  area.setAttribute("aria-label", box.dataset.label);
  status.setAttribute("role", "status");
  for (const frame of drawn) enter(frame);
  const fit = () => {
    const canFit = picture.dataset.fits === "yes";
    const height = tall + extra * row;
    const space = isAlone ? innerWidth - (height > innerHeight ? 16 : 0) : picture.parentElement.clientWidth;
    const width = canFit && space > 0 ? Math.max(300, Math.floor(space)) : room + 2 * margin;
    if (canFit) {
      picture.setAttribute("width", width);
      picture.setAttribute("viewBox", "0 0 " + width + " " + height);
    }
    room = width - 2 * margin;
    controls.setAttribute("x", margin + room - controlsWidth);
    for (const note of box.querySelectorAll(".flame-note")) setText(note, note.dataset.text, room);
    rest();
    draw();
  };
  addEventListener("resize", fit);
  fit();
}
`;

/** SHA-256 of the script (base64) for the page's Content-Security-Policy. */
export const flameHash = "sha256-gJ9vJJHn0IiHqmuOUUQIzOIg+6AKrGoLEl4Ki9juVak=";
