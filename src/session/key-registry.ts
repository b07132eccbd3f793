/** Registers the layers of keys in use, and passes keys and pastes to them. */
import { defaultKeymap, type Keymap } from "../keys/keymap.ts";
import type { Scope } from "../keys/scopes.ts";
import { createStore } from "./store.ts";

export const KeyLevel = {
  ground: -10,
  root: 0,
  screen: 10,
  field: 20,
  overlay: 30,
  overlayField: 40,
  front: 50,
} as const;

interface Layer {
  readonly level: number;
  readonly scope: { current: Scope };
  readonly paste: { current: ((text: string) => void) | undefined };
  readonly edit: { current: ((key: string) => boolean) | undefined };
}

export interface ActiveKeymap {
  readonly keymap: Keymap;
  readonly issues: readonly string[];
}

export const defaultKeys: ActiveKeymap = { keymap: defaultKeymap, issues: [] };

export function createRegistry(keys: ActiveKeymap) {
  let layers: readonly Layer[] = [];
  const version = createStore(0);
  const touch = () => version.set(version.get() + 1);
  return {
    ...keys,
    version,
    touch,
    scopes: (below = Number.POSITIVE_INFINITY) =>
      layers.filter(({ level }) => level < below).map(({ scope }) => scope.current),
    /** Passes a key to the focused text field. Returns false if nothing uses the key. */
    edit(key: string) {
      for (const { edit } of reachableLayers(behindFront(layers))) {
        if (edit.current) return edit.current(key);
      }
      return false;
    },
    paste: (text: string) => passPaste(layers, text, () => true),
    /**
     * Passes a paste to the text field with the cursor, even if the message that the window is too
     * small covers the field. Returns false if there is no such field.
     */
    pasteIntoField: (text: string) =>
      passPaste(behindFront(layers), text, ({ scope }) => scope.current.typing),
    add(layer: Layer) {
      layers = [...layers, layer].sort((a, b) => a.level - b.level);
      touch();
      return () => {
        layers = layers.filter((other) => other !== layer);
        touch();
      };
    },
  };
}

export type KeyRegistry = ReturnType<typeof createRegistry>;

function* reachableLayers(layers: readonly Layer[]): Generator<Layer> {
  // A field and its modal layer have the same level, in either order.
  let lowest = Number.NEGATIVE_INFINITY;
  for (const layer of layers.toReversed()) {
    if (layer.level < lowest) return;
    yield layer;
    if (layer.scope.current.modal) lowest = layer.level;
  }
}

/**
 * Passes a paste to the topmost layer that accepts pastes and for which `accepts` returns true.
 * Returns false if there is none.
 */
function passPaste(
  layers: readonly Layer[],
  text: string,
  accepts: (layer: Layer) => boolean,
): boolean {
  for (const layer of reachableLayers(layers)) {
    if (!layer.paste.current || !accepts(layer)) continue;
    layer.paste.current(text);
    return true;
  }
  return false;
}

/**
 * Returns the layers behind the message that the window is too small. Text that is typed or pasted
 * still reaches the field behind that message.
 */
function behindFront(layers: readonly Layer[]): readonly Layer[] {
  return layers.filter(({ level }) => level < KeyLevel.front);
}
