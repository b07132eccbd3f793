/** Clients that measure time wrongly, or take an interim response for the answer. */
import type * as clocks from "../../src/api/clock.ts";
import type * as interim from "../../src/api/skip-interim.ts";
import { replaceExport, type Sabotage } from "./sabotage.ts";

export const waits: readonly Sabotage[] = [
  {
    name: "a deadline ends before the socket is read",
    replacements: [
      replaceExport<typeof clocks, "systemClock">("api/clock.ts", "systemClock", (original) => ({
        ...original,
        limit: original.sleep,
      })),
    ],
    shownBy: { scenarios: [{ name: "answered while stopped" }] },
    breaks: ["an answer that arrived is read"],
  },
  {
    name: "waits follow the machine's clock",
    replacements: [
      replaceExport<typeof clocks, "systemClock">("api/clock.ts", "systemClock", (original) => ({
        ...original,
        elapsed: () => Date.now(),
      })),
    ],
    shownBy: { scenarios: [{ name: "clock set back" }] },
    breaks: ["no wait follows the machine's clock"],
  },
  {
    name: "an interim response counts as the answer",
    replacements: [
      replaceExport<typeof interim, "skipInterim">(
        "api/skip-interim.ts",
        "skipInterim",
        () => () => {},
      ),
    ],
    shownBy: { faults: ["interim=100"], endpoints: ["payment-instructions", "statements"] },
    breaks: ["no needless unknown", "heard is confirmed"],
  },
];
