/**
 * Fills in the placeholders of texts, such as `{external_account_number}` in a body for several
 * accounts or `{now}` in a note template, and reports invalid placeholders.
 */
import type { Json, JsonObject } from "../json/exact.ts";
import { bodyShape, type Form, type Leaf } from "./fields.ts";
import type { FormValues } from "./form-values.ts";
import { mapLeaves } from "./payload-places.ts";
import type { Issue } from "./rules.ts";

const accountNames = ["external_account_number", "import_supplier"] as const;

const templateNames = [...accountNames, "now", "me", "case"] as const;

type TemplateName = (typeof templateNames)[number];
export type PlaceholderValues = Readonly<Record<(typeof accountNames)[number], string>>;

export const accountPlaceholder = "{external_account_number}";

/** Matches `{{` for a brace, `{name}` for a placeholder, and any other `{`, which is an error. */
const placeholderToken = /\{\{|\{([^{}]*)\}|\{/gu;

function takesPlaceholders({ type }: Leaf): boolean {
  return type === "text" || type === "multiline" || type === "document-path";
}

export function placeholderProblem(text: string): string | null {
  return braceProblem(text, accountNames, "This", " and ");
}

export function templateProblem(text: string): string | null {
  return text.trim() === "" ? "It has no text." : braceProblem(text, templateNames, "A", ", ");
}

function braceProblem(
  text: string,
  names: readonly string[],
  article: string,
  between: string,
): string | null {
  for (const [whole, name] of text.matchAll(placeholderToken)) {
    if (whole === "{{" || isOneOf(names, name)) continue;
    const available = names.map((known) => `{${known}}`).join(between);
    const problem = name === undefined ? `${article} { is not closed` : `There is no ${whole}`;
    return `${problem}: there are ${available}; write {{ for a brace.`;
  }
  return null;
}

function isOneOf<Name extends string>(
  names: readonly Name[],
  name: string | undefined,
): name is Name {
  return names.some((known) => known === name);
}

/** Fills in one account's values. Braces with a {@link placeholderProblem} are unchanged. */
export function fillText(text: string, values: PlaceholderValues): string {
  return text.replace(placeholderToken, (whole, name: string | undefined) =>
    whole === "{{" ? "{" : isOneOf(accountNames, name) ? values[name] : whole,
  );
}

export function placeholderIssues(form: Form, values: FormValues): readonly Issue[] {
  const issues: Issue[] = [];
  mapLeaves(bodyShape(form).fields, values, (leaf, text, path) => {
    const isText = typeof text === "string" && takesPlaceholders(leaf);
    const message = isText ? placeholderProblem(text) : null;
    if (message !== null) issues.push({ path, message });
    return text;
  });
  return issues;
}

/** Returns the body of one account from a body with placeholders. Numbers are unchanged. */
export function fillBody(form: Form, body: JsonObject, values: PlaceholderValues): JsonObject {
  const filled = (leaf: Leaf, value: Json) =>
    typeof value === "string" && takesPlaceholders(leaf) ? fillText(value, values) : value;
  return mapLeaves(bodyShape(form).fields, body, filled);
}

interface TemplateValues {
  /**
   * The account's values, or null for a note on several accounts. The values of each account are
   * filled in when its note is sent.
   */
  readonly account: PlaceholderValues | null;
  /** The current time in UTC, as text for the note. */
  readonly now: string;
  /** The name of the user, absent if the name is unknown. */
  readonly me?: string | undefined;
  readonly case?: string | undefined;
}

export function needsCase(text: string): boolean {
  return [...text.matchAll(placeholderToken)].some(([, name]) => name === "case");
}

export function filledTemplate(
  text: string,
  values: TemplateValues,
): { readonly text: string } | { readonly missing: TemplateName } {
  const { account } = values;
  // The text for several accounts is filled in again for each account, so its braces are escaped.
  const escapeBraces = (value: string) => (account === null ? value.replaceAll("{", "{{") : value);
  let missing: TemplateName | null = null;
  const filled = text.replace(placeholderToken, (whole, name: string | undefined) => {
    if (whole === "{{") return account === null ? whole : "{";
    if (!isOneOf(templateNames, name)) return whole;
    if (isOneOf(accountNames, name)) return account === null ? whole : account[name];
    const value = values[name];
    if (value === undefined || value === "") missing ??= name;
    return escapeBraces(value ?? "");
  });
  return missing === null ? { text: filled } : { missing };
}

/**
 * Returns the first line of a text with the values of an example account, or null if there is no
 * example or no valid placeholder.
 */
export function filledExample(
  leaf: Leaf,
  text: string,
  example: PlaceholderValues | null,
): string | null {
  if (example === null || !takesPlaceholders(leaf) || placeholderProblem(text) !== null)
    return null;
  const filled = fillText(text, example);
  if (filled === text) return null;
  const [line = "", ...more] = filled.split(/\r?\n/);
  return more.length === 0 ? line : `${line}…`;
}
