/** The steps of a story that a person plays at the console, and the effects that it left. */
import { mkdir } from "node:fs/promises";
import { type Console, type OpenConsoleOptions, openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import type { KeyName } from "../helpers/key-bytes.ts";
import type { TestSandbox } from "../helpers/service.ts";

type Seen = string | RegExp;

export interface Walk extends AsyncDisposable {
  readonly terminal: Console;
  readonly folders: Folders;
  /** Presses a key, and returns the screen that shows its effect. */
  press(key: KeyName, seen: Seen): Promise<string>;
  /** Types a text into the empty field with the cursor. */
  type(text: string): Promise<void>;
  /** Types a text in place of the one in the field. */
  retype(text: string): Promise<void>;
  /** Runs an action of the palette, and returns the screen that shows its effect. */
  run(action: string, seen: Seen): Promise<string>;
  /** Leaves the console. */
  quit(): Promise<void>;
}

/** Opens the console on a service, with a home folder for the files of the story. */
export async function openWalk(
  service: TestSandbox,
  args: readonly string[],
  options: OpenConsoleOptions = {},
): Promise<Walk> {
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  const terminal = await openConsole(args, { ...options, folders, env: service.env });
  const press = (key: KeyName, seen: Seen) => {
    terminal.press(key);
    return terminal.waitFor(seen);
  };
  const type = async (text: string) => {
    await terminal.send(text).until(text);
  };
  return {
    terminal,
    folders,
    press,
    type,
    retype: async (text) => {
      terminal.press("ctrl-u");
      await type(text);
    },
    run: async (action, seen) => {
      await press(":", "Go to a place");
      await type(action);
      return press("enter", seen);
    },
    quit: async () => {
      terminal.press("q");
      expect(await terminal.exit).toMatchObject({ code: 0 });
    },
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await folders[Symbol.asyncDispose]();
    },
  };
}

/** Returns the requested effects at a service as `ACCOUNT text`; each took place once. */
export function effectsOnce(service: TestSandbox): readonly string[] {
  const effects = service
    .ledger()
    .filter(({ cause }) => cause === "request")
    .map(({ identifier, key }) => `${identifier} ${key}`);
  expect(new Set(effects).size).toBe(effects.length);
  return effects;
}
