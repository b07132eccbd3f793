/** Runs the console on a terminal: input, output, resizing, other programs and the end. */
import { type Instance, render } from "ink";
import { Component, type ReactNode, useMemo } from "react";
import type { Clock } from "../../api/clock.ts";
import { AppProvider } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { attributesQuery, FrameCount, KeyStream } from "../../keys/key-stream.ts";
import { isTyping } from "../../keys/scopes.ts";
import { createApp } from "../../session/app.ts";
import type { ActiveKeymap } from "../../session/key-registry.ts";
import { pathTo } from "../../session/place-words.ts";
import type { Place } from "../../session/places.ts";
import { createStore, type Store } from "../../session/store.ts";
import type { RunningSandbox, Surroundings } from "../../session/surroundings.ts";
import type { ConsoleSetup } from "../../settings/console-setup.ts";
import type { CustomCommands } from "../../settings/custom/custom-command.ts";
import type { KillGroup } from "../../settings/custom/run-bounded.ts";
import { openState } from "../../state/open-state.ts";
import {
  type Background,
  backgroundIn,
  backgroundOf,
  backgroundQuery,
  canQueryTerminal,
  has256Colors,
  hasAttributes,
} from "../../text/osc.ts";
import { createTheme, ThemeProvider } from "../../theme.tsx";
import { Ending, shutdownGraceMs } from "../../writes/send/events.ts";
import { screens } from "../registry.tsx";
import { frameOutput } from "./frame-output.ts";
import { createLazyScreens } from "./lazy-screens.tsx";
import { Shell } from "./shell.tsx";
import { logFrame, logSlowKeys } from "./slow-log.ts";
import { linearOutput } from "./transcript.ts";

const eraseScreen = "\x1b[2J\x1b[H";

const probeMs = 300;

const hangUpCloseMs = 950;

const quitCloseMs = 5_000;

/**
 * The maximum milliseconds for the answer of the terminal after another program used it. The answer
 * takes as long as a key, so that only a terminal that never answers is waited for so long.
 */
const answerMs = 2_000;

/** The milliseconds in which keys for another program still arrive if the terminal cannot be asked. */
const drainMs = 100;

/** The options of the console. The console reads nothing from `process`. */
interface ConsoleOptions extends ConsoleSetup {
  /** The environment without its secrets. */
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  readonly loadLedger: Surroundings["loadLedger"];
  /** Loads the same driver for the history of the lists and the cohorts of a team. */
  readonly loadMemory: Surroundings["loadMemory"];
  readonly openSandbox: () => Promise<RunningSandbox>;
  readonly keys?: ActiveKeymap;
  readonly custom?: CustomCommands;
  readonly killGroup: KillGroup;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly version: string;
  readonly pid: number;
  /** Called when all screens are loaded and the console waits for keys. */
  readonly onLoaded?: () => void;
  readonly suspend: () => Promise<void>;
  /** Ignores interrupts from the terminal while `held` is true, because an external program has it. */
  readonly holdInterrupts: (held: boolean) => void;
  /**
   * Aborted by a hang-up or a termination signal. The console then restores the terminal and ends.
   */
  readonly end: AbortSignal;
}

