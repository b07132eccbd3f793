import type { KeyName } from "../../test/helpers/key-bytes.ts";
import { askedByTeam, type SentBefore, sentBefore, sentByTeam } from "./sent-before.ts";

/** One picture: what leads to it from the one before, and what it must show to be taken. */
export interface Scene {
  /** The file's name without its ending. */
  readonly name: string;
  /** In the title bar, and what a screen reader reads. */
  readonly title: string;
  /** Lines of the terminal. Default: 28. */
  readonly rows?: number;
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
  /** The entries that this machine sent before, to the separate sandbox. */
  readonly sent: readonly SentBefore[];
  /** The faults of a separate sandbox; without them the console has an embedded one. */
  readonly faults?: readonly string[];
  /** The environment of the separate sandbox's profile. Default: test. */
  readonly environment?: "production";
  /** True if a ledger is shared, and `sent` has the members who sent. The console is that of op1. */
  readonly hasTeam?: boolean;
  /** True if the team asks for two people for money. */
  readonly isForTwo?: boolean;
  /** The examples that lie in the user's home folder. */
  readonly examples?: readonly string[];
  /** The background that the terminal reports. Default: dark. */
  readonly background?: "dark" | "light";
  readonly scenes: readonly Scene[];
}

const demo: readonly Scene[] = [
  {
    name: "demo",
    title: "supplyline: a lost response, an unknown outcome, verified",
    rows: 24,
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
      [["ctrl-g"], "s send now"],
      { frame: "Review the exact request", seconds: 3 },
      // The waits after the first two attempts are so short that they pass by themselves.
      [["s"], "Waiting 10 s"],
      { frame: "The connection breaks: no response", seconds: 3 },
      [["f"], /. unknown, .* +entry 1,/],
      { frame: "Unknown: it might have been applied", seconds: 4 },
      [["V"], /confirmed/],
      { frame: "Verified: exactly one note", seconds: 5 },
    ],
  },
];

/** Returns the bytes of a paste. */
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

const board: readonly Step[] = [
  [[], /DONE +\S+ +94\.6/],
  [[], "checked just now"],
];

const walk: readonly Scene[] = [
  {
    name: "suppliers",
    title: "supplyline: the import suppliers of a profile",
    steps: board,
  },
  {
    name: "account",
    title: "supplyline: one account, followed while it is imported",
    rows: 20,
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
    rows: 16,
    steps: [
      [["n"], "Notes for ACME/EXT-0000007"],
      ["Called the customer, who moves in on Friday", "moves in on Friday"],
      [["down", "down", "down", "space"], /Pinned +yes/],
      [["down", "down"], "Enter review"],
      [["enter"], "s send now"],
    ],
  },
  {
    name: "runs",
    title: "supplyline: bulk runs, and what each came to",
    rows: 16,
    steps: [
      [["s"], /confirmed +entry 1,/],
      [["enter"], "Observed"],
      [[":"], "Go to a place"],
      ["ACME", ": ACME"],
      [["enter"], "120 accounts"],
      [["enter"], "1 of 120"],
      [["tab", "tab"], "[Imported "],
      [[], /1 of \d+ /],
      [["+"], /\d+ marked/],
      [["B"], "Compose for"],
      [["enter"], "Notes for"],
      ["Your new tariff starts on Friday, {external_account_number}", "→ Your new tariff"],
      [["page-down"], /▌.*Review/],
      [["enter"], "Goes out"],
      [["s"], "78 of 78 confirmed"],
      { later: 300 },
      [["esc"], /\d+ marked/],
      [["tab"], "[All "],
      [["+"], /\d+ marked/],
      [["B"], "Compose for"],
      [["enter"], "Notes for"],
      ["The outage of Monday is over", "Monday is over"],
      [["page-down"], /▌.*Review/],
      [["enter"], "Goes out"],
      [[","], "send to them as well"],
      [["enter"], "staged accounts as well?"],
      [["y"], /notes to (\d+) of \1 marked/],
      [["s"], /\d+ of 120 rejected/],
      { later: 60 },
      [["L"], "1 of 2"],
    ],
  },
];

const missing: readonly Scene[] = [
  {
    name: "reconcile",
    title: "Which accounts of migration-day.csv are missing, and why?",
    rows: 20,
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
    rows: 20,
    steps: [
      [[], "120 accounts"],
      [["A"], "1 of 7"],
    ],
  },
];

const team: readonly Scene[] = [
  {
    name: "team",
    title: "supplyline: what two members of a team sent",
    rows: 16,
    steps: [
      [[], "120 accounts"],
      [["A"], "1 of 5"],
    ],
  },
];

const approvals: readonly Scene[] = [
  {
    name: "approvals",
    title: "supplyline: payments and transactions that wait for a second person",
    rows: 16,
    steps: [
      [[], "120 accounts"],
      [["D"], "1 of 4"],
    ],
  },
];

const find: readonly Scene[] = [
  {
    name: "find",
    title: "supplyline: numbers pasted from a chat message",
    rows: 20,
    steps: [
      ...board,
      [
        pasted(
          "Stuck: EXT-0000004, EXT-0000007; EXT-0000037 and EXT-0000041.\nIs EXT-9999999 ours?",
        ),
        "EXT-9999999",
      ],
    ],
  },
];

const check: readonly Scene[] = [
  {
    name: "check",
    title: "supplyline: a file of notes, checked before anything is sent",
    rows: 20,
    steps: [
      ...board,
      [["L"], "No bulk run yet"],
      [["a"], "Which file of rows"],
      ["~/outage-typo.csv", "outage-typo.csv"],
      [["enter"], "Causes"],
    ],
  },
];

const production: readonly Scene[] = [
  {
    name: "production",
    title: "supplyline on production: read-only until it is unlocked",
    rows: 20,
    steps: [
      [[], "120 accounts"],
      [[":"], "Go to a place"],
      ["ACME/EXT-0000001", ": ACME/EXT-0000001"],
      [["enter"], "COMPLETED"],
      [["n"], "Notes for ACME/EXT-0000001"],
      ["Called the customer", "Called the customer"],
      [["ctrl-g"], "Review"],
    ],
  },
];

const light: readonly Scene[] = [
  { name: "light", title: "supplyline on a light background", steps: board },
];

/** Every picture, in the order in which they are taken. */
export const reels: readonly Reel[] = [
  { sent: [], scenes: walk },
  { sent: [], background: "light", scenes: light },
  { sent: [], scenes: missing },
  { sent: [], scenes: find },
  { sent: [], examples: ["outage-typo.csv"], scenes: check },
  { sent: [], faults: [], environment: "production", scenes: production },
  { sent: sentBefore, faults: ["reset-after@statements"], scenes: journal },
  { sent: sentByTeam, hasTeam: true, faults: ["reset-after@statements"], scenes: team },
  { sent: askedByTeam, hasTeam: true, isForTwo: true, faults: [], scenes: approvals },
  { sent: [], faults: ["reset-after@notesx4"], scenes: demo },
];
