/** Defines the keys that copy the rows of a list or export them to a file. */
import { useApp } from "../../hooks/app.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { formatOf, type RecordFormat, recordFormats, recordsText, tsvRow } from "../../rows/csv.ts";
import { copyLimitWords } from "../../session/copy-accounts.ts";
import { askFile } from "../../session/file-question.ts";
import { type Fields, fieldCell } from "../../text/fields.ts";
import { plural } from "../../text/numbers.ts";
import { type Column, cellValue } from "./column.ts";
import { noRowWords } from "./list-keys.ts";
import type { List } from "./use-list.ts";

export type RowNoun = readonly [one: string, many: string];

export interface RowFile<Row> {
  readonly stem: string;
  /**
   * The fields of a row in files and copies. They are those of the command that lists the rows, or
   * empty if the screen has its own keys for both.
   */
  readonly fields: Fields<Row>;
  readonly command?: (path: string, format: RecordFormat) => string | null;
}

export function useRowFiles<Row>(
  list: List<Row>,
  noun: RowNoun,
  { stem, fields, command }: RowFile<Row>,
): Actions {
  const app = useApp();
  const { notices, key, clipboard } = app;
  const write = useWriteFile();
  const { current, marks, columns } = list;
  const noRow = current === null && marks.count === 0 ? noRowWords : null;
  const copyRows = () => {
    const tooMany = copyLimitWords(marks.count, noun[1], key);
    if (tooMany !== null) {
      notices.show(tooMany, "waiting");
      return;
    }
    const rows = list.chosen();
    const text = rows.map((row) => tsvRow(fields.map((field) => fieldCell(field, row)))).join("\n");
    const isOne = marks.count === 0 && rows.length === 1;
    clipboard(
      text,
      isOne ? "row" : plural(rows.length, ...(marks.count > 0 ? markedNoun(noun) : noun)),
    );
  };
  const rows = marks.count > 0 ? marks.count : list.length;
  const rowsText = plural(rows, ...(marks.count > 0 ? markedNoun(noun) : noun));
  const isFiltered = marks.count === 0 && list.length < list.total;
  return {
    copy: {
      run() {
        if (current === null) return;
        const text = nameOf(columns, current);
        clipboard(text, text);
      },
      disabled: current === null ? noRowWords : null,
    },
    "copy-row": {
      run: copyRows,
      disabled: noRow,
      ...(marks.count > 0 ? { label: "copy marked" } : {}),
    },
    export: {
      run: () =>
        askFile(app, write, {
          title: `Export ${rowsText}${isFiltered ? " that match" : ""}, in the order shown`,
          stem,
          what: rowsText,
          endings: Object.keys(recordFormats),
          pieces: (ending) =>
            recordsText(
              fields,
              marks.count > 0 ? list.marked() : rowsShown(list),
              formatOf(ending),
            ),
          ...(command === undefined || marks.count > 0
            ? {}
            : { command: (file, ending) => command(file, formatOf(ending)) }),
        }),
      disabled: noRow,
    },
  };
}

/**
 * Returns the text that names a row: that of the column that names rows, or else the first text. A
 * sign without a title, such as that of a severity, and a number name no row. Returns an empty text
 * for a row without one.
 */
function nameOf<Row>(columns: readonly Column<Row>[], row: Row): string {
  const texts = columns.filter(
    ({ title, align, picture }) => title !== "" && align !== "right" && !picture,
  );
  const named = texts.filter(({ names }) => names);
  return (
    [...named, ...texts]
      .map((one) => String(cellValue(one, row) ?? ""))
      .find((text) => text !== "") ?? ""
  );
}

function markedNoun([one, many]: RowNoun): RowNoun {
  return [`marked ${one}`, `marked ${many}`];
}

/**
 * Yields the rows that match the filter in the shown order, or the rows that such a row represents.
 */
export function* rowsShown<Row>(list: List<Row>): Generator<Row> {
  for (let position = 0; position < list.length; position++) {
    yield* list.partsAt(position);
  }
}
