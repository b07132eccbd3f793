/** Fills in the placeholders of note templates, and finds errors in a template. */
import { type PlaceholderValues, placeholderToken } from "./placeholders.ts";

/** The names of the placeholders of a note template, in the order of the messages. */
const templateNames = ["external_account_number", "import_supplier", "now", "me", "case"] as const;
type TemplateName = (typeof templateNames)[number];

/** The values of the placeholders. */
interface TemplateValues {
  /**
   * The account's values, or null for a note on several accounts, whose values are filled in when
   * it is sent.
   */
  readonly account: PlaceholderValues | null;
  /** The current time in UTC, as text for the note. */
  readonly now: string;
  /** The name of the user, absent if it is unknown. */
  readonly me?: string | undefined;
  readonly case?: string | undefined;
}

/** Returns the issue of a template as a sentence, or null if there is none. */
export function templateProblem(text: string): string | null {
  if (text.trim() === "") return "It has no text.";
  for (const [whole, name] of text.matchAll(placeholderToken)) {
    if (whole === "{{" || isTemplateName(name)) continue;
    const known = templateNames.map((one) => `{${one}}`).join(", ");
    const what = name === undefined ? "A { is not closed" : `There is no ${whole}`;
    return `${what}: there are ${known}; write {{ for a brace.`;
  }
  return null;
}

/** Returns true if a template needs a case. */
export function needsCase(text: string): boolean {
  return [...text.matchAll(placeholderToken)].some(([, name]) => name === "case");
}

/** Returns the text of a note, or the name of the first placeholder without a value. */
export function filledTemplate(
  text: string,
  values: TemplateValues,
): { readonly text: string } | { readonly missing: string } {
  const { account } = values;
  // In a note for several accounts the text is filled in again for each of them.
  const literal = (value: string) => (account === null ? value.replaceAll("{", "{{") : value);
  let missing: string | null = null;
  const filled = text.replace(placeholderToken, (whole, name: string | undefined) => {
    if (whole === "{{") return account === null ? whole : "{";
    if (!isTemplateName(name)) return whole;
    if (name === "external_account_number" || name === "import_supplier")
      return account === null ? whole : account[name];
    const value = values[name];
    if (value === undefined || value === "") missing ??= name;
    return literal(value ?? "");
  });
  return missing === null ? { text: filled } : { missing };
}

function isTemplateName(name: string | undefined): name is TemplateName {
  return templateNames.some((known) => known === name);
}
