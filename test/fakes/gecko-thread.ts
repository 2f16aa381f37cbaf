/** A thread as Firefox writes it: main -> a (twice) and main -> b; a sample has no stack. */
export function geckoThread(name: string) {
  return {
    name,
    samples: {
      schema: { stack: 0, time: 1 },
      data: [
        [1, 0],
        [1, 1],
        [2, 2],
        [null, 3],
      ],
    },
    stackTable: {
      schema: { prefix: 0, frame: 1 },
      data: [
        [null, 0],
        [0, 1],
        [0, 2],
      ],
    },
    frameTable: { schema: { location: 0 }, data: [[0], [1], [2]] },
    stringTable: ["(root)", "a (http://x/a.js:12:3)", "b"],
  };
}
