type Body = Readonly<Record<string, unknown>>;

/**
 * The value of `<brand>_<what>` in an object of the service as text, whatever the deployment's brand
 * word is: the configured one first; where it is missing, the only other field of that ending. Null
 * when there is none.
 */
function brandedText(
  object: Body,
  brand: string,
  ending: "_account_number" | "_identifier",
  foreign: string,
): string | null {
  const configured = `${brand}${ending}`;
  const others = Object.keys(object).filter((key) => key.endsWith(ending) && key !== foreign);
  const name = Object.hasOwn(object, configured) ? configured : others[0];
  if (name === undefined || (name !== configured && others.length > 1)) return null;
  const value = object[name];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
}

/** The platform's account number, or null; INTERFACE calls the field `service_account_number`. */
export function accountNumberIn(object: Body, brand: string): string | null {
  return brandedText(object, brand, "_account_number", "external_account_number");
}

/** The platform's identifier of a supply point, or null; `service_identifier` in INTERFACE. */
export function identifierIn(object: Body, brand: string): string | null {
  return brandedText(object, brand, "_identifier", "external_identifier");
}
