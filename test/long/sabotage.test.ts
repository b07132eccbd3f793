/** Clients made wrong on purpose are caught: else the campaign proves nothing. */
import { checkSabotage } from "../../faults/sabotage/check.ts";
import { sabotageNamed } from "../../faults/sabotage/list.ts";
import { journalFolder } from "../helpers/folders.ts";

const some = [
  "every POST is sent again",
  "a resend has another body",
  "no fsync",
  "a 201 that is cut short is trusted",
  "unknown is cleared by a 400",
  "recovery sends again",
  "an answer for another item is trusted",
  "the guard is not asked again before an attempt",
  "the guard forgets closed entries",
  "the guard compares requests",
  "the guard's keys go with their entries",
  "a refusal for another item is trusted",
  "a redirect counts as a refusal",
  "an answer that contradicts itself confirms",
  "retention trusts the machine's clock",
  "writes take no turn under a rate limit",
  "the guard forgets conflicts",
  "a changed profile is not noticed",
  "an override passes every row of its run",
  "the remembered position of the journal is ignored",
  "an older journal refuses nothing",
  "a deadline ends before the socket is read",
  "an interim response counts as the answer",
];

test.each(some)("a client is caught in which %s", async (name) => {
  const where = journalFolder();
  const result = await checkSabotage(sabotageNamed(name), { where, seed: 20_261_121, writes: 12 });
  expect(result).toMatchObject({ name, caught: true });
});
