/** Manages the filter that the user types above a list, and its earlier filters. */
import { useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { filterSign, withNamedFilters } from "../../settings/named-filters.ts";
import type { NamedText } from "../../settings/named-texts.ts";
import { recentlyUsed } from "../../state/used.ts";
import { type Completion, completed } from "../completion.ts";
import { chooseNamedFilter, readNamedFilters } from "./named-filters.ts";

export interface FilterField {
  readonly text: string;
  readonly typing: boolean;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  readonly offered: readonly string[];
  readonly naming: Actions;
  readonly clearing: Actions;
  readonly whileTyping: Actions;
}

interface TypedFilter {
  /** The text as typed. A word `@NAME` stands for the filter of that name. */
  readonly text: string;
  readonly named: readonly NamedText[];
}

/**
 * Returns the filter field of a list. Lists with the same name share their earlier and their named
 * filters. `applied` is the filter of the list, without names.
 */
export function useFilterField(
  list: string,
  {
    text: applied,
    words,
    set: apply,
  }: {
    readonly text: string;
    readonly words: readonly string[];
    readonly set: (text: string) => void;
  },
): FilterField {
  const [typed, setTyped] = useState<TypedFilter | null>(null);
  const app = useApp();
  const completion = useRef<Completion>({ text: applied, stem: "" });
  const text = typed?.text ?? applied;
  const named = typed?.named ?? [];
  const set = (next: string) => {
    setTyped((before) => (before === null ? null : { ...before, text: next }));
    apply(withNamedFilters(next, named));
  };
  const stopTyping = (filter: string) => {
    setTyped(null);
    apply(filter);
  };
  const offers = [...named.map(({ name }) => `${filterSign}${name}`), ...words];
  const complete = (step: 1 | -1) => {
    const { before, word } = lastWord(text);
    const isRepeated = completion.current.text === word;
    const next = completed(
      offers,
      isRepeated ? completion.current : { text: word, stem: word },
      step,
    );
    if (next === null) return;
    completion.current = next;
    set(before + next.text);
  };
  const earlier = useFilterHistory(list, text, set);
  const naming: Actions = {
    filters: () => chooseNamedFilter(app, { list, text: applied, take: stopTyping }),
  };
  return {
    text,
    typing: typed !== null,
    set,
    begin: () => setTyped({ text: applied, named: readNamedFilters(app, list) }),
    naming,
    clearing: applied === "" ? {} : { back: { run: () => apply(""), label: "clear filter" } },
    offered: offeredWords(offers, text),
    whileTyping: {
      ...earlier.actions,
      ...naming,
      "next-tab": { run: () => complete(1), label: "complete" },
      "previous-tab": () => complete(-1),
      help: {
        run: () => app.overlays.open({ kind: "help", filterWords: words }),
        label: "filter words",
      },
      open: {
        run: () => {
          earlier.save(applied);
          stopTyping(applied);
        },
        label: "keep filter",
      },
      back: { run: () => stopTyping(""), label: "clear filter" },
    },
  };
}

function lastWord(text: string): { readonly before: string; readonly word: string } {
  const [word = ""] = /\S*$/u.exec(text) ?? [];
  return { before: text.slice(0, text.length - word.length), word };
}

function offeredWords(words: readonly string[], text: string): readonly string[] {
  const word = lastWord(text).word.toLowerCase();
  return words.filter((offered) => offered.startsWith(word) && offered !== word);
}

/** Registers the keys while a filter is typed. `moving` moves the cursor of the list. */
export function useFilterKeys(field: FilterField, moving: Actions, focus: boolean): void {
  useKeys(
    { ...moving, ...field.whileTyping },
    { typing: true, active: field.typing && focus, modal: true },
  );
}

interface FilterHistory {
  readonly actions: Actions;
  save(text: string): void;
}

/** Returns the earlier filters of a kind of list. `set` writes one into the field. */
function useFilterHistory(list: string, text: string, set: (text: string) => void): FilterHistory {
  const { history } = useApp();
  // The index is that of the recalled filter, or -1 for the typed text.
  const recalled = useRef({ index: -1, typed: "", shown: "" });
  const step = (by: number) => {
    const known = recentlyUsed(history.state.get(), "filter", list);
    // Typing returns to the start of the history.
    if (recalled.current.shown !== text) recalled.current = { index: -1, typed: text, shown: text };
    const { index, typed } = recalled.current;
    const others = known.filter((filter) => filter !== typed);
    const next = Math.max(-1, Math.min(others.length - 1, index + by));
    const shown = others[next] ?? typed;
    recalled.current = { index: next, typed, shown };
    if (shown === text) return;
    set(shown);
  };
  return {
    actions: {
      "earlier-filter": () => step(1),
      "later-filter": () => step(-1),
    },
    save: (filter) => history.addFilter(list, filter),
  };
}
