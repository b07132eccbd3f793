/** Asks the user for the name of a new file, and starts to write it. */
import type { App } from "./app.ts";

interface FileContent {
  /** The content in words, for example `12 rows`. */
  readonly what: string;
  /** The command that writes the file to a path. Without it, the log has the file in words. */
  readonly command?: (path: string, ending: string) => string | null;
  /** The allowed endings of the name, with their dot. */
  readonly endings: readonly string[];
  /** Returns the content for the chosen ending. The signal cancels the writing. */
  readonly pieces: (
    ending: string,
    signal: AbortSignal,
  ) => AsyncIterable<string | Uint8Array> | Iterable<string>;
  /** Called with the path when the file is complete. */
  readonly onWritten?: (path: string) => void;
}

/** Writes a new file. Returns the problem of its path, or null if writing has started. */
export type WriteFile = (content: FileContent, path: string) => string | null;

/** A new file, and the words of the question for its name. */
export interface NewFile extends FileContent {
  readonly title: string;
  /** The suggested name without its ending. */
  readonly stem: string;
  /** Sentences after the allowed endings. */
  readonly hint?: string;
}

/** Asks for the name of a new file, and starts to write the file. */
export function askFile(
  { overlays }: Pick<App, "overlays">,
  writeFile: WriteFile,
  { title, stem, hint = "", ...content }: NewFile,
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
