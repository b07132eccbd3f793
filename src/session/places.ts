/**
 * The places of the console, each a screen with its subject, and their breadcrumbs, names, keys and
 * commands.
 */
import { basename } from "node:path";
import type { ListState } from "../api/service.ts";
import type { ActionId } from "../keys/bindings.ts";
import type { CommandScreen } from "../settings/custom/custom-command.ts";
import type { CommandPlace } from "../text/as-command.ts";
import type { Denial } from "../triage/find/find.ts";
import type { RowClass } from "../triage/reconcile/classes.ts";
import { classWords } from "../triage/reconcile/classes.ts";

/** A list of the service, or the gone accounts, which left the pending list without an import. */
export type AccountTab = ListState | "gone";

export type MarkedList = AccountTab | "compared";

export const accountTabs = [
  "all",
  "pending",
  "imported",
  "gone",
] as const satisfies readonly AccountTab[];

/** The entries of Activity that its screen shows first. Default: all entries. */
export type ActivityTab = "all" | "unknown" | "rejected" | "retryable" | "causes" | "mine" | "own";

export type RunTab = "attention" | "rejected" | "unknown";

export type Place =
  | { readonly kind: "first-run" }
  | { readonly kind: "connect"; readonly edit: string | null }
  | { readonly kind: "profiles" }
  | { readonly kind: "suppliers" }
  | { readonly kind: "overview"; readonly supplier: string }
  | { readonly kind: "cohorts" }
  | { readonly kind: "find"; readonly text: string; readonly denied?: Denial | undefined }
  /** The numbers in a pasted text, searched over all suppliers. `id` identifies the text. */
  | { readonly kind: "find-many"; readonly id: string; readonly pasted: string }
  | { readonly kind: "cohort"; readonly supplier: string; readonly cohort: string }
  /** A list of accounts. `filter` replaces the filter of the list when the place opens. */
  | {
      readonly kind: "accounts";
      readonly supplier: string;
      readonly tab: AccountTab;
      readonly filter?: string;
    }
  | { readonly kind: "changes"; readonly supplier: string }
  | { readonly kind: "reconcile"; readonly supplier: string }
  | { readonly kind: "reconciled-rows"; readonly supplier: string; readonly class: RowClass }
  | { readonly kind: "account"; readonly supplier: string; readonly account: string }
  | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string }
  | {
      readonly kind: "activity";
      readonly supplier: string | null;
      readonly account: string | null;
      readonly tab?: ActivityTab;
    }
  | { readonly kind: "write"; readonly id: string }
  | { readonly kind: "watch" }
  | { readonly kind: "command-log" }
  | { readonly kind: "notices" }
  | { readonly kind: "compose"; readonly draft: string }
  | { readonly kind: "review"; readonly draft: string }
  | {
      readonly kind: "compose-marked" | "review-marked";
      readonly draft: string;
      readonly supplier: string;
      readonly list: MarkedList;
    }
  | { readonly kind: "runs" }
  | { readonly kind: "run"; readonly id: string; readonly tab?: RunTab }
  /** The requests for a second person's approval, and one with its rows, by its number. */
  | { readonly kind: "approvals" }
  | { readonly kind: "approval"; readonly id: number }
  /** A file of rows with its issues, or null while it is being chosen, and its review. */
  | { readonly kind: "bulk-file"; readonly path: string | null }
  | { readonly kind: "review-file"; readonly path: string }
  | {
      readonly kind: "cause";
      readonly run: string | null;
      readonly supplier: string | null;
      readonly account: string | null;
      readonly cause: string;
    };

export type PalettePage = {
  readonly label: string;
  readonly names?: readonly string[];
  /** The action that opens the same screen. The page is left out if the action works here. */
  readonly action?: ActionId;
} & (
  | { readonly place: Place; readonly remark: string }
  | {
      readonly placeOf: (supplier: string) => Place;
      readonly remarkOf: (name: string) => string;
    }
);

interface PlaceKey {
  readonly action: ActionId;
  /**
   * The screens on which it works: all of a session, all of a session with a team, those of its
   * profile, or all but the first start.
   */
  readonly works: "in-session" | "in-team" | "in-profile" | "after-start";
  readonly from: (here: Place) => Place;
}

interface PlaceFacts<Shown> {
  /** Returns the breadcrumb, outermost first. `cohort` limits the accounts if it is not null. */
  readonly trail: (place: Shown, cohort: string | null) => readonly string[];
  readonly name?: (place: Shown) => string;
  readonly isStep?: true;
  readonly above?: (place: Shown) => readonly Place[];
  /** Returns the text that opens the place in the palette. Default: it cannot be typed. */
  readonly typed?: (place: Shown) => string;
  readonly page?: PalettePage;
  readonly key?: PlaceKey;
  /** The name of the screen in commands.json. Default: the user's commands do not work there. */
  readonly commandScreen?: CommandScreen;
  /** Returns the equivalent command and a note, or null if the review shows the command. */
  readonly command: (place: Shown) => { place: CommandPlace; note: string } | null;
}

