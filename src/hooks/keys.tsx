/** Passes typed keys to the actions of the screen, and registers the keys of components. */
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
import type { Choices, NumberedChoices } from "../session/numbered-choices.ts";
import { createStore } from "../session/store.ts";
import { useApp, useCustomKeys, useOverlay } from "./app.tsx";
import { useStore } from "./context.ts";
import { typedAheadWords } from "./in-flight.tsx";
import { useActive, useKeyLevel, useLinear } from "./window.tsx";

export function KeyListener() {
  const { keys: registry, notices, customKeys, key } = useApp();
  const numbered = useNumberedChoices();
  const explainDisabled = useExplainDisabled(registry);
  useInput((input, inkKey) => {
    const pressed = keyName(input, inkKey);
    if (pressed === null) return;
    notices.keyPressed();
    if (registry.edit(pressed)) return;
    // A line break acts as Enter if no multiline field handles it.
    const name = pressed === "ctrl-j" ? "enter" : pressed;
    const scopes = registry.scopes();
    const found = resolveKey(scopes, name, registry.keymap);
    const canBeNumber = found === null || !isPrintable(name);
    if (numbered && canBeNumber && !isTyping(scopes) && numbered.handleKey(name)) return;
    if (!found) {
      const command = customKeys.get().find((customKey) => customKey.key === name);
      if (command && isBare(scopes)) {
        if (command.disabled === null) command.run();
        else notices.explain(command.disabled);
        return;
      }
      const unhandled = unhandledKey(scopes, name, registry.keymap);
      if (unhandled === null) return;
      if ("take" in unhandled) unhandled.take(name);
      else notices.explain(idleWords(name, unhandled, key));
      return;
    }
    const { disabled, isReasonShown, isQuestionDrawn, override, run } = found.action;
    if (!disabled && isQuestionDrawn?.() === false) notices.explain(typedAheadWords);
    else if (!disabled) run();
    else if (override) override();
    else if (isReasonShown !== true) explainDisabled(name, disabled);
  });
  usePaste((text) => {
    notices.keyPressed();
    registry.paste(text);
  });
  return null;
}

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
function useExplainDisabled(registry: KeyRegistry): (name: string, why: string) => void {
  const { notices } = useApp();
  const explained = useRef<{ name: string; why: string; end: EndNotice } | null>(null);
  useStore(registry.version);
  useEffect(() => {
    if (explained.current === null) return;
    const { name, why, end } = explained.current;
    const found = resolveKey(registry.scopes(), name, registry.keymap);
    if (found?.action.disabled === why) return;
    explained.current = null;
    end();
  });
  return (name, why) => {
    explained.current = { name, why, end: notices.explain(why) };
  };
}

interface KeyOptions {
  /** The level of the layer. Default: that of the component, higher for fields and parts. */
  readonly level?: number;
  /** True if no key reaches the layers below. Default: false. */
  readonly modal?: boolean;
  readonly typing?: boolean;
  /** The handler of printable keys. The layers below do not receive them. */
  readonly printable?: Printable;
  /** True for a part of a dialog or screen. Its keys precede the keys of the whole. */
  readonly part?: boolean;
  readonly active?: boolean;
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
  // The layer is added in a layout effect, so that a key works as soon as the footer shows it.
  useLayoutEffect(() => {
    if (!enabled) return;
    return registry.add({ level, scope, paste, edit });
  }, [registry, level, enabled]);
  const footerKey = Object.entries(actions)
    .map(([id, action]) => {
      const { disabled = "", label = "" } = typeof action === "object" ? action : {};
      return action ? `${id}:${disabled ?? ""}:${label}` : "";
    })
    .concat(options.printable?.allowed ?? [])
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change in the footer redraws it
  useEffect(() => {
    if (enabled) registry.touch();
  }, [registry, enabled, footerKey]);
}

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

function useNumberedChoices(): NumberedChoices | null {
  const { numberedChoices } = useApp();
  return useLinear() ? numberedChoices : null;
}

const noNumber = createStore("");

export function useTypedNumber(): string {
  return useStore(useNumberedChoices()?.typed ?? noNumber);
}

/**
 * Registers the choices of a list or a menu, which the user selects by number on a linear screen. In
 * an overlay, `focus` is true while the overlay is in front. Without `focus`, the choices belong to
 * the screen on top.
 */
export function useNumbered(choices: Choices, options: { readonly focus?: boolean } = {}): void {
  const numbered = useNumberedChoices();
  const onTop = useActive();
  const overlay = useOverlay();
  const active = options.focus ?? (onTop && overlay === null);
  const latest = useRef(choices);
  useEffect(() => {
    latest.current = choices;
  });
  useEffect(() => (numbered && active ? numbered.add(latest) : undefined), [numbered, active]);
}
