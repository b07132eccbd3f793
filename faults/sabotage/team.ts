/** Clients of a team made wrong on purpose. The tests of machines of a team must notice each. */
import type { SabotagedClient } from "./sabotage.ts";

export const teamSabotages: readonly SabotagedClient[] = [
  {
    name: "a write is sent whatever the team's ledger answers",
    patches: [
      {
        file: "writes/send/claim.ts",
        from: '    if (answer.kind === "claimed") return { kind: "claimed", permit: answer, waitedMs };\n',
        to: '    if (answer.kind !== "busy")\n      return { kind: "claimed", permit: { askedAt: team.now(), id: null }, waitedMs };\n',
      },
    ],
  },
  {
    name: "an unknown outcome is published as unsent",
    patches: [
      {
        file: "writes/team/from-journal.ts",
        from: "  return { ...ledgerEntryOf(rows, entry, claim), ...facts };\n",
        to: '  if (state !== "unknown") return { ...ledgerEntryOf(rows, entry, claim), ...facts };\n  const unsent = items.map((item) => ({ ...item, state: null }));\n  return { ...ledgerEntryOf(rows, entry, claim), ...facts, attempts: 0, state: "unsent", items: unsent };\n',
      },
    ],
  },
];

/** Ledgers made wrong on purpose: a text of their SQL, and its replacement. */
export const ledgerSabotages = {
  "a claim of money without an approval is let through": {
    from: "IF v_approval IS NOT NULL THEN",
    to: "IF false THEN",
  },
} as const;
