/**
 * Converts the typed values of a form to the JSON body and the query of a request, and a body back
 * to values.
 */
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonNumber,
  memberOf,
  type Path,
  toJson,
} from "../json/exact.ts";
import { type Exact, exactDate, exactDatetime, type InputTime } from "../text/loose-dates.ts";
import { readDecimal } from "./decimals.ts";
import {
  bodyShape,
  type Field,
  type Form,
  isLeafField,
  type Leaf,
  type Shape,
  toWireBody,
} from "./fields.ts";
import {
  type FormState,
  type FormValue,
  type FormValues,
  isFormValues,
  isValueRows,
  valueAt,
} from "./form-values.ts";
import { invisibleProblem, withoutBlanks } from "./odd-characters.ts";
import { mapLeaves } from "./payload-places.ts";
import type { Issue } from "./rules.ts";
import { emptyRowMessage } from "./schema.ts";

interface UncheckedBody {
  /** The body without its outer `payload`. A text that cannot be read is unchanged. */
  readonly body: JsonObject;
  readonly query: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

type ExactLeaf =
  | { readonly ok: true; readonly value: Json; readonly note?: string | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Converts texts to JSON values: loosely typed dates to exact ones, and decimal text to numbers.
 * Empty fields are left out. Empty rows are included, so that each path of the body is also a path
 * of the draft. Throws RangeError for an unknown time zone.
 */
export function fromValues(form: Form, values: FormValues, typedAt: InputTime): UncheckedBody {
  const issues: Issue[] = [];
  const warnings: Issue[] = [];
  const readLeaf: LeafReader = (leaf, typed, path) => {
    const exact: ExactLeaf =
      withoutBlanks(typed) === "" ? emptyEntryError : exactLeaf(leaf, typed, typedAt);
    if (!exact.ok) issues.push({ path, message: exact.message });
    else if (exact.note !== undefined) warnings.push({ path, message: exact.note });
    return exact.ok ? exact.value : typed;
  };
  const body = bodyOfShape(bodyShape(form), values, [], readLeaf);
  const query = form.query.flatMap((option): [string, string][] => {
    const typed = valueAt(values, [option.name]);
    if (typeof typed !== "string" || withoutBlanks(typed) === "") return [];
    return [[option.name, String(readLeaf(option, typed, [option.name]))]];
  });
  return { body, query: Object.fromEntries(query), issues, warnings };
}

const emptyEntryError: ExactLeaf = { ok: false, message: emptyRowMessage };

type LeafReader = (leaf: Leaf, typed: string, path: Path) => Json;

function bodyOfShape(shape: Shape, values: FormValues, path: Path, read: LeafReader): JsonObject {
  const filled = shape.fields.flatMap((field): [string, Json][] => {
    const given = valueAt(values, [field.name]);
    const value = bodyOfField(field, given, [...path, field.name], read);
    return value === undefined ? [] : [[field.name, value]];
  });
  if (shape.unusedParts !== "empty") return Object.fromEntries(filled);
  const filledByName = new Map(filled);
  const parts = shape.fields.flatMap(({ name, type }): [string, Json][] => {
    const value = filledByName.get(name) ?? (type === "text" ? "" : undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(parts);
}

function bodyOfField(
  field: Field,
  given: FormValue | undefined,
  path: Path,
  read: LeafReader,
): Json | undefined {
  if (isLeafField(field)) {
    if (typeof given !== "string") return undefined;
    if (given === "" && field.type === "text" && field.mayBeEmpty) return "";
    return withoutBlanks(given) === "" ? undefined : read(field, given, path);
  }
  if (field.type === "object") {
    const inner = isFormValues(given) ? given : {};
    // A required object is sent empty, so that each missing field is reported.
    if (field.presence !== "required" && !isFilled(inner, field.unusedParts === "empty")) {
      return undefined;
    }
    return bodyOfShape(field, inner, path, read);
  }
  if (!isValueRows(given) || given.length === 0) return undefined;
  return given.map((row, at): Json => {
    if (field.type === "list") {
      return read(field.item, typeof row === "string" ? row : "", [...path, at]);
    }
    return bodyOfShape(field.item, isFormValues(row) ? row : {}, [...path, at], read);
  });
}

/** Returns true if a value is filled in. If `emptyCounts` is true, empty text is, too. */
function isFilled(value: FormValue, emptyCounts: boolean): boolean {
  if (typeof value === "string") return emptyCounts || withoutBlanks(value) !== "";
  if (isValueRows(value)) return value.length > 0;
  return Object.values(value).some((inner) => isFilled(inner, emptyCounts));
}

/**
 * Converts typed text, which must not be empty, to the value that is sent. Throws RangeError for an
 * unknown time zone.
 */
export function exactLeaf(leaf: Leaf, typed: string, typedAt: InputTime): ExactLeaf {
  const text = withoutBlanks(typed);
  if (leaf.type === "multiline") return { ok: true, value: typed };
  if (leaf.type === "text" || leaf.type === "enumeration" || leaf.type === "document-path")
    return { ok: true, value: text };
  const problem = invisibleProblem(text);
  if (problem !== null) return { ok: false, message: problem };
  switch (leaf.type) {
    case "amount":
    case "number": {
      const number = readDecimal(text);
      return number.ok ? { ok: true, value: jsonNumber(number.source) } : number;
    }
    case "boolean": {
      const value = readBoolean(text);
      return value === null ? { ok: false, message: "Write yes or no." } : { ok: true, value };
    }
    case "date":
    case "datetime": {
      const exact = (leaf.type === "date" ? exactDate : exactDatetime)(text, typedAt);
      if (!exact.ok) return exact;
      return { ok: true, value: exact.text, ...(exact.note ? { note: exact.note } : {}) };
    }
  }
}

export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase();
  if (["true", "yes", "y", "on"].includes(word)) return true;
  return ["false", "no", "n", "off"].includes(word) ? false : null;
}

/**
 * Formats a body as indented JSON for an editor. Hidden and bidirectional characters are escaped,
 * so that the text is harmless for the terminal. Reading the text returns the same body.
 */
export function jsonText(body: JsonObject): string {
  return `${toJson(body, 2)}\n`;
}

/**
 * Formats a draft as JSON for an editor: the whole documented body, with exact dates. Texts that
 * cannot be read are unchanged, and are reported when the editor's text is read. The query
 * parameters are not included. Throws RangeError for an unknown time zone.
 */
export function valuesJsonText(form: Form, values: FormValues, typedAt: InputTime): string {
  return jsonText(toWireBody(form, fromValues(form, values, typedAt).body));
}

/**
 * Returns the exact text of a typed value, to be shown beside it: for `-3d`, the date and its zone.
 * Returns an empty text if nothing is typed. Throws RangeError for an unknown time zone.
 */
export function exactText(leaf: Leaf, typed: string, typedAt: InputTime): Exact {
  if (withoutBlanks(typed) === "") return { ok: true, text: "" };
  const exact = exactLeaf(leaf, typed, typedAt);
  if (!exact.ok) return exact;
  const text = isJsonNumber(exact.value) ? exact.value.rawJSON : String(exact.value);
  return { ok: true, text, note: exact.note };
}

/**
 * Returns a draft with exact dates and datetimes, so that `today` does not become another day while
 * the draft is stored. Texts that cannot be read are unchanged. Throws RangeError for an unknown
 * time zone.
 */
export function withExactDates(form: Form, values: FormValues, typedAt: InputTime): FormValues {
  return mapLeaves(bodyShape(form).fields, values, (leaf, typed) => {
    if (typeof typed !== "string" || (leaf.type !== "date" && leaf.type !== "datetime"))
      return typed;
    const exact = exactText(leaf, typed, typedAt);
    return exact.ok ? exact.text : typed;
  });
}

interface BodyValues {
  readonly values: FormValues;
  /** The paths of values without a place in the form: undocumented, an object for a text, null. */
  readonly unfit: readonly Path[];
}

export function toValues(form: Form, body: Json): BodyValues {
  const unfit: Path[] = [];
  return { values: valuesOfShape(bodyShape(form).fields, body, [], unfit) ?? {}, unfit };
}

function valuesOfShape(
  fields: readonly Field[],
  value: Json,
  path: Path,
  unfit: Path[],
): FormValues | undefined {
  if (!isJsonObject(value)) {
    unfit.push(path);
    return undefined;
  }
  const texts = Object.entries(value).flatMap(([name, inner]): [string, FormValue][] => {
    const place = [...path, name];
    const field = fields.find((candidate) => candidate.name === name);
    const text = field && valueOfField(field, inner, place, unfit);
    if (field === undefined) unfit.push(place);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(texts);
}

function valueOfField(field: Field, value: Json, path: Path, unfit: Path[]): FormValue | undefined {
  if (isLeafField(field)) return textOf(value, path, unfit);
  if (field.type === "object") return valuesOfShape(field.fields, value, path, unfit);
  if (!isJsonArray(value)) {
    unfit.push(path);
    return undefined;
  }
  // A row that does not fit becomes an empty row, so that the numbers of the others do not change.
  return value.map((entry, at): FormValue => {
    const place = [...path, at];
    if (field.type === "list") return textOf(entry, place, unfit) ?? "";
    return valuesOfShape(field.item.fields, entry, place, unfit) ?? {};
  });
}

function textOf(value: Json, path: Path, unfit: Path[]): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (isJsonNumber(value)) return value.rawJSON;
  unfit.push(path);
  return undefined;
}

/**
 * Restores a stored draft, which another version of this program might have saved. Drops values
 * that do not fit the form. Returns null if `saved` is not a draft.
 */
export function restoreForm(form: Form, saved: unknown): FormState | null {
  const values = memberOf(saved, "values");
  if (!isJsonObject(values)) return null;
  const folded = memberOf(saved, "folded");
  return {
    values: valuesOfShape([...bodyShape(form).fields, ...form.query], values, [], []) ?? {},
    folded: isJsonArray(folded) ? folded.filter((key) => typeof key === "string") : [],
  };
}
