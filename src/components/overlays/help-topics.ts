import type { Place } from "../../hooks/places.ts";

/** Tables of words that the help can show below a screen's keys. */
export type HelpWords =
  | "account"
  | "account-state"
  | "supply-point"
  | "supplier"
  | "outcome"
  | "run";

/** What a screen is for and how to go about it, in a few sentences. */
export interface HelpTopic {
  readonly about: readonly string[];
  /** The words that are met there, the nearest first. */
  readonly words: readonly HelpWords[];
}

const writing: readonly HelpWords[] = ["account-state", "outcome"];

/** What the help teaches on each screen. */
export const helpTopics: Readonly<Record<Place["kind"], HelpTopic>> = {
  "first-run": {
    about: [
      "Choose where to work. The sandbox is a whole service inside this program: imports move, writes land, and nothing leaves this machine.",
      "The tour leads through the real screens on it in about two minutes; it can be put aside at any step.",
    ],
    words: [],
  },
  connect: {
    about: [
      "Give the service's address and an API key, and test the connection. Where the key will be kept is said before it is written.",
    ],
    words: [],
  },
  profiles: {
    about: [
      "A profile is one service with one set of credentials. Opening another one drops every row of the one before.",
      "Production is red, says PROD, and is read-only until its name is typed; that lasts fifteen minutes.",
    ],
    words: [],
  },
  suppliers: {
    about: [
      "An import supplier groups the accounts that one party migrates. The service has no list of them, so each is added here once by its code.",
      "Pending accounts are staged and not created yet; imported ones are there.",
    ],
    words: ["account", "account-state", "supplier"],
  },
  overview: {
    about: [
      "How far this supplier is: imported and pending accounts, when they were created, how fast, and when the rest may be done.",
      "Enter leads to its accounts. A number pasted here opens that account, on a list or not.",
    ],
    words: ["account-state", "account", "supplier"],
  },
  accounts: {
    about: [
      "Every account of the supplier. Filter, sort and mark; what is marked can be watched, copied, or written to all at once.",
      "A filter with its order and columns can be saved as a view by name, for any supplier. In the filter field the arrows call up earlier filters.",
      "Numbers pasted here, one a line, can be marked.",
    ],
    words: ["account-state", "account"],
  },
  account: {
    about: [
      "One account, asked for again and again until its state is final. Is it in, is it stuck, since when: the first line says it.",
      "What was seen before this screen opened is not known: a state of the first look may be older.",
      "Notes, transactions, statements and payment instructions need an account that is imported; for a staged one the key says so and offers a way round.",
    ],
    words: ["account", "account-state", "outcome"],
  },
  "supply-point": {
    about: [
      "One supply point's import, followed until it is final. Creating one only schedules it: it runs afterwards.",
      "An import in error shows the error's code, its domain and what the service says of it.",
    ],
    words: ["supply-point", "outcome"],
  },
  activity: {
    about: [
      "Everything sent from this machine. A write is put on record before it leaves, so nothing is lost when the program or the link dies.",
      "Unknown ones come first: verify them, send them again unchanged, or close them with a reason.",
    ],
    words: ["outcome"],
  },
  write: {
    about: [
      "One write: exactly what was sent, every attempt, and what the service answered.",
      "When it is unknown, verify it before sending anything again.",
    ],
    words: ["outcome"],
  },
  watch: {
    about: [
      "What is being watched, whatever screen is up. The bell rings when one reaches a final state.",
      "The list is kept for this profile and is there after a restart.",
    ],
    words: ["account", "supply-point"],
  },
  compose: {
    about: [
      "A form with every documented field. Every change is saved: Esc, a lost link or a closed terminal lose nothing.",
      "It ends in Review, where the exact request is shown. Nothing is sent from a form.",
    ],
    words: writing,
  },
  review: {
    about: [
      "The exact request, byte for byte. It is sent with a key of its own, never with Enter; on production the account number is typed first.",
      "A supply point is validated first, then created.",
    ],
    words: writing,
  },
  "compose-marked": {
    about: [
      "One form for every marked account. {external_account_number} and {import_supplier} become each account's own.",
      "Review checks every one of them before the first is sent.",
    ],
    words: writing,
  },
  "review-marked": {
    about: [
      "How many go out, the sum of the amounts, and the first and last request as they will be sent.",
      "Staged accounts are left out and counted, unless they are asked for.",
    ],
    words: writing,
  },
  runs: {
    about: [
      "Bulk runs of this machine: from marked accounts, and from supplyline bulk run in any terminal.",
      "Every request of a run is on record before the first leaves, so a run can be stopped, killed and gone on with.",
    ],
    words: ["run", "outcome"],
  },
  run: {
    about: [
      "One run: how far it is, and its rows by what became of them. Rejected rows can be written to a file, mended and run again.",
    ],
    words: ["run", "outcome"],
  },
};
