/** Parses the argument of a command that takes an entry of this machine or of a colleague. */
import { InvalidArgumentError } from "commander";
import { usageError } from "../command-error.ts";

/** An entry: a number of the journal, or an entry of the team's ledger. */
export type EntryArgument =
  | { readonly of: "journal"; readonly id: number }
  | { readonly of: "team"; readonly id: number };

/** Parses `12` or `t1042`. Throws InvalidArgumentError. */
export function entryArgument(text: string): EntryArgument {
  const [, team, digits = ""] = /^(t?)([1-9]\d{0,14})$/.exec(text) ?? [];
  if (team === undefined)
    throw new InvalidArgumentError(
      "Write a whole number from 1 up, or tN for an entry of the team.",
    );
  return { of: team === "t" ? "team" : "journal", id: Number(digits) };
}

/** Returns the number of an entry of this machine. Throws `usage` for an entry of a colleague. */
export function ownEntry(entry: EntryArgument, why: string): number {
  if (entry.of === "journal") return entry.id;
  throw usageError(`t${entry.id} is an entry of the team: ${why}`, "Nothing was sent.");
}
