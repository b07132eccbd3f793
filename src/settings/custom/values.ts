/**
 * The values that a custom command or a note template can name, as `{import_supplier}`. They are in
 * one list, so that a name has the same meaning everywhere.
 */

/** The names of the values that are known on every screen. */
const everywhere = ["profile", "environment", "base_url", "screen", "now", "me"] as const;

/** The names of the values of one row, or of the one item that a screen shows. */
const ofRow = [
  "import_supplier",
  "external_account_number",
  "external_identifier",
  "service_account_number",
  "status",
  "journal_id",
  "run",
] as const;

/** The placeholder of a command for marked rows. It becomes one argument for each of them. */
export const markedNumbers = "external_account_numbers";

type RowValue = (typeof ofRow)[number];

/** The values of one row. Unknown values are absent. */
export type RowValues = { readonly [name in RowValue]?: string | undefined };

/** The values that a command for one row can name. */
export const commandValues: readonly string[] = [...everywhere, ...ofRow];

/** The values that a command for marked rows can name. */
export const markedValues: readonly string[] = [...everywhere, "import_supplier", markedNumbers];

/** The values by name that fill in a command or a template. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Returns the name in an argument that is only a placeholder, or null for any other text. */
export function placeholderOf(text: string): string | null {
  return /^\{([a-z_]+)\}$/.exec(text)?.[1] ?? null;
}

/** Returns a placeholder of those names inside a longer argument, or null if there is none. */
export function insidePlaceholder(text: string, names: readonly string[]): string | null {
  for (const [, name] of text.matchAll(/\{([a-z_]+)\}/g)) {
    if (name !== undefined && names.includes(name)) return name;
  }
  return null;
}

/** Returns the name of the user, for `{me}`. */
export function currentUser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.USER || env.LOGNAME || env.USERNAME || undefined;
}
