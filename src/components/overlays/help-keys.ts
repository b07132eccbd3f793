/**
 * Lists the keys that work on a screen, as a table for the help or in words for a screen reader.
 */
import type { BindingGroup } from "../../keys/binding.ts";
import { type ActionId, bindingOf } from "../../keys/bindings.ts";
import { keyLabel, shownKey } from "../../keys/key-name.ts";
import type { Available } from "../../keys/scopes.ts";
import type { CustomKey } from "../../session/app.ts";
import { truncate, widthOf } from "../../text/width.ts";
import type { Piece } from "../text.tsx";

type Line = readonly Piece[];

export interface KeyFacts {
  readonly here: readonly Available[];
  readonly commands: readonly CustomKey[];
  readonly columns: number;
  readonly linear: boolean;
}

interface Heading {
  readonly title: string;
  readonly groups: readonly BindingGroup[];
}

const headings: readonly Heading[] = [
  { title: "Look", groups: ["Look", "List"] },
  { title: "Act", groups: ["Act"] },
  { title: "Go", groups: ["Go"] },
  { title: "Everywhere", groups: ["Program"] },
  { title: "Move", groups: ["Move"] },
];

const everywhere: ReadonlySet<ActionId> = new Set([
  "back",
  "last-place",
  "activity",
  "watch-list",
  "runs",
  "approvals",
  "profiles",
  "cohorts",
  "command-log",
]);

/** Returns true for an action without a key, or a list action that is not in the footer. */
const isLeftOut = ({ id, keys }: Available) => {
  const { group, footer } = bindingOf(id);
  return keys.length === 0 || (footer === null && (group === "Move" || group === "List"));
};

/**
 * Returns the lines of the help with the keys that work on a screen, below their headings. In the
 * table, enabled actions come first, and among these the actions of the footer.
 */
export function keyTable(facts: KeyFacts): readonly Line[] {
  if (facts.linear)
    return [
      ...headings.flatMap((heading) => linearLines(heading, facts)),
      ...linearCommands(facts),
    ];
  return drawTable(blocksOf(facts), facts.columns);
}

function blocksOf(facts: KeyFacts): readonly Block[] {
  const commandEntries = facts.commands.flatMap(({ name, key, disabled }) =>
    key === null ? [] : [keyEntry(keyLabel(key), name, disabled !== null)],
  );
  const all = headings.map(({ title }) => ({ title, entries: entriesBelow(title, facts) }));
  return [...all, { title: commandsTitle, entries: commandEntries }].filter(
    ({ entries }) => entries.length > 0,
  );
}

function entriesBelow(title: string, facts: KeyFacts): readonly TableEntry[] {
  const last = Number.MAX_SAFE_INTEGER;
  const orderOf = ({ id, action }: Available) => action.footer ?? bindingOf(id).footer ?? last;
  return facts.here
    .filter((available) => !isLeftOut(available) && headingOf(available.id) === title)
    .sort(
      (a, b) =>
        Number(Boolean(a.action.disabled)) - Number(Boolean(b.action.disabled)) ||
        orderOf(a) - orderOf(b),
    )
    .map(({ id, action, keys }) =>
      keyEntry(shownKey(keys), action.label ?? bindingOf(id).label, Boolean(action.disabled)),
    );
}

/**
 * Returns the title of the heading below which the table has an action. Movement actions are below
 * Look, because the table has only the few of them that the footer shows.
 */
function headingOf(id: ActionId): string {
  if (everywhere.has(id)) return "Everywhere";
  const { group } = bindingOf(id);
  if (group === "Move") return "Look";
  return headings.find(({ groups }) => groups.includes(group))?.title ?? "";
}

function actionsBelow({ groups }: Heading, { here }: KeyFacts): readonly Available[] {
  return groups.flatMap((group) => here.filter(({ id }) => bindingOf(id).group === group));
}

function linearLines(heading: Heading, facts: KeyFacts): readonly Line[] {
  const available = actionsBelow(heading, facts);
  if (available.length === 0) return [];
  return [
    [{ text: `${heading.title}:` }],
    ...available.map(({ id, action, keys }): Line => {
      const label = action.label ?? bindingOf(id).label;
      const keyNames = keys.map(keyLabel).join(" or ") || `:${label}`;
      return [
        {
          text: `${keyNames}: ${label}${action.disabled ? `, not now: ${action.disabled}` : ""}`,
        },
      ];
    }),
  ];
}

