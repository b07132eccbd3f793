/**
 * The places of the console (each is a screen with its subject), their breadcrumbs and their typed
 * form.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { ListState } from "../api/service.ts";
import { padOrTruncate } from "../text/width.ts";
import type { Denial } from "../triage/find/find.ts";
import type { RowClass } from "../triage/reconcile/classes.ts";
import { classWords } from "../triage/reconcile/classes.ts";

/**
 * A list of accounts: a list of the service, or the gone accounts, which were pending and left the
 * list without an import.
 */
export type AccountTab = ListState | "gone";

/** The list in which accounts are marked for a form: a tab of Accounts, or a comparison. */
export type MarkedList = AccountTab | "compared";

/** All lists of accounts. */
export const accountTabs = [
  "all",
  "pending",
  "imported",
  "gone",
] as const satisfies readonly AccountTab[];

/** The entries of Activity that its screen shows first. Default: all entries. */
export type ActivityTab = "all" | "unknown" | "rejected" | "retryable" | "causes" | "own";

/** The rows of a run that its screen shows first. Default: all rows. */
export type RunTab = "attention" | "rejected" | "unknown";

/** Every place of the console. A screen opens another one only by navigating to a place. */
export type Place =
  | { readonly kind: "first-run" }
  | { readonly kind: "connect"; readonly edit: string | null }
  | { readonly kind: "profiles" }
  | { readonly kind: "suppliers" }
  | { readonly kind: "overview"; readonly supplier: string }
  /** The stored lists of accounts, of all suppliers. */
  | { readonly kind: "cohorts" }
  /** A number, or a part of one, searched over all suppliers. */
  | { readonly kind: "find"; readonly text: string; readonly denied?: Denial | undefined }
  /** The numbers in a pasted text, searched over all suppliers. `id` identifies the text. */
  | { readonly kind: "find-many"; readonly id: string; readonly pasted: string }
  /** The overview of a stored list of accounts. */
  | { readonly kind: "cohort"; readonly supplier: string; readonly cohort: string }
  /** A list of accounts. `filter` replaces the filter of the list when the place opens. */
  | {
      readonly kind: "accounts";
      readonly supplier: string;
      readonly tab: AccountTab;
      readonly filter?: string;
    }
  /** The differences between the lists of a supplier, and the stored lists of all suppliers. */
  | { readonly kind: "changes"; readonly supplier: string }
  | { readonly kind: "observations" }
  /** A comparison of the user's list with the supplier's list, and its rows of one class. */
  | { readonly kind: "reconcile"; readonly supplier: string }
  | { readonly kind: "reconciled-rows"; readonly supplier: string; readonly class: RowClass }
  | { readonly kind: "account"; readonly supplier: string; readonly account: string }
  | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string }
  /** The journal: of everything, of a supplier, or of an account or supply point. */
  | {
      readonly kind: "activity";
      readonly supplier: string | null;
      readonly account: string | null;
      readonly tab?: ActivityTab;
    }
  | { readonly kind: "write"; readonly id: string }
  | { readonly kind: "watch" }
  /** The commands for the actions of the console. */
  | { readonly kind: "command-log" }
  /** The last notices of the session. */
  | { readonly kind: "notices" }
  /** A form that is being filled in, by the ID of its draft. */
  | { readonly kind: "compose"; readonly draft: string }
  /** The requests of a draft, their sending, and the outcome. */
  | { readonly kind: "review"; readonly draft: string }
  /** A form, or its review, for the marked accounts of a list. */
  | {
      readonly kind: "compose-marked" | "review-marked";
      readonly draft: string;
      readonly supplier: string;
      readonly list: MarkedList;
    }
  /** The list of bulk runs, and one run. */
  | { readonly kind: "runs" }
  | { readonly kind: "run"; readonly id: string; readonly tab?: RunTab }
  /** A file of rows with its issues, or null while it is being chosen, and its review. */
  | { readonly kind: "bulk-file"; readonly path: string | null }
  | { readonly kind: "review-file"; readonly path: string }
  /** The failures with one cause, by its key: of a run, or of the journal. */
  | {
      readonly kind: "cause";
      readonly run: string | null;
      readonly supplier: string | null;
      readonly account: string | null;
      readonly cause: string;
    };

