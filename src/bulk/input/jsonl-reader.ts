/** Reads the rows of a JSONL input. */
import { fromWireBody, isInEnvelope } from "../../forms/fields.ts";
import { pathText } from "../../forms/payload-places.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json/exact.ts";
import { scanJson } from "../../json/scan.ts";
import { clipped } from "../../rows/record-text.ts";
import { finalError, type InputRow, type Planned, type Planner } from "./planner.ts";
import { reasonColumn } from "./reason-column.ts";
import type { RowShape } from "./row-shape.ts";
import { unknownName } from "./row-shape.ts";

const oneObjectALine =
  "A JSONL file has one object in { } on each line. This is a list, or JSON over several lines.";

export class JsonlReader {
  stop: Planned | null = null;
  /** True after the first line that is not empty. */
  hasRows = false;
  readonly #planner: Planner;

  constructor(planner: Planner) {
    this.#planner = planner;
  }

  record(line: number, text: string): readonly Planned[] {
    const trimmed = text.trim();
    if (trimmed === "") return [];
    if (!this.hasRows && (trimmed === "{" || trimmed.startsWith("["))) {
      this.stop = finalError(line, oneObjectALine);
      return [];
    }
    this.hasRows = true;
    const scan = scanJson(text);
    if (!scan.ok) {
      return scan.issues.flatMap(({ path, message, offset }) => {
        const column = path.length === 0 ? null : clipped(pathText(path));
        const place = `character ${[...text.slice(0, offset)].length + 1}`;
        return this.#error(line, column, `${message} (${place})`);
      });
    }
    if (!isJsonObject(scan.value)) {
      return this.#error(line, null, "A row is an object in { }.");
    }
    const { itemsField } = this.#planner.shape;
    if (itemsField !== null && Object.hasOwn(scan.value, itemsField)) {
      return this.#error(line, itemsField, unknownName(this.#planner.shape, itemsField));
    }
    return this.#planner.row({ line, ...documentedOf(this.#planner.shape, scan.value) });
  }

  #error(line: number, column: string | null, message: string): readonly Planned[] {
    return this.#planner.issue({ severity: "error", line, column, message });
  }
}

function documentedOf(shape: RowShape, value: JsonObject): Pick<InputRow, "row" | "issues"> {
  const { form } = shape;
  const wrapped = isInEnvelope(form, value);
  const inner: Json = wrapped ? fromWireBody(form, value) : value;
  const outside = wrapped ? Object.keys(value).filter((name) => name !== form.envelope) : [];
  if (!isJsonObject(inner)) {
    const field = form.envelope ?? "";
    const message = "An object in { } is expected here.";
    return { row: {}, issues: [{ severity: "error", field, message }] };
  }
  const known = new Set(shape.shape.fields.map(({ name }) => name));
  const names = Object.keys(inner);
  // The reason of an earlier check is not part of the row.
  const unknown = [...outside, ...names.filter((name) => !known.has(name))].filter(
    (name) => name !== reasonColumn,
  );
  if (unknown.length === 0 && !Object.hasOwn(inner, reasonColumn))
    return { row: inner, issues: [] };
  const row = Object.fromEntries(Object.entries(inner).filter(([name]) => known.has(name)));
  const issues = unknown.map((name) => ({
    severity: "error" as const,
    field: name,
    message: unknownName(shape, name),
  }));
  return { row, issues };
}
