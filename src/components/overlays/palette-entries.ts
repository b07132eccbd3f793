import { type ActionId, actionIds, bindingOf } from "../../keys/bindings.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { CustomKey } from "../../session/app.ts";
import { tabOf } from "../../session/open-places.ts";
import { isAddress, placeKey, withoutColon } from "../../session/place-words.ts";
import { count } from "../../text/numbers.ts";
import { nearest } from "../../text/suggest.ts";
import { containingOf, type FoundNumber, type Hit } from "../../triage/find/found.ts";
import { countEntries, findEntry, profileEntries, spelledSearch } from "./palette-needs.ts";
import {
  accountEntry,
  cohortEntries,
  isNumber,
  type PaletteEntry,
  type PaletteKnown,
  pageEntries,
  placeEntry,
  recentEntries,
  spelledNames,
  spelledPlaces,
  supplierEntry,
  unlistedSupplier,
} from "./palette-places.ts";

export interface PaletteOffer {
  readonly entries: readonly PaletteEntry[];
  /**
   * The reason why Enter runs nothing until the user chooses an entry, or null if Enter runs the
   * first entry.
   */
  readonly noMatch: string | null;
}

const maxRecentPlaces = 5;
const maxRecentActions = 3;

const maxNear = 5;

/**
 * Returns the entries of the palette for a text: first the place that the text spells out, then the
 * entries with that name, then the entries that contain the text. For an account number, the
 * accounts that are known to have the number come before these, then a search for the number. If no
 * entry matches, returns entries with a similar name.
 */
export function paletteOffer(text: string, known: PaletteKnown): PaletteOffer {
  const wanted = withoutColon(text);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = unique([
    ...numberEntries(wanted, known),
    ...spelledPlaces(wanted, known),
    ...spelledSearch(wanted, known),
    ...(words.length === 0 ? allEntries(known) : entriesNamed(wanted, words, known)),
  ]);
  const supplier = /\s/u.test(wanted) ? null : unlistedSupplier(wanted, known);
  if (entries.length > 0) {
    const unlisted = supplier !== null && looksLikeCode(wanted) ? [supplier] : [];
    return { entries: unique([...entries, ...unlisted]), noMatch: null };
  }
  const all = allEntries({ ...known, recentlyUsed: [] });
  const candidates = all.flatMap(({ names }) => names);
  if (supplier !== null && looksLikeCode(wanted) && nearest(wanted, candidates) === null) {
    return { entries: [supplier], noMatch: null };
  }
  const near = all
    .filter(({ names }) => names.some((name) => isNear(wanted, name)))
    .slice(0, maxNear);
  return {
    entries: supplier !== null && looksLikeCode(wanted) ? [...near, supplier] : near,
    noMatch: noMatchWords(wanted),
  };
}

const maxNumberLength = 200;

/**
 * Returns a typed text without its colon if the text can be an account number to search for over
 * all suppliers, else null.
 */
export function searchedText(text: string): string | null {
  const wanted = withoutColon(text);
  const isSearched =
    /\d/u.test(wanted) &&
    wanted.length <= maxNumberLength &&
    !wanted.includes("://") &&
    !/^(?:sp|supplier|cohort|find|profile)\s/u.test(wanted);
  return isSearched ? wanted : null;
}

/**
 * Maximum number of listed accounts whose number contains the text. The search screen lists more.
 */
const maxContaining = 5;

/**
 * Returns the entries for an account number. The order is: accounts with exactly this number, then
 * places with this name or a name that begins with it, then the search over all suppliers, then
 * accounts with a similar number. If only one account has a number that contains the text, that
 * account comes before the search. If there is only one supplier, its account with the typed number
 * replaces the search, unless several accounts match.
 */
