import type { App } from "./app.ts";

/** The content of a new file. */
interface FileContent {
  /** For example `12 rows`. */
  readonly what: string;
  /**
   * The command that writes the same file to a path. Without one, the log describes the file in
   * words.
   */
  readonly command?: (path: string, ending: string) => string | null;
  /** The allowed endings of the name, with their dot; `pieces` gets the chosen one, and the signal that cancels it. */
  readonly endings: readonly string[];
  readonly pieces: (
    ending: string,
    signal: AbortSignal,
  ) => AsyncIterable<string | Uint8Array> | Iterable<string>;
}

/** Writes a new file. Returns the problem of its path, or null if writing has started. */
export type WriteFile = (content: FileContent, path: string) => string | null;

/** A new file whose name is asked for. */
export interface AskedFile extends FileContent {
  readonly title: string;
  /** The name that is offered, without its ending. */
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
