/** Describes a bulk file in words: its check, its contents and the reason why it cannot be sent. */
import { basename } from "node:path";
import { canLeaveOutBadRows } from "../../bulk/check.ts";
import type { FileChange } from "../../bulk/source.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { CheckedFile, FileTask } from "../../session/tasks.ts";
import { formatInstant, shortInstant } from "../../text/dates.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { kindName } from "../../writes/kinds/kinds.ts";

export function checkingWords({ rows, errors, share }: FileTask["progress"]): string {
  const errorText = errors === 0 ? "no error yet" : plural(errors, "error");
  return `${plural(rows, "row")} checked, ${errorText}. ${percent(share, 1)} of the file is read.`;
}

export function countsWords(file: CheckedFile): string {
  const { rows, sum, issues, heldBack, pending, unlisted, reading } = file;
  const parts = [
    `${count(rows - issues.rows - heldBack.rows)} ready`,
    ...(issues.rows === 0 ? [] : [`${count(issues.rows)} with errors`]),
    ...(issues.ofInput === 0 ? [] : [`${plural(issues.ofInput, "error")} before the first row`]),
    ...(heldBack.rows === 0 ? [] : [`${count(heldBack.rows)} held back`]),
    ...(pending === 0 ? [] : [`${count(pending)} for pending accounts`]),
    ...(unlisted === 0 ? [] : [`${count(unlisted)} for accounts on no list`]),
    ...(issues.warnings === 0 ? [] : [plural(issues.warnings, "warning")]),
    ...(sum === null ? [] : [`${sum} in all`]),
  ];
  const words = `${plural(rows, "row")} of ${kindName(reading.kind)}: ${parts.join(", ")}.`;
  const { sentAs, checkedAt } = file;
  if (sentAs === null) return words;
  return `${words} Sent ${shortInstant(sentAs.at, checkedAt)} as run ${sentAs.run}.`;
}

export function sendableLines({ contents, suppliers }: CheckedFile): readonly string[] {
  if (contents === null) return ["No row has an issue."];
  return [
    `No row has an issue. What goes out: ${contents}`,
    ...suppliers.map(({ supplier, contents }) => `${supplier}: ${contents}`),
  ];
}

export function obstacleOf(
  file: CheckedFile,
  change: FileChange["kind"],
  key: KeyWords,
): string | null {
  const name = basename(file.path);
  const checkTime = formatInstant(file.checkedAt).slice(11, 16);
  if (change === "missing")
    return `${name} was removed after the check of ${checkTime}; ${key("add")} chooses another file.`;
  if (change === "changed")
    return `${name} has changed since it was checked at ${checkTime}: ${key("refresh")} reads it again.`;
  if (file.sentAs?.isRunning)
    return `Run ${file.sentAs.run} is sending it; ${key("runs")} shows it.`;
  if (file.issues.errors > 0 && !canLeaveOutBadRows(file))
    return `No row can be sent; ${key("edit")} opens the file at the error.`;
  return file.rows === 0 ? "There is no row to send." : null;
}

export function nextWords({ rows, issues }: CheckedFile, key: KeyWords): string {
  if (issues.rows === 0) return `${key("review")} reviews what will be sent.`;
  const good = plural(rows - issues.rows, "row");
  return `${key("review")} reviews the ${good} without an error; ${key("rejected-rows")} writes the other ${count(issues.rows)} to a file, to fix.`;
}