function numberEntries(text: string, known: PaletteKnown): readonly PaletteEntry[] {
  const wanted = searchedText(text);
  if (wanted === null) return [];
  const entry = (hit: Hit, similar = "") => ({
    ...accountEntry(hit.supplier, hit.number, known),
    remark: `${similar}${known.hitWords(hit)}`,
  });
  const { places } = known.found ?? { places: [] };
  const exact = places.flatMap(({ hit }) => (hit === null ? [] : [entry(hit)]));
  const near = places.flatMap(({ near: hit }) => (hit === null ? [] : [entry(hit, "similar, ")]));
  const containingCount = places.reduce((sum, place) => sum + place.containingCount, 0);
  const containing = containingOf({ places })
    .slice(0, maxContaining)
    .map((hit) => entry(hit));
  const completedPlaces = namedPlaces(known).filter(({ names: [name = ""] }) =>
    name.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  const isSingle = containingCount === 1;
  const first = [
    ...exact,
    ...spelledNames(wanted, known),
    ...completedPlaces,
    ...(isSingle ? containing : []),
  ];
  const similar = [...(isSingle ? [] : containing), ...near];
  const suppliers = known.found?.places.map(({ supplier }) => supplier) ?? known.suppliers;
  if (suppliers.length > 1 || containingCount > 1) {
    const remark =
      containingCount > 1
        ? `every supplier: ${count(containingCount)} numbers contain it`
        : "every supplier of this profile";
    const search = { kind: "find", text: wanted } as const;
    return [...first, placeEntry(known, search, `find ${wanted}`, remark), ...similar];
  }
  // If there is only one supplier, no other supplier can have the number.
  const typedAccount = isNumber(wanted)
    ? suppliers.map((supplier) => accountEntry(supplier, wanted, known))
    : [];
  return [...first, ...typedAccount, ...similar];
}

export function offeredHits({ places }: FoundNumber): readonly Hit[] {
  return [
    ...places.flatMap(({ hit, near }) => [hit, near].filter((one) => one !== null)),
    ...containingOf({ places }).slice(0, maxContaining),
  ];
}

function namedPlaces(known: PaletteKnown): readonly PaletteEntry[] {
  return [...known.suppliers.map((code) => supplierEntry(code, known)), ...cohortEntries(known)];
}

export function completions(known: PaletteKnown): readonly string[] {
  const all = [...screenEntries(known), ...actionEntries(known)];
  return [
    ...known.suppliers,
    ...known.cohorts.map(({ name }) => name),
    ...known.recent,
    ...all.flatMap(({ names: [name] }) => name ?? []),
    "supplier ",
  ];
}

function noMatchWords(wanted: string): string {
  if (isAddress(wanted)) return "A URL is not an account. To connect to a service, open profiles.";
  const lower = wanted.toLowerCase();
  const other = actionNamed(lower);
  if (other !== null) return `${other} does not work on this screen.`;
  const [, supplier] = /^([^/\s]+)\/$/u.exec(wanted) ?? [];
  if (supplier !== undefined) return `Type the number of an account of ${supplier}.`;
  return `No action or place is called ${wanted}.`;
}

/**
 * Returns the label of the action with this name, or null if there is none. Also finds actions that
 * do not work on the current screen. The name must be in lower case.
 */
function actionNamed(lowerName: string): string | null {
  const id = actionIds.find(
    (action) => bindingOf(action).palette && namesOf(action).includes(lowerName),
  );
  return id === undefined ? null : bindingOf(id).label;
}

function namesOf(id: ActionId): readonly string[] {
  return [bindingOf(id).label, id.replaceAll("-", " "), id];
}

/**
 * Returns true if a text is probably a supplier code: it begins with an uppercase letter or a
 * digit, and has no lowercase letter, blank or slash. Other texts are probably mistyped names.
 */
function looksLikeCode(text: string): boolean {
  return /^[\p{Lu}\p{N}][^\p{Ll}\s/]*$/u.test(text);
}

function allEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return [
    ...recentEntries(known).slice(0, maxRecentPlaces),
    ...namedPlaces(known),
    ...recentFirst(
      [...actionEntries(known), ...screenEntries(known)],
      known.recentlyUsed,
      maxRecentActions,
    ),
  ];
}

/**
 * Returns the entries that match a text: first by name, then the accounts with this number, then by
 * description. `words` are the words of the text in lower case.
 */
