/** The dialogs and texts in front of a screen. At most one is open. */
import type { Profile } from "../settings/schemas.ts";
import { createStore, type Store } from "./store.ts";

/** One of the choices of a dialog. */
export interface Choice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

/** The raw text of a response, or of the body of a request. */
export interface RawText {
  readonly title: string;
  readonly raw: string;
  /** A fact about the text. */
  readonly note?: string;
}

/** The shell commands that do the same as a screen or its requests. */
export interface AsCommand {
  /** The supplyline command, or null if there is none. */
  readonly command: string | null;
  /** The curl command, or null if there is none. Default: null. */
  readonly curl?: string | null;
  readonly note: string | null;
}

const noCommandWords =
  "The journal of the embedded sandbox is in the memory of this console: no command reads it.";

/**
 * Returns a command that reads the journal, or for an embedded sandbox the reason why there is
 * none: its journal is only in memory, and in the journal of a file the same IDs belong to other
 * entries.
 */
export function journalCommand(
  { baseUrl }: Pick<Profile, "baseUrl">,
  asCommand: AsCommand,
): AsCommand {
  if (baseUrl !== null) return asCommand;
  return {
    ...asCommand,
    command: null,
    note: asCommand.curl ? `${noCommandWords} ${asCommand.note}` : noCommandWords,
  };
}

/** A question with two answers. The answer that changes nothing comes first. */
export interface Confirm {
  readonly question: string;
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
  /** The other answer, if it does something. Default: it closes the question. */
  readonly no?: { readonly label: string; readonly run: () => void };
}

/** One line of text to type. */
export interface Prompt {
  readonly title: string;
  readonly label: string;
  readonly hint: string | null;
  readonly initial?: string;
  /** True if the prompt asks for the path of a file, which a key completes. */
  readonly isPath?: boolean;
  /** True if the prompt confirms a write. Enter counts only after the prompt is drawn. */
  readonly confirms?: true;
  /**
   * Returns a problem, so that the prompt stays open, or null to accept the value. A promise is
   * awaited and never rejects.
   */
  readonly onSubmit: (value: string) => string | null | Promise<string | null>;
}

/** A dialog or text in front of a screen. */
export type Overlay =
  /** The help, with the page of the filter words on request. Default: the keys of the screen. */
  | { readonly kind: "help"; readonly page?: "filters" }
  | { readonly kind: "palette"; readonly text: string }
  | ({ readonly kind: "raw" } & RawText)
  | ({ readonly kind: "as-command" } & AsCommand)
  | ({ readonly kind: "confirm" } & Confirm)
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly Choice[] }
  | ({ readonly kind: "prompt" } & Prompt);

/** The open overlay, and the functions that open and close one. */
export interface Overlays {
  readonly current: Store<Overlay | null>;
  open(overlay: Overlay): void;
  confirm(question: Confirm): void;
  prompt(question: Prompt): void;
  choose(title: string, choices: readonly Choice[]): void;
  command(asCommand: AsCommand): void;
  close(): void;
}

/** Creates the overlays. At most one is open. */
export function createOverlays(): Overlays {
  const current = createStore<Overlay | null>(null);
  const open = (overlay: Overlay) => current.set(overlay);
  return {
    current,
    open,
    confirm: (question) => open({ kind: "confirm", ...question }),
    prompt: (question) => open({ kind: "prompt", ...question }),
    choose: (title, choices) => open({ kind: "choose", title, choices }),
    command: (asCommand) => open({ kind: "as-command", ...asCommand }),
    close: () => current.set(null),
  };
}
