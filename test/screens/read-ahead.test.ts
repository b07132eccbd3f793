import { type Screens, screens } from "../../src/screens/registry.tsx";
import { createLazyScreens, readAhead } from "../../src/screens/shell/lazy-screens.tsx";
import { clockOf } from "../helpers/clock.ts";

/** The screens of the program, without what they show; `log` notes the loading of each. */
function noted(log: string[]): Screens {
  const load = async () => {
    log.push("screen");
    return Object.assign(() => null, { help: { name: "", about: [], words: [] } });
  };
  const entries = Object.entries(screens).map(([kind, entry]) => [kind, { ...entry, load }]);
  return Object.fromEntries(entries) as Screens;
}

test("no screen is loaded ahead while the program is busy", async () => {
  const log: string[] = [];
  // Of the pauses before and behind two other chunks, and behind each screen.
  const shares = [0.9, 0.1, 0.2, 1, 0.6, 0.4, 0.8, 0.2];
  const shareOf = async (wait: () => Promise<void>) => {
    await wait();
    const share = shares.shift() ?? 0;
    log.push(share > 0.5 ? "busy" : "calm");
    return share;
  };
  const clock = clockOf({ now: () => 0, sleep: async () => {} });
  const lazy = createLazyScreens(noted(log));
  await readAhead(lazy, clock, new AbortController().signal, shareOf);
  expect(log.slice(0, 10)).toEqual([
    ...["busy", "calm", "calm", "busy", "busy", "calm"],
    ...["screen", "busy", "calm", "screen"],
  ]);
  expect(log.filter((what) => what === "screen")).toHaveLength(Object.keys(screens).length);
});
