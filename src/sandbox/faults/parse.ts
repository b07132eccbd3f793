/** Parses fault specs: `KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY]`. */
import type { Endpoint } from "../endpoints.ts";
import { endpointNames, groups, isEndpoint } from "../endpoints.ts";
import type { FaultKind } from "./kinds.ts";
import { faultKinds } from "./kinds.ts";

/** A requested fault: its kind, endpoints, count and probability. */
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

const pattern =
  /^(?<kind>[a-z0-9-]+?)(?:=(?<value>[^@%]+?))?(?:@(?<endpoint>[a-z-]+?))?(?:x(?<count>\d+))?(?:%(?<percent>\d+(?:\.\d+)?))?$/;

/** Parses a fault. Throws an Error that names the text and the allowed values. */
export function parseFault(text: string): FaultSpec {
  const refuse = (reason: string): Error => new Error(`Fault "${text}": ${reason}`);
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) {
    throw refuse("expected KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY], such as 500@notesx2.");
  }
  const kind = faultKinds.find(({ name }) => name === parts.kind);
  if (kind === undefined) {
    const names = faultKinds.map(({ name }) => name).join(", ");
    throw refuse(`"${parts.kind}" is not a kind of fault. Kinds: ${names}.`);
  }
  const value = parts.value;
  const wrong = wrongValue(kind, value);
  if (wrong !== undefined) throw refuse(wrong);
  const where = parts.endpoint ?? "rest";
  const endpoints = isEndpoint(where)
    ? [where]
    : Object.hasOwn(groups, where)
      ? groups[where]
      : undefined;
  if (endpoints === undefined) {
    const names = [...endpointNames, ...Object.keys(groups)].join(", ");
    throw refuse(`"${where}" is not an endpoint. Endpoints: ${names}.`);
  }
  const limited = parts.endpoint ?? parts.count ?? parts.percent;
  if (kind.stage === "setting" && limited !== undefined) {
    throw refuse(`${kind.name} is a setting and takes no endpoint, count or probability.`);
  }
  const percent = Number(parts.percent ?? 100);
  if (percent > 100) throw refuse("a probability is a percentage from 0 to 100.");
  return {
    text,
    kind,
    value,
    endpoints: new Set(endpoints),
    count: parts.count === undefined ? Number.POSITIVE_INFINITY : Number(parts.count),
    probability: percent / 100,
  };
}

function wrongValue(kind: FaultKind, value: string | undefined): string | undefined {
  const form = kind.value;
  if (form === undefined) return value === undefined ? undefined : `${kind.name} takes no value.`;
  if (value === undefined) {
    return form.startsWith("[") ? undefined : `${kind.name} needs a value: ${form}.`;
  }
  const plain = form.replace(/^\[|\]$/g, "");
  if (isValue(plain, value)) return undefined;
  const allowed = plain
    .replace("DURATION", "a duration such as 300ms or 2s")
    .replace(/^(?:BYTES|COUNT)$/, "a whole number");
  return `"${value}" is not a value of ${kind.name}. Allowed: ${allowed}.`;
}

/** Returns true if a value has one of the forms that `|` separates. */
function isValue(form: string, value: string): boolean {
  return form.split("|").some((one) => isWritten(one, value));
}

function isWritten(form: string, value: string): boolean {
  switch (form) {
    case "DURATION":
      return durationMs(value) !== undefined;
    case "DURATION/DURATION":
      return (
        value.split("/").length === 2 &&
        value.split("/").every((part) => isWritten("DURATION", part))
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
