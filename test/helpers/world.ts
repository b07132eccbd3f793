/** The world of a test: a service, the folders of one user, a clock, and the program. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../src/api/clock.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import type { Place } from "../../src/session/places.ts";
import { type ProfileInput, profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import type { TeamDriver } from "../../src/writes/team/ledger.ts";
import type { Row } from "../accounts/rows.ts";
import type { OpenedConsole, OpenedConsoleOptions } from "../screens/opened-console.tsx";
import { hurriedClock } from "./clock.ts";
import {
  type CommandOptions,
  enterFolder,
  type RunningCommand,
  runCommand,
  startCommand,
} from "./command.ts";
import { type Console, type OpenConsoleOptions, openConsole } from "./console.ts";
import { type Folders, openFolders } from "./folders.ts";
import { type CliResult, type RunningCli, startCli } from "./process.ts";
import {
  type Handler,
  openSandbox,
  openService,
  type Script,
  type TestSandbox,
  type TestService,
} from "./service.ts";

/** A service that is open already. */
type Opened = Pick<TestService, "baseUrl" | "apiKey" | "env">;

/** The options of a sandbox, the answers of a service made by hand, an open service, or none. */
type Given = SandboxOptions | Handler | Script | Opened | null;

type ServiceOf<S extends Given> = S extends Opened
  ? S
  : S extends Handler | Script
    ? TestService
    : S extends null
      ? null
      : TestSandbox;

