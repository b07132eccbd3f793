/**
 * The checks of request bodies, which return the problems that they find, and the service's answers
 * to problems (INTERFACE part 7).
 */
import { isExactNumber } from "./exact-json.ts";

export type Path = readonly (string | number)[];

/** One problem of a payload. `code` is stable, and `detail` is for people (INTERFACE 7.2). */
export interface Problem {
  readonly path: Path;
  readonly code: string;
  readonly detail: string;
}

export type Check = (value: unknown, path: Path) => readonly Problem[];

interface Field {
  readonly check: Check;
  readonly required: boolean;
}

export function problem(path: Path, code: string, detail: string): readonly Problem[] {
  return [{ path, code, detail }];
}

export const required = (check: Check): Field => ({ check, required: true });
export const optional = (check: Check): Field => ({ check, required: false });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks an object that has these fields and no others. */
export function object(fields: Readonly<Record<string, Field>>): Check {
  return (value, path) => {
    if (!isObject(value) || isExactNumber(value)) {
      return problem(path, "not_an_object", "An object is expected here.");
    }
    const problems: Problem[] = [];
    for (const [name, field] of Object.entries(fields)) {
      const fieldPath = [...path, name];
      if (Object.hasOwn(value, name)) problems.push(...field.check(value[name], fieldPath));
      else if (field.required) {
        problems.push(...problem(fieldPath, "required", "This field is required."));
      }
    }
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name)) {
        problems.push(
          ...problem([...path, name], "unknown_field", "This field is not documented."),
        );
      }
    }
    return problems;
  };
}

export function list(item: Check, minItems = 0): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return problem(path, "not_a_list", "An array is expected here.");
    if (value.length < minItems) {
      return problem(path, "empty", `At least ${minItems} item is needed here.`);
    }
    return value.flatMap((entry, index) => item(entry, [...path, index]));
  };
}

/** Combines checks. A check runs only if the earlier ones found no problem. */
export function allOf(...checks: readonly Check[]): Check {
  return (value, path) => {
    for (const check of checks) {
      const problems = check(value, path);
      if (problems.length > 0) return problems;
    }
    return [];
  };
}

export const text: Check = (value, path) =>
  typeof value === "string" ? [] : problem(path, "not_a_string", "A string is expected here.");

/** Checks a text of 1 to 255 characters that is not blank. */
export const name: Check = allOf(text, (value, path) => {
  const length = String(value).trim().length;
  if (length === 0) return problem(path, "blank", "This field may not be blank.");
  return length > 255 ? problem(path, "too_long", "At most 255 characters are allowed.") : [];
});

export const flag: Check = (value, path) =>
  typeof value === "boolean"
    ? []
    : problem(path, "not_a_boolean", "true or false is expected here.");

/** Checks a number. The exponent has a limit, because `1e9999` is a number of 10,000 digits. */
export const number: Check = (value, path) =>
  isExactNumber(value) && /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?$/.test(value.rawJSON)
    ? []
    : problem(path, "not_a_number", "A number is expected here.");

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const datetimePattern =
  /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/;

function isDate(value: unknown): boolean {
  const match = typeof value === "string" ? datePattern.exec(value) : null;
  if (match === null) return false;
  const date = new Date(`${match[0]}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === match[0];
}

export const date: Check = (value, path) =>
  isDate(value) ? [] : problem(path, "invalid_date", "A date such as 2025-01-31 is expected here.");

/** Checks a datetime, with or without an offset. */
export const datetime: Check = (value, path) => {
  const match = typeof value === "string" ? datetimePattern.exec(value) : null;
  return match !== null && isDate(match[1])
    ? []
    : problem(
        path,
        "invalid_datetime",
        "A datetime such as 2025-01-31T09:30:00Z is expected here.",
      );
};

export const email: Check = allOf(text, (value, path) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value))
    ? []
    : problem(path, "invalid_email", "This is not an e-mail address."),
);

export const phoneNumber: Check = allOf(text, (value, path) =>
  /^\+?\d(?:[ ()-]*\d){5,14}$/.test(String(value))
    ? []
    : problem(path, "invalid_phone_number", "This is not a phone number."),
);

export const emptyOr =
  (check: Check): Check =>
  (value, path) =>
    value === "" ? [] : check(value, path);

/** Checks a relative path that never leaves the supplier's document root (part 2). */
export const documentPath: Check = allOf(name, (value, path) => {
  const documentPath = String(value);
  const parts = documentPath.split(/[/\\]/);
  const isRelative = !/^([/\\]|[a-z][a-z0-9+.-]*:)/i.test(documentPath);
  return isRelative && !parts.includes("..") && !/\p{Cc}/u.test(documentPath)
    ? []
    : problem(path, "invalid_document_path", "A path below the document root is expected here.");
});

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** The layout of field errors, which the interface does not define. Fault `mirror` selects it. */
export type ErrorLayout = "plain" | "payload" | "indexed";

export function notFound(detail: string): Answer {
  return { status: 404, body: { detail, code: "not_found" } };
}

/** Returns the 400 of part 7.1 with all problems. `prefix` precedes the path of each problem. */
export function failedValidation(problems: readonly Problem[], prefix: Path = []): Answer {
  return {
    status: 400,
    body: {
      detail: "The payload failed validation.",
      code: "account_failed_validation",
      errors: problems.map(({ path, code, detail }) => ({
        detail,
        code,
        attr: [...prefix, ...path].join("."),
      })),
    },
  };
}

/** Returns a 400 with the payload's structure (4.5), with messages in place of invalid fields. */
export function nestedErrors(problems: readonly Problem[], layout: ErrorLayout): Answer {
  let root: unknown;
  for (const { path, detail } of problems) root = withMessage(root, path, detail, layout);
  const body = Array.isArray(root) ? { non_field_errors: root } : root;
  return { status: 400, body: layout === "payload" ? { payload: body } : body };
}

function withMessage(node: unknown, path: Path, message: string, layout: ErrorLayout): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    const messages = Array.isArray(node) ? node : [];
    // A message for a whole object is beside those for its fields.
    return isObject(node) ? { ...node, non_field_errors: [message] } : [...messages, message];
  }
  if (typeof step === "number" && layout !== "indexed") {
    const items: unknown[] = Array.isArray(node) ? [...node] : [];
    // Items without problems are an empty object, so that positions match.
    while (items.length <= step) items.push({});
    items[step] = withMessage(items[step], rest, message, layout);
    return items;
  }
  // Assigning to the name __proto__ would not create a field, but Object.fromEntries does.
  const fields = new Map(isObject(node) ? Object.entries(node) : []);
  fields.set(String(step), withMessage(fields.get(String(step)), rest, message, layout));
  return Object.fromEntries(fields);
}
