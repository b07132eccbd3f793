import type { Console } from "../helpers/console.ts";
import type { KeyName } from "../helpers/key-bytes.ts";

/** A screen or dialog, and the way to it from an account. */
export interface Somewhere {
  readonly name: string;
  /** Keys by name or text to type, each with what shows that it had its effect. */
  readonly way: readonly (readonly [KeyName | { readonly type: string }, seen: string | RegExp])[];
  /** The screens on the way back, if Esc does not return to the account at once. */
  readonly back?: readonly (string | RegExp)[];
}

/** The start of {@link everywhere}. */
export const anAccount = ["--sandbox", "open", "ACME", "EXT-0000001"];
const onAccount = /final, checked|no further change expected/;

/** Every kind of screen that can be reached from an account, dialogs among them. */
export const everywhere: readonly Somewhere[] = [
  { name: "Watch", way: [["W", "Nothing is watched"]] },
  { name: "Runs", way: [["L", "No bulk run yet"]] },
  { name: "Activity", way: [["A", "Nothing has been sent"]] },
  { name: "the profiles", way: [["P", /Base\s+URL/]] },
  { name: "the help", way: [["?", "Keys on"]] },
  { name: "the palette", way: [[":", "Go to a place"]] },
  { name: "the command log", way: [["@", "Command log"]] },
  { name: "a command", way: [["x", "curl"]] },
  { name: "a raw answer", way: [["v", "JSON, lines"]] },
  { name: "transactions", way: [["t", "Transaction 1"]] },
  { name: "statements", way: [["b", "Statement 1"]] },
  { name: "a supply point's form", way: [["S", "Supply point for"]] },
  {
    name: "a note and its review",
    way: [
      ["n", "Body"],
      [{ type: "Zoë was here" }, "was here"],
      ["page-down", "Enter review"],
      ["enter", /Nothing\s+has\s+been\s+sent/],
    ],
    back: ["Documents"],
  },
];

/** Waits for what a screen shows, or, where lines are only added, for what is said from now on. */
export function fresh(terminal: Console): (seen: string | RegExp) => Promise<void> {
  const from = terminal.bytes().length;
  return async (seen) => {
    const shown = () => (terminal.altScreen() ? terminal.text() : terminal.bytes().slice(from));
    await terminal.waitFor(() => shown().search(seen) !== -1, { describe: `${seen}` });
  };
}

export async function goTo(terminal: Console, place: Somewhere): Promise<void> {
  for (const [key, seen] of place.way) {
    const shown = fresh(terminal);
    if (typeof key === "string") terminal.press(key);
    else terminal.send(key.type);
    await shown(seen);
  }
}

/** Waits for the account that everything starts from. */
export async function atAccount(terminal: Console): Promise<void> {
  await terminal.waitFor(onAccount);
}

export async function goBack(terminal: Console, place: Somewhere): Promise<void> {
  for (const seen of place.back ?? []) {
    const shown = fresh(terminal);
    terminal.press("esc");
    await shown(seen);
  }
  const shown = fresh(terminal);
  terminal.press("esc");
  // Above a box the account is in sight all the time.
  const there = place.way.at(-1)?.[1];
  if (terminal.altScreen() && there !== undefined) await terminal.waitForGone(there);
  await shown(onAccount);
}