export const commandsTitle = "Your commands";

function linearCommands({ commands }: KeyFacts): readonly Line[] {
  if (commands.length === 0) return [];
  return [
    [{ text: `${commandsTitle}:` }],
    ...commands.map(({ name, key, disabled }): Line => {
      const reason = disabled === null ? "" : `, not now: ${disabled}`;
      return [{ text: `${key === null ? `:${name}` : keyLabel(key)}: ${name}${reason}` }];
    }),
  ];
}

interface TableEntry {
  readonly key: Piece;
  readonly label: Piece;
  readonly isTitle: boolean;
}

interface Block {
  readonly title: string;
  readonly entries: readonly TableEntry[];
}

const gap = 2;

const blank: TableEntry = { key: { text: "" }, label: { text: "" }, isTitle: false };

function titleEntry(title: string): TableEntry {
  return { key: { text: title, tone: "title" }, label: { text: "" }, isTitle: true };
}

function keyEntry(name: string, label: string, isDisabled: boolean): TableEntry {
  return {
    key: { text: name, bold: true },
    label: { text: label, ...(isDisabled ? { tone: "muted" as const } : {}) },
    isTitle: false,
  };
}

/**
 * Draws blocks beside and below each other in as few lines as possible. Text is cut only if a
 * single stack with all blocks is wider than `columns` cells.
 */
function drawTable(blocks: readonly Block[], columns: number): readonly (readonly Piece[])[] {
  const maxHeight = blocks.reduce((sum, { entries }) => sum + entries.length + 2, 0);
  let height = 1;
  let stacks = stacksOf(blocks, height);
  while (height < maxHeight && totalWidth(stacks) > columns) stacks = stacksOf(blocks, ++height);
  return drawStacks(stacks, columns);
}

type Stack = readonly TableEntry[];

/**
 * Returns the blocks as stacks of at most `height` lines, but at least two. A block that fits below
 * another is placed there. A block that is higher than a stack continues at the top of the next
 * stack.
 */
function stacksOf(blocks: readonly Block[], height: number): readonly Stack[] {
  const stacks: TableEntry[][] = [];
  for (const { title, entries } of blocks) {
    const above = stacks.at(-1);
    if (above !== undefined && above.length + 2 + entries.length <= height) {
      above.push(blank, titleEntry(title), ...entries);
      continue;
    }
    const entriesPerStack = Math.max(1, height - 1);
    for (let from = 0; from < entries.length; from += entriesPerStack)
      stacks.push([
        titleEntry(from === 0 ? title : ""),
        ...entries.slice(from, from + entriesPerStack),
      ]);
  }
  return stacks;
}

function drawStacks(stacks: readonly Stack[], columns: number): readonly (readonly Piece[])[] {
  const spare = Math.max(0, columns - totalWidth(stacks));
  const gapWidth = gap + Math.floor(spare / stacks.length);
  const height = Math.max(0, ...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, row) =>
    stacks.flatMap((stack, index) => {
      const { key, label, isTitle } = stack[row] ?? blank;
      const width =
        Math.min(columns, widthIn(stack)) + (index === stacks.length - 1 ? 0 : gapWidth);
      if (isTitle) return padded(key, width);
      const keyWidth = keyWidthIn(stack);
      return [...padded(key, keyWidth), ...padded(label, width - keyWidth)];
    }),
  );
}

/**
 * Pads a piece with blanks that have no style, because the output can omit plain blanks at the end
 * of a line.
 */
function padded(piece: Piece, width: number): readonly Piece[] {
  const text = truncate(piece.text, width);
  return [{ ...piece, text }, { text: " ".repeat(Math.max(0, width - widthOf(text))) }];
}

function totalWidth(stacks: readonly Stack[]): number {
  return stacks.reduce((sum, stack) => sum + widthIn(stack) + gap, -gap);
}

/**
 * Returns the width of the keys of a stack with the gap after the keys, in cells. Titles are
 * ignored, because they can extend over the labels.
 */
function keyWidthIn(stack: Stack): number {
  return widest(stack.map(({ key, isTitle }) => (isTitle ? "" : key.text))) + gap;
}

function widthIn(stack: Stack): number {
  const entryWidth = keyWidthIn(stack) + widest(stack.map(({ label }) => label.text));
  return Math.max(entryWidth, widest(stack.map(({ key }) => key.text)));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}
