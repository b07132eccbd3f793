import { type Instance, render } from "ink";
import { type ReactNode, useMemo } from "react";
import { ConsoleProvider } from "../../hooks/console.tsx";
import { FreshnessProvider } from "../../hooks/freshness.tsx";
import { InFlightProvider } from "../../hooks/in-flight.tsx";
import { KeyProvider } from "../../hooks/keys.tsx";
import { LockProvider } from "../../hooks/lock.tsx";
import { NavigationProvider } from "../../hooks/navigation.tsx";
import { NoticeProvider } from "../../hooks/notices.tsx";
import { OverlayProvider } from "../../hooks/overlay.tsx";
import { SessionProvider } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { KeyStream } from "../../keys/key-stream.ts";
import { type Place, pathTo } from "../../session/places.ts";
import { createStore, type Store } from "../../session/store.ts";
import { openDrafts } from "../../settings/saved-drafts.ts";
import {
  askBackground,
  type Background,
  backgroundIn,
  backgroundOf,
  hasShades,
  mayAnswer,
} from "../../text/background.ts";
import { createTheme, ThemeProvider } from "../../theme.tsx";
import { Ending, settleOnEndMs } from "../../writes/send/request.ts";
import { screens } from "../registry.tsx";
import { App } from "./app.tsx";
import type { ConsoleOptions } from "./console-options.ts";
import { frameOutput } from "./frame-output.ts";
import { createLazyScreens } from "./lazy-screens.ts";
import { linearOutput } from "./linear-output.ts";

const eraseScreen = "\x1b[2J\x1b[H";

/** How often a borrowed terminal is probed, so that its loss is noticed within a second. */
const feelMs = 300;

/** After a hang-up the program is gone within a second. */
const goneMs = 950;

/** When the user quits, runs have come to their end before; nothing takes longer than this. */
const longestCloseMs = 5_000;

/** What was typed ahead into an editor that is left arrives within this. */
const drainMs = 50;

