/** Lays out the pages of the help: the keys of the screen, its words, filters, and all keys. */

import { filterHelp } from "../../accounts/filter-words.ts";
import type { BindingGroup } from "../../keys/binding.ts";
import { type ActionId, actionIds, bindingOf } from "../../keys/bindings.ts";
import { editingIds, editingOf } from "../../keys/editing.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { ActiveKeymap } from "../../session/key-registry.ts";
import { filterSign } from "../../settings/named-filters.ts";
import {
  accountStatuses,
  accountStatusWords,
  notFoundWords,
  type StatusWords,
  supplyPointStatuses,
  supplyPointStatusWords,
} from "../../text/describe-status.ts";
import { padOrTruncate, wrap } from "../../text/width.ts";
import { outcomeWords } from "../../writes/words/outcomes.ts";
import type { Piece } from "../text.tsx";
import { boardWords, headerWords } from "./board-help-words.ts";
import { commandsTitle, type KeyFacts, keyTable } from "./help-keys.ts";

type Line = readonly Piece[];

type HelpWords =
  | "account"
  | "account-state"
  | "supply-point"
  | "board"
  | "header"
  | "outcome"
  | "run";

export interface HelpTopic {
  readonly name: string;
  readonly about: readonly string[];
  readonly words: readonly HelpWords[];
}

const keyWidth = 16;
const statusWidth = 24;
const editingWidth = 26;

export type HelpPage = "keys" | "words" | "filters" | "all keys";

export function helpPages(hasFilter: boolean): readonly HelpPage[] {
  return hasFilter ? ["keys", "words", "filters", "all keys"] : ["keys", "words", "all keys"];
}

export interface KeyPageFacts extends KeyFacts {
  readonly keys: ActiveKeymap;
  readonly commandIssues: readonly string[];
}

export interface HelpFacts extends KeyPageFacts {
  readonly topic: HelpTopic;
  /** The offered words of the filter that is being typed. Default: all words. */
  readonly filterWords?: readonly string[] | undefined;
}

/**
 * Returns one page of a screen's help. `search` limits the page of all keys to those that match.
 */
export function helpLines(page: HelpPage, facts: HelpFacts, search = ""): readonly Line[] {
  switch (page) {
    case "keys":
      return keyPageLines(facts);
    case "words":
      return wordLines(facts);
    case "filters":
      return filterLines(facts.columns, facts.filterWords);
    case "all keys":
      return [...issueLines(facts), ...allKeys(facts, search)];
  }
}

const namedHelp = [
  `${filterSign}NAME`,
  "The filter that has this name. :filters names the filter of the list.",
] as const;

export function filterLines(columns: number, words?: readonly string[]): readonly Line[] {
  return [...filterHelp(words), namedHelp].flatMap(([word, meaning]) =>
    beside({ text: `  ${word}`, tone: "accent" }, statusWidth, meaning, columns),
  );
}

export function keyPageLines(facts: KeyPageFacts): readonly Line[] {
  return [...issueLines(facts), ...keyTable(facts)];
}

function issueLines({ keys, commandIssues, columns }: KeyPageFacts): readonly Line[] {
  const lines = (issues: readonly string[]) =>
    issues.flatMap((issue) =>
      wrap(issue, columns - 2).map((line): Line => [{ text: `  ${line}`, tone: "bad" }]),
    );
  return [
    ...withTitle("Lines of keymap.json that do not work", lines(keys.issues)),
    ...withTitle("Entries of commands.json that do not work", lines(commandIssues)),
  ];
}

function wordLines({ topic, columns }: HelpFacts): readonly Line[] {
  const lineOf = (words: StatusWords) => {
    const mark = words.mark;
    return beside(
      { text: `  ${mark} ${words.label}`, tone: words.tone },
      statusWidth,
      words.meaning,
      columns,
    );
  };
  const paragraph = (text: string): readonly Line[] =>
    wrap(text, columns).map((line) => [{ text: line }]);
  return [
    ...(topic.about.length === 0 ? [] : [...topic.about.flatMap(paragraph), [{ text: " " }]]),
    ...topic.words.flatMap((words) =>
      withTitle(helpTables[words].title, helpTables[words].words.flatMap(lineOf)),
    ),
  ];
}

