import { useInput, usePaste } from "ink";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { isPrintable, keyName } from "../keys/key-name.ts";
import {
  type Actions,
  availableActions,
  type Found,
  isTyping,
  resolveKey,
  type Scope,
} from "../keys/scopes.ts";
import { useActive } from "./active.tsx";
import { useNotices } from "./notices.tsx";
import { NumberedProvider, useNumbers } from "./numbered.tsx";
import { createStore, type Store, useStore } from "./store.ts";

/** How high a layer of keys stands; the highest one hears a key first. */
export const KeyLevel = {
  ground: -10,
  root: 0,
  screen: 10,
  field: 20,
  overlay: 30,
  overlayField: 40,
} as const;

interface Layer {
  readonly level: number;
  readonly scope: { current: Scope };
  readonly paste: { current: ((text: string) => void) | undefined };
}

interface KeyRegistry {
  add(layer: Layer): () => void;
  /** Tells the footer that what works has changed. */
  touch(): void;
  layers(): readonly Layer[];
  readonly version: Store<number>;
}

function createRegistry(): KeyRegistry {
  let layers: readonly Layer[] = [];
  const version = createStore(0);
  const touch = () => version.set(version.get() + 1);
  return {
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

const KeyContext = createContext<KeyRegistry | null>(null);
const LevelContext = createContext<number>(KeyLevel.screen);

function useRegistry(): KeyRegistry {
  const registry = useContext(KeyContext);
  if (!registry) throw new Error("keys need a KeyProvider above them");
  return registry;
}

/** Hears every key once and hands it to the topmost layer that knows it. */
export function KeyProvider(props: { readonly children: ReactNode }) {
  const registry = useMemo(createRegistry, []);
  return (
    <KeyContext value={registry}>
      <NumberedProvider>
        {props.children}
        <KeyListener registry={registry} />
      </NumberedProvider>
    </KeyContext>
  );
}

function KeyListener(props: { readonly registry: KeyRegistry }) {
  const notices = useNotices();
  const numbers = useNumbers();
  useInput((input, key) => {
    const name = keyName(input, key);
    if (name === null) return;
    const scopes = scopesOf(props.registry);
    const found = resolveKey(scopes, name);
    const isFree = found === null || !isPrintable(name);
    if (numbers && isFree && !isTyping(scopes) && numbers.hear(name)) return;
    if (!found) return;
    const { disabled, wayRound, run } = found.action;
    if (!disabled) run();
    else if (wayRound) wayRound();
    else notices.show(disabled, "waiting");
  });
  usePaste((text) => {
    // A field and the modal layer it belongs to are of one level, in either order.
    let lowest = Number.NEGATIVE_INFINITY;
    for (const layer of props.registry.layers().toReversed()) {
      if (layer.level < lowest) return;
      if (layer.paste.current) {
        layer.paste.current(text);
        return;
      }
      if (layer.scope.current.modal) lowest = layer.level;
    }
  });
  return null;
}

function scopesOf(registry: KeyRegistry): readonly Scope[] {
  return registry.layers().map((layer) => layer.scope.current);
}

/** Raises the keys of everything below, for dialogs that stand above the screen. */
export function RaisedKeys(props: { readonly children: ReactNode }) {
  return <LevelContext value={KeyLevel.overlay}>{props.children}</LevelContext>;
}

export interface KeyOptions {
  readonly level?: number;
  readonly modal?: boolean;
  readonly typing?: boolean;
  /** A part of a dialog or screen whose keys go before those of the whole. */
  readonly part?: boolean;
  readonly active?: boolean;
  /** Takes a bracketed paste; without it a paste is not for this layer. */
  readonly onPaste?: (text: string) => void;
}

/**
 * Makes these actions answer to their keys while the component is mounted and its screen is on top.
 * A text field passes `typing`, a dialog `modal`.
 */
export function useKeys(actions: Actions, options: KeyOptions = {}): void {
  const registry = useRegistry();
  const base = useContext(LevelContext);
  const level = options.level ?? base + (options.typing ? 10 : options.part ? 5 : 0);
  const onTop = useActive();
  const enabled = (options.active ?? true) && (onTop || level <= KeyLevel.root);
  const next: Scope = { actions, modal: options.modal ?? false, typing: options.typing ?? false };
  const scope = useRef(next);
  const paste = useRef(options.onPaste);
  useInsertionEffect(() => {
    scope.current = next;
    paste.current = options.onPaste;
  });
  // Before anyone can see the frame: what it says can be pressed at once.
  useLayoutEffect(() => {
    if (!enabled) return;
    return registry.add({ level, scope, paste });
  }, [registry, level, enabled]);
  const shape = Object.entries(actions)
    .map(([id, action]) => (action ? `${id}:${action.disabled ?? ""}:${action.label ?? ""}` : ""))
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is what the footer shows
  useEffect(() => {
    if (enabled) registry.touch();
  }, [registry, enabled, shape]);
}

/** Every action that works here and now; rendered again when that changes. */
export function useAvailableActions(): readonly Found[] {
  const registry = useRegistry();
  useStore(registry.version);
  return availableActions(scopesOf(registry));
}
