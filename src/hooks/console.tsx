import { createContext, type ReactNode } from "react";
import type { ConsoleContextValue } from "../session/console-context.ts";
import { useRequired } from "./context.ts";

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
  return useRequired(ConsoleContext, "ConsoleProvider");
}
