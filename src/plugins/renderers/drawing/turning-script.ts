/*
 * Turns the surfaces of a page by the mouse or the arrow keys: every shape says by `data-p` where in the box it is (data-p, data-o, data-e,
 * data-d of svg-shapes.ts), the axes are there for each quarter of the circle, and faces are sorted anew from far to near.
 */
export const turningScript = `
for (const box of document.querySelectorAll("g[data-turns]")) {
  const [left, top, size, height] = box.dataset.turns.split(",").map(Number);
  const picture = box.closest("svg");
  const faces = box.querySelector("[data-faces]");
  let [yaw, pitch, held] = [30, 30, null];
  const places = (text) => text.split(" ").map((place) => place.split(",").map((share) => share - 0.5));
  const draw = () => {
    const [a, b] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
    const [sin, cos] = [Math.sin(a), Math.cos(a)];
    const project = ([x, y, z]) => [
      left + size * (x * cos - y * sin),
      top - size * (z * height * Math.cos(b) + (x * sin + y * cos) * Math.sin(b)),
    ];
    const quarter = String(Math.floor(yaw / 90) % 4);
    for (const axes of box.querySelectorAll("[data-quarter]")) axes.setAttribute("display", axes.dataset.quarter === quarter ? "inline" : "none");
    for (const shape of box.querySelectorAll("[data-p]")) {
      const points = places(shape.dataset.p).map(project);
      const [dx, dy] = (shape.dataset.o ?? "0,0").split(",").map(Number);
      const [x, y] = shape.localName === "circle" ? ["cx", "cy"] : ["x", "y"];
      if (shape.localName.startsWith("poly")) shape.setAttribute("points", points.join(" "));
      else shape.setAttribute(x, points[0][0] + dx), shape.setAttribute(y, points[0][1] + dy);
    }
    for (const title of box.querySelectorAll("[data-e]")) {
      const [p, q] = places(title.dataset.e).map(project).sort((one, other) => one[0] - other[0]);
      const angle = Math.atan2(q[1] - p[1], q[0] - p[0]);
      const [x, y] = [(p[0] + q[0]) / 2 - Math.sin(angle) * title.dataset.d, (p[1] + q[1]) / 2 + Math.cos(angle) * title.dataset.d];
      title.setAttribute("transform", "translate(" + x + " " + y + ") rotate(" + (angle * 180) / Math.PI + ")");
    }
    const away = (face) => Math.sign(sin) * face.dataset.i + Math.sign(cos) * face.dataset.j;
    faces.append(...[...faces.children].sort((one, other) => away(other) - away(one)));
  };
  const turn = (right, up) => {
    yaw = (yaw + right + 3600) % 360;
    pitch = Math.min(80, Math.max(5, pitch + up));
    draw();
  };
  picture.setAttribute("tabindex", "0");
  picture.style.cursor = "grab";
  picture.style.touchAction = "none";
  picture.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointerup", () => (held = null));
  picture.addEventListener("pointermove", (event) => {
    if (held === null) return;
    turn((event.clientX - held[0]) * 0.4, (event.clientY - held[1]) * 0.3);
    held = [event.clientX, event.clientY];
  });
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    turn(...step);
  });
}
`;

/** What the policy of a page has to allow: the SHA-256 of the script (base64). */
export const turningHash = "sha256-1aig/XSPENi0kdXD1TilC77+p5Nui7egzWg2CyY62+o=";
