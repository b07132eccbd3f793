import { setTimeout as sleep } from "node:timers/promises";

/** The time without a change before a picture is taken, in ms. Every load on loopback is shorter. */
const stillMs = 700;

/** Resolves when the screen has been the same for a while. */
export async function settled(screen: { text(): string }): Promise<void> {
  for (let shown = screen.text(); ; ) {
    await sleep(stillMs);
    const now = screen.text();
    if (now === shown) return;
    shown = now;
  }
}
