import { setTimeout as sleep } from "node:timers/promises";

/** So long nothing may change before a picture is taken; what is loaded on loopback has come by then. */
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
