/**
 * The value of `<brand>_<what>` in an object of the service, whatever the deployment's brand word
 * is: the configured one first; where it is missing, the only other field of that ending.
 */
function brandedField(
  object: Readonly<Record<string, unknown>>,
  brand: string,
  ending: "_account_number" | "_identifier",
  foreign: readonly string[],
): unknown {
  const configured = `${brand}${ending}`;
  if (Object.hasOwn(object, configured)) return object[configured];
  const others = Object.keys(object).filter(
    (key) => key.endsWith(ending) && !foreign.includes(key),
  );
  const [only] = others;
  return only !== undefined && others.length === 1 ? object[only] : undefined;
}

/** The platform's account number, or null; INTERFACE calls the field `service_account_number`. */
export function accountNumberIn(
  object: Readonly<Record<string, unknown>>,
  brand: string,
): string | null {
  const value = brandedField(object, brand, "_account_number", ["external_account_number"]);
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
}

/** The platform's identifier of a supply point, or null; `service_identifier` in INTERFACE. */
export function identifierIn(
  object: Readonly<Record<string, unknown>>,
  brand: string,
): string | null {
  const value = brandedField(object, brand, "_identifier", ["external_identifier"]);
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
}
