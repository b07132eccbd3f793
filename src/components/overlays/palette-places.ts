import type { StuckAccounts } from "../../hooks/verdict.ts";
import type { Keymap } from "../../keys/keymap.ts";
import type { FoundAction } from "../../keys/scopes.ts";
import type { CustomKey } from "../../session/app.ts";
import type { Choice } from "../../session/overlays.ts";
import { isSamePlace, parsePlace, supplierPlace } from "../../session/place-words.ts";
import { type PalettePage, type Place, placeTable, supplierOf } from "../../session/places.ts";
import type { FoundNumber, Hit } from "../../triage/find/found.ts";
import type { Need } from "../../triage/open/needs.ts";

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  readonly key?: string;
  readonly disabled: string | null;
  readonly names: readonly string[];
  /** The action to add to the recent actions, or null for a place. */
  readonly action: string | null;
  readonly place?: Place;
  readonly run: () => void;
}

export interface PaletteKnown {
  readonly actions: readonly FoundAction[];
  readonly commands: readonly CustomKey[];
  readonly suppliers: readonly string[];
  readonly cohorts: readonly { readonly name: string; readonly supplier: string }[];
  /** The texts of recently opened places, newest first. */
  readonly recent: readonly string[];
  readonly keymap: Keymap;
  /** The ids of recently run entries, newest first. */
  readonly recentlyUsed: readonly string[];
  /** The place where the palette was opened, or null if there is none yet. */
  readonly here: Place | null;
  readonly go: (place: Place) => void;
  readonly choose: (title: string, choices: readonly Choice[]) => void;
  readonly found: FoundNumber | null;
  readonly needs: readonly Need[];
  readonly stuck: readonly StuckAccounts[];
  readonly profiles: readonly OfferedProfile[];
  readonly askNumber: () => void;
  readonly hitWords: (hit: Hit) => string;
}

interface OfferedProfile {
  readonly name: string;
  readonly environment: string;
  readonly isOpen: boolean;
  readonly open: () => void;
}

/**
 * Returns an entry for a supplier that is not in the profile, or null if the supplier is known or
 * the code is invalid.
 */
export function unlistedSupplier(code: string, known: PaletteKnown): PaletteEntry | null {
  const place = isKnown(code, known) ? null : supplierPlace(code);
  return place === null
    ? null
    : placeEntry(known, place, `Open supplier ${code}`, "not in this profile");
}

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

/** Returns the spelled places, except a number here and accounts of unknown suppliers. */
export function spelledNames(wanted: string, known: PaletteKnown): readonly PaletteEntry[] {
  const here = known.here === null ? null : supplierOf(known.here);
  const literal = here === null ? null : accountEntry(here, wanted, known).id;
  const typed = parsePlace(wanted);
  if (typed?.kind === "account" && !isKnown(typed.supplier, known)) return [];
  return spelledPlaces(wanted, known).filter(({ id }) => id !== literal);
}

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

const pages = Object.values(placeTable).flatMap(({ page }) => page ?? []);

/**
 * Returns the palette entries for the screens that no action opens here, including the open screen.
 * If no supplier is open, the entry for a screen of a supplier asks for the supplier.
 */
export function pageEntries(known: PaletteKnown): readonly PaletteEntry[] {
  const { here, suppliers } = known;
  const [only = null] = suppliers.length === 1 ? suppliers : [];
  const supplier = (here === null ? null : supplierOf(here)) ?? only;
  const actionsHere = new Set(known.actions.map(({ id }) => id));
  return pages
    .filter(({ action }) => action === undefined || !actionsHere.has(action))
    .map((page) => {
      const { label, names = [] } = page;
      if (!("place" in page) && supplier === null) return askingEntry(known, page);
      const [place, remark] =
        "place" in page
          ? [page.place, page.remark]
          : [page.placeOf(supplier ?? ""), page.remarkOf(supplier ?? "")];
      const isHere = here !== null && isSamePlace(here, place);
      const words = isHere ? "This screen is open" : remark;
      return placeEntry(known, place, label, words, [label, ...names]);
    });
}

function askingEntry(
  known: PaletteKnown,
  { label, placeOf, remarkOf }: Extract<PalettePage, { readonly placeOf: unknown }>,
): PaletteEntry {
  const choices = known.suppliers.map((code) => ({
    label: code,
    hint: "",
    run: () => known.go(placeOf(code)),
  }));
  return {
    id: `place ${label}`,
    label,
    remark: remarkOf("a supplier"),
    names: [label],
    action: null,
    disabled: choices.length === 0 ? "Add a supplier first." : null,
    run: () => known.choose(`Open ${label} of which supplier?`, choices),
  };
}
