/**
 * The kinds of faults, and the parser of fault specs:
 * `KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY]`. Some kinds are settings of behavior that the
 * interface leaves open.
 */
import { type Endpoint, endpointNames, groups, isEndpoint } from "../endpoints.ts";

/**
 * The point at which a fault acts: when a connection opens, when a request arrives (`delay`),
 * before or after the effect, or on the age (`lag`) or number of rows (`rows`) of a list. A
 * `setting` applies to all requests.
 */
export type Stage = "connection" | "delay" | "before" | "after" | "lag" | "rows" | "setting";

export interface FaultKind {
  readonly name: string;
  readonly stage: Stage;
  /** Format of the value, or undefined if the kind has no value. Brackets: optional. */
  readonly value?: string;
  readonly help: string;
}

const statuses: readonly (readonly [number, string])[] = [
  [302, "a redirect to another path"],
  [303, "a redirect to the result, as after a successful POST"],
  [400, "an invalid payload"],
  [401, "an invalid token"],
  [403, "a missing permission"],
  [404, "an unknown account"],
  [408, "a request that took too long"],
  [409, "a conflict with another request"],
  [423, "an account locked by another request"],
  [425, "a request that arrived too early"],
  [429, "too many requests, with Retry-After in whole seconds (default: 1s)"],
  [444, "a gateway that closed the connection"],
  [460, "a gateway whose client closed the connection"],
  [499, "a gateway whose client closed the connection"],
  [500, "an unexpected error"],
  [502, "a gateway's HTML page"],
  [503, "a gateway's HTML page, with Retry-After if there is a value"],
  [504, "a gateway's HTML page"],
];

export const retryAfterStatuses: readonly number[] = [429, 503];

const itemNamingStatuses: readonly number[] = [400, 409];

function statusValue(status: number): Pick<FaultKind, "value"> {
  if (retryAfterStatuses.includes(status)) return { value: "[DURATION]" };
  return itemNamingStatuses.includes(status) ? { value: "[other]" } : {};
}

const statusKinds = statuses.flatMap(([status, help]): FaultKind[] => {
  const value = statusValue(status);
  return [
    { name: `${status}`, stage: "before", ...value, help: `${help}; without effect` },
    { name: `${status}-before`, stage: "before", ...value, help: `the same as ${status}` },
    { name: `${status}-after`, stage: "after", ...value, help: `${help}; after the effect` },
  ];
});

export const faultKinds: readonly FaultKind[] = [
  {
    name: "latency",
    stage: "delay",
    value: "DURATION",
    help: "wait before the request is handled",
  },
  ...statusKinds,
  {
    name: "rate",
    stage: "before",
    value: "DURATION|DURATION/DURATION",
    help:
      "accept one request in each first duration, and answer the others with 429; the second " +
      "duration is their Retry-After, in whole seconds",
  },
  { name: "reset-accept", stage: "connection", help: "reset each new connection" },
  { name: "reset-headers", stage: "before", help: "reset after the request's headers are read" },
  { name: "reset-body", stage: "before", help: "reset in the middle of the request's body" },
  {
    name: "reset-before",
    stage: "before",
    help: "read the whole request, then reset, without effect",
  },
  { name: "reset-after", stage: "after", help: "take effect, then reset without a response" },
  {
    name: "late",
    stage: "before",
    value: "DURATION",
    help: "reset, and take effect after the duration",
  },
  { name: "hang", stage: "before", help: "never answer, without effect" },
  { name: "hang-after", stage: "after", help: "take effect, and never answer" },
  {
    name: "truncate",
    stage: "after",
    value: "[length|chunked|close|prefix]",
    help:
      "cut the response in half: below its Content-Length (the default), inside a chunk, or " +
      "without a length; prefix sends a shorter body that is valid JSON",
  },
  {
    name: "cut",
    stage: "after",
    value: "BYTES",
    help: "end the response inside a chunk, after this number of bytes of its body",
  },
  {
    name: "cut-close",
    stage: "after",
    value: "BYTES",
    help: "end the response without a length after this number of bytes, so that only its JSON is invalid",
  },
  {
    name: "rows",
    stage: "rows",
    value: "COUNT",
    help: "return only the first rows of a list (4.9 to 4.11), as valid JSON",
  },
  {
    name: "lag",
    stage: "lag",
    value: "DURATION",
    help: "return a list (4.9 to 4.11) as it was before the duration",
  },
  {
    name: "torn",
    stage: "before",
    value: "[length|chunked|close|prefix]",
    help: "begin a response of success and cut it as truncate does; without effect",
  },
  {
    name: "interim",
    stage: "after",
    value: "100|102|103",
    help: "send an interim response with this status first",
  },
  { name: "malformed", stage: "after", help: "a complete body that is not JSON" },
  { name: "html", stage: "after", help: "the right status with an HTML page as its body" },
  {
    name: "drip",
    stage: "after",
    value: "[BYTES/DURATION]",
    help: "send the response slowly (default: 16/50ms)",
  },
  {
    name: "shape",
    stage: "after",
    value:
      "wrapped|null|text|empty|extra|missing|types|unknown-status|other|hostile|" +
      "other-account|no-account|errors|import-error|repeated",
    help:
      "an undocumented body: inside {results}, null, a string, no body at all, unknown " +
      "fields, a missing field, numbers for strings, unknown statuses, terminal escapes in text, " +
      "another account, an empty account number, errors beside results, a success around an error, " +
      "a repeated field",
  },
  {
    name: "auth",
    stage: "setting",
    value: "token|bare|both",
    help: "accepted forms of the Authorization header",
  },
  { name: "token", stage: "setting", value: "jwt|opaque", help: "form of new tokens" },
  {
    name: "token-life",
    stage: "setting",
    value: "DURATION",
    help: "lifetime of new tokens",
  },
  { name: "statements-status", stage: "setting", value: "200|201", help: "success status of 4.3" },
  {
    name: "mirror",
    stage: "setting",
    value: "plain|payload|indexed",
    help: "layout of supply point errors: as documented, below the key payload, or objects in place of arrays",
  },
  {
    name: "batch",
    stage: "setting",
    value: "kept|undone",
    help: "effect of the transactions before a failing one in a request",
  },
];

