// Loaded before a command: its clock is CLOCK_SHIFT milliseconds ahead, or behind if that is negative.
const { now } = Date;
const shift = Number(process.env.CLOCK_SHIFT ?? 0);
Date.now = () => now() + shift;
