/**
 * Finds the fields of a response whose names begin with the brand word of the deployment, for
 * example `acme_account_number`, and copies their values to fields whose names begin with
 * `service`.
 */
import { isRecord } from "../json/exact.ts";

type Ending = "_account_number" | "_identifier";

const endings: readonly Ending[] = ["_account_number", "_identifier"];

/**
 * Returns the name of the field with this ending: the configured name if the object has it, else
 * the only other name with this ending. The field of the external number or identifier does not
 * count. Returns null if there is no such name, or if there are several.
 */
export function brandedField(object: object, configured: string, ending: Ending): string | null {
  if (Object.hasOwn(object, configured)) return configured;
  const candidates = Object.keys(object).filter(
    (name) => name.endsWith(ending) && name !== `external${ending}`,
  );
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/**
 * Returns a copy of an object with the fields `service_account_number` and `service_identifier`. A
 * field is undefined if the object has no such field with the brand word. Returns any other value
 * unchanged.
 */
export function withServiceNames(value: unknown, brand: string): unknown {
  if (!isRecord(value)) return value;
  const fields = endings.map((ending) => {
    const field = brandedField(value, `${brand}${ending}`, ending);
    return [`service${ending}`, field === null ? undefined : value[field]];
  });
  return { ...value, ...Object.fromEntries(fields) };
}
