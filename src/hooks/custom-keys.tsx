import { createContext, type ReactNode, useLayoutEffect, useMemo } from "react";
import { createStore, type Store } from "../session/store.ts";
import type { RowValues } from "../settings/custom/values.ts";
import { useRequired, useStore } from "./context.ts";
import { useActive } from "./window.tsx";

/** What a screen is about at the moment, for commands of the user's. */
export interface ScreenSubject {
  /** The row under the cursor, or the one item of the screen. */
  readonly values: RowValues;
  /** The rows that are marked; `find` returns at most this many. */
  readonly marked?:
    | { readonly count: number; readonly find: (most: number) => readonly RowValues[] }
    | undefined;
}

/** A command of the user's that works on this screen. */
export interface CustomKey {
  readonly name: string;
  /** Null where it is in the palette only. */
  readonly key: string | null;
  readonly description: string;
  /** Why it cannot be run now; null when it can. */
  readonly disabled: string | null;
  readonly run: () => void;
}

interface Custom {
  readonly subject: Store<ScreenSubject | null>;
  readonly keys: Store<readonly CustomKey[]>;
}

const CustomContext = createContext<Custom | null>(null);
const none: readonly CustomKey[] = [];

/** Holds what the screen is about, and the user's commands that work on it. */
export function CustomKeysProvider(props: { readonly children: ReactNode }) {
  const custom = useMemo<Custom>(
    () => ({ subject: createStore<ScreenSubject | null>(null), keys: createStore(none) }),
    [],
  );
  return <CustomContext value={custom}>{props.children}</CustomContext>;
}

export function useCustom(): Custom {
  return useRequired(CustomContext, "CustomKeysProvider");
}

/** The user's commands that work here, rendered again when they change. */
export function useCustomKeys(): readonly CustomKey[] {
  return useStore(useCustom().keys);
}

/** Says what the screen is about, while it is on top. */
export function useSubject(subject: ScreenSubject): void {
  const { subject: store } = useCustom();
  const active = useActive();
  useLayoutEffect(() => {
    if (active) store.set(subject);
  });
  useLayoutEffect(() => (active ? () => store.set(null) : undefined), [active, store]);
}
