import { type Clock, systemClock } from "../../src/api/clock.ts";
import { AppProvider } from "../../src/hooks/app.tsx";
import { FrameCount } from "../../src/keys/key-stream.ts";
import { screens } from "../../src/screens/registry.tsx";
import { createLazyScreens } from "../../src/screens/shell/lazy-screens.tsx";
import { Shell } from "../../src/screens/shell/shell.tsx";
import type { App } from "../../src/session/app.ts";
import type { Place } from "../../src/session/places.ts";
import { resolveProfile } from "../../src/settings/resolve.ts";
import { createSecrets } from "../../src/settings/secrets.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openState } from "../../src/state/open-state.ts";
import { createTheme, ThemeProvider } from "../../src/theme.tsx";
import { appOf } from "../helpers/app.ts";
import { closing } from "../helpers/closing.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openScreen, type Screen } from "../helpers/screen.tsx";

/** A console in this process. */
export interface OpenedConsole extends AsyncDisposable {
  readonly screen: Screen;
  readonly app: App;
  readonly home: string;
  /** Returns the last text sent to the terminal's clipboard, or an empty text. */
  copied(): string;
  /** Draws it on a terminal with another theme. */
  retheme(look: Parameters<typeof createTheme>[0]): void;
}

export interface OpenedConsoleOptions {
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  /** The way to where it opens, from the suppliers on. */
  readonly places: readonly Place[];
  readonly maxListBytes?: number;
  /** The machine's own where absent. */
  readonly clock?: Clock;
  readonly environment?: string;
  readonly readOnly?: boolean;
  /** A stored profile of these folders; one from the environment where absent. */
  readonly profile?: string;
  /** Folders that outlive it; its own by default. */
  readonly folders?: Folders;
  readonly cols?: number;
  readonly rows?: number;
  /** Starts the embedded sandbox. Default: there is none. */
  readonly openSandbox?: App["openSandbox"];
  /** Loads the ledger of a team. Default: none. */
  readonly loadLedger?: App["loadLedger"];
  /** Loads the memory of a team. Default: an empty one. */
  readonly loadMemory?: App["loadMemory"];
  /** Stands above an environment that names the service and nothing else. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens the console at a place, with folders of its own. */
export async function openConsoleAt(options: OpenedConsoleOptions): Promise<OpenedConsole> {
  const { service, places, maxListBytes } = options;
  const folders = options.folders ?? (await openFolders());
  const secrets = createSecrets({ apiKey: service.apiKey });
  const env = {
    ...(options.profile === undefined
      ? { SUPPLYLINE_BASE_URL: service.baseUrl }
      : { SUPPLYLINE_PROFILE: options.profile }),
    HOME: folders.home,
    ...(options.environment ? { SUPPLYLINE_ENVIRONMENT: options.environment } : {}),
    ...options.env,
  };
  const settings = openSettings({ configDir: folders.config, env });
  const lazyScreens = createLazyScreens(screens);
  // Drawn once before it is there to hold anything.
  let drawn: Screen | null = null;
  const frames = new FrameCount();
  let copied = "";
  const state = await openState(folders.state);
  const app = appOf({
    folders,
    state,
    settings,
    env,
    frames,
    start: places,
    noticeClock: systemClock,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.openSandbox ? { openSandbox: options.openSandbox } : {}),
    ...(options.loadLedger ? { loadLedger: options.loadLedger } : {}),
    ...(options.loadMemory ? { loadMemory: options.loadMemory } : {}),
    ...(maxListBytes === undefined ? {} : { maxListBytes }),
    profile: resolveProfile({ env, secrets, settings: () => settings }),
    readOnly: options.readOnly ?? false,
    writeTerminal: (sequence) => {
      const [, encoded] = /\u001b\]52;c;([^\u0007]*)/.exec(sequence) ?? [];
      if (encoded !== undefined) copied = Buffer.from(encoded, "base64").toString();
    },
    holdKeys: () => drawn?.holdKeys() ?? (() => {}),
  });
  const elementWith = (look: Parameters<typeof createTheme>[0]) => (
    <ThemeProvider theme={createTheme(look)}>
      <AppProvider app={app}>
        <Shell lazyScreens={lazyScreens} />
      </AppProvider>
    </ThemeProvider>
  );
  const screen = openScreen(elementWith({ color: true, ascii: false }), {
    cols: options.cols ?? 100,
    rows: options.rows ?? 30,
    frames,
  });
  drawn = screen;
  let isClosed = false;
  return closing({
    screen,
    app,
    home: folders.home,
    copied: () => copied,
    retheme: (look) => screen.rerender(elementWith(look)),
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      await screen[Symbol.asyncDispose]();
      state.close();
      if (!options.folders) await folders[Symbol.asyncDispose]();
    },
  });
}
