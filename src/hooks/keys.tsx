import { useInput, usePaste } from "ink";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { isPrintable, keyLabel, keyName } from "../keys/key-name.ts";
import { type KeyWords, keyWord } from "../keys/keymap.ts";
import {
  type Actions,
  type Available,
  availableActions,
  isBare,
  isTyping,
  type Printable,
  resolveKey,
  type Scope,
  unanswered,
} from "../keys/scopes.ts";
import type { CustomKey } from "../session/custom-keys.ts";
import {
  createRegistry,
  KeyLevel,
  type KeyRegistry,
  type Layer,
  type UsedKeys,
  usualKeys,
} from "../session/key-registry.ts";
import type { EndNotice } from "../session/notices.ts";
import { typedAheadWords } from "./answers.ts";
import { useApp, useCustomKeys } from "./app.tsx";
import { useRequired, useStore } from "./context.ts";
import { NumberedProvider, useNumbers } from "./numbered.tsx";
import { useActive } from "./window.tsx";

const KeyContext = createContext<KeyRegistry | null>(null);
const LevelContext = createContext<number>(KeyLevel.screen);

function useRegistry(): KeyRegistry {
  return useRequired(KeyContext, "KeyProvider");
}

/** Receives every key once and gives it to the topmost layer that knows it. */
export function KeyProvider(props: {
  /** The default keymap where absent. */
  readonly keys?: UsedKeys | undefined;
  /** Receives a function that says whether a text field has the focus. */
  readonly onTyping?: ((isTyping: () => boolean) => void) | undefined;
  readonly children: ReactNode;
}) {
  const { onTyping, keys = usualKeys } = props;
  const registry = useMemo(() => createRegistry(keys), [keys]);
  useEffect(() => onTyping?.(() => isTyping(scopesOf(registry))), [onTyping, registry]);
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
  const { registry } = props;
  const { notices, customKeys: custom } = useApp();
  const numbers = useNumbers();
  const refuse = useRefusal(registry);
  useInput((input, key) => {
    const pressed = keyName(input, key);
    if (pressed === null) return;
    notices.keyPressed();
    if (edited(registry.layers(), pressed)) return;
    // A line break that no multiline field takes is Enter.
    const name = pressed === "ctrl-j" ? "enter" : pressed;
    const scopes = scopesOf(registry);
    const found = resolveKey(scopes, name, registry.keys.keymap);
    const isFree = found === null || !isPrintable(name);
    if (numbers && isFree && !isTyping(scopes) && numbers.hear(name)) return;
    if (!found) {
      const own = custom.get().find(({ key: one }) => one === name);
      if (own && isBare(scopes)) {
        if (own.disabled === null) own.run();
        else notices.show(own.disabled, "waiting");
        return;
      }
      const left = unanswered(scopes, name, registry.keys.keymap);
      if (left === null) return;
      if ("take" in left) left.take(name);
      else notices.show(`${keyLabel(name)} works on ${left.worksOn}.`, "waiting");
      return;
    }
    const { disabled, answers, wayRound, run } = found.action;
    if (!disabled && answers?.() === false) notices.show(typedAheadWords, "waiting");
    else if (!disabled) run();
    else if (wayRound) wayRound();
    else refuse(name, disabled);
  });
  usePaste((text) => void deliver(registry.layers(), text, () => true));
  return null;
}

/**
 * Says why a key is disabled; the notice ends when the key works, or is disabled for another
 * reason.
 */
function useRefusal(registry: KeyRegistry): (name: string, why: string) => void {
  const { notices } = useApp();
  const refused = useRef<{ name: string; why: string; end: EndNotice } | null>(null);
  useStore(registry.version);
  useEffect(() => {
    if (refused.current === null) return;
    const { name, why, end } = refused.current;
    const found = resolveKey(scopesOf(registry), name, registry.keys.keymap);
    if (found?.action.disabled === why) return;
    refused.current = null;
    end();
  });
  return (name, why) => {
    refused.current = { name, why, end: notices.show(why, "waiting") };
  };
}

/** The layers that input can reach, top first: down to the first modal one. */
function* reached(layers: readonly Layer[]): Generator<Layer> {
  // A field and its modal layer have the same level, in either order.
  let lowest = Number.NEGATIVE_INFINITY;
  for (const layer of layers.toReversed()) {
    if (layer.level < lowest) return;
    yield layer;
    if (layer.scope.current.modal) lowest = layer.level;
  }
}

/**
 * Gives a paste to the topmost layer that takes pastes and passes `may`; false when there is none.
 */
