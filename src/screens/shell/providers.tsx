import { type ReactNode, useMemo } from "react";
import { AppProvider } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import type { App } from "../../session/app.ts";
import type { Store } from "../../session/store.ts";
import { type Background, hasShades } from "../../text/background.ts";
import { createTheme, ThemeProvider } from "../../theme.tsx";
import type { ConsoleOptions } from "./console-options.ts";

/** What every screen shares besides the theme, outermost first. */
export function ConsoleContexts(props: { readonly app: App; readonly children: ReactNode }) {
  return (
    <AppProvider app={props.app}>
{props.children}</LockProvider>
    </AppProvider>
  );
}

/** The theme for the terminal's background; its children are drawn again only when that changes. */
export function Themed(props: {
  readonly options: Pick<ConsoleOptions, "color" | "ascii" | "env">;
  readonly background: Store<Background>;
  readonly children: ReactNode;
}) {
  const { color, ascii, env } = props.options;
  const background = useStore(props.background);
  const theme = useMemo(
    () => createTheme({ color, ascii, background, shades: hasShades(env) }),
    [color, ascii, background, env],
  );
  return <ThemeProvider theme={theme}>{props.children}</ThemeProvider>;
}
