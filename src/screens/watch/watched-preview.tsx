/** The preview of a watched row beside the watch list. */
import type { Fact } from "../../components/facts.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { SubjectPreview } from "../../components/subject-preview.tsx";
import { Text } from "../../components/text.tsx";
import { useSession } from "../../hooks/app.tsx";
import { subjectName } from "../../session/watch-subjects.ts";
import { shortInstant } from "../../text/dates.ts";
import type { WatchSnapshot } from "../../watch/watch-list.ts";
import type { WatchProgress } from "../../watch/watched.ts";
import { checksWords, checkWords, useTick } from "./watch-lines.tsx";
import type { WatchRow } from "./watch-row.ts";

/** Shows the observations of a watched row, without sending a request. */
export function WatchedPreview(props: { readonly row: WatchRow; readonly list: WatchSnapshot }) {
  const { watched } = props.row;
  const { pause } = props.list;
  const { watch } = useSession();
  const { now, serviceNow } = useTick();
  const progress = watch.progress(watched.key);
  const checkedAt = progress?.checkedAt ?? watched.timeline.at(-1)?.lastSeenAt ?? null;
  const { kind, supplier, number } = watched;
  if (kind === "cohort") return <CohortPreview {...props} />;
  return (
    <SubjectPreview
      subject={{ kind, supplier, number }}
      timeline={watched.timeline}
      facts={factsOf(props.row, progress, serviceNow)}
      check={
        checkedAt === null
          ? "Not checked yet."
          : checkWords(progress ?? { nextAt: null }, checkedAt, now)
      }
      error={pause.kind === "refused" ? pause.error : watched.trouble}
      pendingSince={Number.NaN}
      now={serviceNow}
    />
  );
}

function CohortPreview({ row }: { readonly row: WatchRow }) {
  const { watched, status } = row;
  return (
    <>
      <Text bold>{subjectName(watched)}</Text>
      <StatusBadge words={status} />
      <Paragraph>{status.meaning}</Paragraph>
    </>
  );
}

function factsOf(
  { watched }: WatchRow,
  progress: WatchProgress | null,
  now: number,
): readonly Fact[] {
  const service = watched.kind === "account" ? "Service account" : "Service identifier";
  return [
    ...(watched.serviceNumber === "" ? [] : [{ label: service, value: watched.serviceNumber }]),
    { label: "Watched since", value: shortInstant(watched.addedAt, now) },
    ...(progress === null || progress.checks === 0
      ? []
      : [{ label: "Checks", value: checksWords(progress) }]),
  ];
}
