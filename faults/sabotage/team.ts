/** Clients of a team made wrong on purpose. The tests of machines of a team must notice each. */
import type { SabotagedClient } from "./sabotage.ts";

const claimed = '    if (answer.kind === "claimed") {\n';
const permitted =
  'return { kind: "claimed", permit: { askedAt: team.now(), id: null }, waitedMs };';

const sabotages = {
  answer: {
    name: "a write is sent whatever the team's ledger answers",
    patches: [
      {
        file: "writes/send/claim.ts",
        from: claimed,
        to: `    if (answer.kind !== "busy")\n      ${permitted}\n${claimed}`,
      },
    ],
  },
  busy: {
    name: "an account that a colleague's entry has is not waited for",
    patches: [
      {
        file: "writes/send/claim.ts",
        from: claimed,
        to: `    if (answer.kind === "busy")\n      ${permitted}\n${claimed}`,
      },
    ],
  },
  unsent: {
    name: "an unknown outcome is published as unsent",
    patches: [
      {
        file: "writes/team/from-journal.ts",
        from: "  return { ...ledgerEntryOf(rows, entry, claim), ...facts };\n",
        to: '  if (state !== "unknown") return { ...ledgerEntryOf(rows, entry, claim), ...facts };\n  const unsent = items.map((item) => ({ ...item, state: null }));\n  return { ...ledgerEntryOf(rows, entry, claim), ...facts, attempts: 0, state: "unsent", items: unsent };\n',
      },
    ],
  },
} as const satisfies Readonly<Record<string, SabotagedClient>>;

/** Ledgers made wrong on purpose: a text of their SQL, and its replacement. */
export const ledgerSabotages = {
  "a claim of money without an approval is let through": {
    from: "IF v_approval IS NOT NULL THEN",
    to: "IF false THEN",
  },
} as const;

export const teamSabotages: readonly SabotagedClient[] = Object.values(sabotages);

/** Returns a client that ignores an answer, or that a colleague has the account, or publishes too little. */
export function sabotageOfTeam(what: keyof typeof sabotages): SabotagedClient {
  return sabotages[what];
}
