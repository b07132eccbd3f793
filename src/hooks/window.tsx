import { useIsScreenReaderEnabled, useWindowSize } from "ink";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
} from "react";
import type { Freshness } from "../session/app.ts";
import type { ScreenSubject } from "../session/custom-keys.ts";
import { KeyLevel } from "../session/key-registry.ts";
import { useApp } from "./app.tsx";
import { useStore } from "./context.ts";

/** The smallest terminal the console can be used in. */
export const minTerminalSize = { columns: 60, rows: 15 } as const;

/** Room for a screen's body, in cells. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The place of a component on the terminal. */
interface OnScreen {
  /** The room of the body. */
  readonly room: Room;
  /** True if the screen is on top. A covered screen keeps its state and stops its timers. */
  readonly active: boolean;
  /** True if the terminal is too small to draw the component, which keeps its state. */
  readonly unseen: boolean;
  /** Number of rows at the bottom of the body that a box covers. */
  readonly covered: number;
  /** The level of the keys: those of dialogs are above those of the screen behind them. */
  readonly level: number;
}

const ScreenContext = createContext<OnScreen>({
  room: { columns: 80, rows: 20 },
  active: true,
  unseen: false,
  covered: 0,
  level: KeyLevel.screen,
});

/** Changes the place of the components below. Properties that are absent stay as they are above. */
export function ScreenProvider(props: Partial<OnScreen> & { readonly children: ReactNode }) {
  const above = useContext(ScreenContext);
  const { room = above.room, active = above.active, unseen = above.unseen } = props;
  const { covered = above.covered, level = above.level } = props;
  const value = useMemo(
    () => ({ room, active, unseen, covered, level }),
    [room, active, unseen, covered, level],
  );
  return <ScreenContext value={value}>{props.children}</ScreenContext>;
}

/** The room of the body. */
export function useRoom(): Room {
  return useContext(ScreenContext).room;
}

/** True if this screen is on top. */
export function useActive(): boolean {
  return useContext(ScreenContext).active;
}

/** True if the terminal is too small to draw this. */
export function useUnseen(): boolean {
  return useContext(ScreenContext).unseen;
}

/** The rows at the foot of the body that cannot be seen. */
export function useCovered(): number {
  return useContext(ScreenContext).covered;
}

/** The level of the keys of this component. */
export function useKeyLevel(): number {
  return useContext(ScreenContext).level;
}

/** The whole terminal, rendered again on resize. */
export function useWindow(): Room {
  const { columns, rows } = useWindowSize();
  return { columns, rows };
}

/**
 * Returns true if the console is linear: it only adds lines, for a screen reader or a terminal that
 * cannot move its cursor. Components then show in words what they otherwise show by position, and
 * mark the line of the cursor (see `linearSigns`).
 */
export function useLinear(): boolean {
  return useIsScreenReaderEnabled();
}

/** Reports the age of this screen's rows to the header, or null if there are none yet. */
export function useFreshness(at: number | null, staleAfterMs: number): void {
  const { freshness } = useApp();
  const active = useActive();
  useEffect(() => {
    if (!active) return;
    freshness.set(at === null ? null : { at, staleAfterMs });
    return () => freshness.set(null);
  }, [freshness, active, at, staleAfterMs]);
}

/** The freshness of the screen on top. */
export function useShownFreshness(): Freshness | null {
  return useStore(useApp().freshness);
}

/** Reports the subject of the screen while it is on top. */
export function useSubject(subject: ScreenSubject): void {
  const { subject: store } = useApp();
  const active = useActive();
  useLayoutEffect(() => {
    if (active) store.set(subject);
  });
  useLayoutEffect(() => (active ? () => store.set(null) : undefined), [active, store]);
}
