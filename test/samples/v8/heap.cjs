function keep(count) { const kept = []; for (let i = 0; i < count; i++) kept.push({ name: `item ${i}` }); return kept; }
function many() { return keep(30_000); }
function few() { return keep(10_000); }
globalThis.kept = [many(), few()];
