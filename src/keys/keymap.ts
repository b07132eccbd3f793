/** Applies a user's key changes to the table of default keys, and reports the invalid changes. */
import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isPrintable, keyLabel } from "./key-name.ts";

export interface Keymap {
  keysOf(id: ActionId): readonly string[];
  actionsOn(key: string): readonly ActionId[];
}

/** The keys that a user assigns to an action, and the line of the change in the file (from 1). */
interface KeyChange {
  readonly action: string;
  readonly keys: readonly string[];
  readonly line: number;
}

/** The reason why a line of a user's keymap is invalid. The line is ignored. */
export type KeymapIssue =
  | { readonly kind: "unknown-action"; readonly line: number; readonly action: string }
  /** An earlier line changes the same action. */
  | { readonly kind: "twice"; readonly line: number; readonly action: string }
  /**
   * - `unknown-key`: `key` is not the name of a key that can be bound
   * - `reserved`: fields, menus or terminals need the key for something else
   * - `types-text`: the action works in forms, where the key types a character
   */
  | {
      readonly kind: "unknown-key" | "reserved" | "types-text";
      readonly line: number;
      readonly action: ActionId;
      readonly key: string;
    }
  /** The line removes all keys of an action that must have one. */
  | { readonly kind: "keyless"; readonly line: number; readonly action: ActionId }
  | {
      readonly kind: "clash";
      readonly line: number;
      readonly action: ActionId;
      readonly key: string;
      readonly other: ActionId;
      /** The line of the other action if the user assigned the key there, or null. */
      readonly otherLine: number | null;
    };

/**
 * Keys that fields, menus and terminals need. A user can neither remove such a key from an action
 * that has it by default, nor assign it to another action.
 */
const reserved: ReadonlySet<string> = new Set([
  "enter",
  "esc",
  "tab",
  "shift-tab",
  "up",
  "down",
  "backspace",
  "delete",
  "ctrl-c",
  "ctrl-z",
  "ctrl-h",
  "ctrl-i",
  "ctrl-j",
  "ctrl-m",
  "ctrl-u",
  "ctrl-w",
]);

/**
 * Actions that must have a key. Without one, a user could not open the help or the palette, send or
 * quit.
 */
const mustHaveKey: readonly ActionId[] = ["help", "palette", "quit", "send"];

/**
 * Actions that work only in forms. They cannot have a printable key, because in a form every
 * character is text or the key of a row.
 */
const formActions: readonly ActionId[] = [
  "review",
  "editor",
  "next-problem",
  "discard",
  "template",
];

/**
 * Actions whose default keys a user can assign to other actions. Each of them has two default keys:
 * a letter and an arrow key.
 */
const actionsWithSpareKeys: readonly ActionId[] = ["preview", "list"];

const namedKey =
  /^(?:space|left|right|home|end|page-up|page-down|shift-up|shift-down|ctrl-[a-z]|f[1-9]|f1[0-2])$/;

function isKey(key: string): boolean {
  if (reserved.has(key) || namedKey.test(key)) return true;
  return [...key].length === 1 && !/[\p{C}\s]/u.test(key);
}

export type KeyProblem =
  | { readonly kind: "unknown-key" | "reserved" | "digit" }
  | { readonly kind: "clash"; readonly other: ActionId };

/**
 * Returns the reason why a user's command cannot have this key, or null if it can. Keys of the
 * table have priority everywhere, and digits select rows.
 */
export function keyProblem(key: string, keymap: Keymap): KeyProblem | null {
  if (/^\d$/.test(key)) return { kind: "digit" };
  const [other] = keymap.actionsOn(key);
  if (other !== undefined) return { kind: "clash", other };
  if (reserved.has(key)) return { kind: "reserved" };
  return isKey(key) ? null : { kind: "unknown-key" };
}

export type KeyWords = (id: ActionId) => string;

