/** Creates the palette entries that open places: suppliers, accounts, supply points and cohorts. */
import type { Keymap } from "../../keys/keymap.ts";
import type { Found } from "../../keys/scopes.ts";
import type { CustomKey } from "../../session/app.ts";
import type { Choice } from "../../session/overlays.ts";
import {
  type Place,
  parsePlace,
  supplierOf,
  supplierPlace,
  withoutColon,
} from "../../session/places.ts";
import { count } from "../../text/numbers.ts";
import { containingOf, type FoundNumber, type Hit } from "../../triage/find/found.ts";

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  /** The key of the same action. Absent if there is none. */
  readonly key?: string;
  readonly disabled: string | null;
  /** The names of the entry. The label is one of them. */
  readonly names: readonly string[];
  /** The action to add to the recent actions, or null for a place. */
  readonly action: string | null;
  /** The place that the entry opens. Each place is offered once. */
  readonly place?: Place;
  readonly run: () => void;
}

export interface PaletteKnown {
  readonly actions: readonly Found[];
  /** The user's commands that work here. */
  readonly commands: readonly CustomKey[];
  readonly suppliers: readonly string[];
  /** Stored lists of accounts. */
  readonly cohorts: readonly { readonly name: string; readonly supplier: string }[];
  /** The texts of recently opened places, newest first. */
  readonly recent: readonly string[];
  readonly keymap: Keymap;
  /** The ids of recently run entries, newest first. */
  readonly recentlyUsed: readonly string[];
  /** The place where the palette was opened, or null if there is none yet. */
  readonly here: Place | null;
  readonly go: (place: Place) => void;
  /** Asks the user to choose one of several. */
  readonly choose: (title: string, choices: readonly Choice[]) => void;
  /** The results for the typed number over all suppliers, or null if nothing is known yet. */
  readonly found: FoundNumber | null;
  /** Formats the source of a found account, and its age. */
  readonly hitWords: (hit: Hit) => string;
}

/**
 * Returns the entry for a supplier that the profile does not know, or null if it is known or no
 * valid code.
 */
export function unlistedSupplier(code: string, known: PaletteKnown): PaletteEntry | null {
  const place = isKnown(code, known) ? null : supplierPlace(code);
  return place === null
    ? null
    : placeEntry(known, place, `Open supplier ${code}`, "not in this profile");
}

/** Returns an entry that opens a place. */
export function placeEntry(
  known: PaletteKnown,
  place: Place,
  label: string,
  remark: string,
  names: readonly string[] = [label],
): PaletteEntry {
  return {
    id: `place ${label}`,
    label,
    remark,
    disabled: null,
    names,
    action: null,
    place,
    run: () => known.go(place),
  };
}

/**
 * Returns true for a supplier of the profile, of the current place, or of a recently opened place.
 */
function isKnown(code: string, { suppliers, here, recent }: PaletteKnown): boolean {
  return (
    supplierPlace(code) !== null &&
    (suppliers.includes(code) ||
      (here !== null && supplierOf(here) === code) ||
      recent.some((one) => one === code || one.replace(/^sp /u, "").startsWith(`${code}/`)))
  );
}

/**
 * Returns the places that a text spells out: an account, a supply point, a supplier, a cohort, or a
 * number.
 */
export function spelledPlaces(wanted: string, known: PaletteKnown): readonly PaletteEntry[] {
  const code = /^supplier\s+(\S+)$/u.exec(wanted)?.[1];
  if (code !== undefined && supplierPlace(code) !== null) {
    const unlisted = unlistedSupplier(code, known);
    return [unlisted ?? supplierEntry(code, known)];
  }
  if (isKnown(wanted, known)) return [supplierEntry(wanted, known)];
  const cohorts = cohortEntries(known).filter(({ names }) => names.includes(wanted));
  if (cohorts.length > 0) return cohorts;
  const typed = parsePlace(wanted);
  if (typed?.kind === "account") {
    const label = `${typed.supplier}/${typed.account}`;
    return [placeEntry(known, typed, label, "account, listed or not")];
  }
  if (typed?.kind === "supply-point") {
    const label = `sp ${typed.supplier}/${typed.identifier}`;
    return [placeEntry(known, typed, label, "supply point")];
  }
  const here = known.here === null ? null : supplierOf(known.here);
  return here === null || !isNumber(wanted) ? [] : [accountEntry(here, wanted, known)];
}