/**
 * Opens the console on a terminal and resolves with the exit code when it is left: 0 when the user
 * quits, 129 after a hang-up. The terminal is given back as it was found.
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  let instance: Instance | null = null;
  // However the end comes (the input may end without any signal), all are told of it in one way.
  const end = new AbortController();
  const leave = () => {
    end.abort(
      options.end.aborted ? options.end.reason : new Ending("the input ended", settleOnEndMs),
    );
    instance?.unmount();
  };
  const closings: Promise<void>[] = [];
  const background = createStore<Background>(backgroundIn(options.env) ?? "dark");
  const input = new KeyStream(options.stdin, leave, (answer) => {
    background.set(backgroundOf(answer) ?? background.get());
  });
  const linear = options.linear ? linearOutput(options.stdout, options) : null;
  // What changes its size while it is the shell's, or another program's, is drawn anew when it is ours
  // again: Ink has told its parts of the size by then, and puts the old frame there.
  let resizedAway = false;
  const frames = frameOutput(options.stdout, {
    ascii: options.ascii,
    onEnter: () => {
      if (resizedAway) setImmediate(redraw);
      resizedAway = false;
    },
  });
  // Ink does this only once the first frame is out: a key typed before would be written into it.
  input.setRawMode(true);
  // What is typed while the shell or another program owns the terminal is not for the console.
  const suspend = async () => {
    input.deafen(true);
    linear?.settle();
    try {
      await options.suspend();
    } finally {
      input.deafen(false);
      linear?.repeat();
    }
  };
  // An editor reads every key itself, and its Ctrl-C is not ours.
  const borrowTerminal = async (use: () => Promise<void>) => {
    const over = new AbortController();
    input.release();
    options.holdInterrupts(true);
    linear?.settle();
    feelTerminal(options, over.signal).catch(() => {});
    try {
      await use();
    } finally {
      over.abort();
      options.holdInterrupts(false);
      await input.reclaim(() => options.clock.sleep(drainMs, end.signal));
      linear?.repeat();
    }
  };
  // Ink erases relative to where it left the cursor, and a multiplexer that cuts lines to the new
  // width may have moved it: the whole screen is cleared first, and then drawn from its corner.
  const blank = () => {
    // On the shell's screen, or another program's, nothing is ours to clear.
    if (linear) return;
    if (!frames.isOwnScreen()) {
      resizedAway = true;
      return;
    }
    options.stdout.write(eraseScreen);
    instance?.clear();
  };
  options.stdout.on("resize", blank);
  const redraw = () => {
    if (linear) linear.repeat();
    else options.stdout.emit("resize");
  };
  const start = startingPlaces(options);
  const lazyScreens = createLazyScreens(screens);
  // The first frame is drawn with its screen, not before it.
  const top = start.at(-1);
  if (top) await lazyScreens.of(top.kind).load();
  options.end.addEventListener("abort", leave, { once: true });
  instance = render(
    <Surroundings
      options={{ ...options, end: end.signal }}
      background={background}
      start={start}
      suspend={suspend}
      borrowTerminal={borrowTerminal}
      holdKeys={() => input.hold()}
      onTyping={(isTyping) => input.whileTyping(isTyping)}
      redraw={redraw}
      onClosing={(closing) => closings.push(closing)}
    >
      <App lazyScreens={lazyScreens} />
    </Surroundings>,
    {
      stdin: input,
      stdout: linear?.stdout ?? frames.stdout,
      // A terminal is interactive whatever a build server's variables in its environment say.
      interactive: true,
      isScreenReaderEnabled: options.linear,
      alternateScreen: !options.linear,
      // Every frame comes as a whole, with nothing to erase the one before.
      debug: options.linear,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: true,
      // Keys that come in one piece share frames: one every 4 ms at most. Who types waits for none.
      maxFps: 250,
    },
  );
  // The first frame does not wait for the answer; on a light background it is drawn again.
  const asks = options.color && !options.linear && backgroundIn(options.env) === null;
  if (asks && mayAnswer(options.env)) options.stdout.write(askBackground);
  if (options.end.aborted) leave();
  await instance.waitUntilExit();
  linear?.settle();
  input.setRawMode(false);
  options.stdout.off("resize", blank);
  // What is in flight is put on record before the process ends; a session that hangs holds up nothing.
  const over = new AbortController();
  const patience = options.clock.sleep(end.signal.aborted ? goneMs : longestCloseMs, over.signal);
  await Promise.race([Promise.all(closings), patience.catch(() => {})]);
  over.abort();
  return end.signal.aborted ? 129 : 0;
}

/**
 * While its input is not read, a terminal that goes without a signal is noticed by writing to it
 * only: nothing at all is written, which fails where there is nobody to write to. Ends by rejecting.
 */
async function feelTerminal(
  { stdout, clock }: Pick<ConsoleOptions, "stdout" | "clock">,
  signal: AbortSignal,
): Promise<never> {
  for (;;) {
    await clock.sleep(feelMs, signal);
    stdout.write("");
  }
}

/** Everything the screens stand on, outermost first. */
export function Surroundings(props: {
  readonly options: ConsoleOptions;
  readonly background: Store<Background>;
  readonly start: readonly Place[];
  readonly suspend: () => Promise<void>;
  readonly borrowTerminal: (use: () => Promise<void>) => Promise<void>;
  readonly holdKeys: () => () => void;
  readonly onTyping?: (isTyping: () => boolean) => void;
  readonly redraw: () => void;
  readonly onClosing?: (closing: Promise<void>) => void;
  readonly children: ReactNode;
}) {
  const { options } = props;
  return (
    <Themed options={options} background={props.background}>
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
          reducedMotion: options.settings.preferences().reducedMotion,
          readOnly: options.readOnly,
          zoneNotice: options.zoneNotice,
          openSandbox: options.openSandbox,
          writeTerminal: (sequence) => void options.stdout.write(sequence),
          suspend: props.suspend,
          borrowTerminal: props.borrowTerminal,
          holdKeys: props.holdKeys,
          end: options.end,
          redraw: props.redraw,
          onClosing: props.onClosing,
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
    </Themed>
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
