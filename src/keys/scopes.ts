import { type ActionId, actionIds } from "./bindings.ts";
import { isTextKey } from "./editing.ts";
import type { Keymap } from "./keymap.ts";

/** What an action does here, and whether it can be done now. */
export interface Action {
  readonly run: () => void;
  /** Why it cannot be done now, in words; the key then says so instead of acting. */
  readonly disabled?: string | null;
  /** What the key does while it is disabled, in place of only saying why: offer a way round it. */
  readonly wayRound?: () => void;
  /** Ways of doing it that the palette offers one by one, besides the key. */
  readonly choices?: readonly ActionChoice[];
  /** Another footer word for this place (for example `resume` for `pause`). */
  readonly label?: string;
}

/** One way of doing an action. */
export interface ActionChoice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

export type Actions = { readonly [id in ActionId]?: Action | undefined };

/** One layer of keys: a screen, a field, a dialog. Later ones stand above earlier ones. */
export interface Scope {
  readonly actions: Actions;
  /** Keys do not fall through to the layers below (the ground, the lowest one, excepted). */
  readonly modal: boolean;
  /** A text field is in focus: printable keys are text, and editing keys edit it. */
  readonly typing: boolean;
}

/** An action found for a key. */
export interface Found {
  readonly id: ActionId;
  readonly action: Action;
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

/** What a key does with these layers (bottom first), or null when it does nothing. */
export function resolveKey(scopes: readonly Scope[], name: string, keymap: Keymap): Found | null {
  const layers = reachable(scopes);
  const typing = layers.some((scope) => scope.typing);
  if (typing && isTextKey(name)) return null;
  for (const scope of layers) {
    for (const id of keymap.actionsOn(name)) {
      const action = scope.actions[id];
      if (action) return { id, action };
    }
  }
  return null;
}

/** Every action that works with these layers, in the order of the table, the topmost winning. */
export function availableActions(scopes: readonly Scope[], keymap: Keymap): readonly Found[] {
  const layers = reachable(scopes);
  const typing = layers.some((scope) => scope.typing);
  const found: Found[] = [];
  for (const id of actionIds) {
    if (typing && keymap.keysOf(id).every(isTextKey)) continue;
    for (const scope of layers) {
      const action = scope.actions[id];
      if (action) {
        found.push({ id, action });
        break;
      }
    }
  }
  return found;
}
