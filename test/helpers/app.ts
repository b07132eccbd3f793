import { systemClock } from "../../src/api/clock.ts";
import { FrameCount } from "../../src/keys/key-stream.ts";
import { type App, type AppOptions, createApp } from "../../src/session/app.ts";
import { noSecrets } from "../../src/settings/secrets.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { killGroup } from "./kill-group.ts";
import { noLedger } from "./no-ledger.ts";
import { noMemory } from "./no-memory.ts";
import { memoryState } from "./state.ts";

/** The folders of an app that neither reads nor writes any. */
const nowhere = { config: "/nonexistent/config", state: "/nonexistent/state" };

export interface AppOfOptions extends Partial<AppOptions> {
  readonly folders?: { readonly config: string; readonly state: string };
}

/** An app without a terminal, for tests: no sandbox, no secrets, and the clock of this machine. */
export function appOf({ folders = nowhere, ...given }: AppOfOptions = {}): App {
  const { env = {} } = given;
  return createApp({
    profile: null,
    start: [{ kind: "first-run" }],
    settings: openSettings({ configDir: folders.config, env }),
    env,
    home: "/nonexistent/home",
    loadLedger: noLedger,
    loadMemory: noMemory,
    secrets: noSecrets,
    clock: systemClock,
    drafts: new Map(),
    state: memoryState(),
    version: "0",
    stateDir: folders.state,
    pid: process.pid,
    killGroup,
    ascii: false,
    readOnly: false,
    openSandbox: () => Promise.reject(new Error("no sandbox of its own")),
    writeTerminal: () => {},
    suspend: async () => {},
    borrowTerminal: (use) => use(),
    end: new AbortController().signal,
    frames: new FrameCount(),
    holdKeys: () => () => {},
    redraw: () => {},
    ...given,
  });
}
