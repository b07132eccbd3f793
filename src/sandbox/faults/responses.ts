/** Builds the responses of faults: statuses, HTML pages, and bodies with an undocumented shape. */
import { isObject } from "../checks.ts";
import { durationMs, type FaultSpec, retryAfterStatuses } from "./specs.ts";

function statusOf({ kind, value }: FaultSpec) {
  if (kind.name === "rate") return { status: 429, retryAfter: value?.split("/")[1] };
  const status = Number.parseInt(kind.name, 10);
  const duration = status === 429 ? (value ?? "1s") : value;
  return { status, retryAfter: retryAfterStatuses.includes(status) ? duration : undefined };
}

/**
 * Returns the response of a fault that is a status. `request` returns the body of the request, from
 * which the value `other` derives the names of other items.
 */
export async function statusResponse(
  fault: FaultSpec,
  request: () => Promise<string>,
): Promise<Response> {
  const { status, retryAfter } = statusOf(fault);
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined)
    headers["retry-after"] = String(Math.ceil((durationMs(retryAfter) ?? 0) / 1000));
  if (status === 302 || status === 303) headers.location = "/elsewhere/";
  if (status >= 502) return htmlPage(status, "The service is not available.", headers);
  const [detail, code] = {
    302: ["Moved.", "moved"],
    303: ["See the result.", "see_other"],
    400: ["The payload is not valid.", "account_failed_validation"],
    401: ["The token is not valid.", "authentication_failed"],
    403: ["The token lacks the permission for this.", "permission_denied"],
    404: ["Not found.", "not_found"],
    408: ["The request took too long.", "request_timeout"],
    409: ["Another request is being carried out.", "conflict"],
    423: ["Locked by another request.", "locked"],
    425: ["Too early.", "too_early"],
    429: ["Too many requests.", "throttled"],
  }[status] ?? ["An unexpected error happened.", "error"];
  const errors = status === 400 ? { errors: [] } : {};
  const otherItem = fault.value === "other" ? otherNames(await request()) : {};
  return jsonText(status, JSON.stringify({ detail, code, ...errors, ...otherItem }), headers);
}

export function jsonText(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

export function htmlPage(
  status: number,
  heading: string,
  headers: Record<string, string> = {},
): Response {
  const html = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${heading}</h1></body></html>`;
  return new Response(html, { status, headers: { "content-type": "text/html", ...headers } });
}

// Escape, CSI as one C1 character, a right-to-left override and a bell.
const hostileText = "\u001b[31m\u009b2J\u202e\u0007";

type Fields = readonly (readonly [string, unknown])[];

const identifyingFields = new Set([
  "body",
  "reference",
  "statement_id",
  "transaction_id",
  "external_account_number",
]);

const objectChanges: Readonly<Record<string, (fields: Fields) => Fields>> = {
  extra: (fields) => [["unheard_of", { since: [1, "two", null] }], ...fields],
  missing: (fields) => fields.slice(1),
  types: (fields) =>
    fields.map(([name, value]) => [name, typeof value === "string" ? value.length : value]),
  "unknown-status": (fields) =>
    fields.map(([name, value]) => [name, name === "status" ? "AWAITING_REVIEW" : value]),
  other: (fields) =>
    fields.map(([name, value]) => [
      name,
      identifyingFields.has(name) && typeof value === "string" ? `${value}-other` : value,
    ]),
  "other-account": (fields) => withField(fields, "external_account_number", "OTHER-1"),
  "no-account": (fields) => withField(fields, "service_account_number", ""),
  errors: (fields) => withField(fields, "errors", [{ detail: "It failed.", code: "invalid" }]),
  // The outer object keeps the status of a success, and the innermost objects get an error.
  "import-error": (fields) =>
    fields.some(([, value]) => typeof value === "object" && value !== null)
      ? fields
      : withField(fields, "status", "TRANSACTION_IMPORT_ERROR"),
  hostile: (fields) =>
    fields.map(([name, value]) => [name, typeof value === "string" ? value + hostileText : value]),
};

function withField(fields: Fields, name: string, value: unknown): Fields {
  return [...fields.filter(([existing]) => existing !== name), [name, value]];
}

const responseNames: Readonly<Record<string, string>> = { identifier: "supply_point_identifier" };

function otherNames(request: string): Readonly<Record<string, string>> {
  const others: Record<string, string> = {};
  const collect = (value: unknown): void => {
    const fields = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
    for (const [field, part] of fields) {
      const name = responseNames[field] ?? field;
      const isName = identifyingFields.has(field) || field in responseNames;
      if (isName && typeof part === "string") others[name] ??= `${part}-other`;
      else collect(part);
    }
  };
  collect(request === "" ? null : JSON.parse(request));
  return others;
}

export function reshaped(body: string, shape: string): string {
  if (shape === "empty") return "";
  if (shape === "null") return "null";
  if (shape === "text") return JSON.stringify("accepted");
  if (shape === "repeated") return body.replace(/\{("[^"]+"):/, "{$1:null,$1:");
  const value: unknown = body === "" ? {} : JSON.parse(body);
  if (shape === "wrapped") return JSON.stringify({ count: null, results: value });
  const change = objectChanges[shape];
  return JSON.stringify(change === undefined ? value : changeObjects(value, change));
}

function changeObjects(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => changeObjects(item, change));
  if (!isObject(value)) return value;
  const inner: Fields = Object.entries(value).map(([name, part]) => [
    name,
    changeObjects(part, change),
  ]);
  return Object.fromEntries(change(inner));
}

/**
 * Returns a JSON body with the first half of its items if it is an array, or with the first half of
 * its fields if it is an object.
 */
export function validPrefix(body: string): string {
  if (body === "") return "";
  const value: unknown = JSON.parse(body);
  if (Array.isArray(value)) return JSON.stringify(value.slice(0, Math.floor(value.length / 2)));
  if (!isObject(value)) return body;
  const fields = Object.entries(value);
  return JSON.stringify(Object.fromEntries(fields.slice(0, Math.floor(fields.length / 2))));
}
