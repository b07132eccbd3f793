/** Names, compares and reads places: breadcrumbs, footer labels, keys and typed places. */
import { createHash } from "node:crypto";
import { padOrTruncate } from "../text/width.ts";
import { factsOf, type Place } from "./places.ts";

const maxNameWidth = 24;

export function pastedPlace(text: string): Place {
  const id = createHash("sha256").update(text).digest("hex");
  return { kind: "find-many", id, pasted: text };
}

/** Returns the back key's label. It names the place `to` if the breadcrumb of `from` does not. */
export function backWords(from: Place, to: Place): string {
  const trail = trailOf(to);
  const above = trailOf(from).slice(0, -1);
  return above.join("\n") === trail.join("\n")
    ? "back"
    : `to ${padOrTruncate(nameOf(to), maxNameWidth).trimEnd()}`;
}

export function trailOf(place: Place, cohort: string | null = null): readonly string[] {
  return factsOf(place).trail(place, cohort);
}

function nameOf(place: Place): string {
  return factsOf(place).name?.(place) ?? trailOf(place).at(-1) ?? "";
}

export function isStep(place: Place): boolean {
  return factsOf(place).isStep === true;
}

/**
 * The fields of a place that set the state in which it opens, and the text that its ID stands for.
 * They do not identify the place.
 */
const openingFields: readonly string[] = ["tab", "denied", "filter", "pasted"];

export function isSamePlace(one: Place, other: Place): boolean {
  return placeKey(one) === placeKey(other);
}

export function placeKey(place: Place): string {
  const fields = Object.entries(place).filter(([name]) => !openingFields.includes(name));
  return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
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

/** Removes a leading colon, which documents write because that key opens the palette. */
export function withoutColon(text: string): string {
  return text.trim().replace(/^:\s*/u, "");
}

export function isAddress(text: string): boolean {
  return text.includes("://");
}

export function placeText(place: Place): string | null {
  const text = factsOf(place).typed?.(place);
  if (text === undefined) return null;
  const typed = parsePlace(text) ?? supplierPlace(text);
  return typed !== null && isSamePlace(typed, place) ? text : null;
}

/** Returns the overview of a supplier from its typed code, or null for another text. */
export function supplierPlace(text: string): Place | null {
  return text === "" || /[\s/]/u.test(text) ? null : { kind: "overview", supplier: text };
}

export function pathTo(place: Place): readonly Place[] {
  return [...(factsOf(place).above?.(place) ?? []), place];
}
