import { type Column, fieldColumn } from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useShownZone } from "../../hooks/now.ts";
import { useRoom } from "../../hooks/window.tsx";
import { maxNotices, type Notice } from "../../session/notices.ts";
import { showInPager } from "../../session/pager.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { widthOf } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";

const idOf = ({ id }: Notice) => String(id);

const fullRows = 3;
const otherCells = 25;

export function NoticesScreen() {
  const app = useApp();
  const rows = useStore(app.notices.log);
  useShownZone();
  const list = useRowList({ name: "notices", rows, idOf, columns });
  const { current } = list;
  const noticeCells = useRoom().columns - otherCells;
  return (
    <ListScreen
      list={list}
      empty={["Nothing was reported in this session yet."]}
      noun={["notice", "notices"]}
      file={{ stem: "notices", fields }}
      below={{
        rows: fullRows,
        shown: ({ text }) =>
          widthOf(text) <= noticeCells ? null : <Paragraph most={fullRows}>{text}</Paragraph>,
      }}
      status={[
        { piece: { text: `the last ${count(maxNotices)} are listed`, tone: "muted" }, drop: 1 },
      ]}
      actions={
        current === null
          ? {}
          : {
              copy: () => app.clipboard(current.text, "notice"),
              pager: () => void showInPager(app, rows.map(asText)),
            }
      }
    />
  );
}

NoticesScreen.help = {
  name: "Notices",
  about: [
    "What the line above the footer reported in this session, newest first. What was left out, refused or failed stays in that line until you press a key.",
  ],
  words: [],
} as const;

const kindWords: Readonly<Partial<Record<Tone, string>>> = {
  bad: "failed",
  danger: "failed",
  waiting: "attention",
  unknown: "unknown",
  ok: "done",
  busy: "started",
};

const field = fieldsOf<Notice>();
const at = field(["at", "Time"], "text, UTC", "The time of the notice.", (of) => utcInstant(of.at));
const kind = field(
  "kind",
  "text",
  "The kind of the notice, or an empty text.",
  (of) => kindWords[of.tone] ?? "",
);
const notice = field("notice", "text", "The notice.", ({ text }) => text);
const fields = [at, kind, notice];

const columns: readonly Column<Notice>[] = [
  fieldColumn(at, "at", "Time", 8, { text: ({ at }) => formatInstant(at).slice(11) }),
  fieldColumn(kind, "kind", "Kind", 9, { tone: ({ tone }) => tone }),
  fieldColumn(notice, "notice", "Notice", 30, { minWidth: 10, maxWidth: 400 }),
];

function asText({ at, text }: Notice): string {
  return `${formatInstant(at)}  ${text}`;
}
