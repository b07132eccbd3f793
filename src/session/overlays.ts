/** The dialogs and texts in front of a screen. At most one is open. */
import type { Profile } from "../settings/schemas.ts";
import { createStore } from "./store.ts";

export interface Choice {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

export interface RawText {
  readonly title: string;
  readonly raw: string;
  readonly note?: string;
}

export interface AsCommand {
  readonly command: string | null;
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

export interface Prompt {
  readonly title: string;
  readonly label: string;
  readonly hint: string | null;
  readonly initial?: string;
  readonly isPath?: boolean;
  /** True if the prompt confirms a write. Enter counts only after the prompt is drawn. */
  readonly confirms?: true;
  /** Returns a problem to keep the prompt open, or null to accept. A promise never rejects. */
  readonly onSubmit: (value: string) => string | null | Promise<string | null>;
}

export type Overlay =
  /** With the offered words of a list's filter, the help begins with the page that explains them. */
  | { readonly kind: "help"; readonly filterWords?: readonly string[] }
  | { readonly kind: "palette"; readonly text: string }
  | ({ readonly kind: "raw" } & RawText)
  | ({ readonly kind: "as-command" } & AsCommand)
  | ({ readonly kind: "confirm" } & Confirm)
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly Choice[] }
  | ({ readonly kind: "prompt" } & Prompt);

export function createOverlays() {
  const current = createStore<Overlay | null>(null);
  const open = (overlay: Overlay) => current.set(overlay);
  return {
    current,
    open,
    confirm: (question: Confirm) => open({ kind: "confirm", ...question }),
    prompt: (question: Prompt) => open({ kind: "prompt", ...question }),
    choose: (title: string, choices: readonly Choice[]) => open({ kind: "choose", title, choices }),
    command: (asCommand: AsCommand) => open({ kind: "as-command", ...asCommand }),
    close: () => current.set(null),
  };
}

export type Overlays = ReturnType<typeof createOverlays>;
