import { createContext, type ReactNode, useContext } from "react";

const ActiveContext = createContext(true);

/** Tells a screen whether it is the one on top: a covered one keeps its state and rests. */
export function ActiveProvider(props: { readonly active: boolean; readonly children: ReactNode }) {
  return <ActiveContext value={props.active}>{props.children}</ActiveContext>;
}

/** Whether this screen is on top. */
export function useActive(): boolean {
  return useContext(ActiveContext);
}
