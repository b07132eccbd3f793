import { type ReactNode, useMemo } from "react";
import type { Clock } from "../../api/clock.ts";
import { ConsoleProvider } from "../../hooks/console.tsx";
import { useStore } from "../../hooks/context.ts";
import { CustomKeysProvider } from "../../hooks/custom-keys.tsx";
import { InFlightProvider } from "../../hooks/in-flight.tsx";
import { KeyProvider } from "../../hooks/keys.tsx";
import { LockProvider } from "../../hooks/lock.tsx";
import { NavigationProvider } from "../../hooks/navigation.tsx";
import { NoticeProvider } from "../../hooks/notices.tsx";
import { OverlayProvider } from "../../hooks/overlay.tsx";
import { SessionProvider } from "../../hooks/session.tsx";
import { FreshnessProvider } from "../../hooks/window.tsx";
import type { FrameCount } from "../../keys/frame-count.ts";
import type { ConsoleContextValue } from "../../session/console-context.ts";
import type { UsedKeys } from "../../session/key-registry.ts";
import type { Place } from "../../session/places.ts";
import type { Store } from "../../session/store.ts";
import { openDrafts } from "../../settings/saved-drafts.ts";
import { type Background, hasShades } from "../../text/background.ts";
import { createTheme, ThemeProvider } from "../../theme.tsx";
import type { ConsoleOptions } from "./console-options.ts";

/** The context of all screens, outermost first. */
export function Providers(props: {
  readonly options: ConsoleOptions;
  readonly background: Store<Background>;
  readonly start: readonly Place[];
  readonly suspend: () => Promise<void>;
  readonly borrowTerminal: (use: () => Promise<void>) => Promise<void>;
  readonly holdKeys: () => () => void;
  readonly frames: FrameCount;
  readonly onTyping?: (isTyping: () => boolean) => void;
  readonly redraw: () => void;
  readonly onClosing?: (closing: Promise<void>) => void;
  readonly children: ReactNode;
}) {
  const { options } = props;
  return (
    <Themed options={options} background={props.background}>
      <ConsoleContexts
        value={{
          settings: options.settings,
          env: options.env,
          secrets: options.secrets,
          clock: options.clock,
          drafts: new Map(),
          formDrafts: openDrafts({ stateDir: options.stateDir, now: options.clock.now }),
          version: options.version,
          stateDir: options.stateDir,
          pid: options.pid,
          ...(options.custom ? { custom: options.custom } : {}),
          killGroup: options.killGroup,
          reducedMotion: options.settings.preferences().reducedMotion,
          readOnly: options.readOnly,
          firstNotice: options.firstNotice,
          openSandbox: options.openSandbox,
          writeTerminal: (sequence) => void options.stdout.write(sequence),
          suspend: props.suspend,
          borrowTerminal: props.borrowTerminal,
          holdKeys: props.holdKeys,
          frames: props.frames,
          end: options.end,
          redraw: props.redraw,
          onClosing: props.onClosing,
        }}
        noticeClock={options.clock}
        profile={options.profile}
        start={props.start}
        keys={options.keys}
        onTyping={props.onTyping}
      >
        {props.children}
      </ConsoleContexts>
    </Themed>
  );
}

/** What every screen shares besides the theme, outermost first. */
export function ConsoleContexts(props: {
  readonly value: ConsoleContextValue;
  /** By which notices end. */
  readonly noticeClock: Clock;
  readonly profile: ConsoleOptions["profile"];
  readonly start: readonly Place[];
  readonly keys?: UsedKeys | undefined;
  readonly onTyping?: ((isTyping: () => boolean) => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <ConsoleProvider value={props.value}>
      <NoticeProvider clock={props.noticeClock}>
        <OverlayProvider>
          <FreshnessProvider>
            <InFlightProvider>
              <SessionProvider initial={props.profile}>
                <LockProvider>
                  <NavigationProvider start={props.start}>
                    <CustomKeysProvider>
                      <KeyProvider keys={props.keys} onTyping={props.onTyping}>
                        {props.children}
                      </KeyProvider>
                    </CustomKeysProvider>
                  </NavigationProvider>
                </LockProvider>
              </SessionProvider>
            </InFlightProvider>
          </FreshnessProvider>
        </OverlayProvider>
      </NoticeProvider>
    </ConsoleProvider>
  );
}

/** The theme for the terminal's background; its children are drawn again only when that changes. */
function Themed(props: {
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
