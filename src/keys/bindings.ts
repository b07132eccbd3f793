/**
 * The one table of keys. It drives the handler, the footer, the help, the palette and the key table
 * in the documents: a key that is not here does nothing, and what is here is told everywhere.
 */

/** Where a binding stands in the help and in the documents. */
export type BindingGroup = "Move" | "List" | "Look" | "Act" | "Go" | "Program";

interface BindingShape {
  /** Names as `keyName` gives them; the first one is shown. */
  readonly keys: readonly string[];
  /** One or two words for the footer. */
  readonly label: string;
  /** A sentence for the help and the palette. */
  readonly help: string;
  readonly group: BindingGroup;
  /** Footer order, low first; null keeps it out of the footer (help still tells it). */
  readonly footer: number | null;
  /** Offered in the palette when it works here. */
  readonly palette: boolean;
}

export const bindings = {
  up: {
    keys: ["up", "k"],
    label: "up",
    help: "One line up",
    group: "Move",
    footer: null,
    palette: false,
  },
  down: {
    keys: ["down", "j"],
    label: "down",
    help: "One line down",
    group: "Move",
    footer: null,
    palette: false,
  },
  "page-up": {
    keys: ["page-up", "ctrl-b"],
    label: "page up",
    help: "One page up",
    group: "Move",
    footer: null,
    palette: false,
  },
  "page-down": {
    keys: ["page-down", "ctrl-f"],
    label: "page down",
    help: "One page down",
    group: "Move",
    footer: null,
    palette: false,
  },
  top: {
    keys: ["g", "home"],
    label: "top",
    help: "To the first line",
    group: "Move",
    footer: null,
    palette: false,
  },
  bottom: {
    keys: ["G", "end"],
    label: "bottom",
    help: "To the last line",
    group: "Move",
    footer: null,
    palette: false,
  },
  open: {
    keys: ["enter"],
    label: "open",
    help: "Open what the cursor is on",
    group: "Go",
    footer: 10,
    palette: false,
  },
  back: {
    keys: ["esc"],
    label: "back",
    help: "Back, or close what is open; typed text is kept",
    group: "Go",
    footer: 11,
    palette: false,
  },
  "next-tab": {
    keys: ["tab"],
    label: "tab",
    help: "Next tab or field",
    group: "Move",
    footer: 20,
    palette: false,
  },
  "previous-tab": {
    keys: ["shift-tab"],
    label: "previous tab",
    help: "Previous tab or field",
    group: "Move",
    footer: null,
    palette: false,
  },
  filter: {
    keys: ["/"],
    label: "filter",
    help: "Filter: text, !not, col:text, ~fuzzy; all words must match",
    group: "List",
    footer: 21,
    palette: true,
  },
  "sort-previous": {
    keys: ["<"],
    label: "sort ←",
    help: "Sort by the column to the left",
    group: "List",
    footer: null,
    palette: false,
  },
  "sort-next": {
    keys: [">"],
    label: "sort",
    help: "Sort by the column to the right",
    group: "List",
    footer: 40,
    palette: true,
  },
  reverse: {
    keys: ["R"],
    label: "reverse",
    help: "Turn the sort order round",
    group: "List",
    footer: 41,
    palette: true,
  },
  mark: {
    keys: ["space"],
    label: "mark",
    help: "Mark or unmark this row",
    group: "List",
    footer: 42,
    palette: false,
  },
  "mark-all": {
    keys: ["+"],
    label: "mark all",
    help: "Mark all that match; once more unmarks them",
    group: "List",
    footer: 43,
    palette: true,
  },
  refresh: {
    keys: ["r"],
    label: "refresh",
    help: "Ask the service again now",
    group: "Look",
    footer: 22,
    palette: true,
  },
  pause: {
    keys: ["z"],
    label: "pause",
    help: "Pause or resume polling",
    group: "Look",
    footer: 23,
    palette: true,
  },
  copy: {
    keys: ["y"],
    label: "copy",
    help: "Send the value to the terminal's clipboard",
    group: "Look",
    footer: 50,
    palette: true,
  },
  "copy-row": {
    keys: ["Y"],
    label: "copy row",
    help: "Send the row, or what is marked, to the clipboard",
    group: "Look",
    footer: 51,
    palette: true,
  },
  raw: {
    keys: ["v"],
    label: "raw",
    help: "The answer as it came over the wire",
    group: "Look",
    footer: 44,
    palette: true,
  },
  "as-command": {
    keys: ["x"],
    label: "command",
    help: "This screen as a supplyline command and as curl",
    group: "Look",
    footer: 45,
    palette: true,
  },
  add: {
    keys: ["a"],
    label: "add",
    help: "Add one to this list",
    group: "Act",
    footer: 30,
    palette: true,
  },
  edit: {
    keys: ["e"],
    label: "edit",
    help: "Edit what the cursor is on",
    group: "Act",
    footer: 31,
    palette: true,
  },
  editor: {
    keys: ["ctrl-o"],
    label: "editor",
    help: "Open the payload, or a long text, in $VISUAL or $EDITOR",
    group: "Act",
    footer: 31,
    palette: true,
  },
  duplicate: {
    keys: ["="],
    label: "duplicate",
    help: "Put a copy of this row below it",
    group: "Act",
    footer: 33,
    palette: true,
  },
  "move-earlier": {
    keys: ["K"],
    label: "earlier",
    help: "Move this row up among its like",
    group: "Act",
    footer: 34,
    palette: true,
  },
  "move-later": {
    keys: ["J"],
    label: "later",
    help: "Move this row down among its like",
    group: "Act",
    footer: 35,
    palette: true,
  },
  discard: {
    keys: ["D"],
    label: "discard draft",
    help: "Throw away the draft of this form (asks first)",
    group: "Act",
    footer: 52,
    palette: true,
  },
  columns: {
    keys: ["C"],
    label: "columns",
    help: "Choose the columns and their order",
    group: "List",
    footer: null,
    palette: true,
  },
  export: {
    keys: ["E"],
    label: "export",
    help: "Write exactly the rows shown to a file",
    group: "Act",
    footer: 46,
    palette: true,
  },
  remove: {
    keys: ["d", "delete"],
    label: "remove",
    help: "Remove what the cursor is on (asks first)",
    group: "Act",
    footer: 32,
    palette: true,
  },
  account: {
    keys: ["o"],
    label: "account",
    help: "Open an account by its number, on a list or not",
    group: "Go",
    footer: 33,
    palette: true,
  },
  "supply-point": {
    keys: ["i"],
    label: "supply point",
    help: "Open a supply point by its identifier",
    group: "Go",
    footer: 34,
    palette: true,
  },
  watch: {
    keys: ["w"],
    label: "watch",
    help: "Watch this, or all that are marked, until it is final; once more ends that",
    group: "Act",
    footer: 24,
    palette: true,
  },
  mute: {
    keys: ["m"],
    label: "mute",
    help: "Let the bell ring when something watched has ended, or not",
    group: "Act",
    footer: 36,
    palette: true,
  },
  verify: {
    keys: ["V"],
    label: "verify",
    help: "Find out what became of an unknown write; have a supply point validated",
    group: "Act",
    footer: 12,
    palette: true,
  },
  resend: {
    keys: ["u"],
    label: "resend",
    help: "Send a journalled write again unchanged (asks first)",
    group: "Act",
    footer: 13,
    palette: true,
  },
  "close-write": {
    keys: ["c"],
    label: "close",
    help: "Close an unknown or retryable write with a reason",
    group: "Act",
    footer: 14,
    palette: true,
  },
  "cut-short": {
    keys: ["f"],
    label: "go on now",
    help: "Cut a countdown short",
    group: "Act",
    footer: 9,
    palette: true,
  },
  note: {
    keys: ["n"],
    label: "note",
    help: "Write notes to this account",
    group: "Act",
    footer: 24,
    palette: true,
  },
  transactions: {
    keys: ["t"],
    label: "transactions",
    help: "Add transactions to this account",
    group: "Act",
    footer: 25,
    palette: true,
  },
  statements: {
    keys: ["b"],
    label: "statements",
    help: "Add historical statements to this account",
    group: "Act",
    footer: 26,
    palette: true,
  },
  payment: {
    keys: ["p"],
    label: "payment",
    help: "Give this account a payment instruction",
    group: "Act",
    footer: 27,
    palette: true,
  },
  "new-supply-point": {
    keys: ["S"],
    label: "new supply point",
    help: "Compose a supply point for this supplier",
    group: "Act",
    footer: 28,
    palette: true,
  },
  "compose-marked": {
    keys: ["B"],
    label: "for marked",
    help: "Compose a note or transactions for every marked account",
    group: "Act",
    footer: 29,
    palette: true,
  },
  "resume-run": {
    keys: ["ctrl-r"],
    label: "resume",
    help: "Let a bulk run go on where it stopped",
    group: "Act",
    footer: 12,
    palette: true,
  },
  "stop-run": {
    keys: ["Z"],
    label: "stop",
    help: "Stop a bulk run once what is in flight has ended; once more cuts that off",
    group: "Act",
    footer: 13,
    palette: true,
  },
  "rejected-rows": {
    keys: ["F"],
    label: "rejected rows",
    help: "Write a run's rejected rows to a file that can be mended and run again",
    group: "Act",
    footer: 47,
    palette: true,
  },
  send: {
    keys: ["s"],
    label: "send",
    help: "Send what is reviewed (never Enter)",
    group: "Act",
    footer: 7,
    palette: false,
  },
  "toggle-check": {
    keys: ["1"],
    label: "check earlier",
    help: "Let the service check for transactions added before, or not",
    group: "Act",
    footer: 38,
    palette: true,
  },
  "toggle-force": {
    keys: ["2"],
    label: "move dates",
    help: "Let the service move transactions into the open statement, or refuse them",
    group: "Act",
    footer: 39,
    palette: true,
  },
  "toggle-split": {
    keys: ["3"],
    label: "one by one",
    help: "Send each transaction in a request of its own, or all in one",
    group: "Act",
    footer: 39,
    palette: true,
  },
  "toggle-staged": {
    keys: ["4"],
    label: "staged too",
    help: "Send to marked accounts that are staged as well, or leave them out",
    group: "Act",
    footer: 39,
    palette: true,
  },
  runs: {
    keys: ["L"],
    label: "runs",
    help: "Bulk runs: how they go, resume, stop and report",
    group: "Go",
    footer: 48,
    palette: true,
  },
  activity: {
    keys: ["A"],
    label: "activity",
    help: "What was sent from this machine: the journal of writes",
    group: "Go",
    footer: 24,
    palette: true,
  },
  "watch-list": {
    keys: ["W"],
    label: "watch list",
    help: "The accounts and supply points that are being watched",
    group: "Go",
    footer: 62,
    palette: true,
  },
  profiles: {
    keys: ["P"],
    label: "profiles",
    help: "Switch, add, edit or remove profiles",
    group: "Go",
    footer: 60,
    palette: true,
  },
  unlock: {
    keys: ["U"],
    label: "unlock",
    help: "Unlock or lock writes to a production profile",
    group: "Program",
    footer: 61,
    palette: true,
  },
  palette: {
    keys: [":"],
    label: "go/do",
    help: "Go to ACME, ACME/EXT-1, sp ACME/ID, or run an action",
    group: "Program",
    footer: 70,
    palette: false,
  },
  help: {
    keys: ["?"],
    label: "help",
    help: "What works here, and what the statuses mean",
    group: "Program",
    footer: 71,
    palette: true,
  },
  quit: {
    keys: ["q"],
    label: "quit",
    help: "Leave the program",
    group: "Program",
    footer: 72,
    palette: true,
  },
  cancel: {
    keys: ["ctrl-c"],
    label: "cancel",
    help: "Cancel what is in flight; if nothing is, leave",
    group: "Program",
    footer: null,
    palette: false,
  },
  suspend: {
    keys: ["ctrl-z"],
    label: "suspend",
    help: "Suspend to the shell; fg comes back",
    group: "Program",
    footer: null,
    palette: false,
  },
  redraw: {
    keys: ["ctrl-l"],
    label: "redraw",
    help: "Draw the whole screen again",
    group: "Program",
    footer: null,
    palette: true,
  },
} as const satisfies Record<string, BindingShape>;

/** What a key asks for. */
export type ActionId = keyof typeof bindings;
export type Binding = BindingShape;

/** All action ids, in the order of the table. */
export const actionIds = Object.keys(bindings) as ActionId[];

/** The binding of an action. */
export function bindingOf(id: ActionId): Binding {
  return bindings[id];
}

/** A key's name as people read it: `enter` → `Enter`, `ctrl-c` → `Ctrl-C`, `space` → `Space`. */
export function keyLabel(name: string): string {
  if (name.length === 1) return name;
  const arrows: Record<string, string> = { up: "↑", down: "↓", left: "←", right: "→" };
  if (arrows[name]) return arrows[name];
  const short: Record<string, string> = { "page-up": "PgUp", "page-down": "PgDn", delete: "Del" };
  if (short[name]) return short[name];
  return name
    .split("-")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("-");
}
