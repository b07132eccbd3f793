import { useIsScreenReaderEnabled, useWindowSize } from "ink";
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect } from "react";
import type { Freshness } from "../session/app.ts";
import type { ScreenSubject } from "../session/custom-keys.ts";
import { useApp } from "./app.tsx";
import { useStore } from "./context.ts";

/** The smallest terminal the console can be used in. */
export const smallest = { columns: 60, rows: 15 } as const;

/** Room for a screen's body, in cells. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

const RoomContext = createContext<Room>({ columns: 80, rows: 20 });

/** Gives the components below the room they have. */
export function RoomProvider(props: { readonly room: Room; readonly children: ReactNode }) {
  return <RoomContext value={props.room}>{props.children}</RoomContext>;
}

/** The room of the body. */
export function useRoom(): Room {
  return useContext(RoomContext);
}

/** The whole terminal, rendered again on resize. */
export function useWindow(): Room {
  const { columns, rows } = useWindowSize();
  return { columns, rows };
}

const UnseenContext = createContext(false);

/**
 * Marks the components below as not drawn because the terminal is too small; they keep their state.
 */
export function UnseenProvider(props: { readonly unseen: boolean; readonly children: ReactNode }) {
  return <UnseenContext value={props.unseen}>{props.children}</UnseenContext>;
}

/** Whether the terminal is too small to draw this. */
export function useUnseen(): boolean {
  return useContext(UnseenContext);
}

const ActiveContext = createContext(true);

/** Marks a screen as on top or covered; a covered screen keeps its state and stops its timers. */
export function ActiveProvider(props: { readonly active: boolean; readonly children: ReactNode }) {
  return <ActiveContext value={props.active}>{props.children}</ActiveContext>;
}

/** Whether this screen is on top. */
export function useActive(): boolean {
  return useContext(ActiveContext);
}

/**
 * Whether the console is linear: it only adds lines, for a screen reader or a terminal that cannot
 * move its cursor. Components then say in words what they otherwise show by position, and mark the
 * line of the cursor (see `linearSigns`).
 */
export function useLinear(): boolean {
  return useIsScreenReaderEnabled();
}

/** Reports the age of this screen's rows to the header; null when there are none yet. */
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

/** Says what the screen is about, while it is on top. */
export function useSubject(subject: ScreenSubject): void {
  const { subject: store } = useApp();
  const active = useActive();
  useLayoutEffect(() => {
    if (active) store.set(subject);
  });
  useLayoutEffect(() => (active ? () => store.set(null) : undefined), [active, store]);
}
