import { useIsScreenReaderEnabled, useWindowSize } from "ink";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
} from "react";
import type { Freshness, ScreenSubject } from "../session/app.ts";
import { KeyLevel } from "../session/key-registry.ts";
import { useApp } from "./app.tsx";
import { useStore } from "./context.ts";

export const minTerminalSize = { columns: 60, rows: 15 } as const;

export interface Room {
  readonly columns: number;
  readonly rows: number;
}

interface OnScreen {
  readonly room: Room;
  /** True if the screen is on top. A covered screen keeps its state and stops its timers. */
  readonly active: boolean;
  readonly tooSmall: boolean;
  readonly coveredRows: number;
  /** The priority of the keys. Dialogs have a higher level than the screen behind them. */
  readonly level: number;
}

const ScreenContext = createContext<OnScreen>({
  room: { columns: 80, rows: 20 },
  active: true,
  tooSmall: false,
  coveredRows: 0,
  level: KeyLevel.screen,
});

/** Changes the place of the components below. Absent properties are inherited. */
export function ScreenProvider(props: Partial<OnScreen> & { readonly children: ReactNode }) {
  const above = useContext(ScreenContext);
  const { room = above.room, active = above.active, tooSmall = above.tooSmall } = props;
  const { coveredRows = above.coveredRows, level = above.level } = props;
  const value = useMemo(
    () => ({ room, active, tooSmall, coveredRows, level }),
    [room, active, tooSmall, coveredRows, level],
  );
  return <ScreenContext value={value}>{props.children}</ScreenContext>;
}

export function useRoom(): Room {
  return useContext(ScreenContext).room;
}

export function useActive(): boolean {
  return useContext(ScreenContext).active;
}

export function useTooSmall(): boolean {
  return useContext(ScreenContext).tooSmall;
}

export function useCoveredRows(): number {
  return useContext(ScreenContext).coveredRows;
}

export function useKeyLevel(): number {
  return useContext(ScreenContext).level;
}

export function useWindow(): Room {
  const { columns, rows } = useWindowSize();
  return { columns, rows };
}

/**
 * Returns true if the console is linear: it only adds lines, for a screen reader or a terminal that
 * cannot move its cursor. Components then replace positions by words, and mark the line of the
 * cursor (see `linearSigns`).
 */
export function useLinear(): boolean {
  return useIsScreenReaderEnabled();
}

export function useFreshness(at: number | null, staleAfterMs: number): void {
  const { freshness } = useApp();
  const active = useActive();
  useEffect(() => {
    if (!active) return;
    freshness.set(at === null ? null : { at, staleAfterMs });
    return () => freshness.set(null);
  }, [freshness, active, at, staleAfterMs]);
}

export function useShownFreshness(): Freshness | null {
  return useStore(useApp().freshness);
}

export function useSubject(subject: ScreenSubject): void {
  const { subject: store } = useApp();
  const active = useActive();
  useLayoutEffect(() => {
    if (active) store.set(subject);
  });
  useLayoutEffect(() => (active ? () => store.set(null) : undefined), [active, store]);
}
