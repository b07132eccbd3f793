import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isPrintable, keyLabel } from "./key-name.ts";

/** The assignment of keys to actions: the table of bindings, or a user's changes to it. */
export interface Keymap {
  /** Returns the keys of an action. The first one is shown. */
  keysOf(id: ActionId): readonly string[];
  actionsOn(key: string): readonly ActionId[];
}

/** Keys a user wants for an action, and the line that says so (from 1). */
interface KeyChange {
  readonly action: string;
  readonly keys: readonly string[];
  readonly line: number;
}

/** The reason why a line of a user's keymap is invalid. The action keeps its keys. */
export type KeymapIssue =
  | { readonly kind: "unknown-action"; readonly line: number; readonly action: string }
  | { readonly kind: "twice"; readonly line: number; readonly action: string }
  | {
      readonly kind: "no-key" | "reserved" | "types-text";
      readonly line: number;
      readonly action: ActionId;
      readonly key: string;
    }
  | { readonly kind: "keyless"; readonly line: number; readonly action: ActionId }
  | {
      readonly kind: "clash";
      readonly line: number;
      readonly action: ActionId;
      readonly key: string;
      readonly other: ActionId;
      /** The line of the other action if the user gave it that key, else null. */
      readonly otherLine: number | null;
    };

/**
 * Keys that fields, menus and terminals need. They keep their actions, even if these get further
 * keys.
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

/** Actions without which a user could neither find the keys nor leave. */
const needed: readonly ActionId[] = ["help", "palette", "quit", "send"];

/** Actions that work in forms only, where every character is text or belongs to a row. */
const inForms: readonly ActionId[] = ["review", "editor", "next-problem", "discard", "template"];

/** Actions whose letters a keymap can take, because an arrow key remains for them. */
const givingWay: readonly ActionId[] = ["preview", "list"];

const named =
  /^(?:space|left|right|home|end|page-up|page-down|shift-up|shift-down|ctrl-[a-z]|f[1-9]|f1[0-2])$/;

/** Returns true if a text is the name of a key that can be bound, in the spelling of `keyName`. */
function isKey(key: string): boolean {
  if (reserved.has(key) || named.test(key)) return true;
  return [...key].length === 1 && !/[\p{C}\s]/u.test(key);
}

/** The reason why a key cannot be given to a command outside the table. */
export type KeyProblem =
  | { readonly kind: "no-key" | "reserved" | "digit" }
  | { readonly kind: "clash"; readonly other: ActionId };

/**
 * Returns the reason why a user's command cannot have this key, or null if it can. Keys of the
 * table come first in all places, and digits choose rows.
 */
export function keyProblem(key: string, keymap: Keymap): KeyProblem | null {
  if (/^\d$/.test(key)) return { kind: "digit" };
  const [other] = keymap.actionsOn(key);
  if (other !== undefined) return { kind: "clash", other };
  if (reserved.has(key)) return { kind: "reserved" };
  return isKey(key) ? null : { kind: "no-key" };
}

/** Returns the name of an action's key for a sentence. */
export type KeyWords = (id: ActionId) => string;

/**
 * Returns the name of an action's key for a sentence, or `:label` (for the palette) if it has no
 * key.
 */
export function keyWord(id: ActionId, keymap: Keymap): string {
  const [key] = keymap.keysOf(id);
  return key === undefined ? `:${bindingOf(id).label}` : keyLabel(key);
}

/** The table without changes. */
export const defaultKeymap: Keymap = keymapOf(new Map());

/** Returns the table with a user's valid changes, and the issues of the others. */
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
          : ownIssue(action, change);
    if (issue) issues.push(issue);
    else if (action) accepted.set(action, change);
  }
  // Every round removes one change, so this ends.
  for (let clash = clashIn(accepted); clash; clash = clashIn(accepted)) {
    issues.push(clash);
    accepted.delete(clash.action);
  }
  return { keymap: keymapOf(accepted), issues: issues.sort((a, b) => a.line - b.line) };
}

function ownIssue(action: ActionId, { keys, line }: KeyChange): KeymapIssue | null {
  const own = bindingOf(action).keys;
  for (const key of keys) {
    if (!isKey(key)) return { kind: "no-key", line, action, key };
    if (reserved.has(key) && !own.includes(key)) return { kind: "reserved", line, action, key };
    if (isPrintable(key) && inForms.includes(action)) {
      return { kind: "types-text", line, action, key };
    }
  }
  return keys.length === 0 && needed.includes(action) ? { kind: "keyless", line, action } : null;
}

type Clash = Extract<KeymapIssue, { kind: "clash" }>;

/** Returns a change that takes a key of another action. Of two changes, the later one is wrong. */
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

function keymapOf(changes: ReadonlyMap<ActionId, KeyChange>): Keymap {
  const keys = new Map<ActionId, readonly string[]>();
  const actions = new Map<string, ActionId[]>();
  const asked = new Set([...changes.values()].flatMap((change) => change.keys));
  for (const id of actionIds) {
    const free = (key: string) => !asked.has(key) || !givingWay.includes(id);
    const own = bindingOf(id).keys.filter(free);
    const change = changes.get(id);
    const kept = change ? own.filter((key) => reserved.has(key)) : own;
    const all = [...new Set([...(change?.keys ?? []), ...kept])];
    keys.set(id, all);
    for (const key of all) actions.set(key, [...(actions.get(key) ?? []), id]);
  }
  return {
    keysOf: (id) => keys.get(id) ?? [],
    actionsOn: (key) => actions.get(key) ?? [],
  };
}
