import type { BindingGroup } from "../../keys/binding.ts";
import { type ActionId, bindingOf } from "../../keys/bindings.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { Available } from "../../keys/scopes.ts";
import type { CustomKey } from "../../session/custom-keys.ts";
import type { Piece } from "../text.tsx";
import { drawTable, keyEntry, mostKeyCells, type TableEntry, titleEntry } from "./help-table.ts";

type Line = readonly Piece[];

/** The actions of a screen, and the room to show them. */
export interface KeyFacts {
  readonly here: readonly Available[];
  /** The user's commands that work on the screen. */
  readonly commands: readonly CustomKey[];
  readonly columns: number;
  /** Read aloud, line by line: one column, without padding. */
  readonly linear: boolean;
}

interface TableColumn {
  readonly title: string;
  readonly groups: readonly BindingGroup[];
}

/** The headings of a screen's keys, and the groups below each. */
const tableColumns: readonly TableColumn[] = [
  { title: "Look", groups: ["Look", "List"] },
  { title: "Act", groups: ["Act"] },
  { title: "Go", groups: ["Go"] },
  { title: "Everywhere", groups: ["Program"] },
  { title: "Move", groups: ["Move"] },
];

/** Works on every screen, whatever its group. */
const everywhere: ReadonlySet<ActionId> = new Set([
  "back",
  "last-place",
  "activity",
  "watch-list",
  "runs",
  "profiles",
  "cohorts",
  "command-log",
]);

/** One of two keys for one thing, or a move: the page of all keys has them. */
const isLeftOut = ({ id, keys }: Available) => {
  const { group, footer } = bindingOf(id);
  return keys.length === 0 || (footer === null && (group === "Move" || group === "List"));
};

/** Narrower, a key and its label do not fit beside another. */
const narrowestColumn = 19;

/** The keys of a screen below a heading. */
interface Block {
  readonly title: string;
  readonly entries: readonly TableEntry[];
}

/**
 * The actions that work here below their headings, each as its key and a word or two, in as many columns as fit;
 * the first rows have the keys that one wants first.
 */
export function keyTable(facts: KeyFacts): readonly Line[] {
  if (facts.linear)
    return [
      ...tableColumns.flatMap((column) => spokenLines(column, facts)),
      ...spokenCommands(facts),
    ];
  const blocks = blocksOf(facts);
  const across = Math.max(2, Math.floor(facts.columns / narrowestColumn));
  return drawTable(stacksOf(blocks, across), facts.columns);
}

/**
 * One column for each block, its heading first. Where there are more blocks than columns, the last
 * ones follow below the shortest; where there are fewer, the longest blocks get the columns left over.
 */
function stacksOf(blocks: readonly Block[], across: number): readonly (readonly TableEntry[])[] {
  const spans = blocks.map(() => 1);
  const heightOf = (at: number) => (blocks[at]?.entries.length ?? 0) / (spans[at] ?? 1);
  for (let left = across - blocks.length; left > 0; left--) {
    const [highest = 0] = [...blocks.keys()].sort((a, b) => heightOf(b) - heightOf(a));
    if (heightOf(highest) <= roomyHeight) break;
    spans[highest] = (spans[highest] ?? 1) + 1;
  }
  const stacks: TableEntry[][] = [];
  for (const [at, { title, entries }] of blocks.entries()) {
    const height = Math.ceil(entries.length / (spans[at] ?? 1));
    for (let from = 0; from < entries.length; from += height) {
      const part = [titleEntry(from === 0 ? title : ""), ...entries.slice(from, from + height)];
      if (stacks.length < across) stacks.push(part);
      else {
        const shortest = stacks.reduce((one, other) => (other.length < one.length ? other : one));
        shortest.push(...part);
      }
    }
  }
  return stacks;
}

/** Entries below a heading that need no second column. */
const roomyHeight = 5;

function blocksOf(facts: KeyFacts): readonly Block[] {
  const own = facts.commands.flatMap(({ name, key, disabled }) =>
    key === null ? [] : [keyEntry(keyLabel(key), name, disabled !== null)],
  );
  const all = tableColumns.map(({ title }) => ({ title, entries: entriesBelow(title, facts) }));
  return [...all, { title: ownTitle, entries: own }].filter(({ entries }) => entries.length > 0);
}

function entriesBelow(wanted: string, facts: KeyFacts): readonly TableEntry[] {
  const last = Number.MAX_SAFE_INTEGER;
  const orderOf = ({ id, action }: Available) => action.footer ?? bindingOf(id).footer ?? last;
  return facts.here
    .filter((one) => !isLeftOut(one) && headingOf(one.id) === wanted)
    .sort(
      (a, b) =>
        Number(Boolean(a.action.disabled)) - Number(Boolean(b.action.disabled)) ||
        orderOf(a) - orderOf(b),
    )
    .map(({ id, action, keys }) =>
      keyEntry(keyText(keys), action.label ?? bindingOf(id).label, Boolean(action.disabled)),
    );
}

/** The heading of a key that works here; keys that move and have a place in the footer are for looking. */
function headingOf(id: ActionId): string {
  if (everywhere.has(id)) return "Everywhere";
  const { group } = bindingOf(id);
  if (group === "Move") return "Look";
  return tableColumns.find(({ groups }) => groups.includes(group))?.title ?? "";
}

/** Two short keys for one thing, or the first. */
function keyText(keys: readonly string[]): string {
  const [first = "", second] = keys.map(keyLabel);
  const both = second === undefined ? first : `${first} ${second}`;
  return both.length <= mostKeyCells ? both : first;
}

function inColumn({ groups: wanted }: TableColumn, { here }: KeyFacts): readonly Available[] {
  return wanted.flatMap((group) => here.filter(({ id }) => bindingOf(id).group === group));
}

/** A column in words: one key per line. */
function spokenLines(column: TableColumn, facts: KeyFacts): readonly Line[] {
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

export const ownTitle = "Your commands";

function spokenCommands({ commands }: KeyFacts): readonly Line[] {
  if (commands.length === 0) return [];
  return [
    [{ text: `${ownTitle}:` }],
    ...commands.map(({ name, key, disabled }): Line => {
      const not = disabled === null ? "" : `, not now: ${disabled}`;
      return [{ text: `${key === null ? `:${name}` : keyLabel(key)}: ${name}${not}` }];
    }),
  ];
}
