/** Passes typed keys to the actions of the screen, and lets components register their keys. */
import { useInput, usePaste } from "ink";
import { useEffect, useInsertionEffect, useLayoutEffect, useRef } from "react";
import { isPrintable, keyLabel, keyName } from "../keys/key-name.ts";
import type { KeyWords } from "../keys/keymap.ts";
import {
  type Actions,
  type Available,
  availableActions,
  isBare,
  isTyping,
  type Printable,
  resolveKey,
  type Scope,
  type UnusedKey,
  unhandledKey,
} from "../keys/scopes.ts";
import type { CustomKey } from "../session/app.ts";
import { KeyLevel, type KeyRegistry } from "../session/key-registry.ts";
import type { EndNotice } from "../session/notices.ts";
import type { Choices, Numbers } from "../session/numbers.ts";
import { createStore } from "../session/store.ts";
import { useApp, useCustomKeys, useOverlay } from "./app.tsx";
import { useStore } from "./context.ts";
import { typedAheadWords } from "./in-flight.tsx";
import { useActive, useKeyLevel, useLinear } from "./window.tsx";

/** Receives every key and passes it to the topmost layer that handles it. */
export function KeyListener() {
  const { keys: registry, notices, customKeys: custom, key } = useApp();
  const numbers = useNumbers();
  const refuse = useRefusal(registry);
  useInput((input, given) => {
    const pressed = keyName(input, given);
    if (pressed === null) return;
    notices.keyPressed();
    if (registry.edit(pressed)) return;
    // A line break acts as Enter if no multiline field handles it.
    const name = pressed === "ctrl-j" ? "enter" : pressed;
    const scopes = registry.scopes();
    const found = resolveKey(scopes, name, registry.keymap);
    const isFree = found === null || !isPrintable(name);
    if (numbers && isFree && !isTyping(scopes) && numbers.handleKey(name)) return;
    if (!found) {
      const own = custom.get().find(({ key: one }) => one === name);
      if (own && isBare(scopes)) {
        if (own.disabled === null) own.run();
        else notices.explain(own.disabled);
        return;
      }
      const left = unhandledKey(scopes, name, registry.keymap);
      if (left === null) return;
      if ("take" in left) left.take(name);
      else notices.explain(idleWords(name, left, key));
      return;
    }
    const { disabled, answers, override, run } = found.action;
    if (!disabled && answers?.() === false) notices.explain(typedAheadWords);
    else if (!disabled) run();
    else if (override) override();
    else refuse(name, disabled);
  });
  usePaste((text) => void registry.paste(text));
  return null;
}

/** Returns the reason why a key does nothing here. */
function idleWords(name: string, { worksOn, isCovered }: UnusedKey, key: KeyWords): string {
  const pressed = keyLabel(name);
  if (isCovered) return `${pressed} does nothing here; ${key("back")} closes this.`;
  return worksOn === null
    ? `${pressed} does nothing here; ${key("help")} lists the keys.`
    : `${pressed} works on ${worksOn}.`;
}

/**
 * Returns a function that reports the reason for a disabled key. The notice ends when the key
 * works, or is disabled for another reason.
 */
function useRefusal(registry: KeyRegistry): (name: string, why: string) => void {
  const { notices } = useApp();
  const refused = useRef<{ name: string; why: string; end: EndNotice } | null>(null);
  useStore(registry.version);
  useEffect(() => {
    if (refused.current === null) return;
    const { name, why, end } = refused.current;
    const found = resolveKey(registry.scopes(), name, registry.keymap);
    if (found?.action.disabled === why) return;
    refused.current = null;
    end();
  });
  return (name, why) => {
    refused.current = { name, why, end: notices.explain(why) };
  };
}

interface KeyOptions {
  readonly level?: number;
  readonly modal?: boolean;
  readonly typing?: boolean;
  /** The handler of printable keys. The layers below do not receive them. */
  readonly printable?: Printable;
  /** True for a part of a dialog or screen. Its keys precede the keys of the whole. */
  readonly part?: boolean;
  readonly active?: boolean;
  /** Called with a bracketed paste. Default: the layer ignores pastes. */
  readonly onPaste?: (text: string) => void;
  /**
   * Called with the name of every key before the actions. Returns true if it handled the key. Used
   * by text fields and menus.
   */
  readonly onKey?: (key: string) => boolean;
}

/**
 * Binds these actions to their keys while the component is mounted and its screen is on top. A text
 * field passes `typing`, a dialog `modal`.
 */
export function useKeys(actions: Actions, options: KeyOptions = {}): void {
  const { keys: registry } = useApp();
  const base = useKeyLevel();
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
  // A layout effect, so that a key in the footer works as soon as the frame is visible.
  useLayoutEffect(() => {
    if (!enabled) return;
    return registry.add({ level, scope, paste, edit });
  }, [registry, level, enabled]);
  const shape = Object.entries(actions)
    .map(([id, action]) => {
      const { disabled = "", label = "" } = typeof action === "object" ? action : {};
      return action ? `${id}:${disabled ?? ""}:${label}` : "";
    })
    .concat(options.printable?.allowed ?? [])
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape is what the footer shows
  useEffect(() => {
    if (enabled) registry.touch();
  }, [registry, enabled, shape]);
}

/** Returns every available action below a level, with its keys. Renders again when they change. */
export function useAvailableActions(below?: number): readonly Available[] {
  const { keys: registry } = useApp();
  useStore(registry.version);
  return availableActions(registry.scopes(below), registry.keymap);
}

const noCommands: readonly CustomKey[] = [];

/**
 * Returns the user's commands whose keys work now. There are none in an overlay, a text field or a
 * form.
 */
export function useWorkingCommands(): readonly CustomKey[] {
  const { keys: registry } = useApp();
  useStore(registry.version);
  const commands = useCustomKeys();
  return isBare(registry.scopes()) ? commands : noCommands;
}

/** Returns the receiver of typed numbers, or null on a screen that is not linear. */
function useNumbers(): Numbers | null {
  const { numbers } = useApp();
  return useLinear() ? numbers : null;
}

const never = createStore("");

/** Returns the number typed so far, or an empty text if there is none. */
export function useTypedNumber(): string {
  return useStore(useNumbers()?.typed ?? never);
}

/**
 * Lets the user choose from a list or menu by number on a linear screen. In an overlay, pass
 * `focus`: true if the overlay is in front. Without `focus`, the list belongs to the screen on top.
 */
export function useNumbered(choices: Choices, options: { readonly focus?: boolean } = {}): void {
  const numbers = useNumbers();
  const onTop = useActive();
  const overlay = useOverlay();
  const active = options.focus ?? (onTop && overlay === null);
  const latest = useRef(choices);
  useEffect(() => {
    latest.current = choices;
  });
  useEffect(() => (numbers && active ? numbers.add(latest) : undefined), [numbers, active]);
}
