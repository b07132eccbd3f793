/**
 * A process that carries out one command of the program from its source. `CAMPAIGN_CLOCK_AHEAD_MS` in
 * its environment is the time by which the machine's clock is wrong.
 */
const aheadMs = Number(process.env.CAMPAIGN_CLOCK_AHEAD_MS ?? 0);
const { now } = Date;
Date.now = () => now() + aheadMs;
// The build puts it there.
Object.assign(globalThis, { programVersion: "campaign" });
const { run } = await import("../src/program.ts");
await run(async () => {});
