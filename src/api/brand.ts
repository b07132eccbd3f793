/**
 * Translates field names that begin with the brand word of a deployment to the interface's neutral
 * names.
 */
import { isRecord } from "../json/exact.ts";

/** The ending of a field name that begins with the brand word of a deployment. */
type Ending = "_account_number" | "_identifier";

const endings: readonly Ending[] = ["_account_number", "_identifier"];

/**
 * Returns the name of the field with this ending: the configured name, or else the only other one.
 * Returns null if there is none or more than one.
 */
export function brandedField(object: object, configured: string, ending: Ending): string | null {
  if (Object.hasOwn(object, configured)) return configured;
  const others = Object.keys(object).filter(
    (name) => name.endsWith(ending) && name !== `external${ending}`,
  );
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** Returns an object of the service with `service` instead of the brand word in field names. */
export function inNeutralWords(value: unknown, brand: string): unknown {
  if (!isRecord(value)) return value;
  const named = endings.map((ending) => {
    const field = brandedField(value, `${brand}${ending}`, ending);
    return [`service${ending}`, field === null ? undefined : value[field]];
  });
  return { ...value, ...Object.fromEntries(named) };
}
