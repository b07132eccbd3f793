import type { BindingGroup } from "../../keys/binding.ts";
import { type ActionId, actionIds, bindingOf } from "../../keys/bindings.ts";
import { editingIds, editingOf } from "../../keys/editing.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { Available } from "../../keys/scopes.ts";
import type { CustomKey } from "../../session/custom-keys.ts";
import type { UsedKeys } from "../../session/key-registry.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { padOrTruncate, wrap } from "../../text/width.ts";
import type { Piece } from "../text.tsx";
import {
  blank,
  drawTable,
  keyEntry,
  mostKeyCells,
  type TableEntry,
  titleEntry,
} from "./help-table.ts";
import type { HelpTopic } from "./help-topics.ts";
import { helpTables } from "./help-words.ts";

type Line = readonly Piece[];

/** Cells of what stands on the left of a sentence. */
const keyWidth = 16;
const statusWidth = 24;
const editingWidth = 26;

/** The pages of the help, in the order in which Tab goes through them. */
export const helpPages = ["keys", "words", "all keys"] as const;
export type HelpPage = (typeof helpPages)[number];

export interface HelpFacts {
  readonly topic: HelpTopic;
  /** What worked on the screen. */
  readonly here: readonly Available[];
  readonly keys: UsedKeys;
  /** The user's commands that work on the screen, and what is wrong with others. */
  readonly commands: readonly CustomKey[];
  readonly commandIssues: readonly string[];
  readonly columns: number;
  readonly ascii: boolean;
  /** Read aloud, line by line: one column, without padding. */
  readonly linear: boolean;
}

/** One page of a screen's help. `search` narrows the page of all keys to those that match. */
export function helpLines(page: HelpPage, facts: HelpFacts, search = ""): readonly Line[] {
  const issues = issueLines(facts);
  switch (page) {
    case "keys":
      return [...issues, ...keyTable(facts)];
    case "words":
      return wordLines(facts);
    case "all keys":
      return [...issues, ...allKeys(facts, search)];
  }
}

function issueLines({ keys, commandIssues, columns }: HelpFacts): readonly Line[] {
  const lines = (issues: readonly string[]) =>
    issues.flatMap((issue) =>
      wrap(issue, columns - 2).map((line): Line => [{ text: `  ${line}`, tone: "bad" }]),
    );
  return [
    ...titled("Lines of keymap.json that do not work", lines(keys.issues)),
    ...titled("Entries of commands.json that do not work", lines(commandIssues)),
  ];
}

interface TableColumn {
  readonly title: string;
  readonly groups: readonly BindingGroup[];
}

/** The columns of the key table, and the groups in each. */
const tableColumns: readonly TableColumn[] = [
  { title: "Look", groups: ["Look", "List"] },
  { title: "Act", groups: ["Act"] },
  { title: "Go", groups: ["Go", "Program"] },
  { title: "Move", groups: ["Move"] },
];

/** Narrower, a key and its label do not fit beside another. */
const narrowestColumn = 24;

/** Everything that works here, each as its key and a word or two, in as many columns as fit. */
function keyTable(facts: HelpFacts): readonly Line[] {
  if (facts.linear)
    return [
      ...tableColumns.flatMap((column) => spokenLines(column, facts)),
      ...spokenCommands(facts),
    ];
  const across = Math.max(1, Math.min(3, Math.floor(facts.columns / narrowestColumn)));
  const stacks: TableEntry[][] = Array.from({ length: across }, () => []);
  for (const entries of [
    ...tableColumns.map((column) => columnEntries(column, facts)),
    commandEntries(facts),
  ]) {
    const shortest = stacks.reduce((one, other) => (other.length < one.length ? other : one));
    if (shortest.length > 0 && entries.length > 0) shortest.push(blank);
    shortest.push(...entries);
  }
  return drawTable(stacks, facts.columns);
}

function inColumn({ groups: wanted }: TableColumn, { here }: HelpFacts): readonly Available[] {
  return wanted.flatMap((group) => here.filter(({ id }) => bindingOf(id).group === group));
}

/** A column in words: one key per line. */
function spokenLines(column: TableColumn, facts: HelpFacts): readonly Line[] {
  const found = inColumn(column, facts);
  if (found.length === 0) return [];
  return [
    [{ text: `${column.title}:` }],
    ...found.map(({ id, action, keys }): Line => {
      const label = action.label ?? bindingOf(id).label;
      const names = keys.map(keyLabel).join(" or ") || `:${label}`;
      return [
        { text: `${names}: ${label}${action.disabled ? `, not now: ${action.disabled}` : ""}` },
      ];
    }),
  ];
}

