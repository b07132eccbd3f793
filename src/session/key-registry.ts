import { defaultKeymap, type Keymap } from "../keys/keymap.ts";
import type { Scope } from "../keys/scopes.ts";
import { createStore, type Store } from "./store.ts";

/** The level of a layer of keys; the highest layer gets a key first. */
export const KeyLevel = {
  ground: -10,
  root: 0,
  screen: 10,
  field: 20,
  overlay: 30,
  overlayField: 40,
  front: 50,
} as const;

/** A layer of keys in use. */
export interface Layer {
  readonly level: number;
  readonly scope: { current: Scope };
  readonly paste: { current: ((text: string) => void) | undefined };
  readonly edit: { current: ((key: string) => boolean) | undefined };
}

/** The keymap in use, and what is wrong with the file that changes it, in words. */
export interface UsedKeys {
  readonly keymap: Keymap;
  readonly issues: readonly string[];
}

/** The layers of keys in use, lowest first. */
export interface KeyRegistry {
  readonly keys: UsedKeys;
  add(layer: Layer): () => void;
  /** Redraws the footer because other actions are available. */
  touch(): void;
  layers(): readonly Layer[];
  readonly version: Store<number>;
}

export const usualKeys: UsedKeys = { keymap: defaultKeymap, issues: [] };

/** A registry without a layer. */
export function createRegistry(keys: UsedKeys): KeyRegistry {
  let layers: readonly Layer[] = [];
  const version = createStore(0);
  const touch = () => version.set(version.get() + 1);
  return {
    keys,
    version,
    touch,
    layers: () => layers,
    add(layer) {
      layers = [...layers, layer].sort((a, b) => a.level - b.level);
      touch();
      return () => {
        layers = layers.filter((other) => other !== layer);
        touch();
      };
    },
  };
}