export interface WorldOptions<S extends Given> {
  /** Default: a sandbox whose imports stand still. */
  readonly service?: S;
  /** Default: commands do not wait between attempts, and consoles go by the machine's clock. */
  readonly clock?: Clock;
  /** Stored with the address and the key of the service, and used. Default: the environment names the service. */
  readonly profile?: Omit<ProfileInput, "baseUrl">;
  /** Files of the home folder by name: text as it is, anything else as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** The lists of a supplier that this machine has seen, each an hour after the one before. */
  readonly observed?: Readonly<Record<string, readonly (readonly Row[])[]>>;
  /** Loads the ledger of a team. Default: none. */
  readonly team?: TeamDriver["load"];
  /** Variables above a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The words of a command: one text is split at its spaces. */
type Words = string | readonly string[];

export interface World<S> extends AsyncDisposable {
  readonly service: S;
  readonly folders: Folders;
  /** The variables that name the service or the profile. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end. */
  run(words: Words, options?: Omit<CommandOptions, "folders">): Promise<CliResult>;
  /** Runs it with `--json` and parses its stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into the output of the command.
  json(words: Words, options?: Omit<CommandOptions, "folders">): Promise<any>;
  /** Starts a command that the test ends. */
  start(words: Words, clock?: Clock): Promise<RunningCommand>;
  /** Starts it as a process, for a test that kills it or closes its pipes. */
  spawn(words: Words): Promise<RunningCli>;
  /** Starts it on a terminal, which closes with the test. */
  terminal(words: Words, options?: OpenConsoleOptions): Promise<Console>;
  /** Opens the console at a place, on the way from the suppliers; it closes with the test. */
  at(
    places: readonly Place[],
    options?: Omit<OpenedConsoleOptions, "service" | "places" | "folders">,
  ): Promise<OpenedConsole>;
  /** Puts a file where commands run; resolves with its name. */
  file(name: string, content: unknown): Promise<string>;
  path(name: string): string;
  read(name: string): Promise<string>;
  mode(name: string): Promise<number>;
}

/** Opens a world. It closes with its test. */
export function world(
  options: WorldOptions<Handler> & { readonly service: Handler },
): Promise<World<TestService>>;
export function world<const S extends Given = SandboxOptions>(
  options?: WorldOptions<S>,
): Promise<World<ServiceOf<S>>>;
export async function world<const S extends Given = SandboxOptions>(
  options: WorldOptions<S> = {},
): Promise<World<ServiceOf<S>>> {
  const { clock, team } = options;
  const commandClock = clock ?? hurriedClock();
  const ledger = team === undefined ? {} : { loadLedger: team };
  const { service, close } = await opened(options.service === undefined ? {} : options.service);
  const folders = await openFolders();
  const { profile, observed = {}, files = {} } = options;
  if (profile !== undefined) storeProfile(folders, profile, service);
  const env = {
    ...(profile === undefined ? service?.env : { SUPPLYLINE_PROFILE: String(profile.name) }),
    ...options.env,
  };
  const inWorld = <More extends { readonly env?: Record<string, string> }>(more: More) => {
    return { ...ledger, ...more, env: { ...env, ...more.env }, folders };
  };
  const run: World<S>["run"] = (words, more = {}) =>
    runCommand(split(words), { clock: commandClock, ...inWorld(more) });
  const path = (name: string) => join(folders.home, name);
  const file: World<S>["file"] = async (name, content) => {
    await mkdir(dirname(path(name)), { recursive: true });
    const isBytes = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(path(name), isBytes ? content : JSON.stringify(content));
    return name;
  };
  for (const [name, content] of Object.entries(files)) await file(name, content);
  for (const [supplier, lists] of Object.entries(observed)) {
    const { observe } = await import("./observed.ts");
    await observe(folders, service?.baseUrl ?? "", supplier, lists);
  }
  return {
    service: (service?.given ?? null) as ServiceOf<S>,
    folders,
    env,
    run,
    json: async (words, more) => JSON.parse((await run([...split(words), "--json"], more)).stdout),
    start: (words, own = commandClock) =>
      startCommand(split(words), { clock: own, ...inWorld({}) }),
    spawn: (words) => startCli(split(words), inWorld({})),
    terminal: async (words, more = {}) => {
      const leave = enterFolder(folders.home);
      const clocked = clock === undefined ? {} : { clock };
      const shown = await openConsole(split(words), { ...clocked, ...inWorld(more) });
      shown.exit.finally(leave);
      return shown;
    },
    at: async (places, more = {}) => {
      if (service === null) throw new Error("a console at a place needs a service");
      const { openConsoleAt } = await import("../screens/opened-console.tsx");
      const clocked = clock === undefined ? {} : { clock };
      const named = profile === undefined ? {} : { profile: String(profile.name) };
      const own = { ...clocked, ...named, ...ledger, ...more };
      return openConsoleAt({ ...own, service, folders, places });
    },
    file,
    path,
    read: (name) => readFile(path(name), "utf8"),
    mode: async (name) => (await stat(path(name))).mode & 0o777,
    [Symbol.asyncDispose]: async () => {
      await close();
      await folders[Symbol.asyncDispose]();
    },
  };
}

const isScript = (given: SandboxOptions | Handler | Script): given is Handler | Script =>
  typeof given === "function" || "writes" in given || "reads" in given;

/** Opens the service, unless it is open already or there is none. */
async function opened(given: Given) {
  if (given === null) return { service: null, close: async () => {} };
  if ("baseUrl" in given) return { service: { ...given, given }, close: async () => {} };
  if (isScript(given)) {
    const server = await openService(given);
    const env = { SUPPLYLINE_BASE_URL: server.baseUrl, SUPPLYLINE_TOKEN: "token-1" };
    return {
      service: { baseUrl: server.baseUrl, apiKey: server.apiKey, env, given: server },
      close: () => server[Symbol.asyncDispose](),
    };
  }
  const sandbox = await openSandbox(given);
  return { service: { ...sandbox, given: sandbox }, close: () => sandbox.close() };
}

function storeProfile(
  { config }: Folders,
  profile: Omit<ProfileInput, "baseUrl">,
  service: Pick<Opened, "baseUrl" | "apiKey"> | null,
): void {
  const settings = openSettings({ configDir: config });
  const baseUrl = service?.baseUrl ?? "http://127.0.0.1:9";
  settings.add(profileFrom({ ...profile, baseUrl }));
  if (service !== null) settings.saveApiKey(String(profile.name), service.apiKey);
}

const split = (words: Words): readonly string[] =>
  typeof words === "string" ? words.split(" ") : words;
