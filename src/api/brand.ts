import { isRecord } from "../json/exact.ts";

/** The ends of the field names that begin with the brand word of a deployment. */
type Ending = "_account_number" | "_identifier";

const endings: readonly Ending[] = ["_account_number", "_identifier"];

/**
 * Returns the field of an object of the service that begins with the brand word: the configured one,
 * or else the only other one with that ending. Returns null if there is none, or more than one.
 */
export function brandedField(object: object, configured: string, ending: Ending): string | null {
  if (Object.hasOwn(object, configured)) return configured;
  const others = Object.keys(object).filter(
    (name) => name.endsWith(ending) && name !== `external${ending}`,
  );
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** Returns an object of the service with `service` in place of its brand word, as INTERFACE has it. */
export function inNeutralWords(value: unknown, brand: string): unknown {
  if (!isRecord(value)) return value;
  const named = endings.map((ending) => {
    const field = brandedField(value, `${brand}${ending}`, ending);
    return [`service${ending}`, field === null ? undefined : value[field]];
  });
  return { ...value, ...Object.fromEntries(named) };
}
