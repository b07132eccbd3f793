/** Asks the user for the name of a new file, and starts to write it. */
import type { App } from "./app.ts";

/** The content of a new file. */
interface FileContent {
  /** The content in words, for example `12 rows`. */
  readonly what: string;
  /**
   * The command that writes the same file to a path. Without a command, the log describes the file
   * in words.
   */
  readonly command?: (path: string, ending: string) => string | null;
  /**
   * The allowed endings of the name, with their dot. `pieces` receives the chosen ending, and the
   * signal that cancels the writing.
   */
  readonly endings: readonly string[];
  readonly pieces: (
    ending: string,
    signal: AbortSignal,
  ) => AsyncIterable<string | Uint8Array> | Iterable<string>;
}

/** Writes a new file. Returns the problem of its path, or null if writing has started. */
export type WriteFile = (content: FileContent, path: string) => string | null;

/** A new file, and the words of the question for its name. */
export interface AskedFile extends FileContent {
  readonly title: string;
  /** The suggested name without its ending. */
  readonly stem: string;
  /** Sentences after the allowed endings. */
  readonly hint?: string;
}

/** Asks for the name of a new file, and writes it. */
export function askFile(
  { overlays }: Pick<App, "overlays">,
  writeFile: WriteFile,
  { title, stem, hint = "", ...content }: AskedFile,
): void {
  const { endings } = content;
  overlays.prompt({
    title,
    label: "File",
    isPath: true,
    hint: `A new file; its name ends in ${endings.join(", ")}. ${hint}`.trimEnd(),
    initial: `${stem.replace(/[^\w.-]+/g, "_")}${endings[0]}`,
    onSubmit: (path) => writeFile(content, path),
  });
}
