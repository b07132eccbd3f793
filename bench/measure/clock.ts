/** Milliseconds of the machine's monotonic clock, the same in every process on it. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Waits for `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