/**
 * Returns the breadcrumb of a place, outermost first. `cohort` is the cohort that accounts are
 * limited to, or null.
 */
export function trailOf(place: Place, cohort: string | null = null): readonly string[] {
  switch (place.kind) {
    case "first-run":
      return ["Welcome"];
    case "connect":
      return place.edit === null ? ["Profiles", "Connect"] : ["Profiles", place.edit];
    case "profiles":
      return ["Profiles"];
    case "suppliers":
      return ["Suppliers"];
    case "overview":
      return ["Suppliers", place.supplier];
    case "cohorts":
      return ["Suppliers", "Cohorts"];
    case "find":
      return ["Suppliers", "Find", place.text];
    case "find-many":
      return ["Suppliers", "Find", "Pasted text"];
    case "cohort":
      return ["Suppliers", place.supplier, `Cohort ${place.cohort}`];
    case "accounts":
      return ["Suppliers", place.supplier, cohort === null ? "Accounts" : `Accounts of ${cohort}`];
    case "account":
      return ["Suppliers", place.supplier, "Accounts", place.account];
    case "changes":
      return ["Suppliers", place.supplier, "Changes"];
    case "observations":
      return ["Suppliers", "Observations"];
    case "reconcile":
      return ["Suppliers", place.supplier, "Reconcile"];
    case "reconciled-rows":
      return ["Suppliers", place.supplier, "Reconcile", classWords[place.class].label];
    case "supply-point":
      return ["Suppliers", place.supplier, "Supply point", place.identifier];
    case "activity":
      return ["Activity", place.supplier, place.account].filter((part) => part !== null);
    case "write":
      return ["Activity", `Entry ${place.id}`];
    case "watch":
      return ["Watch"];
    case "command-log":
      return ["Command log"];
    case "notices":
      return ["Notices"];
    case "compose":
      return ["Compose"];
    case "review":
      return ["Compose", "Review"];
    case "compose-marked":
      return ["Suppliers", place.supplier, "Compose for marked"];
    case "review-marked":
      return ["Suppliers", place.supplier, "Compose for marked", "Review"];
    case "runs":
      return ["Runs"];
    case "run":
      return ["Runs", place.id];
    case "bulk-file":
      return ["Runs", place.path === null ? "Run a file" : basename(place.path)];
    case "review-file":
      return ["Runs", basename(place.path), "Review"];
    case "cause":
      return place.run === null
        ? [...trailOf({ ...place, kind: "activity" }), "Cause"]
        : ["Runs", place.run, "Cause"];
  }
}

/** The maximum width of a name in the footer, in cells. */
const maxNameWidth = 24;

/** Returns the place of the numbers in a pasted text. */
export function pastedPlace(text: string): Place {
  const id = createHash("sha256").update(text).digest("hex");
  return { kind: "find-many", id, pasted: text };
}

/**
 * Returns the footer label of the back key. The label names the place `to` if the breadcrumb of
 * `from` does not show it.
 */
export function backWords(from: Place, to: Place): string {
  const trail = trailOf(to);
  const above = trailOf(from).slice(0, -1);
  return above.join("\n") === trail.join("\n")
    ? "back"
    : `to ${padOrTruncate(nameOf(to), maxNameWidth).trimEnd()}`;
}

/** Returns the name of a place in the footer. */
function nameOf(place: Place): string {
  switch (place.kind) {
    case "activity":
      return "Activity";
    case "find":
    case "find-many":
      return "Find";
    case "run":
      return `Run ${place.id}`;
    default:
      return trailOf(place).at(-1) ?? "";
  }
}

