import { type PlaceholderValues, placeholderToken } from "./placeholders.ts";

/** What a note template can hold in the place of a value, in the order of the messages. */
const templateNames = ["external_account_number", "import_supplier", "now", "me", "case"] as const;
type TemplateName = (typeof templateNames)[number];

/** What a template is filled in with. */
export interface TemplateValues {
  /** Null for a note on several accounts: each one's own are filled in when it is sent. */
  readonly account: PlaceholderValues | null;
  /** The time, as the note has it. */
  readonly now: string;
  /** Absent where it is not known. */
  readonly me?: string | undefined;
  readonly case?: string | undefined;
}

/** What is wrong with a template, in words; null when nothing is. */
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

/** Whether a template asks for a case. */
export function needsCase(text: string): boolean {
  return [...text.matchAll(placeholderToken)].some(([, name]) => name === "case");
}

/** The text of a note, or the placeholder whose value is not known. */
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
