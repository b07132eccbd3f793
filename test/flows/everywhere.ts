import type { KeyName } from "../helpers/key-bytes.ts";
import type { Terminal } from "../helpers/terminal.ts";

/** A screen of the console and the way to it in the sandbox. */
export interface Somewhere {
  readonly name: string;
  readonly args: readonly string[];
  /** What is seen, and then typed or pressed, before the screen is there. */
  readonly way: readonly (readonly [seen: string | RegExp, key: KeyName | { type: string }])[];
  /** What tells that it is there, also where lines are cut or only told. */
  readonly seen: string | RegExp;
}

const account = ["open", "ACME", "EXT-0000001"];
const opened = /final state|polling|Polling/;

/** Every kind of screen, dialogs among them. */
export const everywhere: readonly Somewhere[] = [
  { name: "the suppliers", args: [], way: [], seen: "PAUSED" },
  { name: "the overview", args: ["open", "ACME"], way: [], seen: /in all[\s\S]*Finish/ },
  {
    name: "the accounts",
    args: ["open", "ACME"],
    way: [["Finish", "enter"]],
    seen: "EXT-0000002",
  },
  { name: "an account", args: account, way: [], seen: opened },
  {
    name: "a supply point",
    args: ["open", "ACME", "--supply-point", "SP-1"],
    way: [],
    seen: /404|not found|knows no|polling|Polling|final/i,
  },
  { name: "Watch", args: account, way: [[opened, { type: "W" }]], seen: /watched/ },
  { name: "Runs", args: account, way: [[opened, { type: "L" }]], seen: /[Nn]o .*run|Runs/ },
  { name: "Activity", args: account, way: [[opened, { type: "A" }]], seen: "Activity" },
  { name: "the profiles", args: account, way: [[opened, { type: "P" }]], seen: "Profiles" },
  { name: "the help", args: account, way: [[opened, { type: "?" }]], seen: "Works here" },
  { name: "the palette", args: account, way: [[opened, { type: ":" }]], seen: "Go to a place" },
  { name: "a command", args: account, way: [[opened, { type: "x" }]], seen: "curl" },
  { name: "a raw answer", args: account, way: [[opened, { type: "v" }]], seen: "JSON, lines" },
  { name: "a note", args: account, way: [[opened, { type: "n" }]], seen: "Body" },
  { name: "transactions", args: account, way: [[opened, { type: "t" }]], seen: "Transaction 1" },
  { name: "a supply point's form", args: account, way: [[opened, { type: "S" }]], seen: "Review" },
  {
    name: "a review",
    args: account,
    way: [
      [opened, { type: "n" }],
      ["Body", { type: "Seen" }],
      ["Seen", "end"],
      ["Seen", "esc"],
      [opened, { type: "n" }],
    ],
    seen: "Seen",
  },
];

/** Goes the way to a screen and waits for it. */
export async function goTo(terminal: Terminal, place: Somewhere): Promise<void> {
  for (const [seen, key] of place.way) {
    await terminal.waitFor(seen);
    if (typeof key === "string") terminal.press(key);
    else terminal.send(key.type);
  }
  await terminal.waitFor(place.seen);
}
