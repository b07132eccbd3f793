import { createContext, type ReactNode, useContext } from "react";
import type { ConsoleContextValue } from "../session/console-context.ts";

const ConsoleContext = createContext<ConsoleContextValue | null>(null);

/** Gives the console's surroundings to everything below. */
export function ConsoleProvider(props: {
  readonly value: ConsoleContextValue;
  readonly children: ReactNode;
}) {
  return <ConsoleContext value={props.value}>{props.children}</ConsoleContext>;
}

/** The console's surroundings. */
export function useConsole(): ConsoleContextValue {
  const value = useContext(ConsoleContext);
  if (!value) throw new Error("useConsole needs a ConsoleProvider above it");
  return value;
}