/**
 * Returns the text for an action's key in a sentence: the name of the first key, or the palette
 * command `:label` if the action has no key.
 */
export function keyWord(id: ActionId, keymap: Keymap): string {
  const [key] = keymap.keysOf(id);
  return key === undefined ? `:${bindingOf(id).label}` : keyLabel(key);
}

export const defaultKeymap: Keymap = keymapOf(new Map());

/**
 * Returns the keymap with a user's valid changes, and the issues of the invalid changes in the
 * order of their lines.
 */
export function changedKeymap(changes: readonly KeyChange[]): {
  readonly keymap: Keymap;
  readonly issues: readonly KeymapIssue[];
} {
  const issues: KeymapIssue[] = [];
  const accepted = new Map<ActionId, KeyChange>();
  for (const change of changes) {
    const action = actionIds.find((id) => id === change.action);
    const issue =
      action === undefined
        ? ({ kind: "unknown-action", line: change.line, action: change.action } as const)
        : accepted.has(action)
          ? ({ kind: "twice", line: change.line, action } as const)
          : issueOf(action, change);
    if (issue) issues.push(issue);
    else if (action) accepted.set(action, change);
  }
  // Each iteration removes one change, so the loop ends.
  for (let clash = clashIn(accepted); clash; clash = clashIn(accepted)) {
    issues.push(clash);
    accepted.delete(clash.action);
  }
  return { keymap: keymapOf(accepted), issues: issues.sort((a, b) => a.line - b.line) };
}

function issueOf(action: ActionId, { keys, line }: KeyChange): KeymapIssue | null {
  const defaultKeys = bindingOf(action).keys;
  for (const key of keys) {
    if (!isKey(key)) return { kind: "unknown-key", line, action, key };
    if (reserved.has(key) && !defaultKeys.includes(key))
      return { kind: "reserved", line, action, key };
    if (isPrintable(key) && formActions.includes(action)) {
      return { kind: "types-text", line, action, key };
    }
  }
  return keys.length === 0 && mustHaveKey.includes(action)
    ? { kind: "keyless", line, action }
    : null;
}

type Clash = Extract<KeymapIssue, { kind: "clash" }>;

/**
 * Returns the first clash of a change with another action, or null if there is none. If two changes
 * clash, the change in the later line is reported.
 */
function clashIn(accepted: ReadonlyMap<ActionId, KeyChange>): Clash | null {
  const keymap = keymapOf(accepted);
  for (const [action, { line }] of accepted) {
    for (const key of keymap.keysOf(action)) {
      const other = keymap.actionsOn(key).find((id) => id !== action);
      if (other === undefined) continue;
      const otherLine = accepted.get(other)?.line ?? null;
      if (otherLine !== null && otherLine > line) continue;
      return { kind: "clash", line, action, key, other, otherLine };
    }
  }
  return null;
}

/** Returns the keymap with a user's changes. If changes clash, a key has several actions. */
function keymapOf(changes: ReadonlyMap<ActionId, KeyChange>): Keymap {
  const keys = new Map<ActionId, readonly string[]>();
  const actions = new Map<string, ActionId[]>();
  const assignedKeys = new Set([...changes.values()].flatMap((change) => change.keys));
  for (const id of actionIds) {
    const isAvailable = (key: string) =>
      !assignedKeys.has(key) || !actionsWithSpareKeys.includes(id);
    const defaultKeys = bindingOf(id).keys.filter(isAvailable);
    const change = changes.get(id);
    const fixedKeys = change ? defaultKeys.filter((key) => reserved.has(key)) : defaultKeys;
    const combined = [...new Set([...(change?.keys ?? []), ...fixedKeys])];
    keys.set(id, combined);
    for (const key of combined) actions.set(key, [...(actions.get(key) ?? []), id]);
  }
  return {
    keysOf: (id) => keys.get(id) ?? [],
    actionsOn: (key) => actions.get(key) ?? [],
  };
}
