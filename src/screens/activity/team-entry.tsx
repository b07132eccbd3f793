/** The screen of a colleague's entry: the facts of the team's ledger, and what people did to it. */
import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { type Fact, Facts } from "../../components/facts.tsx";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { Line } from "../../components/text.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { type TeamEntryView, useTeamEntry } from "../../hooks/colleagues.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useTeamEntryKeys } from "../../hooks/team-entry-keys.ts";
import { journalCommand } from "../../session/overlays.ts";
import { formatInstant } from "../../text/dates.ts";
import { safe } from "../../text/sanitize.ts";
import { teamRow } from "../../writes/team/colleagues.ts";
import type { ListedEntry } from "../../writes/team/ledger.ts";
import { actWords, authorWords } from "../../writes/words/authors.ts";
import { closedWords, outcomeWords, targetNumber } from "../../writes/words/outcomes.ts";

export function TeamEntry({ id }: { readonly id: number }) {
  const here = useHere();
  const { clipboard, navigation, overlays } = useApp();
  const view = useTeamEntry(id);
  const entry = view?.kind === "read" ? view.entry : null;
  const row = useMemo(() => (entry === null ? null : teamRow(entry)), [entry]);
  const { importSupplier, externalAccountNumber, externalIdentifier } = entry ?? {};
  useKeys({
    ...useTeamEntryKeys(row),
    copy: () => clipboard(`t${id}`, "team id"),
    ...(importSupplier && externalAccountNumber
      ? {
          account: () =>
            navigation.push({
              ...{ kind: "account", supplier: importSupplier, account: externalAccountNumber },
            }),
        }
      : {}),
    ...(importSupplier && externalIdentifier
      ? {
          "supply-point": () =>
            navigation.push({
              ...{ kind: "supply-point", supplier: importSupplier, identifier: externalIdentifier },
            }),
        }
      : {}),
    "as-command": () => {
      const command = `supplyline activity show t${id}`;
      const note = "It asks the team's ledger; no request is behind this screen.";
      overlays.command(journalCommand(here.session.profile, { command, note }));
    },
  });
  return (
    <Body>
      <Shown id={id} view={view} />
    </Body>
  );
}

function Shown({ id, view }: { readonly id: number; readonly view: TeamEntryView | null }) {
  if (view === null) return <Waiting words="Asking the team's ledger…" />;
  if (view.kind === "missing") return <Paragraph tone="bad">{view.words}</Paragraph>;
  const { entry, acts } = view;
  if (entry === null) return <Paragraph>{`The team's ledger has no entry t${id}.`}</Paragraph>;
  const row = teamRow(entry);
  const { took_effect: tookEffect } = row;
  const { mark, label, tone } = outcomeWords[row.outcome];
  const meaning =
    tookEffect === undefined ? outcomeWords[row.outcome].meaning : closedWords[tookEffect].sentence;
  return (
    <>
      <Line pieces={[{ text: `Entry t${id} by ${authorWords(entry)}`, bold: true }]} />
      <Line pieces={[{ text: `${mark} ${label}`, tone, bold: true }]} />
      <Paragraph most={3}>{meaningOf(meaning)}</Paragraph>
      <Facts facts={factsOf(entry)} />
      {acts.map((act) => (
        <Paragraph key={`${act.at} ${act.kind}`}>{actWords(act)}</Paragraph>
      ))}
      <Paragraph>{`Its body and its attempts are on ${safe(entry.machine)}.`}</Paragraph>
    </>
  );
}

/** Returns a meaning without the words about this machine, which did not send the entry. */
function meaningOf(words: string): string {
  return words.replace(", here or by another process of this machine", "");
}

function factsOf(entry: ListedEntry): readonly Fact[] {
  const row = teamRow(entry);
  const facts: readonly (readonly [string, string | null])[] = [
    ["Operation", row.operation],
    ["For", `${row.import_supplier}/${targetNumber(row)}`],
    ["Claimed", formatInstant(entry.at)],
    ["Settled", entry.settledAt === null ? null : formatInstant(entry.settledAt)],
    ["Profile", row.profile],
    ["HTTP", row.http_status === null ? null : `${row.http_status} ${row.code ?? ""}`.trim()],
    ["Attempts", String(row.attempts)],
    ["Run", row.run],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value: safe(value) }]));
}