/**
 * Returns the places that a text spells out, without a number at the current supplier, and without
 * accounts of unknown suppliers.
 */
export function spelledNames(wanted: string, known: PaletteKnown): readonly PaletteEntry[] {
  const here = known.here === null ? null : supplierOf(known.here);
  const literal = here === null ? null : accountEntry(here, wanted, known).id;
  const typed = parsePlace(wanted);
  if (typed?.kind === "account" && !isKnown(typed.supplier, known)) return [];
  return spelledPlaces(wanted, known).filter(({ id }) => id !== literal);
}

/** Maximum length of an account number. */
const longestNumber = 200;

/** Returns the text to search for over all suppliers, or null if it cannot be an account number. */
export function searchedText(text: string): string | null {
  const wanted = withoutColon(text);
  const isSearched =
    /\d/u.test(wanted) &&
    wanted.length <= longestNumber &&
    !wanted.includes("://") &&
    !/^(?:sp|supplier|cohort)\s/u.test(wanted);
  return isSearched ? wanted : null;
}

/**
 * Maximum number of offered accounts whose number contains the text. The search screen lists all.
 */
const mostContaining = 5;

/**
 * The places of a search: accounts with exactly this number, and accounts with a similar number.
 */
export interface FoundEntries {
  readonly exact: readonly PaletteEntry[];
  /** The account whose number contains the text, if it is the only one. Enter opens it. */
  readonly only: readonly PaletteEntry[];
  readonly similar: readonly PaletteEntry[];
  /** The entry that opens the search screen. */
  readonly search: PaletteEntry;
  /** True if several numbers contain the text. */
  readonly isMany: boolean;
}

/** Returns the entries of a search with its results so far. */
export function foundEntries(wanted: string, known: PaletteKnown): FoundEntries {
  const entry = (hit: Hit, similar = "") => ({
    ...accountEntry(hit.supplier, hit.number, known),
    remark: `${similar}${known.hitWords(hit)}`,
  });
  const { places } = known.found ?? { places: [] };
  const containing = containingOf({ places });
  const all = places.reduce((sum, { containingCount }) => sum + containingCount, 0);
  const entries = containing.slice(0, mostContaining).map((hit) => entry(hit));
  const near = places.flatMap(({ near: hit }) => (hit === null ? [] : [entry(hit, "similar, ")]));
  return {
    exact: places.flatMap(({ hit }) => (hit === null ? [] : [entry(hit)])),
    isMany: all > 1,
    only: all === 1 ? entries : [],
    similar: [...(all === 1 ? [] : entries), ...near],
    search: placeEntry(
      known,
      { kind: "find", text: wanted },
      `find ${wanted}`,
      all > 1
        ? `every supplier: ${count(all)} numbers contain it`
        : "every supplier of this profile",
    ),
  };
}

/** Returns true if a text can be an account number: it has a digit. */
export function isNumber(text: string): boolean {
  return /\d/u.test(text) && supplierPlace(text) !== null;
}

export function accountEntry(supplier: string, account: string, known: PaletteKnown): PaletteEntry {
  const place = { kind: "account", supplier, account } as const;
  return placeEntry(known, place, `${supplier}/${account}`, `account of ${supplier}`);
}

export function supplierEntry(code: string, known: PaletteKnown): PaletteEntry {
  return placeEntry(known, { kind: "overview", supplier: code }, code, "import supplier: overview");
}

export function cohortEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return known.cohorts.map(({ name, supplier }) =>
    placeEntry(
      known,
      { kind: "cohort", supplier, cohort: name },
      `cohort ${name}`,
      `of ${supplier}: overview`,
      [name, `cohort ${name}`],
    ),
  );
}

export function recentEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return known.recent.flatMap((one) => {
    const place = parsePlace(one) ?? supplierPlace(one);
    return place === null ? [] : [placeEntry(known, place, one, `lately: ${kindWords(place)}`)];
  });
}

function kindWords(place: Place): string {
  if (place.kind === "overview") return "import supplier";
  return place.kind === "supply-point" ? "supply point" : place.kind;
}
