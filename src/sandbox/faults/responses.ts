/** Builds the responses of faults: statuses, pages, and documented bodies in another shape. */
import { isObject } from "../checks.ts";
import { durationMs, type FaultSpec, waitingStatuses } from "./specs.ts";

/** Returns the status of a fault's response and its Retry-After. */
function statusOf({ kind, value }: FaultSpec) {
  if (kind.name === "rate") return { status: 429, wait: value?.split("/")[1] };
  const status = Number.parseInt(kind.name, 10);
  const wait = status === 429 ? (value ?? "1s") : value;
  return { status, wait: waitingStatuses.includes(status) ? wait : undefined };
}

/**
 * Returns the response of a fault that is a status. `request` returns the body of the request, for
 * the names of other items.
 */
export async function statusAnswer(
  fault: FaultSpec,
  request: () => Promise<string>,
): Promise<Response> {
  const { status, wait } = statusOf(fault);
  const headers: Record<string, string> = {};
  if (wait !== undefined)
    headers["retry-after"] = String(Math.ceil((durationMs(wait) ?? 0) / 1000));
  if (status === 302 || status === 303) headers.location = "/elsewhere/";
  if (status >= 502) return page(status, "The service is not available.", headers);
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
  const named = fault.value === "other" ? otherNames(await request()) : {};
  return jsonText(status, JSON.stringify({ detail, code, ...errors, ...named }), headers);
}

/** Returns a response with a JSON text. */
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

/** Returns a response with the HTML page of a gateway. */
export function page(
  status: number,
  words: string,
  headers: Record<string, string> = {},
): Response {
  const html = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${words}</h1></body></html>`;
  return new Response(html, { status, headers: { "content-type": "text/html", ...headers } });
}

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
function otherNames(request: string): Readonly<Record<string, string>> {
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
