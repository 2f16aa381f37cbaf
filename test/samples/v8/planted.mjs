import { Worker } from "node:worker_threads";
function spin(rounds) { let sum = 0; for (let i = 0; i < rounds; i++) sum = (sum * 31 + i) % 1000003; return sum; }
function heavy() { return spin(30_000_000) + 1; }
function light() { return spin(10_000_000) + 1; }
console.log(heavy() + light() + [3, 1, 2].map((each) => spin(each * 1e6))[0]);
