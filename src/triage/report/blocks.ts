/**
 * A block of a report: heading, sentence, table or commands. Each output format has a writer for
 * it.
 */
export type Block =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "table";
      readonly titles: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Lines for a shell, one command per line. */
  | { readonly kind: "commands"; readonly commands: readonly string[] };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({
  kind: "heading",
  level,
  text,
});

export const sentence = (text: string): Block => ({ kind: "text", text });

/** Returns a table, or no block if there are no rows. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Block[] {
  return rows.length === 0 ? [] : [{ kind: "table", titles, rows }];
}

/** Returns a block of commands. Leaves out null, which is a command that a shell cannot run. */
export function commands(...lines: readonly (string | null)[]): readonly Block[] {
  const given = lines.filter((line) => line !== null);
  return given.length === 0 ? [] : [{ kind: "commands", commands: given }];
}
