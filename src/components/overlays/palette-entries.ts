/** Finds the entries of the command palette for a typed text, and completes names. */
import { type ActionId, actionIds, bindingOf } from "../../keys/bindings.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { CustomKey } from "../../session/app.ts";
import { isAddress, placeKey, withoutColon } from "../../session/places.ts";
import { nearest } from "../../text/suggest.ts";
import { pageEntries } from "./palette-pages.ts";
import {
  accountEntry,
  cohortEntries,
  foundEntries,
  isNumber,
  type PaletteEntry,
  type PaletteKnown,
  recentEntries,
  searchedText,
  spelledNames,
  spelledPlaces,
  supplierEntry,
  unlistedSupplier,
} from "./palette-places.ts";

/** The entries of the palette for a text. */
export interface PaletteOffer {
  readonly entries: readonly PaletteEntry[];
  /** The reason why Enter runs no entry until one is chosen, or null if it runs the first. */
  readonly unnamed: string | null;
}

/**
 * Before anything is typed: the maximum number of recent places, and of recent actions that come
 * first.
 */
const mostRecent = 5;
const maxRecent = 3;

/** Maximum suggestions for a text that matches nothing. */
const mostNear = 5;

/**
 * Returns the entries of the palette for a text: first the place that it spells, then entries of
 * that name, then entries that contain it. A number is offered first at suppliers that are known to
 * have it, then as a search, and last at other suppliers.
 */
export function paletteOffer(text: string, known: PaletteKnown): PaletteOffer {
  const wanted = withoutColon(text);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = unique([
    ...searched(wanted, known),
    ...spelledPlaces(wanted, known),
    ...(words.length === 0 ? everything(known) : named(wanted, words, known)),
  ]);
  const supplier = /\s/u.test(wanted) ? null : unlistedSupplier(wanted, known);
  if (entries.length > 0) {
    const last = supplier !== null && looksLikeCode(wanted) ? [supplier] : [];
    return { entries: unique([...entries, ...last]), unnamed: null };
  }
  const all = everything({ ...known, recentlyUsed: [] });
  const candidates = all.flatMap(({ names }) => names);
  if (supplier !== null && looksLikeCode(wanted) && nearest(wanted, candidates) === null) {
    return { entries: [supplier], unnamed: null };
  }
  const near = all
    .filter(({ names }) => names.some((name) => isNear(wanted, name)))
    .slice(0, mostNear);
  return {
    entries: supplier !== null && looksLikeCode(wanted) ? [...near, supplier] : near,
    unnamed: unnamedWords(wanted),
  };
}

/**
 * Returns the entries for a number over all suppliers. Enter runs the first: the account if it is
 * known, otherwise the search. An account with a similar number is never first.
 */
function searched(text: string, known: PaletteKnown): readonly PaletteEntry[] {
  const wanted = searchedText(text);
  if (wanted === null) return [];
  const { exact, only, similar, search, isMany } = foundEntries(wanted, known);
  const names = [
    ...known.suppliers.map((code) => supplierEntry(code, known)),
    ...cohortEntries(known),
  ];
  const begun = names.filter(({ names: [name = ""] }) =>
    name.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  const first = [...exact, ...spelledNames(wanted, known), ...begun, ...only];
  const suppliers = known.found?.places.map(({ supplier }) => supplier) ?? known.suppliers;
  if (suppliers.length > 1 || isMany) return [...first, search, ...similar];
  // If there is only one supplier, no other supplier can have the number.
  const literal = isNumber(wanted)
    ? suppliers.map((supplier) => accountEntry(supplier, wanted, known))
    : [];
  return [...first, ...literal, ...similar];
}

/** Returns the names that Tab completes, in the order in which they are offered. */
export function completions(known: PaletteKnown): readonly string[] {
  const all = [...pageEntries(known), ...actionEntries(known)];
  return [
    ...known.suppliers,
    ...known.cohorts.map(({ name }) => name),
    ...known.recent,
    ...all.flatMap(({ names: [name] }) => name ?? []),
    "supplier ",
  ];
}

function unnamedWords(wanted: string): string {
  if (isAddress(wanted)) return "A URL is not an account. To connect to a service, open profiles.";
  const lower = wanted.toLowerCase();
  const other = actionNamed(lower);
  if (other !== null) return `${other} does not work on this screen.`;
  return `No action or place is called ${wanted}.`;
}

/** Returns the label of the action of that name, even if it does not work here. */
function actionNamed(lower: string): string | null {
  const id = actionIds.find((one) => bindingOf(one).palette && namesOf(one).includes(lower));
  return id === undefined ? null : bindingOf(id).label;
}

function namesOf(id: ActionId): readonly string[] {
  return [bindingOf(id).label, id.replaceAll("-", " "), id];
}

/**
 * Returns true if a text looks like a supplier code: capitals and digits. A text in small letters
 * is a mistyped name.
 */
function looksLikeCode(text: string): boolean {
  return /^[\p{Lu}\p{N}][^\p{Ll}\s/]*$/u.test(text);
}

/** Returns the entries before anything is typed. */
function everything(known: PaletteKnown): readonly PaletteEntry[] {
  return [
    ...recentEntries(known).slice(0, mostRecent),
    ...known.suppliers.map((code) => supplierEntry(code, known)),
    ...cohortEntries(known),
    ...recentFirst([...actionEntries(known), ...pageEntries(known)], known.recentlyUsed, maxRecent),
  ];
}

/** Returns the entries that match the words: first by name, then by description. */
function named(
  wanted: string,
  words: readonly string[],
  known: PaletteKnown,
): readonly PaletteEntry[] {
  const lower = wanted.toLowerCase();
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const others = [...actionEntries(known), ...pageEntries(known)];
  const places = [
    ...known.suppliers.map((code) => supplierEntry(code, known)),
    ...cohortEntries(known),
    ...recentEntries(known),
  ];
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
    // A full name always selects the same entry, whatever was run recently. A screen comes before
    // an action on it.
    ...[...places, ...others.filter(opensScreen), ...others].filter(isCalled),
    ...all.filter(begins),
    ...all.filter(contains),
    ...accounts,
    ...all.filter(mentions),
  ];
}

