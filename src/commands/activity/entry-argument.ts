/** Parses the argument of a command that takes an entry of this machine or of a colleague. */
import { InvalidArgumentError } from "commander";

export type EntryArgument =
  | { readonly of: "journal"; readonly id: number }
  | { readonly of: "team"; readonly id: number };

export function entryArgument(text: string): EntryArgument {
  const [, team, digits = ""] = /^(t?)([1-9]\d{0,14})$/.exec(text) ?? [];
  if (team === undefined)
    throw new InvalidArgumentError(
      "Write a whole number from 1 up, or tN for an entry of the team.",
    );
  return { of: team === "t" ? "team" : "journal", id: Number(digits) };
}
