import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import { ConsoleProvider } from "../hooks/console.tsx";
import { FreshnessProvider } from "../hooks/freshness.tsx";
import { InFlightProvider } from "../hooks/in-flight.tsx";
import { KeyProvider } from "../hooks/keys.tsx";
import { LockProvider } from "../hooks/lock.tsx";
import { NavigationProvider } from "../hooks/navigation.tsx";
import { NoticeProvider } from "../hooks/notices.tsx";
import { OverlayProvider } from "../hooks/overlay.tsx";
import { type Place, pathTo } from "../hooks/places.ts";
import { SessionProvider } from "../hooks/session.tsx";
import { KeyStream } from "../keys/key-stream.ts";
import { openDrafts } from "../settings/drafts.ts";
import { createTheme, ThemeProvider } from "../theme.tsx";
import { App } from "./app.tsx";
import type { ConsoleOptions } from "./console-options.ts";
import { frameOutput } from "./frame-output.ts";
import { screens } from "./registry.tsx";
import { createScreenParts } from "./screen-parts.ts";

const eraseScreen = "\x1b[2J\x1b[H";

/**
 * Opens the console on a terminal and resolves with the exit code when it is left: 0 when the user
 * quits, 129 after a hang-up. The terminal is given back as it was found.
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  let hungUp = false;
  let instance: Instance | null = null;
  const leave = () => {
    hungUp = true;
    instance?.unmount();
  };
  const input = new KeyStream(options.stdin, leave);
  // Ink does this only once the first frame is out: a key typed before would be written into it.
  input.setRawMode(true);
  // What is typed while the shell or another program owns the terminal is not for the console.
  const suspend = async () => {
    input.deafen(true);
    try {
      await options.suspend();
    } finally {
      input.deafen(false);
    }
  };
  // An editor reads every key itself, and its Ctrl-C is not ours.
  const lendTerminal = async (use: () => Promise<void>) => {
    input.lend(true);
    options.holdInterrupts(true);
    try {
      await use();
    } finally {
      options.holdInterrupts(false);
      input.lend(false);
    }
  };
  // Ink erases relative to where it left the cursor, and a multiplexer that cuts lines to the new
  // width may have moved it: the whole screen is cleared first, and then drawn from its corner.
  const blank = () => {
    if (options.accessible) return;
    options.stdout.write(eraseScreen);
    instance?.clear();
  };
  options.stdout.on("resize", blank);
  const redraw = () => void options.stdout.emit("resize");
  const start = startingPlaces(options);
  const parts = createScreenParts(screens);
  // The first frame is drawn with its screen, not before it.
  const top = start.at(-1);
  if (top) await parts.of(top.kind).load();
  options.end.addEventListener("abort", leave, { once: true });
  instance = render(
    <Surroundings
      options={options}
      start={start}
      suspend={suspend}
      lendTerminal={lendTerminal}
      holdKeys={() => input.hold()}
      onTyping={(isTyping) => input.whileTyping(isTyping)}
      redraw={redraw}
    >
      <App parts={parts} />
    </Surroundings>,
    {
      stdin: input,
      stdout: frameOutput(options.stdout),
      // A terminal is interactive whatever a build server's variables in its environment say.
      interactive: true,
      isScreenReaderEnabled: options.accessible,
      // A screen reader reads on; it has no use for a screen that is replaced.
      alternateScreen: !options.accessible,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: true,
      maxFps: 60,
    },
  );
  if (options.end.aborted) leave();
  await instance.waitUntilExit();
  input.setRawMode(false);
  options.stdout.off("resize", blank);
  return hungUp ? 129 : 0;
}

/** Everything the screens stand on, outermost first. */
export function Surroundings(props: {
  readonly options: ConsoleOptions;
  readonly start: readonly Place[];
  readonly suspend: () => Promise<void>;
  readonly lendTerminal: (use: () => Promise<void>) => Promise<void>;
  readonly holdKeys: () => () => void;
  readonly onTyping?: (isTyping: () => boolean) => void;
  readonly redraw: () => void;
  readonly children: ReactNode;
}) {
  const { options } = props;
  return (
    <ThemeProvider theme={createTheme({ color: options.color, ascii: options.ascii })}>
      <ConsoleProvider
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
          readOnly: options.readOnly,
          openSandbox: options.openSandbox,
          writeTerminal: (sequence) => void options.stdout.write(sequence),
          suspend: props.suspend,
          lendTerminal: props.lendTerminal,
          holdKeys: props.holdKeys,
          end: options.end,
          redraw: props.redraw,
        }}
      >
        <NoticeProvider clock={options.clock}>
          <OverlayProvider>
            <FreshnessProvider>
              <InFlightProvider>
                <SessionProvider initial={options.profile}>
                  <LockProvider>
                    <NavigationProvider start={props.start}>
                      <KeyProvider keys={options.keys} onTyping={props.onTyping}>
                        {props.children}
                      </KeyProvider>
                    </NavigationProvider>
                  </LockProvider>
                </SessionProvider>
              </InFlightProvider>
            </FreshnessProvider>
          </OverlayProvider>
        </NoticeProvider>
      </ConsoleProvider>
    </ThemeProvider>
  );
}

/** Where the console starts, with the places that Esc leads back through. */
function startingPlaces(options: ConsoleOptions): readonly Place[] {
  if (options.profile === null) return [{ kind: "first-run" }];
  const { opening } = options;
  switch (opening.kind) {
    case "home":
      return [{ kind: "suppliers" }];
    case "supplier":
      return pathTo({ ...opening, kind: "overview" });
    default:
      return pathTo(opening);
  }
}
