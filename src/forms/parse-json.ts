/** Reads the body of a request from JSON text, and locates each issue by line and column. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, memberOf } from "../json/exact.ts";
import { offsetOf, type Place, placeAt, positionsOf } from "../json/positions.ts";
import { scanJson } from "../json/scan.ts";
import { type Form, fromWireBody, isInEnvelope } from "./fields.ts";
import type { Issue } from "./rules.ts";
import { undocumented, type ValidateOptions, type Validation, validateBody } from "./validate.ts";

/** The supplier and account of the command line or screen. Others in a file are an issue. */
export interface Addressee {
  readonly importSupplier?: string;
  readonly externalAccountNumber?: string;
}

type ParsedJson =
  | {
      readonly ok: true;
      /** The body without its outer `payload`, not validated yet. */
      readonly body: Json;
      readonly locate: (issue: Issue) => Issue;
      /** Issues of the text as a whole: another addressee, or a field beside `payload`. */
      readonly issues: readonly Issue[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads a JSON file or the text of an editor: the array of the form's items, or the whole
 * documented body. A supply point can be inside `payload` or not. A name that the body lacks is
 * taken from the addressee. Another name in the body is an issue.
 */
export function parseJson(
  form: Form,
  source: string | Uint8Array,
  addressee: Addressee = {},
): ParsedJson {
  const text = decoded(source);
  if (text === null)
    return { ok: false, issues: [{ path: [], message: "This is not UTF-8 text." }] };
  const position = positionsOf(text);
  const scan = scanJson(text);
  if (!scan.ok) {
    const located = scan.issues.map(({ offset, path, message }) => ({
      path: insideOf(form, path),
      message,
      ...position(offset),
    }));
    return { ok: false, issues: located };
  }
  const { body, root } = bodyIn(form, scan.value, scan.place);
  const locate = (issue: Issue): Issue => ({ ...issue, ...position(offsetOf(root, issue)) });
  const besideIssues = besideEnvelope(form, scan.value).map((issue) => ({
    ...issue,
    ...position(offsetOf(scan.place, issue)),
  }));
  const addressed = withAddressee(body, namesOf(form, addressee));
  return {
    ok: true,
    body: addressed.body,
    locate,
    issues: [...besideIssues, ...addressed.issues.map(locate)],
  };
}

export function validateJson(
  form: Form,
  source: string | Uint8Array,
  addressee: Addressee = {},
  options: ValidateOptions = {},
): Validation {
  const parsed = parseJson(form, source, addressee);
  if (!parsed.ok) return { ok: false, issues: parsed.issues, warnings: [] };
  const checked = validateBody(form, parsed.body, options);
  const warnings = checked.warnings.map(parsed.locate);
  const issues = [...parsed.issues, ...(checked.ok ? [] : checked.issues.map(parsed.locate))];
  if (checked.ok && issues.length === 0) return { ...checked, warnings };
  return { ok: false, issues: issues.sort(inTextOrder), warnings: warnings.sort(inTextOrder) };
}

function inTextOrder(a: Issue, b: Issue): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** Returns the text without a byte order mark, or null if the bytes are not UTF-8. */
function decoded(source: string | Uint8Array): string | null {
  if (typeof source === "string") return source.replace(/^\uFEFF/, "");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    return null;
  }
}

/** Converts a path of the text to a path of the form, which begins inside the outer key. */
function insideOf(form: Form, path: Issue["path"]): Issue["path"] {
  if (form.itemsField !== null && typeof path[0] === "number") return [form.itemsField, ...path];
  return path[0] === form.envelope ? path.slice(1) : path;
}

function bodyIn(form: Form, value: Json, place: Place): { body: Json; root: Place } {
  if (form.itemsField !== null && isJsonArray(value)) {
    const children = new Map([[form.itemsField, place]]);
    return { body: { [form.itemsField]: value }, root: { ...place, children } };
  }
  if (!isInEnvelope(form, value)) return { body: value, root: place };
  const root = placeAt(place, [form.envelope ?? ""]) ?? place;
  return { body: fromWireBody(form, value), root };
}

function besideEnvelope(form: Form, value: Json): readonly Issue[] {
  if (!isInEnvelope(form, value)) return [];
  return Object.keys(value)
    .filter((name) => name !== form.envelope)
    .map((name) => undocumented(form, [], name));
}

interface AddresseeName {
  readonly field: "import_supplier" | "external_account_number";
  readonly value: string;
}

function namesOf(form: Form, addressee: Addressee): readonly AddresseeName[] {
  const { importSupplier, externalAccountNumber } = addressee;
  const forAccount = form.envelope === null;
  return [
    ...(importSupplier === undefined
      ? []
      : [{ field: "import_supplier", value: importSupplier } as const]),
    ...(externalAccountNumber === undefined || !forAccount
      ? []
      : [{ field: "external_account_number", value: externalAccountNumber } as const]),
  ];
}

function withAddressee(
  body: Json,
  names: readonly AddresseeName[],
): { readonly body: Json; readonly issues: readonly Issue[] } {
  if (!isJsonObject(body)) return { body, issues: [] };
  const missing = names.filter(({ field }) => memberOf(body, field) === undefined);
  const issues = names.flatMap(({ field, value }): Issue[] => {
    const nameInBody = memberOf(body, field);
    if (typeof nameInBody !== "string" || nameInBody === value) return [];
    return [{ path: [field], message: `This names another ${nameWords[field]} than ${value}.` }];
  });
  const added = Object.fromEntries(missing.map(({ field, value }) => [field, value]));
  const whole: JsonObject = { ...added, ...body };
  return { body: whole, issues };
}

const nameWords = {
  import_supplier: "import supplier",
  external_account_number: "account",
} as const;