/**
 * Opens the console on a terminal, and restores the terminal at the end. Resolves with the exit
 * code: 0 if the user quits, 129 after a hang-up. Rejects if a screen throws.
 */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { reducedMotion } = options.settings.preferences();
  let instance: Instance | null = null;
  // All parts of the console end when this signal is aborted. The input can also end without a
  // signal to the process.
  const end = new AbortController();
  const lost = new AbortController();
  let reclaiming = Promise.resolve();
  const leave = () => {
    end.abort(
      options.end.aborted ? options.end.reason : new Ending("the input ended", shutdownGraceMs),
    );
    // An answer that the terminal still owes would be typed into the shell.
    void reclaiming.then(() => instance?.unmount());
  };
  const onHangUp = () => {
    lost.abort();
    leave();
  };
  const crashes: { readonly thrown: unknown }[] = [];
  const crash = (thrown: unknown) => {
    crashes.push({ thrown });
    instance?.unmount();
  };
  const background = createStore<Background | null>(backgroundIn(options.env));
  const drawing = new FrameCount();
  const onTerminalResponse = (answer: string) => {
    background.set(backgroundOf(answer) ?? background.get());
  };
  // Before the reader of keys, so that its work is part of the time.
  logSlowKeys(options.stdin);
  const input = new KeyStream(options.stdin, onHangUp, onTerminalResponse, drawing);
  const linear = options.linear ? linearOutput(options.stdout, options) : null;
  // True if the terminal was resized while the shell or another program had it. The console is then
  // drawn again, because Ink knows the new size but draws the old frame.
  let wasResized = false;
  const frames = frameOutput(options.stdout, {
    ascii: options.ascii,
    term: options.env.TERM,
    onEnter: () => {
      if (wasResized) setImmediate(redraw);
      wasResized = false;
    },
  });
  // Ink sets this mode only after the first frame, and earlier keys would be echoed into that
  // frame.
  input.setRawMode(true);
  // Keys that were typed for the shell or another program, and answers to it, are not for the
  // console.
  const reclaimInput = () => {
    if (end.signal.aborted) return;
    const isAsked = hasAttributes(options.env);
    reclaiming = input.reclaim(
      (answered) =>
        options.clock.sleep(isAsked ? answerMs : drainMs, AbortSignal.any([lost.signal, answered])),
      () => {
        if (isAsked) options.stdout.write(attributesQuery);
      },
    );
    return reclaiming;
  };
  const suspend = async () => {
    input.dropKeys();
    linear?.settle();
    try {
      await options.suspend();
    } finally {
      await reclaimInput();
      linear?.repeat();
    }
  };
  // An editor reads all keys itself, and its Ctrl-C must not stop the console.
  const borrowTerminal = async (use: () => Promise<void>) => {
    const closed = new AbortController();
    input.release();
    options.holdInterrupts(true);
    linear?.settle();
    probeTerminal(options, closed.signal).catch(() => {});
    try {
      await use();
    } finally {
      closed.abort();
      options.holdInterrupts(false);
      await reclaimInput();
      linear?.repeat();
    }
  };
  // Ink erases relative to its last cursor position, which a multiplexer can change when it cuts
  // lines to the new width. So the whole screen is cleared and drawn from its corner.
  const clearScreen = () => {
    // The screen of the shell or of another program must not be cleared.
    if (linear) return;
    if (!frames.isOwnScreen()) {
      wasResized = true;
      return;
    }
    options.stdout.write(eraseScreen);
    instance?.clear();
  };
  options.stdout.on("resize", clearScreen);
  const redraw = () => {
    if (linear) linear.repeat();
    else options.stdout.emit("resize");
  };
  const start = startingPlaces(options);
  const state = await openState(options.stateDir);
  const app = createApp({
    ...options,
    start,
    suspend,
    borrowTerminal,
    redraw,
    reducedMotion,
    frames: drawing,
    end: end.signal,
    drafts: new Map(),
    state,
    writeTerminal: (sequence) => void options.stdout.write(sequence),
    holdKeys: () => input.hold(),
  });
  input.whileTyping(() => isTyping(app.keys.scopes()));
  const lazyScreens = createLazyScreens(screens);
  // The first screen is loaded before the first frame, so that the frame shows it.
  const top = start.at(-1);
  if (top) await lazyScreens.of(top.kind).load();
  options.end.addEventListener("abort", leave, { once: true });
  instance = render(
    <CrashBoundary onCrash={crash}>
      <Themed options={options} background={background}>
        <AppProvider app={app}>
          <Shell lazyScreens={lazyScreens} onLoaded={options.onLoaded} />
        </AppProvider>
      </Themed>
    </CrashBoundary>,
    {
      stdin: input,
      stdout: linear?.stdout ?? frames.stdout,
      // The terminal is interactive, even if the environment has the variables of a build server.
      interactive: true,
      isScreenReaderEnabled: options.linear,
      alternateScreen: !options.linear,
      // Each frame is written completely, without sequences that erase the previous one.
      debug: options.linear,
      exitOnCtrlC: false,
      onRender: ({ renderTime }) => {
        logFrame(renderTime, options.stdout);
        drawing.drawn += 1;
      },
      patchConsole: true,
      // Pasted keys share frames, at most one every 4 ms. A single key is drawn without a delay.
      maxFps: 250,
    },
  );
  // The first frame does not wait for the terminal's response about its background. On a light
  // background the frame is drawn again.
  const asksBackground = options.color && !options.linear && backgroundIn(options.env) === null;
  if (asksBackground && canQueryTerminal(options.env)) options.stdout.write(backgroundQuery);
  if (options.end.aborted) leave();
  // The first frame can crash before `instance` is set.
  if (crashes.length > 0) instance.unmount();
  await instance.waitUntilExit();
  linear?.settle();
  input.setRawMode(false);
  options.stdout.off("resize", clearScreen);
  // Requests in flight settle in the journal before the process ends. A session that hangs cannot
  // delay the end.
  const closed = new AbortController();
  const timeout = options.clock.sleep(
    end.signal.aborted ? hangUpCloseMs : quitCloseMs,
    closed.signal,
  );
  await Promise.race([app.close(), timeout.catch(() => {})]);
  closed.abort();
  state.close();
  const [first] = crashes;
  if (first) throw first.thrown;
  return end.signal.aborted ? 129 : 0;
}

