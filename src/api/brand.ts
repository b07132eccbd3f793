import { numberSource } from "./number-source.ts";

/**
 * The value of `<brand>_<what>` in an object of the service, whatever the deployment's brand word
 * is: the configured one first; where it is missing, the only other field of that ending.
 */
function brandedText(
  object: Readonly<Record<string, unknown>>,
  json: string,
  brand: string,
  ending: "_account_number" | "_identifier",
  foreign: string,
): string | null {
  const configured = `${brand}${ending}`;
  const others = Object.keys(object).filter((key) => key.endsWith(ending) && key !== foreign);
  const field = Object.hasOwn(object, configured) ? configured : others[0];
  if (field === undefined || (field !== configured && others.length > 1)) return null;
  const value = object[field];
  if (typeof value === "number") return numberSource(json, field) ?? String(value);
  return typeof value === "string" ? value : null;
}

/**
 * The platform's account number, or null (INTERFACE 2, `service_account_number`); `json` is what
 * `object` was parsed from.
 */
export function accountNumberIn(
  object: Readonly<Record<string, unknown>>,
  json: string,
  brand: string,
): string | null {
  return brandedText(object, json, brand, "_account_number", "external_account_number");
}

/**
 * The platform's identifier of a supply point, or null (INTERFACE 2, `service_identifier`); `json` is
 * what `object` was parsed from.
 */
export function identifierIn(
  object: Readonly<Record<string, unknown>>,
  json: string,
  brand: string,
): string | null {
  return brandedText(object, json, brand, "_identifier", "external_identifier");
}
