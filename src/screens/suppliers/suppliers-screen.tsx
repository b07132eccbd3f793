import { Box } from "ink";
import { useCallback, useState } from "react";
import { Body } from "../../components/body.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { errorPlace } from "../../components/error-place.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useConsole } from "../../hooks/console.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useNow } from "../../hooks/now.ts";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { checkSupplierCode } from "../../settings/validate-profile.ts";
import { checkedWords } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import { type Count, type SupplierCounts, useSupplierCounts } from "./supplier-counts.ts";

interface SupplierRow {
  readonly code: string;
  readonly counts: SupplierCounts;
}

/**
 * The import suppliers this profile knows; no endpoint lists them, so they are added by code. How
 * many accounts each has pending and imported is filled in behind.
 */
export function SuppliersScreen() {
  const key = useKeyWords();
  const { settings } = useConsole();
  const session = useSession();
  const navigation = useNavigation();
  const overlays = useOverlays();
  const notices = useNotices();
  const room = useRoom();
  const [codes, setCodes] = useState<readonly string[]>(
    () => (settings.find(session.profile.name) ?? session.profile).suppliers,
  );
  const feed = useSupplierCounts(codes);
  const page = Math.max(1, room.rows - 6);
  const cursor = useListCursor({
    length: codes.length,
    page,
    idAt: useCallback((at: number) => codes[at] ?? null, [codes]),
    positionOf: useCallback((code: string) => codes.indexOf(code), [codes]),
  });
  const current = codes[cursor.position] ?? null;
  const remember = (change: () => void, words: string) => {
    try {
      change();
    } catch {
      notices.show(`${words} for this session; it could not be saved.`, "waiting");
    }
  };
  const add = () =>
    overlays.open({
      kind: "prompt",
      title: "Add an import supplier",
      label: "Code",
      hint: "The code from the platform operator; separate several with commas or spaces.",
      initial: "",
      onSubmit: (typed) => {
        const given = [...new Set(typed.split(/[\s,;]+/).filter((code) => code !== ""))];
        const added = given.filter((code) => !codes.includes(code));
        for (const code of given) {
          const problem = checkSupplierCode(code);
          if (problem !== null) return `The supplier code ${code} ${problem}.`;
        }
        if (given.length === 0) return "Type at least one supplier code.";
        if (added.length === 0) return `Already on the list: ${given.join(", ")}.`;
        setCodes([...codes, ...added]);
        const words = `Added ${added.join(", ")}`;
        notices.show(`${words}.`, "ok");
        remember(() => {
          for (const code of added) settings.addSupplier(session.profile.name, code);
        }, words);
        return null;
      },
    });
  const remove = (code: string) =>
    overlays.open({
      kind: "confirm",
      question: `Remove ${code} from this list?`,
      detail: "Only this list changes. Nothing changes at the service.",
      yes: "Yes, remove it",
      onYes: () => {
        setCodes(codes.filter((other) => other !== code));
        remember(() => settings.removeSupplier(session.profile.name, code), `Removed ${code}`);
      },
    });
  const asCommand = useAsCommand();
  useKeys({
    ...cursor.actions,
    ...(current
      ? {
          open: { run: () => navigation.push({ kind: "overview", supplier: current }) },
          remove: { run: () => remove(current) },
          "as-command": {
            run: () =>
              asCommand({ kind: "accounts-list", supplier: current, state: "all" }, [
                "v1/data-import/all-account-import-processes",
                current,
              ]),
          },
        }
      : {}),
    add: { run: add },
    refresh: { run: feed.refresh },
  });
  const failed = current ? failureOf(feed.of(current)) : null;
  const now = useNow(10_000);
  const countedAt = current ? feed.of(current).at : null;
  return (
    <Body>
      {codes.length === 0 ? (
        <Paragraph>
          {`This profile has no suppliers yet, and the service does not list them. ${key("add")} adds one by its code.`}
        </Paragraph>
      ) : (
        <DataTable
          columns={supplierColumns(room.columns)}
          rows={codes.slice(cursor.top, cursor.top + page).map((code) => ({
            id: code,
            row: { code, counts: feed.of(code) },
          }))}
          cursor={current}
          width={room.columns}
          first={cursor.top}
        />
      )}
      {failed && current ? (
        <Box marginTop={1}>
          <Problem
            rows={Math.max(2, room.rows - 3 - Math.min(codes.length, page))}
            error={failed}
            context={{
              doing: `counting the accounts of ${current}`,
              ...errorPlace(session),
              subject: { kind: "supplier", supplier: current },
            }}
          />
        </Box>
      ) : null}
      <Box flexGrow={1} />
      {current ? (
        <Text tone="muted">
          {countedAt === null
            ? `Counting the accounts of ${current}…`
            : `${current} ${checkedWords(countedAt, now).replace("checked", "counted")}; ${key("refresh")} counts again`}
        </Text>
      ) : null}
    </Body>
  );
}

function failureOf(counts: SupplierCounts): unknown {
  if (counts.pending.kind === "failed") return counts.pending.error;
  if (counts.imported.kind === "failed") return counts.imported.error;
  return null;
}

function countWords(value: Count): string {
  switch (value.kind) {
    case "waiting":
      return "not known yet";
    case "counting":
      return `${count(value.rows)}…`;
    case "counted":
      return count(value.rows);
    case "failed":
      return "not known";
  }
}

function countTone(value: Count): Tone {
  return value.kind === "failed" ? "bad" : value.kind === "counted" ? "plain" : "muted";
}

function supplierColumns(width: number): readonly Column<SupplierRow>[] {
  return [
    {
      id: "code",
      title: "Import supplier",
      width: Math.max(16, Math.min(40, width - 36)),
      text: ({ code }) => code,
    },
    {
      id: "pending",
      title: "Pending",
      width: 13,
      align: "right",
      text: ({ counts }) => countWords(counts.pending),
      tone: ({ counts }) => countTone(counts.pending),
    },
    {
      id: "imported",
      title: "Imported",
      width: 13,
      align: "right",
      text: ({ counts }) => countWords(counts.imported),
      tone: ({ counts }) => countTone(counts.imported),
    },
  ];
}