/**
 * Writes an empty text to the terminal at intervals, which fails after the terminal is closed. The
 * console does not read its input meanwhile, and would not notice the loss without the probe. Never
 * resolves. Rejects when `signal` is aborted.
 */
async function probeTerminal(
  { stdout, clock }: Pick<ConsoleOptions, "stdout" | "clock">,
  signal: AbortSignal,
): Promise<never> {
  for (;;) {
    await clock.sleep(probeMs, signal);
    stdout.write("");
  }
}

function startingPlaces(options: ConsoleOptions): readonly Place[] {
  if (options.profile === null) return [{ kind: "first-run" }];
  const { opening } = options;
  switch (opening.kind) {
    case "home":
      return [{ kind: "suppliers" }];
    case "supplier":
      return pathTo({ ...opening, kind: "overview" });
    case "run":
    case "bulk-file":
      return [{ kind: "suppliers" }, { kind: "runs" }, opening];
    case "accounts":
    case "cohort":
    case "account":
    case "supply-point":
      return pathTo(opening);
  }
}

/**
 * Provides the theme for the terminal's background. The children are drawn again only if the
 * background changes.
 */
function Themed(props: {
  readonly options: Pick<ConsoleOptions, "color" | "ascii" | "env">;
  readonly background: Store<Background | null>;
  readonly children: ReactNode;
}) {
  const { color, ascii, env } = props.options;
  const background = useStore(props.background);
  const theme = useMemo(
    () => createTheme({ color, ascii, background, shades: has256Colors(env) }),
    [color, ascii, background, env],
  );
  return <ThemeProvider theme={theme}>{props.children}</ThemeProvider>;
}

/**
 * Draws nothing after a child has thrown, and passes the error to `onCrash`. Ink itself would draw
 * the error message, which can quote a request body and stays on a linear screen.
 */
class CrashBoundary extends Component<{
  readonly onCrash: (thrown: unknown) => void;
  readonly children: ReactNode;
}> {
  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override state = { hasCrashed: false };

  override componentDidCatch(thrown: unknown): void {
    this.props.onCrash(thrown);
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? null : this.props.children;
  }
}
