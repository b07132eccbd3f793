import { createContext, type ReactNode } from "react";
import type { App } from "../session/app.ts";
import { useRequired } from "./context.ts";

const AppContext = createContext<App | null>(null);

/** Gives the app to the components below. */
export function AppProvider(props: { readonly app: App; readonly children: ReactNode }) {
  return <AppContext value={props.app}>{props.children}</AppContext>;
}

/** The app; it is the same one as long as the console runs. */
export function useApp(): App {
  return useRequired(AppContext, "AppProvider");
}
