/** The forms of the sandbox's accounts, and the drafts that they leave. */
import { type Console, openConsole, type TerminalOptions } from "../helpers/console.ts";
import type { Folders } from "../helpers/folders.ts";
import { storedDrafts } from "../helpers/state.ts";

export const account = "EXT/0000011";

type Options = TerminalOptions & { readonly folders: Folders };

/** A console at an account; the way to open one can be that of a real terminal. */
export async function openAccount(
  folders: Folders,
  options: TerminalOptions = {},
  open: (args: readonly string[], options: Options) => Promise<Console> = openConsole,
): Promise<Console> {
  const terminal = await open(["--sandbox", "open", "ACME", account], {
    cols: 100,
    rows: 30,
    folders,
    ...options,
  });
  await terminal.waitFor("COMPLETED");
  return terminal;
}

/** The same, with a form opened by its key. */
export async function openForm(
  folders: Folders,
  key: string,
  title: string,
  ...options: [options?: TerminalOptions, open?: Parameters<typeof openAccount>[2]]
): Promise<Console> {
  const terminal = await openAccount(folders, ...options);
  await terminal.press(key).until(title);
  return terminal;
}

/** Returns the saved drafts, the latest first. */
export function savedDrafts(folders: Folders) {
  return storedDrafts(folders.state, "sandbox");
}

/** A line of the form that is in focus. */
export function focused(label: string): RegExp {
  return new RegExp(`^▌ +.*${label}`, "m");
}
