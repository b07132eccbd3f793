import { isPrintable } from "./key-name.ts";

interface EditingCommand {
  readonly keys: readonly string[];
  readonly help: string;
  readonly multiline?: true;
}

/**
 * The keys that edit the text of a field, as in readline. Home and End come first, because GNU
 * screen uses Ctrl-A as its prefix and does not pass Ctrl-A to programs. In a focused field these
 * keys edit its text. Their other actions work only if no field is focused.
 */
const editing = {
  left: { keys: ["left", "ctrl-b"], help: "One character left" },
  right: { keys: ["right", "ctrl-f"], help: "One character right" },
  "word-left": { keys: ["ctrl-left", "alt-left", "alt-b"], help: "One word left" },
  "word-right": { keys: ["ctrl-right", "alt-right", "alt-f"], help: "One word right" },
  start: { keys: ["home", "ctrl-a"], help: "To the start of the line" },
  end: { keys: ["end", "ctrl-e"], help: "To the end of the line" },
  "delete-left": {
    keys: ["backspace", "ctrl-h"],
    help: "Delete the character left of the cursor",
  },
  "delete-right": { keys: ["delete", "ctrl-d"], help: "Delete the character at the cursor" },
  "kill-argument-left": { keys: ["ctrl-w"], help: "Cut back to the last space" },
  "kill-word-left": { keys: ["alt-backspace"], help: "Cut back to the start of the word" },
  "kill-word-right": { keys: ["alt-d", "ctrl-delete"], help: "Cut up to the end of the word" },
  "kill-to-start": { keys: ["ctrl-u"], help: "Cut back to the start of the line" },
  "kill-to-end": { keys: ["ctrl-k"], help: "Cut up to the end of the line" },
  yank: { keys: ["ctrl-y"], help: "Insert the last cut text" },
  "line-break": {
    keys: ["ctrl-j", "alt-enter"],
    help: "Break the line, in a field of several lines",
    multiline: true,
  },
  "row-up": {
    keys: ["up"],
    help: "One line up, in a field of several lines; from the first one to the field above",
    multiline: true,
  },
  "row-down": {
    keys: ["down"],
    help: "One line down, in a field of several lines; from the last one to the field below",
    multiline: true,
  },
} as const satisfies Record<string, EditingCommand>;

export type EditingId = keyof typeof editing;

export const editingIds = Object.keys(editing) as EditingId[];

export function editingOf(id: EditingId): EditingCommand {
  return editing[id];
}

const byKey: ReadonlyMap<string, EditingId> = new Map(
  editingIds.flatMap((id) => editing[id].keys.map((key) => [key, id] as const)),
);

/** Returns the editing command of a key in a field, or null if it edits nothing there. */
export function editingOn(key: string, multiline: boolean): EditingId | null {
  const id = byKey.get(key) ?? null;
  return id !== null && editingOf(id).multiline && !multiline ? null : id;
}

export function isTextKey(key: string): boolean {
  return isPrintable(key) || editingOn(key, false) !== null;
}
