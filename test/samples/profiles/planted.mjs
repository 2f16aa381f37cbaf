import { performance } from "node:perf_hooks";
function busy(ms) { const end = performance.now() + ms; let n = 0; while (performance.now() < end) n += Math.sqrt(n + 1); return n; }
function outer() { performance.mark("a"); busy(40); inner(); performance.mark("b"); performance.measure("outer", "a", "b"); }
function inner() { performance.mark("c"); busy(30); performance.mark("d"); performance.measure("inner", "c", "d"); }
outer();