export interface FaultSpec {
  readonly text: string;
  readonly kind: FaultKind;
  readonly value: string | undefined;
  readonly endpoints: ReadonlySet<Endpoint>;
  /** The number of injections, or Infinity if no count was given. */
  readonly count: number;
  /** The probability of each injection, from 0 to 1. */
  readonly probability: number;
}

const specPattern =
  /^(?<kind>[a-z0-9-]+?)(?:=(?<value>[^@%]+?))?(?:@(?<endpoint>[a-z-]+?))?(?:x(?<count>\d+))?(?:%(?<percent>\d+(?:\.\d+)?))?$/;

/** Parses a fault spec. Throws an Error that names the text and the allowed values. */
export function parseFault(text: string): FaultSpec {
  const invalid = (reason: string): Error => new Error(`Fault "${text}": ${reason}`);
  const parts = specPattern.exec(text)?.groups;
  if (parts === undefined) {
    throw invalid(
      "KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY] is expected, such as 500@notesx2.",
    );
  }
  const kind = faultKinds.find(({ name }) => name === parts.kind);
  if (kind === undefined) {
    const names = faultKinds.map(({ name }) => name).join(", ");
    throw invalid(`"${parts.kind}" is not a kind of fault. Kinds: ${names}.`);
  }
  const value = parts.value;
  const problem = valueProblem(kind, value);
  if (problem !== undefined) throw invalid(problem);
  const target = parts.endpoint ?? "rest";
  const endpoints = isEndpoint(target)
    ? [target]
    : Object.hasOwn(groups, target)
      ? groups[target]
      : undefined;
  if (endpoints === undefined) {
    const names = [...endpointNames, ...Object.keys(groups)].join(", ");
    throw invalid(`"${target}" is not an endpoint. Endpoints: ${names}.`);
  }
  const limit = parts.endpoint ?? parts.count ?? parts.percent;
  if (kind.stage === "setting" && limit !== undefined) {
    throw invalid(`${kind.name} is a setting and takes no endpoint, count or probability.`);
  }
  const percent = Number(parts.percent ?? 100);
  if (percent > 100) throw invalid("a probability is a percentage from 0 to 100.");
  return {
    text,
    kind,
    value,
    endpoints: new Set(endpoints),
    count: parts.count === undefined ? Number.POSITIVE_INFINITY : Number(parts.count),
    probability: percent / 100,
  };
}

function valueProblem(kind: FaultKind, value: string | undefined): string | undefined {
  const format = kind.value;
  if (format === undefined) return value === undefined ? undefined : `${kind.name} takes no value.`;
  if (value === undefined) {
    return format.startsWith("[") ? undefined : `${kind.name} needs a value: ${format}.`;
  }
  const forms = format.replace(/^\[|\]$/g, "");
  if (forms.split("|").some((form) => hasForm(form, value))) return undefined;
  const allowed = forms
    .replace("DURATION", "a duration such as 300ms or 2s")
    .replace(/^(?:BYTES|COUNT)$/, "a whole number");
  return `"${value}" is not a value of ${kind.name}. Allowed: ${allowed}.`;
}

function hasForm(form: string, value: string): boolean {
  switch (form) {
    case "DURATION":
      return durationMs(value) !== undefined;
    case "DURATION/DURATION":
      return (
        value.split("/").length === 2 && value.split("/").every((part) => hasForm("DURATION", part))
      );
    case "BYTES/DURATION":
      return dripRate(value) !== undefined;
    case "BYTES":
    case "COUNT":
      return /^\d{1,9}$/.test(value);
    default:
      return form === value;
  }
}

/** Returns the milliseconds of `300ms`, `1.5s` or `2m`, or undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  if (match === null) return undefined;
  const unit = { ms: 1, s: 1000, m: 60_000 }[match[2] as "ms" | "s" | "m"];
  return Number(match[1]) * unit;
}

export interface DripRate {
  readonly bytes: number;
  readonly everyMs: number;
}

/** Parses a rate such as `16/50ms`: 16 bytes every 50 ms. */
export function dripRate(text: string): DripRate | undefined {
  const [bytes = "", span = "", ...more] = text.split("/");
  const everyMs = durationMs(span);
  if (!/^[1-9]\d{0,6}$/.test(bytes) || everyMs === undefined || more.length > 0) return undefined;
  return { bytes: Number(bytes), everyMs };
}
