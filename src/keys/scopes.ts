/** Finds the action of a key among the layers on the screen: screen, text field and dialog. */
import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isTextKey } from "./editing.ts";
import { isPrintable } from "./key-name.ts";
import type { Keymap } from "./keymap.ts";

/** An action on a screen, and the reason why it is disabled, if any. */
export interface Action {
  readonly run: () => void;
  /**
   * The reason why the action is disabled, or null. The key then shows the reason instead of
   * acting.
   */
  readonly disabled?: string | null;
  /**
   * Returns false if the key was typed before its question was drawn. Set it for an action that
   * sends or cannot be undone.
   */
  readonly answers?: () => boolean;
  /**
   * Runs instead of the action while it is disabled, and offers an alternative. Default: the reason
   * is shown.
   */
  readonly override?: () => void;
  /** Variants of the action that the palette offers one by one, in addition to the key. */
  readonly choices?: readonly ActionChoice[];
  /** The label in the footer of this screen. Default: the label of the table. */
  readonly label?: string;
  /** True for the main action of this screen. Its key is early in the footer. */
  readonly leads?: boolean;
  /** The position in the footer, low first. Default: the position of the table. */
  readonly footer?: number;
  /** The sentence in the help of this screen. Default: the sentence of the table. */
  readonly help?: string;
}

/** A variant of an action. */
interface ActionChoice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

/** An action, or a function for an action that is always enabled. */
type KeyAction = Action | (() => void);

export type Actions = { readonly [id in ActionId]?: KeyAction | undefined };

function actionIn({ actions }: Scope, id: ActionId): Action | undefined {
  const found = actions[id];
  return typeof found === "function" ? { run: found } : found;
}

/** The printable keys of a form or a dialog. The layers below do not receive them. */
export interface Printable {
  /** The actions of this layer that also use printable keys. */
  readonly acts: readonly ActionId[];
  /** Handles every other printable key, by its name. */
  readonly other: (key: string) => void;
}

/** One layer of keys: a screen, a field, a dialog. Later layers are above earlier ones. */
export interface Scope {
  readonly actions: Actions;
  /** True if keys do not reach the layers below, except the lowest one. */
  readonly modal: boolean;
  /** True if a text field is focused: printable keys are text, and editing keys edit it. */
  readonly typing: boolean;
  readonly printable?: Printable | undefined;
}

/** An action found for a key. */
export interface Found {
  readonly id: ActionId;
  readonly action: Action;
}

/** A reachable action with its keys in this place, in the order of the table. */
export interface Available extends Found {
  readonly keys: readonly string[];
}

/**
 * Returns the layers that a key can reach, top first: down to the first modal layer, and then the
 * lowest layer.
 */
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

/**
 * Returns true if a text field is focused in these layers (bottom first): characters are then text.
 */
export function isTyping(scopes: readonly Scope[]): boolean {
  return reachable(scopes).some((scope) => scope.typing);
}

/**
 * Returns true if nothing covers the screen and it is not a form, so that a user's commands work.
 */
export function isBare(scopes: readonly Scope[]): boolean {
  return !reachable(scopes).some(({ modal, typing, printable }) => modal || typing || printable);
}

/** Returns the action of a key in these layers (bottom first), or null if it does nothing. */
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

/**
 * The response to a key that does nothing: the things that the key works on elsewhere, or that the
 * screen is covered.
 */
export interface Idle {
  readonly worksOn: string | null;
  /** True if a dialog or another overlay covers the screen. */
  readonly isCovered: boolean;
}

/**
 * Returns the response to a key without an action. A form or a dialog handles a printable key. For
 * other keys, the reason is reported. Returns null for a key of a text field, for a key that does
 * nothing anywhere, and if the layer above the screen cannot be closed.
 */
export function unhandledKey(
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

/**
 * Returns the reachable actions of these layers, in the order of the table. The topmost layer has
 * priority.
 */
export function availableActions(scopes: readonly Scope[], keymap: Keymap): readonly Available[] {
  const layers = reachable(scopes);
  return actionIds.flatMap((id): readonly Available[] => {
    const scope = layers.find(({ actions }) => actions[id]);
    const action = scope && actionIn(scope, id);
    if (action === undefined) return [];
    const all = keymap.keysOf(id);
    const keys = all.filter((key) => resolveKey(scopes, key, keymap)?.id === id);
    // An action that the user left without a key is still in the palette.
    return keys.length === 0 && all.length > 0 ? [] : [{ id, action, keys }];
  });
}