/** Returns true if a name is close to the text: mistyped, or with letters left out. */
function isNear(typed: string, name: string): boolean {
  if (nearest(typed, [name, ...name.split(/[\s/]+/)]) !== null) return true;
  let from = 0;
  const wanted = typed.toLowerCase().replace(/\s/g, "");
  for (const letter of name.toLowerCase()) if (letter === wanted[from]) from += 1;
  return wanted.length > 2 && from === wanted.length;
}

/** Returns true if the entry opens a screen. */
function opensScreen({ action }: PaletteEntry): boolean {
  return action === null || actionIds.some((id) => id === action && bindingOf(id).group === "Go");
}

/** Returns the actions that work here, and the user's commands. */
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
    const one: PaletteEntry = {
      id: `action ${id}`,
      label,
      remark: binding.help,
      ...(key === undefined ? {} : { key: keyLabel(key) }),
      disabled: action.wayRound ? null : (action.disabled ?? null),
      names: [label, ...namesOf(id), ...(id === "watch-list" ? ["watch"] : [])],
      action: id,
      run: (action.disabled ? action.wayRound : null) ?? action.run,
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
    return [...(binding.palette ? [one] : []), ...choices];
  });
}

/**
 * Moves the entries that were run recently to the front, newest first, but at most `most` of them.
 */
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

function unique(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ id, place }) => {
    const key = place === undefined ? id : placeKey(place);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * The result of Tab. The stem stays the same while more Tabs cycle through the names that begin
 * with it.
 */
export interface Completion {
  readonly text: string;
  readonly stem: string;
}

/**
 * Completes a name: first to the common start of all names that begin with it, then with each Tab
 * to the next of these names (`step` -1: to the previous name). Returns null if no name begins with
 * it.
 */
export function completed(
  names: readonly string[],
  now: Completion,
  step: 1 | -1,
): Completion | null {
  const { text, stem } = now;
  const begins = (name: string) => name.toLowerCase().startsWith(stem.toLowerCase());
  const matching = [...new Set(names)].filter(begins);
  const [first] = matching;
  if (stem === "" || first === undefined) return null;
  const at = matching.indexOf(text);
  if (at < 0 || text === stem) {
    const shared = commonPrefix(matching);
    if (shared.length > text.length) return { text: shared, stem: shared };
  }
  const next = at < 0 ? (step > 0 ? 0 : matching.length - 1) : at + step;
  const name = matching[(next + matching.length) % matching.length] ?? first;
  return { text: name, stem };
}

function commonPrefix(names: readonly string[]): string {
  const [first = "", ...rest] = names;
  let length = first.length;
  for (const name of rest) {
    while (!name.toLowerCase().startsWith(first.slice(0, length).toLowerCase())) length -= 1;
  }
  return first.slice(0, length);
}