function allKeys({ here, keys, commands, columns }: HelpFacts, search: string): readonly Line[] {
  const actionsHere = new Map(here.map((one) => [one.id, one]));
  const wanted = search.trim().toLowerCase();
  const namesOf = (id: ActionId) =>
    (actionsHere.get(id)?.keys ?? keys.keymap.keysOf(id)).map(keyLabel).join(" ");
  const sentenceOf = (id: ActionId) => actionsHere.get(id)?.action.help ?? bindingOf(id).help;
  const matching = byGroup(actionIds).filter((id) => {
    const { label } = bindingOf(id);
    return `${namesOf(id)} ${label} ${sentenceOf(id)}`.toLowerCase().includes(wanted);
  });
  const keyLines = (id: ActionId) =>
    beside(
      { text: `  ${namesOf(id) || `:${bindingOf(id).label}`}`, tone: "accent" },
      keyWidth,
      sentenceOf(id),
      columns,
    );
  const worksHere = matching.filter((id) => actionsHere.has(id));
  const worksElsewhere = matching.filter((id) => !actionsHere.has(id));
  const inFields = editingIds.flatMap((id) => {
    const { keys: names, help } = editingOf(id);
    const shown = names.map(keyLabel).join(" ");
    if (!`${shown} ${help}`.toLowerCase().includes(wanted)) return [];
    return beside({ text: `  ${shown}`, tone: "accent" }, editingWidth, help, columns);
  });
  const ofUser = commands.flatMap(({ name, key, description }) => {
    const shown = key === null ? `:${name}` : keyLabel(key);
    const sentence = `${name}: ${description}`;
    if (!`${shown} ${sentence}`.toLowerCase().includes(wanted)) return [];
    return beside({ text: `  ${shown}`, tone: "accent" }, keyWidth, sentence, columns);
  });
  const keyList = [
    ...withTitle(commandsTitle, ofUser),
    ...withTitle("Works here", worksHere.flatMap(keyLines)),
    ...withTitle("In a text field", inFields),
    ...withTitle("Works elsewhere", worksElsewhere.flatMap(keyLines)),
  ];
  return keyList.length > 0 ? keyList : [[{ text: `No key matches ${wanted}.`, tone: "muted" }]];
}

function withTitle(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[{ text: title, tone: "title" }], ...lines, [{ text: " " }]];
}

function beside(left: Piece, width: number, sentence: string, columns: number): readonly Line[] {
  return wrap(sentence, Math.max(20, columns - width)).map((text, at) => [
    at === 0 ? { ...left, text: padOrTruncate(left.text, width) } : { text: " ".repeat(width) },
    { text },
  ]);
}

/**
 * The groups of keys in the order of the help. The main keys of a screen come first, movement comes
 * last.
 */
const groups: readonly BindingGroup[] = ["Act", "Look", "List", "Go", "Program", "Move"];

function byGroup(ids: readonly ActionId[]): readonly ActionId[] {
  return groups.flatMap((group) => ids.filter((id) => bindingOf(id).group === group));
}

const helpTables: Readonly<
  Record<HelpWords, { readonly title: string; readonly words: readonly StatusWords[] }>
> = {
  account: {
    title: "Statuses of an account import",
    words: [...accountStatuses.map(accountStatusWords), notFoundWords.account],
  },
  "account-state": {
    title: "Pending and imported",
    words: [
      {
        label: "pending",
        meaning:
          "Staged: the service has its data and has not created the account yet. It takes no notes or transactions.",
        tone: "waiting",
        mark: "○",
      },
      {
        label: "imported",
        meaning: "Created: it takes notes, transactions, statements and a payment instruction.",
        tone: "ok",
        mark: "✓",
      },
      {
        label: "▁▂▃▅▇",
        meaning:
          "In a list: pending for at least a minute, 10 minutes, an hour, a day, a week, one cell each.",
        tone: "waiting",
        mark: " ",
      },
      {
        label: "!",
        meaning: "In a list: pending at least ten times as long as the median of the supplier.",
        tone: "waiting",
        mark: " ",
      },
    ],
  },
  "supply-point": {
    title: "Statuses of a supply point import",
    words: [...supplyPointStatuses.map(supplyPointStatusWords), notFoundWords["supply-point"]],
  },
  board: { title: "Columns and signs of Suppliers", words: boardWords },
  header: { title: "Open work in the first line of every screen", words: headerWords },
  outcome: { title: "Outcomes of an entry", words: Object.values(outcomeWords) },
  run: {
    title: "States of a run",
    words: [
      {
        label: "running",
        meaning: "A process on this machine is sending its rows.",
        tone: "busy",
        mark: "●",
      },
      {
        label: "stopped",
        meaning: "Rows are left. You can resume it.",
        tone: "waiting",
        mark: "○",
      },
      {
        label: "finished",
        meaning: "Every row has an outcome. The counts show which.",
        tone: "ok",
        mark: "✓",
      },
    ],
  },
};
