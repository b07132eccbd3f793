import { type ExportFormat, exportView } from "../../accounts/export.ts";
import type { ViewRows } from "../../accounts/view.ts";
import { useWriteFile } from "../../hooks/write-file.ts";
import { plural } from "../../text/numbers.ts";

const formats: Readonly<Record<string, ExportFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".json": "json",
  ".jsonl": "jsonl",
};

/**
 * Writes the rows of a view to a new file, in the format its ending names; of rows that are not a
 * `whole` list it is said. Returns what is wrong
 * with the path, in words, or null when the writing has begun.
 */
export function useExport(): (view: ViewRows, path: string, whole: boolean) => string | null {
  const write = useWriteFile();
  return (view, path, whole) =>
    write(
      {
        what: `${plural(view.length, "row")}${whole ? "" : " of an incomplete list"}`,
        endings: Object.keys(formats),
        pieces: (ending) => exportView(view, formats[ending] ?? "csv", whole),
      },
      path,
    );
}
