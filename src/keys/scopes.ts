import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isTextKey } from "./editing.ts";
import { isPrintable } from "./key-name.ts";
import type { Keymap } from "./keymap.ts";

/** What an action does here, and whether it can be done now. */
export interface Action {
  readonly run: () => void;
  /** Why it cannot be done now, in words; the key then says so instead of acting. */
  readonly disabled?: string | null;
  /** For what sends or cannot be undone: returns false for a key typed before its question was drawn. */
  readonly answers?: () => boolean;
  /** What the key does while it is disabled, in place of only saying why: offer a way round it. */
  readonly wayRound?: () => void;
  /** Ways of doing it that the palette offers one by one, besides the key. */
  readonly choices?: readonly ActionChoice[];
  /** Another footer word for this place (for example `resume` for `pause`). */
  readonly label?: string;
  /** It is what this place is for: its key stands early in the footer. */
  readonly leads?: boolean;
  /** Another place in the footer than the table's, low first. */
  readonly footer?: number;
  /** Another sentence for the help of this place. */
  readonly help?: string;
}

/** One way of doing an action. */
interface ActionChoice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

/** An action; a function alone is one that can always be done. */
type KeyAction = Action | (() => void);

export type Actions = { readonly [id in ActionId]?: KeyAction | undefined };

function actionIn({ actions }: Scope, id: ActionId): Action | undefined {
  const found = actions[id];
  return typeof found === "function" ? { run: found } : found;
}

/** A layer that keeps printable keys from the layers below it: a form, or a dialog. */
export interface Printable {
  /** The actions of this layer that answer to printable keys as well. */
  readonly acts: readonly ActionId[];
  /** Takes every other printable key, by its name. */
  readonly other: (key: string) => void;
}

/** One layer of keys: a screen, a field, a dialog. Later ones stand above earlier ones. */
export interface Scope {
  readonly actions: Actions;
  /** Keys do not fall through to the layers below (the ground, the lowest one, excepted). */
  readonly modal: boolean;
  /** A text field is in focus: printable keys are text, and editing keys edit it. */
  readonly typing: boolean;
  readonly printable?: Printable | undefined;
}

/** An action found for a key. */
export interface Found {
  readonly id: ActionId;
  readonly action: Action;
}

/** An action that works, with the keys that lead to it here, in the order of the table. */
export interface Available extends Found {
  readonly keys: readonly string[];
}

/** The layers a key can reach, top first: down to the first modal one, and then the ground. */
function reachable(scopes: readonly Scope[]): readonly Scope[] {
  const result: Scope[] = [];
  for (let index = scopes.length - 1; index >= 0; index--) {
    const scope = scopes[index];
    if (!scope) continue;
    result.push(scope);
    if (scope.modal) {
      const ground = scopes[0];
      if (ground && index > 0) result.push(ground);
      break;
    }
  }
  return result;
}

/** Whether a text field is in focus with these layers (bottom first): characters are text then. */
export function isTyping(scopes: readonly Scope[]): boolean {
  return reachable(scopes).some((scope) => scope.typing);
}

/** Whether nothing stands in front of the screen, and it is no form: a command of the user's works. */
export function isBare(scopes: readonly Scope[]): boolean {
  return !reachable(scopes).some(({ modal, typing, printable }) => modal || typing || printable);
}

/** What a key does with these layers (bottom first), or null when it does nothing. */
export function resolveKey(scopes: readonly Scope[], name: string, keymap: Keymap): Found | null {
  const layers = reachable(scopes);
  if (isTextKey(name) && layers.some((scope) => scope.typing)) return null;
  const isText = isPrintable(name);
  for (const scope of layers) {
    const acts = isText ? scope.printable?.acts : undefined;
    for (const id of keymap.actionsOn(name)) {
      const action = actionIn(scope, id);
      if (action && (acts === undefined || acts.includes(id))) return { id, action };
    }
    if (acts !== undefined) return null;
  }
  return null;
}

/** The answer to a key that does nothing: what it works on elsewhere, or that something is in front. */
export interface Idle {
  readonly worksOn: string | null;
  /** A dialog or a text is in front of the screen. */
  readonly isCovered: boolean;
}

/**
 * Returns what happens to a key that no action answers to: a form or a dialog takes a printable one;
 * otherwise it is reported why the key does nothing. Returns null for a key of a text field, for one
 * that does nothing anywhere, and in front of what cannot be closed.
 */
export function unanswered(
  scopes: readonly Scope[],
  name: string,
  keymap: Keymap,
): { readonly take: (key: string) => void } | Idle | null {
  const layers = reachable(scopes);
  if (layers.some((scope) => scope.typing)) return null;
  const isText = isPrintable(name);
  const [id] = keymap.actionsOn(name);
  if (!isText && id === undefined) return null;
  for (const { printable, modal, actions } of layers) {
    if (printable && isText) return { take: printable.other };
    if (modal) return actions.back ? { worksOn: null, isCovered: true } : null;
  }
  const { worksOn } = id === undefined ? {} : bindingOf(id);
  return { worksOn: worksOn ?? null, isCovered: false };
}

/** Every action that works with these layers, in the order of the table, the topmost winning. */
export function availableActions(scopes: readonly Scope[], keymap: Keymap): readonly Available[] {
  const layers = reachable(scopes);
  return actionIds.flatMap((id): readonly Available[] => {
    const scope = layers.find(({ actions }) => actions[id]);
    const action = scope && actionIn(scope, id);
    if (action === undefined) return [];
    const all = keymap.keysOf(id);
    const keys = all.filter((key) => resolveKey(scopes, key, keymap)?.id === id);
    // One that the user has left without a key is still in the palette.
    return keys.length === 0 && all.length > 0 ? [] : [{ id, action, keys }];
  });
}
