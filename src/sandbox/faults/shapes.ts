/** Changes documented response bodies into bodies of another shape, for the fault `shape`. */
import { isObject } from "../checks.ts";

// Escape, CSI as one C1 character, a right-to-left override and a bell.
const hostileText = "\u001b[31m\u009b2J\u202e\u0007";

type Fields = readonly (readonly [string, unknown])[];

/** The fields that identify an item. */
const names = new Set([
  "body",
  "reference",
  "statement_id",
  "transaction_id",
  "external_account_number",
]);

const objectShapes: Readonly<Record<string, (fields: Fields) => Fields>> = {
  extra: (fields) => [["unheard_of", { since: [1, "two", null] }], ...fields],
  missing: (fields) => fields.slice(1),
  types: (fields) =>
    fields.map(([name, value]) => [name, typeof value === "string" ? value.length : value]),
  "unknown-status": (fields) =>
    fields.map(([name, value]) => [name, name === "status" ? "AWAITING_REVIEW" : value]),
  other: (fields) =>
    fields.map(([name, value]) => [
      name,
      names.has(name) && typeof value === "string" ? `${value}-other` : value,
    ]),
  "other-account": (fields) => withField(fields, "external_account_number", "OTHER-1"),
  "no-account": (fields) => withField(fields, "service_account_number", ""),
  errors: (fields) => withField(fields, "errors", [{ detail: "It failed.", code: "invalid" }]),
  // The outer object has the status of a success, and the inner object an error.
  "import-error": (fields) =>
    fields.some(([, value]) => typeof value === "object" && value !== null)
      ? fields
      : withField(fields, "status", "TRANSACTION_IMPORT_ERROR"),
  hostile: (fields) =>
    fields.map(([name, value]) => [name, typeof value === "string" ? value + hostileText : value]),
};

function withField(fields: Fields, name: string, value: unknown): Fields {
  return [...fields.filter(([there]) => there !== name), [name, value]];
}

/** Fields of requests that have another name in the response. */
const answeredAs: Readonly<Record<string, string>> = { identifier: "supply_point_identifier" };

/** Returns fields of an answer that name another item than a request does. */
export function otherNames(request: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const collect = (value: unknown): void => {
    const fields = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
    for (const [field, part] of fields) {
      const name = answeredAs[field] ?? field;
      const isName = names.has(field) || field in answeredAs;
      if (isName && typeof part === "string") found[name] ??= `${part}-other`;
      else collect(part);
    }
  };
  collect(request === "" ? null : JSON.parse(request));
  return found;
}

/** Returns the text to answer in place of `body`. `word` is a value of the fault `shape`. */
export function reshaped(body: string, word: string): string {
  if (word === "empty") return "";
  if (word === "null") return "null";
  if (word === "text") return JSON.stringify("accepted");
  if (word === "repeated") return body.replace(/\{("[^"]+"):/, "{$1:null,$1:");
  const value: unknown = body === "" ? {} : JSON.parse(body);
  if (word === "wrapped") return JSON.stringify({ count: null, results: value });
  const shape = objectShapes[word];
  return JSON.stringify(shape === undefined ? value : everyObject(value, shape));
}

function everyObject(value: unknown, shape: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => everyObject(item, shape));
  if (!isObject(value)) return value;
  const inner: Fields = Object.entries(value).map(([name, part]) => [
    name,
    everyObject(part, shape),
  ]);
  return Object.fromEntries(shape(inner));
}

/**
 * Returns the first half of a JSON body as valid JSON: of the items of a list, or of the fields of
 * an object.
 */
export function validPrefix(body: string): string {
  if (body === "") return "";
  const value: unknown = JSON.parse(body);
  if (Array.isArray(value)) return JSON.stringify(value.slice(0, Math.floor(value.length / 2)));
  if (!isObject(value)) return body;
  const fields = Object.entries(value);
  return JSON.stringify(Object.fromEntries(fields.slice(0, Math.floor(fields.length / 2))));
}
