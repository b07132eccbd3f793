/** The texts of the help: the purpose of each screen, in a few sentences. */
import type { Place } from "../../session/places.ts";

export type HelpWords =
  | "account"
  | "account-state"
  | "supply-point"
  | "board"
  | "header"
  | "outcome"
  | "run";

export interface HelpTopic {
  readonly name: string;
  readonly about: readonly string[];
  readonly words: readonly HelpWords[];
}

const writeWords: readonly HelpWords[] = ["account-state", "outcome"];

export const helpTopics: Readonly<Record<Place["kind"], HelpTopic>> = {
  "first-run": {
    name: "First start",
    about: [
      "Choose where to work. The sandbox is a complete service inside this program: imports progress, writes take effect, and nothing leaves this machine.",
      "The tour shows the real screens on it in about three minutes. You can pause it at any step.",
    ],
    words: [],
  },
  connect: {
    name: "Connect",
    about: [
      "Enter the service's address and an API key, and test the connection. The screen shows where the key will be stored before it is written.",
    ],
    words: [],
  },
  profiles: {
    name: "Profiles",
    about: [
      "A profile is one service with one set of credentials. Opening another profile discards every row of the previous one.",
      "Production is red, shows PROD, and is read-only until you type its name. That lasts 15 minutes.",
    ],
    words: [],
  },
  suppliers: {
    name: "Suppliers",
    about: [
      "An import supplier groups the accounts that one party migrates. The service does not list suppliers, so you add each one here by its code.",
      "Pending accounts are staged and not created yet. Imported accounts have been created.",
    ],
    words: ["board", "header", "account", "account-state"],
  },
  overview: {
    name: "Overview",
    about: [
      "The progress of this supplier: imported and pending accounts, when accounts were created, the rate, and when the rest might be done.",
      "Enter opens its accounts. An account number that you paste is searched at every supplier of this profile.",
    ],
    words: ["account-state", "account", "header"],
  },
  cohorts: {
    name: "Cohorts",
    about: [
      "Your stored lists of accounts, such as migration waves, with how many are imported as of the last complete list of their supplier. Opening the screen makes no request.",
      "A cohort never changes. Changed means that its stored file does not match its SHA-256: remove the cohort and add it again.",
    ],
    words: ["account-state", "account"],
  },
  "command-log": {
    name: "Command log",
    about: [
      "What this console did with the profile, as commands: newest first, with the outcome and how often it was done.",
      "A line has no body and no secret.",
    ],
    words: ["outcome"],
  },
  notices: {
    name: "Notices",
    about: [
      "What the line above the footer reported in this session, newest first. What was left out, refused or failed stays in that line until you press a key.",
    ],
    words: [],
  },
  find: {
    name: "Find",
    about: [
      "A number, or a part of one, at every supplier of this profile: in the lists in memory, then in the stored lists. Each row says where it is from and how old that is.",
      "An account can be on no list. For a whole number the service can be asked at each supplier that does not list it, which takes one request each.",
      "A number is not found only when every supplier was asked.",
    ],
    words: ["account", "account-state"],
  },
  "find-many": {
    name: "Find pasted numbers",
    about: [
      "The account numbers of a pasted text, at every supplier of this profile, in the order of the text. Quotes, bullets, brackets and separators around a number do not matter.",
      "A word of the text counts if a list knows it, or if it looks like the numbers of the lists. A number that is nowhere has a line with similar numbers.",
      "The service can be asked for the numbers that are on no list, which takes one request for each number and supplier.",
    ],
    words: ["account", "account-state"],
  },
  cohort: {
    name: "Cohort",
    about: [
      "The progress of a stored list of accounts, with the figures of a supplier's overview. A cohort never changes.",
      "Accounts on no list are not staged, or left the lists. Enter opens the listed ones; supplyline reconcile with --cohort says more of each.",
    ],
    words: ["account-state", "account", "header"],
  },
  accounts: {
    name: "Accounts",
    about: [
      "Every account of the supplier. Filter, sort and mark. You can watch, copy or write to all marked accounts at once.",
      "While a filter is typed, the arrow keys move in the list; Ctrl-P and Ctrl-N recall earlier filters.",
      "Numbers that you paste here, one per line, can be marked.",
    ],
    words: ["account-state", "account"],
  },
  changes: {
    name: "Changes",
    about: [
      "The differences between the complete lists of this supplier, as this machine saw them, the newest first: accounts that were staged, imported, gone, returned, renumbered or removed.",
      "In the filter, since:24h and age:<2d compare the time, and change:gone one kind. The list of the service is loaded meanwhile: what it shows is added.",
    ],
    words: ["account-state", "account"],
  },
  reconcile: {
    name: "Reconcile",
    about: [
      "Compares your own list of accounts with the list of the service: which are imported, which are not, and why.",
      "The status of accounts on no list is read one by one, for at most 1,000 of them. A suggestion is the only similar number that is listed.",
      "You can store the list as a cohort, which can be watched, and write it with the suggestions in place of its numbers.",
      "Only read requests are sent. If the service's list is incomplete, there is no result.",
    ],
    words: ["account-state"],
  },
  "reconciled-rows": {
    name: "Rows of a class",
    about: [
      "The rows of your list that have one class, in the order of your list. Filter, mark, copy, watch or export them.",
      "A row with a suggestion is marked when you take it; the corrected list has the suggestions of the marked rows, or all.",
    ],
    words: ["account-state"],
  },
  account: {
    name: "Account",
    about: [
      "One account, checked repeatedly. The first line answers: is it imported, is it stuck, and since when?",
      "A state might be older than shown: supplyline knows nothing from before its first check.",
      "Notes, transactions, statements and payment instructions need an imported account. For a staged account the key says so and offers an override.",
    ],
    words: ["account", "account-state", "outcome"],
  },
  "supply-point": {
    name: "Supply point",
    about: [
      "The import of one supply point, checked repeatedly. Creating a supply point schedules its import, which runs afterwards.",
      "An import in error shows the code, the domain and the detail from the service.",
    ],
    words: ["supply-point", "outcome"],
  },
  activity: {
    name: "Activity",
    about: [
      "Everything sent from this machine. Each entry is recorded before it is sent, so nothing is lost when the program or the link fails.",
      "Entries with an unknown outcome come first (this is not the account status UNKNOWN): verify them, resend them unchanged, or close them with a reason. Marked entries are verified together.",
      "The entries of a bulk run are one line; opening it shows the run. Any entry can be edited as a new draft.",
    ],
    words: ["outcome"],
  },
  write: {
    name: "Entry",
    about: [
      "One entry: exactly what was sent, every attempt, and each response from the service.",
      "If the outcome is unknown, verify it before you send anything again.",
    ],
    words: ["outcome"],
  },
  watch: {
    name: "Watched",
    about: [
      "The accounts and supply points you watch, from any screen. The bell rings when one reaches a final state.",
      "The list is saved with this profile and survives a restart.",
    ],
    words: ["account", "supply-point"],
  },
  compose: {
    name: "Form",
    about: [
      "A form with every documented field. Every change is saved: Esc, a lost link or a closed terminal loses nothing.",
      "In a field with known values, Space takes the next one until you type; Tab takes the one that you began.",
      "Review, at the end, shows the exact request. A form never sends anything.",
    ],
    words: writeWords,
  },
  review: {
    name: "Review",
    about: [
      "The exact request, byte for byte. A separate key sends it, never Enter. On production you type the account number first.",
      "A supply point is validated first, then created.",
    ],
    words: writeWords,
  },
  "compose-marked": {
    name: "Form for marked accounts",
    about: [
      "One form for all marked accounts. {external_account_number} and {import_supplier} are replaced with each account's values.",
      "Review checks every account before the first request is sent.",
    ],
    words: writeWords,
  },
  "review-marked": {
    name: "Review for marked accounts",
    about: [
      "The number of requests, the sum of the amounts, and the first and last request exactly as they will be sent.",
      "Staged accounts are counted and left out unless you include them.",
    ],
    words: writeWords,
  },
  runs: {
    name: "Runs",
    about: [
      "Bulk runs of this machine: from marked accounts, from files, and from supplyline bulk run in any terminal.",
      "Every request of a run is recorded before the first is sent, so a run that is stopped or killed can be resumed.",
    ],
    words: ["run", "outcome"],
  },
  run: {
    name: "Run",
    about: [
      "One run: its progress, and its rows by outcome. You can write rejected rows to a file, fix them and run them again.",
    ],
    words: ["run", "outcome"],
  },
  approvals: {
    name: "Approvals",
    about: [
      "Where the team asks for two people, a payment or transaction is sent only after another person has approved exactly these bytes.",
      "A request ends after 24 hours and allows its rows once. You approve by typing its rows and its sum; your own requests wait for others.",
    ],
    words: [],
  },
  approval: {
    name: "Request",
    about: [
      "The rows that another person wants to send: account, amount or reference, day and ID. supplyline approvals show --source compares a file with them, byte by byte.",
    ],
    words: [],
  },
  "bulk-file": {
    name: "Bulk file",
    about: [
      "A CSV or JSONL file of rows. Every row is checked with the rules of supplyline bulk run, and nothing is sent before you review it.",
      "Causes groups the issues by field and message; Enter shows their rows. Fix the file in your editor: it is checked again afterwards.",
      "Only the bytes that were checked are sent. A file that changes meanwhile is reported, and its run does not start.",
    ],
    words: ["run"],
  },
  "review-file": {
    name: "Review of a file",
    about: [
      "What will be sent: the first request, the last, how many there are, and the sum of their amounts. Every request is recorded before the first is sent.",
    ],
    words: ["run", "outcome"],
  },
  cause: {
    name: "Cause",
    about: [
      "The failures with one cause. Actions apply to the marked ones, or to all of them: export them as an input file, resend those that can be sent again, verify those that are unknown.",
    ],
    words: ["outcome"],
  },
};
