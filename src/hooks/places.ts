import type { ListState } from "../api/service.ts";

/** Everywhere the console can be. A screen goes elsewhere only by pushing one of these. */
export type Place =
  | { readonly kind: "first-run" }
  | { readonly kind: "connect"; readonly edit: string | null }
  | { readonly kind: "profiles" }
  | { readonly kind: "suppliers" }
  | { readonly kind: "overview"; readonly supplier: string }
  | { readonly kind: "accounts"; readonly supplier: string; readonly tab: ListState }
  | { readonly kind: "account"; readonly supplier: string; readonly account: string }
  | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string };

/** The breadcrumb of a place, outermost first. */
export function trailOf(place: Place): readonly string[] {
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
    case "accounts":
      return ["Suppliers", place.supplier, "Accounts"];
    case "account":
      return ["Suppliers", place.supplier, "Accounts", place.account];
    case "supply-point":
      return ["Suppliers", place.supplier, "Supply point", place.identifier];
  }
}

/** The supplier a place belongs to, if any. */
export function supplierOf(place: Place): string | null {
  return "supplier" in place ? place.supplier : null;
}

/**
 * A place typed by hand, as the palette takes it: `ACME` (overview), `ACME/EXT-1` (an account; what
 * follows the first slash is the number, slashes and all), `sp ACME/ID` (a supply point).
 * Null when it names none.
 */
export function parsePlace(text: string): Place | null {
  const supplyPoint = /^sp\s+([^/\s]+)\/(.+)$/u.exec(text.trim());
  if (supplyPoint?.[1] && supplyPoint[2]) {
    return { kind: "supply-point", supplier: supplyPoint[1], identifier: supplyPoint[2].trim() };
  }
  const account = /^([^/\s]+)\/(.+)$/u.exec(text.trim());
  if (account?.[1] && account[2]) {
    return { kind: "account", supplier: account[1], account: account[2].trim() };
  }
  return null;
}

/** A place with the places above it, so that Esc leads out the usual way. */
export function pathTo(place: Place): readonly Place[] {
  const suppliers: Place = { kind: "suppliers" };
  switch (place.kind) {
    case "overview":
      return [suppliers, place];
    case "accounts":
    case "account":
    case "supply-point":
      return [suppliers, { kind: "overview", supplier: place.supplier }, place];
    default:
      return [place];
  }
}
