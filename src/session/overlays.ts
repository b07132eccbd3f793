/** The dialogs and texts in front of a screen. At most one is open. */
import type { Profile } from "../settings/schemas.ts";
import { createStore, type Store } from "./store.ts";

/** One of the choices of a dialog. */
export interface Choice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

/** The raw text of an answer or of a request's body. */
export interface RawText {
  readonly title: string;
  readonly raw: string;
  /** A fact about the text. */
  readonly note?: string;
}

/** The commands for a shell that do the same as a screen or its requests. */
export interface AsCommand {
  readonly command: string | null;
  readonly curl?: string | null;
  readonly note: string | null;
}

const inMemory =
  "The journal of the embedded sandbox is in the memory of this console: no command reads it.";

/**
 * Returns a command that reads the journal, or for an embedded sandbox the reason why there is
 * none. The sandbox's journal is in no file, and the same numbers mean other entries in another
 * journal.
 */
export function journalCommand({ baseUrl }: Pick<Profile, "baseUrl">, shown: AsCommand): AsCommand {
  if (baseUrl !== null) return shown;
  return { ...shown, command: null, note: shown.curl ? `${inMemory} ${shown.note}` : inMemory };
}

/** A question whose harmless answer comes first. */
export interface Confirm {
  readonly question: string;
  readonly detail: string | null;
  readonly yes: string;
  readonly onYes: () => void;
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
  /** Returns a problem, so that the prompt stays open, or null to accept the value. */
  readonly onSubmit: (value: string) => string | null;
}

/** A dialog or text in front of a screen. */
export type Overlay =
  | { readonly kind: "help" }
  | { readonly kind: "palette"; readonly text: string }
  | ({ readonly kind: "raw" } & RawText)
  | ({ readonly kind: "as-command" } & AsCommand)
  | ({ readonly kind: "confirm" } & Confirm)
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly Choice[] }
  | ({ readonly kind: "prompt" } & Prompt);

export interface Overlays {
  readonly current: Store<Overlay | null>;
  open(overlay: Overlay): void;
  confirm(asked: Confirm): void;
  prompt(asked: Prompt): void;
  choose(title: string, choices: readonly Choice[]): void;
  command(shown: AsCommand): void;
  close(): void;
}

/** Creates the overlays. At most one is open. */
export function createOverlays(): Overlays {
  const current = createStore<Overlay | null>(null);
  const open = (overlay: Overlay) => current.set(overlay);
  return {
    current,
    open,
    confirm: (asked) => open({ kind: "confirm", ...asked }),
    prompt: (asked) => open({ kind: "prompt", ...asked }),
    choose: (title, choices) => open({ kind: "choose", title, choices }),
    command: (shown) => open({ kind: "as-command", ...shown }),
    close: () => current.set(null),
  };
}
