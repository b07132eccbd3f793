/** JSON whose numbers keep the digits they were written with; money never passes through a float. */

/** A number as it was written. */
export interface ExactNumber {
  readonly rawJSON: string;
}

// The language's own types do not know these yet.
const exact = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(source: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

/** Throws a SyntaxError when the text is no JSON. */
export function parseExact(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? exact.rawJSON(source) : value,
  );
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exact.isRawJSON(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** A JSON text's value with its fields in alphabetical order: equal for equal forms. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}
