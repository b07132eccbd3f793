/** Finds the action of a key among the layers on the screen: screen, text field and dialog. */
import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isTextKey } from "./editing.ts";
import { isPrintable } from "./key-name.ts";
import type { Keymap } from "./keymap.ts";

export interface Action {
  readonly run: () => void;
  /**
   * The reason why the action is disabled, or null if it is enabled. The key of a disabled action
   * shows the reason.
   */
  readonly disabled?: string | null;
  /** True if the screen has the reason in full, so that the key does not show it. Default: false. */
  readonly isReasonShown?: boolean;
  /**
   * Returns false if the key was typed before its question was drawn. The key is then ignored. Set
   * this for an action that sends or cannot be undone.
   */
  readonly isQuestionDrawn?: () => boolean;
  /**
   * Runs instead of the action while the action is disabled. Default: the reason is shown.
   */
  readonly override?: () => void;
  readonly choices?: readonly ActionChoice[];
  /** The label in the footer of this screen. Default: the label of the table. */
  readonly label?: string;
  readonly isMain?: boolean;
  /** The position in the footer, low first, or null for none. Default: that of the table. */
  readonly footer?: number | null;
  readonly isHidden?: boolean;
  /** The sentence in the help of this screen. Default: the sentence of the table. */
  readonly help?: string;
}

interface ActionChoice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

type KeyAction = Action | (() => void);

export type Actions = { readonly [id in ActionId]?: KeyAction | undefined };

export function markedFirst(actions: Actions): Actions {
  return Object.fromEntries(
    actionIds.flatMap((id) => {
      const action = actionIn({ actions }, id);
      if (action === undefined) return [];
      const { marksOrder } = bindingOf(id);
      const isFirst = marksOrder !== undefined && !action.disabled;
      return [[id, isFirst ? { ...action, isMain: false, footer: marksOrder / 10 } : action]];
    }),
  );
}

function actionIn({ actions }: Pick<Scope, "actions">, id: ActionId): Action | undefined {
  const action = actions[id];
  return typeof action === "function" ? { run: action } : action;
}

/**
 * The treatment of printable keys in a form or a dialog. Layers below do not receive these keys.
 */
export interface Printable {
  readonly allowed: readonly ActionId[];
  readonly other: (key: string) => void;
}

/** One layer of keys: a screen, a field, a dialog. Later layers are above earlier ones. */
export interface Scope {
  readonly actions: Actions;
  /** True if keys do not reach the layers below, except the lowest one. */
  readonly modal: boolean;
  /** True if a text field is focused: printable keys are text, and editing keys edit the text. */
  readonly typing: boolean;
  readonly printable?: Printable | undefined;
}

export interface FoundAction {
  readonly id: ActionId;
  readonly action: Action;
}

export interface Available extends FoundAction {
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
      const lowest = scopes[0];
      if (lowest && index > 0) result.push(lowest);
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
 * Returns true if nothing covers the screen and the screen is not a form. Then a user's commands
 * work.
 */
export function isBare(scopes: readonly Scope[]): boolean {
  return !reachable(scopes).some(({ modal, typing, printable }) => modal || typing || printable);
}

/** Returns the action of a key in these layers (bottom first), or null if there is none. */
export function resolveKey(
  scopes: readonly Scope[],
  name: string,
  keymap: Keymap,
): FoundAction | null {
  const layers = reachable(scopes);
  if (isTextKey(name) && layers.some((scope) => scope.typing)) return null;
  const isText = isPrintable(name);
  for (const scope of layers) {
    const allowed = isText ? scope.printable?.allowed : undefined;
    for (const id of keymap.actionsOn(name)) {
      const action = actionIn(scope, id);
      if (action && (allowed === undefined || allowed.includes(id))) return { id, action };
    }
    if (allowed !== undefined) return null;
  }
  return null;
}

/**
 * A key that does nothing in these layers: the things that the key works on elsewhere, or the fact
 * that the screen is covered.
 */
export interface UnusedKey {
  readonly worksOn: string | null;
  readonly isCovered: boolean;
}

/**
 * Returns the handler for a printable key in a form or a dialog, or the reason why another key has
 * no action. Returns null for a key of a text field, and if the layer above the screen cannot be
 * closed.
 */
export function unhandledKey(
  scopes: readonly Scope[],
  name: string,
  keymap: Keymap,
): { readonly take: (key: string) => void } | UnusedKey | null {
  const layers = reachable(scopes);
  if (layers.some((scope) => scope.typing)) return null;
  const isText = isPrintable(name);
  const [id] = keymap.actionsOn(name);
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
    if (action === undefined || action.isHidden === true) return [];
    const all = keymap.keysOf(id);
    const keys = all.filter((key) => resolveKey(scopes, key, keymap)?.id === id);
    // An action without a key, by the user's keymap, is still in the palette.
    return keys.length === 0 && all.length > 0 ? [] : [{ id, action, keys }];
  });
}
