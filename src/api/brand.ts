/**
 * Finds the fields whose name begins with the brand word of a deployment, and copies them to names
 * that begin with `service`.
 */
import { isRecord } from "../json/exact.ts";

/** The end of a field name that begins with the brand word. */
type Ending = "_account_number" | "_identifier";

const endings: readonly Ending[] = ["_account_number", "_identifier"];

/**
 * Returns the name of the field with this ending: the configured name if the object has it, else
 * the only name with this ending. Returns null if there are none or several.
 */
export function brandedField(object: object, configured: string, ending: Ending): string | null {
  if (Object.hasOwn(object, configured)) return configured;
  const others = Object.keys(object).filter(
    (name) => name.endsWith(ending) && name !== `external${ending}`,
  );
  return others.length === 1 ? (others[0] ?? null) : null;
}

/**
 * Returns an object with the additional fields `service_account_number` and `service_identifier`.
 */
export function withServiceNames(value: unknown, brand: string): unknown {
  if (!isRecord(value)) return value;
  const fields = endings.map((ending) => {
    const field = brandedField(value, `${brand}${ending}`, ending);
    return [`service${ending}`, field === null ? undefined : value[field]];
  });
  return { ...value, ...Object.fromEntries(fields) };
}
