/** A report claims no effect only if it is known of every entry, and names the sender's profile. */
import type { RunRecord } from "../../../src/bulk/run-record.ts";
import { reportCommands } from "../../../src/triage/report/report-commands.ts";
import { type OpenEntry, openOutcomes } from "../../../src/writes/open-entries.ts";
import { detailOf } from "../../../src/writes/words/detail.ts";
import { openOutcomesWords } from "../../../src/writes/words/outcomes.ts";

const entry = (more: Partial<OpenEntry> = {}): OpenEntry => ({
  journal_id: 7,
  created_at: "2026-11-22T10:00:00.000Z",
  profile: "live",
  operation: "payment-instructions create",
  import_supplier: "ACME",
  external_account_number: "EXT-1",
  outcome: "retryable",
  http_status: 500,
  code: null,
  attempts: 3,
  run: null,
  might_have_taken_effect: false,
  ...more,
});

const noEffect = /no effect/;

describe.each(openOutcomes)("the legend of %s", (outcome) => {
  const certain = entry({ outcome });
  const inDoubt = entry({ outcome, might_have_taken_effect: true });
  test.each([[[inDoubt]], [[certain, inDoubt]], [[inDoubt, certain]]])(
    "claims no effect of no entry that might have had one",
    (entries) => {
      expect(openOutcomesWords(entries)).not.toMatch(noEffect);
    },
  );

  test("names the outcome, and no other one", () => {
    const others = openOutcomes.filter((other) => other !== outcome);
    const words = openOutcomesWords([certain]).toLowerCase();
    expect(words).toContain(outcome);
    for (const other of others) expect(words).not.toContain(`${other}:`);
  });
});

test("a retryable payment after a vendor error is in doubt, and its resend needs a reason", () => {
  const commandsFor = reportCommands(
    { since: 0 },
    { profile: "live", profilesOfService: ["live"] },
  );
  const command = commandsFor.ofEntry(entry({ might_have_taken_effect: true }));
  expect(command).toBe("supplyline activity resend 7 --reason TEXT --profile live --again");
  expect(commandsFor.ofEntry(entry())).toBe("supplyline activity resend 7 --profile live");
});

test("the command of an entry names the profile that sent it, while the service has that profile", () => {
  const profilesOfService = ["shift", "shift-prod"];
  const commandsFor = reportCommands({ since: 0 }, { profile: "shift", profilesOfService });
  const profileOf = (profile: string) => commandsFor.ofEntry(entry({ profile }))?.split(" ").at(-1);
  expect(profileOf("shift-prod")).toBe("shift-prod");
  expect(profileOf("removed")).toBe("shift");
});

test.each(["vendor", "unknown"])(
  "a retryable row with the doubt %s is not without effect",
  (doubt) => {
    for (const reason of ["answered", "deadline", null])
      for (const httpStatus of [302, 429, 500, 503, null]) {
        const facts = { outcome: "retryable", operation: "notes create", position: 0 } as const;
        const rest = { itemOutcome: null, reason, doubt, httpStatus, response: null, note: null };
        expect(detailOf({ ...facts, ...rest }).words).not.toMatch(noEffect);
      }
  },
);

test("each command of an entry or a run names the profile of its sender", () => {
  const profilesOfService = ["shift", "shift-prod"];
  const commandsFor = reportCommands({ since: 0 }, { profile: "shift", profilesOfService });
  const sender = "shift-prod";
  const run = { id: "r1", profile: sender, state: "unrecorded", source: "console" } as RunRecord;
  const stopped = { ...run, state: "stopped" } as RunRecord;
  const lines = [
    commandsFor.ofEntry(entry({ profile: sender })),
    commandsFor.ofRejectedRows({ run: "r1", profile: sender, supplier: "ACME", rows: 1 }).at(-1),
    ...commandsFor.ofRun(run),
    ...commandsFor.ofRun(stopped),
  ];
  for (const line of lines) expect(line).toMatch(/ --profile shift-prod\b/);
});
