/** Names the authors of entries of a team. Their names come from other machines. */
import { utcInstant } from "../../text/dates.ts";
import { safe } from "../../text/sanitize.ts";
import type { Author, LedgerAct } from "../team/ledger-views.ts";

/** Names a person, with the login of the database if it is another name. */
export function personWords({ person, login }: Pick<Author, "person" | "login">): string {
  return person === login ? safe(person) : `${safe(login)} (${safe(person)})`;
}

/** Names a person and a machine. */
export function authorWords(author: Author): string {
  return `${personWords(author)} on ${safe(author.machine)}`;
}

/** The verb of each act on an entry. */
const actVerbs: Readonly<Record<LedgerAct["kind"], string>> = {
  override: "Sent with a reason",
  closed: "Closed",
  verified: "Verified",
  twice: "Sent twice, as found",
};

/** Describes an act on an entry of the ledger, in a sentence. */
export function actWords({ kind, at, reason, ...author }: LedgerAct): string {
  const why = reason === null ? "" : `: ${safe(reason)}`;
  return `${actVerbs[kind]} by ${authorWords(author)} at ${utcInstant(at)}${why}.`;
}