function entriesNamed(
  wanted: string,
  words: readonly string[],
  known: PaletteKnown,
): readonly PaletteEntry[] {
  const lower = wanted.toLowerCase();
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const others = [...actionEntries(known), ...screenEntries(known)];
  const places = [...namedPlaces(known), ...recentEntries(known)];
  const all = [...places, ...recentFirst(others, known.recentlyUsed)];
  const isCalled = ({ names }: PaletteEntry) => names.some((name) => name.toLowerCase() === lower);
  const begins = ({ names }: PaletteEntry) =>
    names.some((name) => name.toLowerCase().startsWith(lower));
  const contains = ({ names }: PaletteEntry) => names.some(has);
  const mentions = ({ names, key = "", remark }: PaletteEntry) =>
    has(`${names.join(" ")} ${key} ${remark}`);
  const accounts = isNumber(wanted)
    ? known.suppliers.map((code) => accountEntry(code, wanted, known))
    : [];
  return [
    // A full name always selects the same entry, independent of recent actions. An action that
    // opens a screen comes before other actions of that name.
    ...[...places, ...others.filter(opensScreen), ...others].filter(isCalled),
    ...all.filter(begins),
    ...all.filter(contains),
    ...accounts,
    ...all.filter(mentions),
  ];
}

/** Returns true for a name, or a word of it, with a typing error or letters left out. */
function isNear(typed: string, name: string): boolean {
  if (nearest(typed, [name, ...name.split(/[\s/]+/)]) !== null) return true;
  let matched = 0;
  const wanted = typed.toLowerCase().replace(/\s/g, "");
  for (const letter of name.toLowerCase()) if (letter === wanted[matched]) matched += 1;
  return wanted.length > 2 && matched === wanted.length;
}

function opensScreen({ action }: PaletteEntry): boolean {
  return action === null || actionIds.some((id) => id === action && bindingOf(id).group === "Go");
}

function screenEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return [
    ...pageEntries(known),
    ...countEntries(known),
    findEntry(known),
    ...profileEntries(known),
  ];
}

function actionEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return [...builtInEntries(known), ...known.commands.map(commandEntry)];
}

function commandEntry({ name, key, description, disabled, run }: CustomKey): PaletteEntry {
  return {
    id: `command ${name}`,
    label: name,
    disabled,
    names: [name],
    run,
    remark: description,
    ...(key === null ? {} : { key: keyLabel(key) }),
    action: `command ${name}`,
  };
}

function builtInEntries(known: PaletteKnown): readonly PaletteEntry[] {
  return known.actions.flatMap(({ id, action }) => {
    const binding = bindingOf(id);
    const label = action.label ?? binding.label;
    const [key] = known.keymap.keysOf(id);
    const main: PaletteEntry = {
      id: `action ${id}`,
      label,
      remark: binding.help,
      ...(key === undefined ? {} : { key: keyLabel(key) }),
      disabled: action.override ? null : (action.disabled ?? null),
      names: [label, ...namesOf(id), ...(id === "watch-list" ? ["watch"] : [])],
      action: id,
      run: (action.disabled ? action.override : null) ?? action.run,
    };
    const choices = (action.choices ?? []).map(
      (choice): PaletteEntry => ({
        id: `choice ${id} ${choice.label}`,
        label: choice.label,
        remark: choice.hint,
        disabled: null,
        names: [choice.label, id],
        action: `${id} ${choice.label}`,
        run: choice.run,
      }),
    );
    return [...(binding.palette ? [main] : []), ...choices];
  });
}

/** Moves recently run entries to the front, the latest first, at most `most` of them. */
function recentFirst(
  entries: readonly PaletteEntry[],
  recentlyUsed: readonly string[],
  most?: number,
): readonly PaletteEntry[] {
  const first = recentlyUsed
    .flatMap((id) => entries.find(({ action }) => action === id) ?? [])
    .slice(0, most);
  return [...first, ...entries.filter((entry) => !first.includes(entry))];
}

/** Returns the entries without those whose place and tab, or id, an earlier entry already has. */
function unique(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ id, place }) => {
    const key = place === undefined ? id : `${placeKey(place)} ${tabOf(place)}`;
    return !seen.has(key) && seen.add(key);
  });
}
