import { createContext, type ReactNode, useContext } from "react";
import type { ConsoleContextValue } from "../session/console-context.ts";

const ConsoleContext = createContext<ConsoleContextValue | null>(null);

/** Gives the context of the console to the components below. */
export function ConsoleProvider(props: {
  readonly value: ConsoleContextValue;
  readonly children: ReactNode;
}) {
  return <ConsoleContext value={props.value}>{props.children}</ConsoleContext>;
}

/** The context of the console. */
export function useConsole(): ConsoleContextValue {
  const value = useContext(ConsoleContext);
  if (!value) throw new Error("useConsole needs a ConsoleProvider above it");
  return value;
}