/** Returns the supplier of a place, or null if it has none. */
export function supplierOf(place: Place): string | null {
  return "supplier" in place ? place.supplier : null;
}

/** Returns true if a place is a step on the way to another one, and not a place to return to. */
export function isStep({ kind }: Place): boolean {
  switch (kind) {
    case "first-run":
    case "connect":
    case "compose":
    case "review":
    case "compose-marked":
    case "review-marked":
    case "review-file":
    case "command-log":
    case "notices":
      return true;
    default:
      return false;
  }
}

/**
 * The fields of a place that set the state in which it opens, and the text that its ID stands for.
 * They do not identify the place.
 */
const openingFields: readonly string[] = ["tab", "denied", "filter", "pasted"];

/** Returns true if two places are the same screen of the same subject, in any tab. */
export function isSamePlace(one: Place, other: Place): boolean {
  return placeKey(one) === placeKey(other);
}

/** Returns a text that identifies a place. It is equal for all tabs of the place. */
export function placeKey(place: Place): string {
  const fields = Object.entries(place).filter(([name]) => !openingFields.includes(name));
  return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the place of the journal, limited to the subject of a place. */
export function activityOf(place: Place): Place {
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

/**
 * Reads a typed place, as the palette accepts it: `ACME` (overview), `ACME/EXT-1` (an account; the
 * number is the text after the first slash, with its slashes), `sp ACME/ID` (a supply point).
 * Returns null if the text names no place, for example an address.
 */
export function parsePlace(text: string): Place | null {
  if (isAddress(text)) return null;
  const typed = withoutColon(text);
  const supplyPoint = /^sp\s+([^/\s]+)\/(.+)$/u.exec(typed);
  if (supplyPoint?.[1] && supplyPoint[2]) {
    return { kind: "supply-point", supplier: supplyPoint[1], identifier: supplyPoint[2].trim() };
  }
  const account = /^([^/\s]+)\/(.+)$/u.exec(typed);
  if (account?.[1] && account[2]) {
    return { kind: "account", supplier: account[1], account: account[2].trim() };
  }
  return null;
}

/**
 * Returns a text without a leading colon. Documents write the colon, because it is the key that
 * opens the palette.
 */
export function withoutColon(text: string): string {
  return text.trim().replace(/^:\s*/u, "");
}

/** Returns true if a text is the address of a service. No account number looks like an address. */
export function isAddress(text: string): boolean {
  return text.includes("://");
}

/** Formats a place as typed into the palette. Returns null for a place that cannot be typed. */
export function placeText(place: Place): string | null {
  const text = typedText(place);
  if (text === null) return null;
  const typed = parsePlace(text) ?? supplierPlace(text);
  return typed !== null && isSamePlace(typed, place) ? text : null;
}

/** Returns the text that names a place in the palette, or null if the place cannot be typed. */
function typedText(place: Place): string | null {
  switch (place.kind) {
    case "overview":
      return place.supplier;
    case "account":
      return `${place.supplier}/${place.account}`;
    case "supply-point":
      return `sp ${place.supplier}/${place.identifier}`;
    default:
      return null;
  }
}

/**
 * Returns the overview of a supplier from its typed code, or null for a text that is not a code.
 */
export function supplierPlace(text: string): Place | null {
  return text === "" || /[\s/]/u.test(text) ? null : { kind: "overview", supplier: text };
}

/** Returns a place below the places that the back key returns to, outermost first. */
export function pathTo(place: Place): readonly Place[] {
  const suppliers: Place = { kind: "suppliers" };
  switch (place.kind) {
    case "overview":
    case "cohorts":
    case "observations":
    case "find":
    case "find-many":
      return [suppliers, place];
    case "cohort":
    case "accounts":
    case "account":
    case "supply-point":
    case "changes":
    case "reconcile":
      return [suppliers, { kind: "overview", supplier: place.supplier }, place];
    default:
      return [place];
  }
}
