import { type ActionId, actionIds, bindingOf } from "./bindings.ts";
import { isPrintable } from "./key-name.ts";

/** What an action does here, and whether it can be done now. */
export interface Action {
  readonly run: () => void;
  /** Why it cannot be done now, in words; the key then says so instead of acting. */
  readonly disabled?: string | null;
  /** What the key does while it is disabled, in place of only saying why: offer a way round it. */
  readonly wayRound?: () => void;
  /** Another footer word for this place (for example `resume` for `pause`). */
  readonly label?: string;
}

export type Actions = { readonly [id in ActionId]?: Action | undefined };

/** One layer of keys: a screen, a field, a dialog. Later ones stand above earlier ones. */
export interface Scope {
  readonly actions: Actions;
  /** Keys do not fall through to the layers below (the ground, the lowest one, excepted). */
  readonly modal: boolean;
  /** A text field is in focus: printable keys are text. */
  readonly typing: boolean;
}

/** An action found for a key. */
export interface Found {
  readonly id: ActionId;
  readonly action: Action;
}

const actionsByKey: ReadonlyMap<string, readonly ActionId[]> = (() => {
  const map = new Map<string, ActionId[]>();
  for (const id of actionIds) {
    for (const key of bindingOf(id).keys) map.set(key, [...(map.get(key) ?? []), id]);
  }
  return map;
})();

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
export function resolveKey(scopes: readonly Scope[], name: string): Found | null {
  const layers = reachable(scopes);
  const typing = layers.some((scope) => scope.typing);
  if (typing && isPrintable(name)) return null;
  for (const scope of layers) {
    for (const id of actionsByKey.get(name) ?? []) {
      const action = scope.actions[id];
      if (action) return { id, action };
    }
  }
  return null;
}

/** Every action that works with these layers, in the order of the table, the topmost winning. */
export function availableActions(scopes: readonly Scope[]): readonly Found[] {
  const layers = reachable(scopes);
  const typing = layers.some((scope) => scope.typing);
  const found: Found[] = [];
  for (const id of actionIds) {
    if (typing && bindingOf(id).keys.every(isPrintable)) continue;
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
