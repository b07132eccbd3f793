/**
 * The number that a field of a JSON object holds, as it was written: a long account number must not
 * pass through a float. Null when it holds none.
 */
export function numberSource(json: string, field: string): string | null {
  const seen: { holder: unknown; source: string }[] = [];
  const root: unknown = JSON.parse(
    json,
    function (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) {
      if (key === field && typeof context?.source === "string") {
        seen.push({ holder: this, source: context.source });
      }
      return value;
    },
  );
  return seen.findLast((one) => one.holder === root)?.source ?? null;
}
