import type { KeyName } from "../../test/helpers/key-bytes.ts";

/** One picture: what leads to it from the one before, and what it must show to be taken. */
export interface Scene {
  /** The file's name without its ending. */
  readonly name: string;
  /** What is to be seen, for the title bar and for who cannot see the picture. */
  readonly title: string;
  /** Pressed one after the other, each once the screen shows what stands beside it. */
  readonly steps: readonly (readonly [
    keys: readonly KeyName[] | string,
    waitFor: string | RegExp,
  ])[];
}

/** The walk through the console on its embedded sandbox, from the list of suppliers. */
export const scenes: readonly Scene[] = [
  {
    name: "suppliers",
    title: "supplyline: the import suppliers of a profile",
    steps: [[[], /DONE +2 +35/]],
  },
  {
    name: "overview",
    title: "supplyline: how far a supplier's import has come",
    steps: [
      [["enter"], "120 in all"],
      [[], "Newest accounts"],
    ],
  },
  {
    name: "accounts",
    title: "supplyline: a list, filtered and marked",
    steps: [
      [["enter"], "1 of 120"],
      [["/"], "keep filter"],
      ["EXT-00000", /matching, 120 in all/],
      [["enter"], "Esc clear filter"],
      [["j", "j", "space", "j", "space"], "2 marked"],
    ],
  },
  {
    name: "account",
    title: "supplyline: one account, followed while it is imported",
    steps: [
      [[":"], "Go to a place"],
      ["ACME/EXT-0000007", ": ACME/EXT-0000007"],
      [["enter"], "UNKNOWN"],
      [[], "IN_PROGRESS"],
      [[], "COMPLETED"],
    ],
  },
  {
    name: "compose",
    title: "supplyline: a note is composed",
    steps: [
      [["n"], "Notes for ACME/EXT-0000007"],
      ["Called the customer, who moves in on Friday", "moves in on Friday"],
      [["down", "down", "down", "space"], /Pinned +yes/],
      [["down", "down"], "Enter review"],
    ],
  },
  {
    name: "review",
    title: "supplyline: what will be sent, byte by byte",
    steps: [[["enter"], "s sends it"]],
  },
  {
    name: "activity",
    title: "supplyline: what was sent from here, and what became of it",
    steps: [
      [["s"], /confirmed +journal entry 1/],
      [["enter"], "Observed from here"],
      [["A"], "1 of 1"],
    ],
  },
  {
    name: "supply-point",
    title: "supplyline: why a supply point's import ended in an error",
    steps: [
      [[":"], "Go to a place"],
      ["sp ACME/SP-ERRORED", ": sp ACME/SP-ERRORED"],
      [["enter"], "Error detail"],
    ],
  },
  {
    name: "runs",
    title: "supplyline: bulk runs, and what each came to",
    steps: [
      [[":"], "Go to a place"],
      ["ACME", ": ACME"],
      [["enter"], "120 in all"],
      [["enter"], "Esc clear filter"],
      [["esc"], /\d of 120 /],
      [["tab", "tab"], "[Imported]"],
      [[], /1 of \d+ /],
      [["+"], "marked, B for them"],
      [["B"], "Compose for"],
      [["enter"], "Notes for"],
      ["Your new tariff starts on Friday, {external_account_number}", "→ Your new tariff"],
      [["end"], "Enter review"],
      [["enter"], "s sends them"],
      [["s"], "has ended"],
      [["esc"], "marked, B for them"],
      [["tab"], "[All]"],
      [["+"], "120 marked"],
      [["B"], "Compose for 120"],
      [["enter"], "Notes for 120"],
      ["The outage of Monday is over", "Monday is over"],
      [["end"], "Enter review"],
      [["enter"], "s sends them"],
      [["4"], "staged accounts as well?"],
      [["down", "enter"], "120 of 120 marked"],
      [["s"], /has ended: .*rejected/],
      [["L"], "1 of 2"],
    ],
  },
  {
    name: "help",
    title: "supplyline: what works here, and what the statuses mean",
    steps: [[["?"], "Works here"]],
  },
];
