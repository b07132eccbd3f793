import { type Place, parsePlace, supplierPlace } from "../../hooks/places.ts";
import { bindingOf, keyLabel } from "../../keys/bindings.ts";
import type { Keymap } from "../../keys/keymap.ts";
import type { Found } from "../../keys/scopes.ts";
import { nearest } from "../../text/suggest.ts";

/** One line of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  readonly disabled: string | null;
  /** The action it runs, to be remembered; null for a place. */
  readonly action: string | null;
  readonly run: () => void;
}

/** Recent ones offered before anything is typed. */
const mostRecent = 5;
const mostLately = 3;

/** What may have been meant, where nothing goes by what was typed. */
const mostNear = 5;

/**
 * What the palette offers for a text: the place it spells, places opened lately, suppliers, and
 * actions, those run from here lately before the others.
 */
export function paletteEntries(
  text: string,
  known: {
    readonly actions: readonly Found[];
    readonly suppliers: readonly string[];
    /** Places opened lately as they are typed, newest first. */
    readonly recent: readonly string[];
    readonly keymap: Keymap;
    /** Ids of entries run lately, newest first. */
    readonly lately: readonly string[];
    readonly go: (place: Place) => void;
  },
): readonly PaletteEntry[] {
  const wanted = text.trim();
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (subject: string) => words.every((word) => subject.toLowerCase().includes(word));
  const toPlace = (place: Place, label: string, remark: string): PaletteEntry => ({
    id: `place ${label}`,
    label,
    remark,
    disabled: null,
    action: null,
    run: () => known.go(place),
  });
  const entries: PaletteEntry[] = [];
  const typed = parsePlace(wanted);
  if (typed?.kind === "account") {
    entries.push(toPlace(typed, `${typed.supplier}/${typed.account}`, "account, on a list or not"));
  }
  if (typed?.kind === "supply-point") {
    entries.push(toPlace(typed, `sp ${typed.supplier}/${typed.identifier}`, "supply point"));
  }
  const suppliers = known.suppliers
    .filter(matches)
    .map((code) =>
      toPlace({ kind: "overview", supplier: code }, code, "import supplier: overview"),
    );
  const recent = known.recent
    .filter(matches)
    .slice(0, words.length === 0 ? mostRecent : undefined)
    .flatMap((one) => {
      const place = parsePlace(one) ?? supplierPlace(one);
      return place === null ? [] : [toPlace(place, one, `lately: ${kindWords(place)}`)];
    });
  // A supplier's code alone means the supplier, not the accounts of it that were opened lately.
  const code = known.suppliers.includes(wanted) ? null : supplierPlace(wanted);
  const isKnown = known.recent.some(
    (one) => one === wanted || one.replace(/^sp /u, "").startsWith(`${wanted}/`),
  );
  if (code && isKnown) entries.push(toPlace(code, wanted, "import supplier: overview"));
  entries.push(...(words.length === 0 ? [...recent, ...suppliers] : [...suppliers, ...recent]));
  entries.push(
    ...byLately(
      actionEntries(known.actions, known.keymap, matches),
      known.lately,
      words.length === 0,
    ),
  );
  // Numbers have digits; which supplier it belongs to is not known yet.
  if (/\d/u.test(wanted) && supplierPlace(wanted) !== null) {
    for (const supplier of known.suppliers) {
      const place = { kind: "account", supplier, account: wanted } as const;
      entries.push(toPlace(place, `${supplier}/${wanted}`, `account of ${supplier}`));
    }
  }
  const isUnheard = words.length > 0 && entries.length === 0;
  if (code) entries.push(toPlace(code, wanted, "as an import supplier's code: overview"));
  if (isUnheard) {
    const all = paletteEntries("", { ...known, lately: [] });
    entries.push(...all.filter(({ label }) => isNear(wanted, label)).slice(0, mostNear));
  }
  return entries.filter(({ id }, at) => entries.findIndex((other) => other.id === id) === at);
}

/** Whether a label may have been meant: mistyped, or its letters in their order with some left out. */
function isNear(typed: string, label: string): boolean {
  if (nearest(typed, [label, ...label.split(/[\s/]+/)]) !== null) return true;
  let from = 0;
  const wanted = typed.toLowerCase().replace(/\s/g, "");
  for (const letter of label.toLowerCase()) if (letter === wanted[from]) from += 1;
  return wanted.length > 2 && from === wanted.length;
}

function kindWords(place: Place): string {
  if (place.kind === "overview") return "import supplier";
  return place.kind === "supply-point" ? "supply point" : place.kind;
}

function actionEntries(
  actions: readonly Found[],
  keymap: Keymap,
  matches: (subject: string) => boolean,
): readonly PaletteEntry[] {
  return actions.flatMap(({ id, action }) => {
    const binding = bindingOf(id);
    const label = action.label ?? binding.label;
    const entries: PaletteEntry[] = [];
    if (binding.palette && matches(`${label} ${binding.help} ${id}`)) {
      entries.push({
        id: `action ${id}`,
        label,
        remark: `${keyLabel(keymap.keysOf(id)[0] ?? "")}  ${binding.help}`.trimStart(),
        disabled: action.wayRound ? null : (action.disabled ?? null),
        action: id,
        run: (action.disabled ? action.wayRound : null) ?? action.run,
      });
    }
    for (const choice of action.choices ?? []) {
      if (!matches(`${choice.label} ${choice.hint} ${id}`)) continue;
      entries.push({
        id: `choice ${id} ${choice.label}`,
        label: choice.label,
        remark: choice.hint,
        disabled: null,
        action: `${id} ${choice.label}`,
        run: choice.run,
      });
    }
    return entries;
  });
}

/** Those run lately first, the newest before the others; a few of them while nothing is typed. */
function byLately(
  entries: readonly PaletteEntry[],
  lately: readonly string[],
  few: boolean,
): readonly PaletteEntry[] {
  const first = lately
    .flatMap((id) => entries.find(({ action }) => action === id) ?? [])
    .slice(0, few ? mostLately : undefined);
  return [...first, ...entries.filter((entry) => !first.includes(entry))];
}
