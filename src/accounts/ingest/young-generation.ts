/**
 * The young generation of V8's heap while a long list arrives. Left alone it doubles until it has
 * twice 16 MB, and between two of its collections as much of the buffers of the network is garbage.
 */

/** Shorter lists leave the heap as it is. */
const longRows = 100_000;

let isHeld = false;

/** Lets the young generation stay as large as it is, once a list has many rows. */
export async function holdYoungGeneration(rows: number): Promise<void> {
  if (isHeld || rows < longRows) return;
  isHeld = true;
  const { setFlagsFromString } = await import("node:v8");
  // It is read at each growth; Node does not freeze V8's flags.
  setFlagsFromString("--semi-space-growth-factor=1");
}
