import { createHash } from "node:crypto";
import { copyRecords } from "../../bulk/input/copy-records.ts";
import { sentJsonl } from "../../bulk/result-files.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import { readingFrom } from "../../bulk/run-settings.ts";
import type { RunReading } from "../../bulk/runs.ts";
import { plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { writeOutput } from "../new-file.ts";
import { fileBytes } from "./input.ts";
import { formatOf } from "./reading.ts";
import { rowPages } from "./results-file.ts";

/**
 * Writes the rejected rows to a new file that `bulk run` reads, to be fixed and run again: as they
 * stand in the input where that is there unchanged, else as they were sent, as JSON lines. Throws
 * `usage` for a name that promises another format.
 */
export async function writeRejected(
  invocation: Invocation,
  reading: RunReading,
  run: RunRecord,
  path: string,
): Promise<void> {
  const { io } = invocation;
  if (run.counts.rejected === 0) {
    invocation.notice(`No row of run ${run.id} was rejected; nothing was written.`);
    return;
  }
  const original = await originalOf(io.signal, run);
  const wanted = formatOf(path);
  const isCopy = original !== null && (wanted === "detect" || wanted === original);
  if (!isCopy && wanted === "csv")
    throw new CommandError(
      "usage",
      `--rejected ${path}: ${original === null ? "the input is missing or was changed" : "the input has JSON lines"}, so the rows can only be written as JSON lines`,
      "Give it a name that ends in .jsonl.",
    );
  const pages = () =>
    rowPages(reading.journal, run.id, { signal: io.signal, outcomes: ["rejected"] });
  await writeOutput("--rejected", path, io.signal, async (append) => {
    if (!isCopy) {
      for await (const rows of pages())
        for (const text of sentJsonl(reading.journal, run.id, rows)) await append(text);
      return;
    }
    const lines = new Set<number>();
    for await (const rows of pages()) for (const { line } of rows) lines.add(line);
    const { format } = readingFrom(run.reading);
    await copyRecords(fileBytes(run.source, run.source, io.signal), lines, append, format);
  });
  invocation.notice(
    `${plural(run.counts.rejected, "rejected row")} in ${path}. Fix them there, then run: supplyline bulk run ${run.kind} --from ${shellQuote(path)}`,
  );
}

/** The format of the input where it is there and still the one that was run; else null. */
async function originalOf(
  signal: AbortSignal,
  { source, sha256, reading }: RunRecord,
): Promise<"csv" | "jsonl" | null> {
  if (source === "-" || source === "console") return null;
  const hash = createHash("sha256");
  let first = "";
  try {
    for await (const chunk of fileBytes(source, source, signal)) {
      signal.throwIfAborted();
      if (first.trim() === "") first = new TextDecoder().decode(chunk.subarray(0, 4096));
      hash.update(chunk);
    }
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
  if (hash.digest("hex") !== sha256) return null;
  const { format } = readingFrom(reading);
  if (format !== "detect") return format;
  return /^[{[]/.test(first.trim()) ? "jsonl" : "csv";
}
