/** React hooks that let the user select a row or a choice by its number on a linear screen. */
import { useEffect, useRef } from "react";
import type { Choices, Numbers } from "../session/numbers.ts";
import { createStore } from "../session/store.ts";
import { useApp, useOverlay } from "./app.tsx";
import { useStore } from "./context.ts";
import { useActive, useLinear } from "./window.tsx";

/** Returns the receiver of typed numbers, or null on a screen that is not linear. */
export function useNumbers(): Numbers | null {
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
