/** The figures as tables in Markdown, and every broken promise with the command that shows it again. */
import type { CampaignResult, TableRow } from "./campaign.ts";
import type { SabotageResult } from "./sabotage/check.ts";
import type { TeamResult } from "./team/campaign.ts";
import { teamFigures } from "./team/compare.ts";

const columns = ["confirmed", "rejected", "retryable", "unsent", "unknown"] as const;

/** The invariants of each figure. */
const figures: readonly (readonly [string, readonly string[]])[] = [
  ["intents lost", ["no intent lost", "nothing unrecorded", "reported is recorded"]],
  ["effects twice", ["one effect"]],
  ["wrong confirmations", ["confirmed took effect", "confirmed was said", "items agree"]],
  ["wrong rejections", ["refused had no effect", "doubt is kept", "a conflict leaves a doubt"]],
  ["needless unknowns", ["no needless unknown", "verified is known", "heard is confirmed"]],
  [
    "unsafe resends",
    ["no unsafe resend", "refused form not resent", "refusal ends it", "resends are few"],
  ],
  ["requests inside a pause", ["no request inside a pause"]],
  ["too many refusals", ["refusals are few"]],
  ["history deleted", ["no clock deletes history"]],
  ["false ages", ["no age that is not so"]],
  ["false all-clears", ["no false all-clear"]],
  ["overrides of something else", ["an override passes its findings only"]],
  ["sent from an older journal", ["nothing is sent from an older journal"]],
  ["unread answers", ["an answer that arrived is read"]],
  ["waits by the wrong clock", ["no wait follows the machine's clock"]],
];

export function campaignTable({ rows, recoveryMs }: CampaignResult): string {
  const all = figures.flatMap(([, names]) => names);
  const count = (row: TableRow, names: readonly string[]) =>
    row.found.filter(({ invariant }) => names.includes(invariant)).length;
  const heads = [
    "fault",
    "writes",
    "injected",
    ...columns,
    ...figures.map(([name]) => name),
    "other",
  ];
  const lines = rows.map((row) => {
    const other = row.found.filter(({ invariant }) => !all.includes(invariant)).length;
    return [
      row.name,
      row.writes,
      row.injected,
      ...columns.map((column) => row.outcomes[column] ?? ""),
      ...figures.map(([, names]) => count(row, names)),
      other,
    ];
  });
  const sum = (of: (row: TableRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const total = [
    "**all**",
    sum(({ writes }) => writes),
    sum(({ injected }) => injected),
    ...columns.map((column) => sum(({ outcomes }) => outcomes[column] ?? 0)),
    ...figures.map(([, names]) => sum((row) => count(row, names))),
    sum(({ found }) => found.filter(({ invariant }) => !all.includes(invariant)).length),
  ];
  const notices = rows.flatMap(({ name, notice }) =>
    notice === null ? [] : [`Skipped: ${name}: ${notice}.`],
  );
  const recovery =
    recoveryMs.length === 0
      ? []
      : [
          `Recovery, from ${recoveryMs.length} starts: median ${at(recoveryMs, 0.5)} ms, 95th percentile ${at(recoveryMs, 0.95)} ms.`,
        ];
  const measured = rows.flatMap((row) => row.measured);
  return [table(heads, [...lines, total]), "", ...recovery, ...measured, ...notices].join("\n");
}

export function sabotageTable(results: readonly SabotageResult[]): string {
  return table(
    ["sabotage", "caught", "by"],
    results.map(({ name, caught, broke }) => [
      name,
      caught ? "yes" : "**no**",
      broke.join(", ") || "nothing",
    ]),
  );
}

/** The figures of machines of a team, and everything in which the ledgers contradict each other. */
export function teamReport(result: TeamResult): string {
  const { machines, rounds, entries, requests, injected, effects, violations } = result;
  const named = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(", ");
  const of = (figure: string) => violations.filter(({ invariant }) => invariant === figure).length;
  const counted = teamFigures.map((figure) => [figure, of(figure)] as const);
  const others = violations.length - counted.reduce((sum, [, n]) => sum + n, 0);
  const lines = [
    ["machines, rounds", `${machines}, ${rounds}`],
    ["rounds by disturbance", named(result.disturbances)],
    ["kill -9 by point", named(result.kills)],
    ["entries in the journals of all machines", entries],
    ["entries in the ledger of the team", named(result.states)],
    ["requests at the service, with a fault", `${requests}, ${injected}`],
    ["effects", effects],
    ...counted,
    ["other broken promises", others],
  ] as const;
  const shown = violations
    .slice(0, mostTold)
    .map(({ invariant, what }) => `- ${invariant}: ${what}`);
  return [table(["what", "figure"], lines), "", ...shown].join("\n");
}

const mostTold = 20;

/** Broken promises, each with what repeats just that; empty when there are none. */
export function brokenPromises({ rows }: CampaignResult): string {
  const found = rows.flatMap((row) => row.found);
  const reported = found
    .slice(0, mostTold)
    .map(({ invariant, what, where, again }) => `- ${invariant}: ${what}\n  ${where}\n  ${again}`);
  const more = found.length > mostTold ? [`… and ${found.length - mostTold} more`] : [];
  return [...reported, ...more].join("\n");
}

function table(heads: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
}

function at(values: readonly number[], part: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
}