function columnEntries(column: TableColumn, facts: HelpFacts): readonly TableEntry[] {
  const found = inColumn(column, facts);
  if (found.length === 0) return [];
  const entries = found.map(({ id, action, keys }) => {
    const [first, second] = keys.map(keyLabel);
    const both = second !== undefined && `${first} ${second}`.length <= mostKeyCells;
    const name = first === undefined ? ":" : both ? `${first} ${second}` : first;
    return keyEntry(name, action.label ?? bindingOf(id).label, Boolean(action.disabled));
  });
  return [titleEntry(column.title), ...entries];
}

/** The user's commands, as a column of the key table. */
function commandEntries({ commands }: HelpFacts): readonly TableEntry[] {
  if (commands.length === 0) return [];
  const entries = commands.map(({ name, key, disabled }) =>
    keyEntry(key === null ? ":" : keyLabel(key), name, disabled !== null),
  );
  return [titleEntry(ownTitle), ...entries];
}

const ownTitle = "Your commands";

function spokenCommands({ commands }: HelpFacts): readonly Line[] {
  if (commands.length === 0) return [];
  return [
    [{ text: `${ownTitle}:` }],
    ...commands.map(({ name, key, disabled }): Line => {
      const not = disabled === null ? "" : `, not now: ${disabled}`;
      return [{ text: `${key === null ? `:${name}` : keyLabel(key)}: ${name}${not}` }];
    }),
  ];
}

/** What the screen is for, and what its words mean. */
function wordLines({ topic, columns, ascii }: HelpFacts): readonly Line[] {
  const lineOf = (words: StatusWords) => {
    const mark = ascii ? words.asciiMark : words.mark;
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
      titled(helpTables[words].title, helpTables[words].words.flatMap(lineOf)),
    ),
  ];
}

/** Every key of the program with its sentence; those that work here come first. */
function allKeys({ here, keys, commands, columns }: HelpFacts, search: string): readonly Line[] {
  const works = new Map(here.map((one) => [one.id, one]));
  const wanted = search.trim().toLowerCase();
  const namesOf = (id: ActionId) =>
    (works.get(id)?.keys ?? keys.keymap.keysOf(id)).map(keyLabel).join(" ");
  const sentenceOf = (id: ActionId) => works.get(id)?.action.help ?? bindingOf(id).help;
  const matching = byUse(actionIds).filter((id) => {
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
  const on = matching.filter((id) => works.has(id));
  const off = matching.filter((id) => !works.has(id));
  const inFields = editingIds.flatMap((id) => {
    const { keys: names, help } = editingOf(id);
    const shown = names.map(keyLabel).join(" ");
    if (!`${shown} ${help}`.toLowerCase().includes(wanted)) return [];
    return beside({ text: `  ${shown}`, tone: "accent" }, editingWidth, help, columns);
  });
  const own = commands.flatMap(({ name, key, description }) => {
    const shown = key === null ? `:${name}` : keyLabel(key);
    const sentence = `${name}: ${description}`;
    if (!`${shown} ${sentence}`.toLowerCase().includes(wanted)) return [];
    return beside({ text: `  ${shown}`, tone: "accent" }, keyWidth, sentence, columns);
  });
  const found = [
    ...titled(ownTitle, own),
    ...titled("Works here", on.flatMap(keyLines)),
    ...titled("In a text field", inFields),
    ...titled("Works elsewhere", off.flatMap(keyLines)),
  ];
  return found.length > 0 ? found : [[{ text: `No key matches ${wanted}.`, tone: "muted" }]];
}

function titled(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[{ text: title, tone: "title" }], ...lines, [{ text: " " }]];
}

/** A sentence beside what it explains. */
function beside(left: Piece, width: number, sentence: string, columns: number): readonly Line[] {
  return wrap(sentence, Math.max(20, columns - width)).map((text, at) => [
    at === 0 ? { ...left, text: padOrTruncate(left.text, width) } : { text: " ".repeat(width) },
    { text },
  ]);
}

/** What a screen is there for comes first, how one moves about on it last. */
const groups: readonly BindingGroup[] = ["Act", "Look", "List", "Go", "Program", "Move"];

function byUse(ids: readonly ActionId[]): readonly ActionId[] {
  return groups.flatMap((group) => ids.filter((id) => bindingOf(id).group === group));
}
