/**
 * Defines the table of all keys. The key handler, the footer, the help, the palette and the
 * documentation use this table. A key that is not in the table does nothing.
 */
import { type Binding, inGroup } from "./binding.ts";
import { formBindings } from "./form-bindings.ts";
import { listBindings } from "./list-bindings.ts";

const move = inGroup("Move");
const list = inGroup("List");
const look = inGroup("Look");
const act = inGroup("Act");
const go = inGroup("Go");
const program = inGroup("Program");

const bindings = {
  ...listBindings,
  refresh: look(["r"], "refresh", "Ask the service again now", { footer: 25, palette: true }),
  pause: look(["z"], "pause", "Pause or resume polling", { footer: 26, palette: true }),
  copy: look(["y"], "copy", "Copy the value to the clipboard", {
    footer: 50,
    palette: true,
    worksOn: "a row or a value",
  }),
  "copy-row": look(["Y"], "copy row", "Copy the row, or all marked, to the clipboard", {
    footer: 51,
    palette: true,
    marksOrder: 3,
    worksOn: "a list, an account or a supply point",
  }),
  raw: look(["v"], "raw", "The raw response of the service", {
    footer: 44,
    palette: true,
    worksOn: "a response of the service",
  }),
  pager: look(["M"], "pager", "Read the text, or the raw response, in $PAGER", {
    footer: 46,
    palette: true,
    worksOn: "a text or a raw response",
  }),
  "as-command": look(
    ["x", "ctrl-x"],
    "command",
    "This screen as a supplyline command and as curl",
    { footer: 45, palette: true },
  ),
  "command-log": look(["@"], "command log", "Actions of the console, as supplyline commands", {
    palette: true,
  }),
  add: act(["a"], "add", "Add one to this list", { footer: 16, palette: true }),
  edit: act(["e"], "edit", "Edit the item under the cursor", { footer: 31, palette: true }),
  editor: act(
    ["ctrl-o"],
    "editor",
    "Open the payload as JSON, or a text of several lines, in $VISUAL or $EDITOR",
    { footer: 31, palette: true, worksOn: "a form" },
  ),
  template: act(["f6"], "template", "In a note: a template of this profile, filled in", {
    footer: 12.5,
    palette: true,
    worksOn: "the form of a note",
  }),
  review: act(
    ["ctrl-g"],
    "review",
    "From anywhere in a form to the review of the request; in Find, ask the service",
    { footer: 12, palette: true, worksOn: "a form, a checked file or Find" },
  ),
  duplicate: act(["="], "duplicate", "Put a copy of this row below it", {
    footer: 33,
    palette: true,
    worksOn: "a row of a form",
  }),
  "move-earlier": act(["K"], "earlier", "Move this row up", {
    footer: 34,
    palette: true,
    worksOn: "a row of a form",
  }),
  "move-later": act(["J"], "later", "Move this row down", {
    footer: 35,
    palette: true,
    worksOn: "a row of a form",
  }),
  "next-problem": move(
    ["f8"],
    "next problem",
    "In a form: to the next line with a problem or a warning",
    { footer: 13, palette: true, worksOn: "a form" },
  ),
  discard: act(["f9"], "discard draft", "Discard the draft of this form (asks first)", {
    footer: 52,
    palette: true,
    worksOn: "a form",
  }),
  columns: list(["C"], "columns", "Choose the columns and their order", {
    footer: 49,
    palette: true,
    worksOn: "a list of accounts",
  }),
  export: act(["E"], "export", "Write the marked rows to a file, or all that match", {
    footer: 46,
    palette: true,
    marksOrder: 5,
    worksOn: "a list",
  }),
  remove: act(["d", "delete"], "remove", "Remove the item under the cursor (asks first)", {
    footer: 32,
    palette: true,
  }),
  share: act(["&"], "share", "Share this cohort with the team of the profile", {
    footer: 33,
    palette: true,
    worksOn: "a cohort that the team does not have",
  }),
  reconcile: go(["X"], "reconcile", "Compare your own list of accounts with the service's", {
    footer: 15,
    palette: true,
    worksOn: "a supplier",
  }),
  account: go(["o"], "account", "Open an account by its number, even one on no list", {
    footer: 33,
    palette: true,
    worksOn: "a supplier or an entry",
  }),
  "supply-point": go(["i"], "supply point", "Open a supply point by its identifier", {
    footer: 34,
    palette: true,
    worksOn: "a supplier or an entry",
  }),
  accept: act(
    ["."],
    "take suggestion",
    "Take the suggested number into the corrected list, or take it back",
    { footer: 12, palette: true, worksOn: "a row with a suggestion" },
  ),
  watch: act(
    ["w"],
    "watch",
    "Watch this, or all that are marked, until the status is final; press again to stop",
    { footer: 23, palette: true, marksOrder: 2, worksOn: "an account or a supply point" },
  ),
  mute: act(["m"], "mute", "Mute or unmute the bell", {
    footer: 36,
    palette: true,
    worksOn: "the watch list",
  }),
  verify: act(["V"], "verify", "Check the outcome of an unknown entry; validate a supply point", {
    footer: 12,
    palette: true,
    marksOrder: 1,
    worksOn: "an entry or the review of a supply point",
  }),
  resend: act(
    ["u"],
    "resend",
    "Send a journal entry again unchanged; in doubt, it asks for a reason",
    {
      footer: 13,
      palette: true,
      marksOrder: 2,
      worksOn: "a journal entry",
    },
  ),
  "close-write": act(["c"], "close", "Close an unknown or retryable entry with a reason", {
    footer: 14,
    palette: true,
    worksOn: "an unknown or retryable entry",
  }),
  "cut-short": act(
    ["f"],
    "skip wait",
    "Skip the wait of an entry, or of a run that waits for the service",
    { footer: 9, palette: true, worksOn: "an entry or a run that waits" },
  ),
  ...formBindings,
  "compose-marked": act(
    ["B"],
    "for marked",
    "Compose a note or transactions for every marked account",
    { footer: 32, palette: true, marksOrder: 1, worksOn: "marked accounts of a list" },
  ),
  "resume-run": act(["ctrl-r"], "resume", "Resume a bulk run where it stopped", {
    footer: 12,
    palette: true,
    worksOn: "a run that stopped",
  }),
  "stop-run": act(
    ["Z"],
    "stop",
    "Stop a bulk run after the requests in flight; press again to cut them off",
    { footer: 13, palette: true, worksOn: "a run that is sending" },
  ),
  "rejected-rows": act(
    ["F"],
    "rows to fix",
    "Write the failed rows to a file, as an input to fix and run again",
    { footer: 47, palette: true, worksOn: "failed rows" },
  ),
  send: act(["s"], "send", "Send as reviewed (never Enter)", {
    footer: 7,
    worksOn: "a review",
  }),
  "failure-rules": look(["H"], "failure rules", "Show or hide the effect of each failure", {
    footer: 32,
    palette: true,
    worksOn: "a review",
  }),
  options: act(
    [","],
    "options",
    "Change how it is sent: checks by the service, one request or several, staged accounts",
    { footer: 38, palette: true, worksOn: "a review" },
  ),
  changes: go(["~"], "changes", "Changes between the lists of a supplier", {
    footer: 27,
    palette: true,
    worksOn: "a supplier",
  }),
  "record-list": act(
    ["%"],
    "record list",
    "Record the list that was held back, because it is right (asks first)",
    { footer: 46, palette: true, worksOn: "a supplier" },
  ),
  cohorts: go(["O"], "cohorts", "Your stored lists of accounts", { footer: 49 }),
  runs: go(["L"], "runs", "Bulk runs: progress, resume, stop and report", {
    footer: 48,
    palette: true,
  }),
  approvals: go(["D"], "approvals", "Two people for money: requests that wait, approve or refuse", {
    footer: 48.5,
    palette: true,
    worksOn: "a profile with a team",
  }),
  activity: go(
    ["A"],
    "activity",
    "The journal: every entry sent from this machine, and its outcome",
    { footer: 27, palette: true },
  ),
  "watch-list": go(["W"], "watch list", "The watched accounts and supply points", {
    footer: 62,
    palette: true,
  }),
  profiles: go(["P"], "profiles", "Switch, add, edit or remove profiles", {
    footer: 60,
    palette: true,
  }),
  "next-need": go(["!"], "next", "The next thing that needs someone, at any supplier", {
    palette: true,
  }),
  unlock: program(["U"], "unlock", "Unlock or lock writes to a production profile", {
    footer: 61,
    palette: true,
  }),
  palette: program([":"], "go/do", "Go to ACME, ACME/EXT-1, sp ACME/ID, or run an action", {
    footer: 70,
  }),
  tour: program(["T"], "tour", "Start, pause or resume the tour of the sandbox", { palette: true }),
  help: program(["?", "f1"], "help", "The keys of this screen, and the meaning of the statuses", {
    footer: 71,
    palette: true,
  }),
  quit: program(["q"], "quit", "Quit the program", { footer: 72, palette: true }),
  cancel: program(["ctrl-c"], "cancel", "Cancel the request in flight; if there is none, quit"),
  suspend: program(["ctrl-z"], "suspend", "Suspend to the shell; fg resumes"),
  zone: program([], "utc", "Show times in UTC, or in the local zone again", { palette: true }),
  report: program(
    [],
    "shift report",
    "Write a shift report to a file: the open work, and its commands",
    {
      palette: true,
    },
  ),
  redraw: program(["ctrl-l"], "redraw", "Draw the whole screen again", { palette: true }),
} satisfies Record<string, Binding>;

export type ActionId = keyof typeof bindings;

export const actionIds = Object.keys(bindings) as ActionId[];

export function bindingOf(id: ActionId): Binding {
  return bindings[id];
}