function deliver(layers: readonly Layer[], text: string, may: (layer: Layer) => boolean): boolean {
  for (const layer of reached(layers)) {
    if (!layer.paste.current || !may(layer)) continue;
    layer.paste.current(text);
    return true;
  }
  return false;
}

/** The layers behind the note that the window is too small, which lets text through. */
function behindFront(layers: readonly Layer[]): readonly Layer[] {
  return layers.filter(({ level }) => level < KeyLevel.front);
}

/** Gives a key to the text field with the focus; false when there is none, or it does not edit. */
function edited(layers: readonly Layer[], key: string): boolean {
  for (const { edit } of reached(behindFront(layers))) {
    if (edit.current) return edit.current(key);
  }
  return false;
}

function scopesOf(registry: KeyRegistry): readonly Scope[] {
  return registry.layers().map((layer) => layer.scope.current);
}

/** Raises the keys of the components below, for dialogs in front of the screen. */
export function RaisedKeys(props: { readonly children: ReactNode }) {
  return <LevelContext value={KeyLevel.overlay}>{props.children}</LevelContext>;
}

interface KeyOptions {
  readonly level?: number;
  readonly modal?: boolean;
  readonly typing?: boolean;
  /** Keeps printable keys from the layers below. */
  readonly printable?: Printable;
  /** A part of a dialog or screen whose keys precede those of the whole. */
  readonly part?: boolean;
  readonly active?: boolean;
  /** Takes a bracketed paste; without it the layer takes none. */
  readonly onPaste?: (text: string) => void;
  /** Gets every key first, by its name, and says whether it edited the text; for text fields. */
  readonly onKey?: (key: string) => boolean;
}

/**
 * Binds these actions to their keys while the component is mounted and its screen is on top. A text
 * field passes `typing`, a dialog `modal`.
 */
export function useKeys(actions: Actions, options: KeyOptions = {}): void {
  const registry = useRegistry();
  const base = useContext(LevelContext);
  const level = options.level ?? base + (options.typing ? 10 : options.part ? 5 : 0);
  const onTop = useActive();
  const enabled = (options.active ?? true) && (onTop || level <= KeyLevel.root);
  const { modal = false, typing = false, printable } = options;
  const next: Scope = { actions, modal, typing, printable };
  const scope = useRef(next);
  const paste = useRef(options.onPaste);
  const edit = useRef(options.onKey);
  useInsertionEffect(() => {
    scope.current = next;
    paste.current = options.onPaste;
    edit.current = options.onKey;
  });
  // In a layout effect: a key that the frame shows works as soon as the frame is visible.
  useLayoutEffect(() => {
    if (!enabled) return;
    return registry.add({ level, scope, paste, edit });
  }, [registry, level, enabled]);
  const shape = Object.entries(actions)
    .map(([id, action]) => {
      const { disabled = "", label = "" } = typeof action === "object" ? action : {};
      return action ? `${id}:${disabled ?? ""}:${label}` : "";
    })
    .concat(options.printable?.acts ?? [])
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is what the footer shows
  useEffect(() => {
    if (enabled) registry.touch();
  }, [registry, enabled, shape]);
}

/**
 * For an overlay that lets text through: gives a paste to the field behind it that has the cursor.
 * False when there is no such field.
 */
export function useFieldPaste(): (text: string) => boolean {
  const registry = useRegistry();
  return (text) => {
    const behind = behindFront(registry.layers());
    return deliver(behind, text, ({ scope }) => scope.current.typing);
  };
}

/** The keymap in use, for components that show keys. */
export function useUsedKeys(): UsedKeys {
  return useRegistry().keys;
}

/**
 * The name of an action's key in a sentence: its first key, or the way through the palette where
 * the keymap has none.
 */
export function useKeyWords(): KeyWords {
  const { keymap } = useRegistry().keys;
  return useCallback((id) => keyWord(id, keymap), [keymap]);
}

/** Every available action with its keys; rendered again when that changes. */
export function useAvailableActions(): readonly Available[] {
  const registry = useRegistry();
  useStore(registry.version);
  return availableActions(scopesOf(registry), registry.keys.keymap);
}

const noCommands: readonly CustomKey[] = [];

/** The user's commands whose keys work now: none in front of the screen, in a field or in a form. */
export function useWorkingCommands(): readonly CustomKey[] {
  const registry = useRegistry();
  useStore(registry.version);
  const commands = useCustomKeys();
  return isBare(scopesOf(registry)) ? commands : noCommands;
}
