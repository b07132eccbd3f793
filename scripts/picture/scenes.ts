import type { KeyName } from "../../test/helpers/key-bytes.ts";
import { type SentBefore, sentBefore } from "./sent-before.ts";

/** One picture: what leads to it from the one before, and what it must show to be taken. */
export interface Scene {
  /** The file's name without its ending. */
  readonly name: string;
  /** In the title bar, and what a screen reader reads. */
  readonly title: string;
  readonly steps: readonly Step[];
}

/**
 * Keys, and what the screen must show before the next step; or seconds that pass on the program's
 * clock, which otherwise stands still; or a screen of an animation, shown for some seconds with a
 * caption. A scene with such screens is an animation.
 */
type Step =
  | readonly [keys: readonly KeyName[] | string, waitFor: string | RegExp]
  | { readonly later: number }
  | { readonly frame: string; readonly seconds: number };

/** One session of the console, from the list of suppliers on. */
export interface Reel {
  /** What was sent from this machine before, to the separate sandbox. */
  readonly sent: readonly SentBefore[];
  /** The faults of a separate sandbox; without them the console has an embedded one. */
  readonly faults?: readonly string[];
  readonly scenes: readonly Scene[];
}

const demo: readonly Scene[] = [
  {
    name: "demo",
    title: "supplyline: a lost response, an unknown outcome, verified",
    steps: [
      [[":"], "Go to a place"],
      ["ACME/EXT-0000007", ": ACME/EXT-0000007"],
      { frame: "An alert names an account", seconds: 3 },
      [["enter"], "UNKNOWN"],
      { frame: "It is staged: not imported yet", seconds: 2.5 },
      { later: 5 },
      [[], "IN_PROGRESS"],
      { frame: "supplyline follows the import", seconds: 2 },
      { later: 12 },
      [[], "COMPLETED"],
      { frame: "Imported", seconds: 2.5 },
      [["n"], "Notes for ACME/EXT-0000007"],
      ["Called the customer", "Called the customer"],
      { frame: "Leave a note", seconds: 3 },
      [["ctrl-g"], "s sends it"],
      { frame: "Review the exact request", seconds: 3 },
      [["s"], "f skip wait"],
      { frame: "The connection breaks: no response", seconds: 3 },
      { later: 1 },
      [["f"], "Attempt 2: no"],
      { later: 2 },
      [["f"], "Attempt 3: no"],
      { later: 3 },
      [["f"], /. unknown +journal entry 1/],
      { frame: "Unknown: it might have been applied", seconds: 4 },
      [["enter"], "V verify"],
      [["V"], /confirmed/],
      { frame: "Verified: exactly one note", seconds: 5 },
    ],
  },
];

const walk: readonly Scene[] = [
  {
    name: "suppliers",
    title: "supplyline: the import suppliers of a profile",
    steps: [
      [[], /DONE +\S+ +94\.6/],
      [[], "checked just now"],
    ],
  },
  {
    name: "account",
    title: "supplyline: one account, followed while it is imported",
    steps: [
      [[":"], "Go to a place"],
      ["ACME/EXT-0000007", ": ACME/EXT-0000007"],
      [["enter"], "UNKNOWN"],
      { later: 5 },
      [[], "IN_PROGRESS"],
      { later: 12 },
      [[], "COMPLETED"],
    ],
  },
  {
    name: "review",
    title: "supplyline: the request that will be sent",
    steps: [
      [["n"], "Notes for ACME/EXT-0000007"],
      ["Called the customer, who moves in on Friday", "moves in on Friday"],
      [["down", "down", "down", "space"], /Pinned +yes/],
      [["down", "down"], "Enter review"],
      [["enter"], "s sends it"],
    ],
  },
  {
    name: "runs",
    title: "supplyline: bulk runs, and what each came to",
    steps: [
      [["s"], /confirmed +journal entry 1/],
      [["enter"], "Observed"],
      [[":"], "Go to a place"],
      ["ACME", ": ACME"],
      [["enter"], "120 accounts"],
      [["enter"], "1 of 120"],
      [["tab", "tab"], "[Imported]"],
      [[], /1 of \d+ /],
      [["+"], /\d+ marked/],
      [["B"], "Compose for"],
      [["enter"], "Notes for"],
      ["Your new tariff starts on Friday, {external_account_number}", "→ Your new tariff"],
      [["page-down"], "Enter review"],
      [["enter"], /s send/],
      [["s"], "has ended"],
      { later: 300 },
      [["esc"], /\d+ marked/],
      [["tab"], "[All]"],
      [["+"], /\d+ marked/],
      [["B"], "Compose for"],
      [["enter"], "Notes for"],
      ["The outage of Monday is over", "Monday is over"],
      [["page-down"], /Review/],
      [["enter"], /s send/],
      [[","], "send to them as well"],
      [["enter"], "staged accounts as well?"],
      [["y"], /notes to (\d+) of \1 marked/],
      [["s"], /Runs › r\w{5} /],
      [[], "has ended"],
      [["L"], "1 of 2"],
    ],
  },
];

const missing: readonly Scene[] = [
  {
    name: "reconcile",
    title: "supplyline: which accounts of a list are missing, and why",
    steps: [
      [[], /DONE +\S+ +94\.6/],
      [[":"], "Go to a place"],
      ["NORTH", ": NORTH"],
      [["enter"], /\d accounts {2}/],
      [["X"], "migration-day.csv"],
      // Counting gone accounts takes from the same budget.
      { later: 2 },
      // The budget of requests has room for eight at once.
      [["enter"], "8 of 9"],
      { later: 2 },
      [[], "60 of 85 imported"],
      [["j"], "pending"],
    ],
  },
];

const journal: readonly Scene[] = [
  {
    name: "activity",
    title: "supplyline: the journal, unknown outcomes first",
    steps: [
      [[], "120 accounts"],
      [["A"], "1 of 7"],
    ],
  },
];

/** Every picture, in the order in which they are taken. */
export const reels: readonly Reel[] = [
  { sent: [], scenes: walk },
  { sent: [], scenes: missing },
  { sent: sentBefore, faults: ["reset-after@statements"], scenes: journal },
  { sent: [], faults: ["reset-after@notesx4"], scenes: demo },
];
