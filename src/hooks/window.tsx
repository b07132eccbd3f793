import { useIsScreenReaderEnabled, useWindowSize } from "ink";
import { createContext, type ReactNode, useContext } from "react";

/** The smallest terminal the console can be used in. */
export const smallest = { columns: 60, rows: 15 } as const;

/** Room for a screen's body, in cells. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

const RoomContext = createContext<Room>({ columns: 80, rows: 20 });

/** Tells everything below how much room it has. */
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

/** Tells everything below that the terminal is too small for it: it keeps its state, and is not drawn. */
export function UnseenProvider(props: { readonly unseen: boolean; readonly children: ReactNode }) {
  return <UnseenContext value={props.unseen}>{props.children}</UnseenContext>;
}

/** Whether nothing of this can be seen for want of room. */
export function useUnseen(): boolean {
  return useContext(UnseenContext);
}

const ActiveContext = createContext(true);

/** Tells a screen whether it is the one on top: a covered one keeps its state and rests. */
export function ActiveProvider(props: { readonly active: boolean; readonly children: ReactNode }) {
  return <ActiveContext value={props.active}>{props.children}</ActiveContext>;
}

/** Whether this screen is on top. */
export function useActive(): boolean {
  return useContext(ActiveContext);
}

/**
 * Whether the screen is a linear one: lines are only ever added, for a reader that reads them aloud
 * or a terminal that cannot move its cursor. Components then say in words what they else show by
 * place, and mark the line of the cursor (see `linearSigns`).
 */
export function useLinear(): boolean {
  return useIsScreenReaderEnabled();
}