const local = "This screen shows local data; it makes no request.";

const ofTeam = "This screen shows the team's ledger; it makes no request to the service.";

const locally =
  (place: CommandPlace, more = "") =>
  () => ({ place, note: local + more });

const inConsole = () => ({
  place: { kind: "suppliers" } as const,
  note: "Opens the console; nothing is shown here yet.",
});

const inReview = () => null;

const suppliers: Place = { kind: "suppliers" };
const belowSuppliers = () => [suppliers];
const belowOverview = ({ supplier }: { readonly supplier: string }): readonly Place[] => [
  suppliers,
  { kind: "overview", supplier },
];

type PlaceOf<Kind> = Extract<Place, { readonly kind: Kind }>;

export const placeTable: { readonly [Kind in Place["kind"]]: PlaceFacts<PlaceOf<Kind>> } = {
  "first-run": {
    trail: () => ["Welcome"],
    isStep: true,
    command: () => ({
      place: { kind: "sandbox" },
      note: "The sandbox; nothing leaves this machine.",
    }),
  },
  connect: {
    trail: ({ edit }) => (edit === null ? ["Profiles", "Connect"] : ["Profiles", edit]),
    isStep: true,
    command: ({ edit }) =>
      edit === null
        ? locally({ kind: "profiles" }, " supplyline profiles add adds one.")()
        : locally({ kind: "profile", name: edit })(),
  },
  suppliers: {
    trail: () => ["Suppliers"],
    page: { label: "suppliers", place: suppliers, remark: "The import suppliers of this profile" },
    commandScreen: "suppliers",
    command: inConsole,
  },
  cohorts: {
    trail: () => ["Suppliers", "Cohorts"],
    above: belowSuppliers,
    page: {
      label: "cohorts",
      place: { kind: "cohorts" },
      remark: "Your stored lists of accounts",
    },
    key: { action: "cohorts", works: "in-profile", from: () => ({ kind: "cohorts" }) },
    command: locally({ kind: "cohorts" }),
  },
  cohort: {
    trail: ({ supplier, cohort }) => ["Suppliers", supplier, `Cohort ${cohort}`],
    above: belowOverview,
    commandScreen: "cohort",
    command: inConsole,
  },
  accounts: {
    trail: ({ supplier }, cohort) => [
      ...["Suppliers", supplier],
      cohort === null ? "Accounts" : `Accounts of ${cohort}`,
    ],
    above: belowOverview,
    page: {
      label: "accounts",
      placeOf: (supplier) => ({ kind: "accounts", supplier, tab: "all" }),
      remarkOf: (name) => `The list of accounts of ${name}`,
    },
    commandScreen: "accounts",
    command: inConsole,
  },
  account: {
    trail: ({ supplier, account }) => ["Suppliers", supplier, "Accounts", account],
    above: belowOverview,
    typed: ({ supplier, account }) => `${supplier}/${account}`,
    commandScreen: "account",
    command: inConsole,
  },
  "supply-point": {
    trail: ({ supplier, identifier }) => ["Suppliers", supplier, "Supply point", identifier],
    above: belowOverview,
    typed: ({ supplier, identifier }) => `sp ${supplier}/${identifier}`,
    commandScreen: "supply-point",
    command: inConsole,
  },
  overview: {
    trail: ({ supplier }) => ["Suppliers", supplier],
    above: belowSuppliers,
    typed: ({ supplier }) => supplier,
    page: {
      label: "overview",
      placeOf: (supplier) => ({ kind: "overview", supplier }),
      remarkOf: (name) => `The import progress of ${name}`,
    },
    commandScreen: "overview",
    command: inConsole,
  },
  changes: {
    trail: ({ supplier }) => ["Suppliers", supplier, "Changes"],
    above: belowOverview,
    page: {
      label: "changes",
      action: "changes",
      placeOf: (supplier) => ({ kind: "changes", supplier }),
      remarkOf: (name) => `Changes at ${name}`,
    },
    command: inConsole,
  },
  find: {
    trail: ({ text }) => ["Suppliers", "Find", text],
    name: () => "Find",
    above: belowSuppliers,
    command: inConsole,
  },
  "find-many": {
    trail: () => ["Suppliers", "Find", "Pasted text"],
    name: () => "Find",
    above: belowSuppliers,
    command: inConsole,
  },
  reconcile: {
    trail: ({ supplier }) => ["Suppliers", supplier, "Reconcile"],
    above: belowOverview,
    page: {
      label: "reconcile",
      action: "reconcile",
      placeOf: (supplier) => ({ kind: "reconcile", supplier }),
      remarkOf: (name) => `Your own list compared with the accounts of ${name}`,
    },
    command: inConsole,
  },
  "reconciled-rows": {
    trail: (place) => [
      ...["Suppliers", place.supplier, "Reconcile"],
      classWords[place.class].label,
    ],
    commandScreen: "reconcile",
    command: inConsole,
  },
  activity: {
    trail: ({ supplier, account }) =>
      ["Activity", supplier, account].filter((part) => part !== null),
    name: () => "Activity",
    page: {
      label: "activity",
      action: "activity",
      place: { kind: "activity", supplier: null, account: null },
      remark: "The journal of this machine",
    },
    key: { action: "activity", works: "in-profile", from: activityOf },
    commandScreen: "activity",
    command: locally({ kind: "activity-list" }),
  },
  write: {
    trail: ({ id }) => ["Activity", `Entry ${id}`],
    commandScreen: "entry",
    command: locally({ kind: "activity-list" }),
  },
  cause: {
    trail: ({ run, supplier, account }) =>
      run === null
        ? ["Activity", supplier, account, "Cause"].filter((part) => part !== null)
        : ["Runs", run, "Cause"],
    command: locally({ kind: "activity-list" }),
  },
  runs: {
    trail: () => ["Runs"],
    page: { label: "runs", action: "runs", place: { kind: "runs" }, remark: "Bulk runs" },
    key: { action: "runs", works: "in-session", from: () => ({ kind: "runs" }) },
    commandScreen: "runs",
    command: locally({ kind: "runs" }),
  },
  run: {
    trail: ({ id }) => ["Runs", id],
    name: ({ id }) => `Run ${id}`,
    commandScreen: "run",
    command: locally({ kind: "runs" }),
  },
  approvals: {
    trail: () => ["Approvals"],
    key: { action: "approvals", works: "in-team", from: () => ({ kind: "approvals" }) },
    command: () => ({ place: { kind: "approvals" }, note: ofTeam }),
  },
  approval: {
    trail: ({ id }) => ["Approvals", `a${id}`],
    name: ({ id }) => `Request a${id}`,
    command: ({ id }) => ({ place: { kind: "approval", id: `a${id}` }, note: ofTeam }),
  },
  notices: {
    trail: () => ["Notices"],
    isStep: true,
    page: { label: "notices", place: { kind: "notices" }, remark: "Messages of this session" },
    command: locally({ kind: "suppliers" }),
  },
  "command-log": {
    trail: () => ["Command log"],
    isStep: true,
    key: { action: "command-log", works: "in-session", from: () => ({ kind: "command-log" }) },
    command: locally({ kind: "suppliers" }),
  },
  "bulk-file": {
    trail: ({ path }) => ["Runs", path === null ? "Run a file" : basename(path)],
    page: {
      label: "run a file",
      place: { kind: "bulk-file", path: null },
      remark: "Check a CSV or JSONL file of rows, then send them",
      names: ["bulk file", "csv", "file", "import"],
    },
    command: locally({ kind: "runs" }),
  },
  "review-file": {
    trail: ({ path }) => ["Runs", basename(path), "Review"],
    isStep: true,
    command: inReview,
  },
  compose: { trail: () => ["Compose"], isStep: true, command: inReview },
  review: { trail: () => ["Compose", "Review"], isStep: true, command: inReview },
  "compose-marked": {
    trail: ({ supplier }) => ["Suppliers", supplier, "Compose for marked"],
    isStep: true,
    command: inReview,
  },
  "review-marked": {
    trail: ({ supplier }) => ["Suppliers", supplier, "Compose for marked", "Review"],
    isStep: true,
    command: inReview,
  },
  watch: {
    trail: () => ["Watch"],
    page: {
      label: "watch list",
      action: "watch-list",
      place: { kind: "watch" },
      remark: "Watched accounts and supply points",
      names: ["watch"],
    },
    key: { action: "watch-list", works: "in-profile", from: () => ({ kind: "watch" }) },
    commandScreen: "watch",
    command: inConsole,
  },
  profiles: {
    trail: () => ["Profiles"],
    page: {
      label: "profiles",
      action: "profiles",
      place: { kind: "profiles" },
      remark: "The profiles of this machine",
    },
    key: { action: "profiles", works: "after-start", from: () => ({ kind: "profiles" }) },
    command: locally({ kind: "profiles" }),
  },
};

export function factsOf<Shown extends Place>(place: Shown): PlaceFacts<Shown> {
  return placeTable[place.kind] as unknown as PlaceFacts<Shown>;
}

export function supplierOf(place: Place): string | null {
  return "supplier" in place ? place.supplier : null;
}

function activityOf(place: Place): Place {
  const supplier = supplierOf(place);
  switch (place.kind) {
    case "account":
      return { kind: "activity", supplier, account: place.account };
    case "supply-point":
      return { kind: "activity", supplier, account: place.identifier };
    case "activity":
      return { kind: "activity", supplier: null, account: null };
    default:
      return { kind: "activity", supplier, account: null };
  }
}
