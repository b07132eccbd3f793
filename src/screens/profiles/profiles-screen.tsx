import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import { Body } from "../../components/body.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Text } from "../../components/text.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useLeaving, useSessionState, useSessions } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import type { CredentialFacts } from "../../settings/credentials.ts";
import type { Profile } from "../../settings/profile.ts";
import { resolvedSandbox } from "../../settings/resolve.ts";
import { sandboxProfile } from "../../settings/settings.ts";
import { useRemoveProfile } from "./remove-profile.ts";

interface ProfileRow {
  readonly profile: Profile;
  readonly open: boolean;
  readonly secret: string;
}

/** Every profile there is: switch, add, edit, remove. Switching drops every row of the other one. */
export function ProfilesScreen() {
  const { settings, secrets } = useConsole();
  const navigation = useNavigation();
  const sessions = useSessions();
  const state = useSessionState();
  const overlays = useOverlays();
  const notices = useNotices();
  const removeProfile = useRemoveProfile();
  const room = useRoom();
  const [generation, setGeneration] = useState(0);
  const openName =
    state.kind === "open"
      ? state.session.profile.name
      : state.kind === "none"
        ? null
        : state.profile;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the generation counts our own changes
  const rows = useMemo<readonly ProfileRow[]>(
    () =>
      [...settings.profiles(), sandboxProfile].map((profile) => ({
        profile,
        open: profile.name === openName,
        secret:
          profile.baseUrl === null
            ? "of its own"
            : sourceWords[settings.credentialFacts(profile, secrets).source],
      })),
    [settings, secrets, openName, generation],
  );
  const page = Math.max(1, room.rows - 3);
  const cursor = useListCursor({
    length: rows.length,
    page,
    idAt: useCallback((at: number) => rows[at]?.profile.name ?? null, [rows]),
    positionOf: useCallback(
      (name: string) => rows.findIndex((row) => row.profile.name === name),
      [rows],
    ),
  });
  const current = rows[cursor.position]?.profile ?? null;
  const builtIn = current?.baseUrl === null ? "The sandbox is built in: it stays as it is." : null;
  const leaving = useLeaving();
  const open = (profile: Profile) => leaving(`open ${profile.name}`, () => switchTo(profile));
  const switchTo = (profile: Profile) => {
    if (profile.baseUrl !== null) settings.use(profile.name);
    void sessions.open(
      profile.baseUrl === null
        ? resolvedSandbox()
        : { profile, origin: "current", credentials: settings.credentials(profile, secrets) },
    );
    navigation.reset([{ kind: "suppliers" }]);
  };
  const remove = (profile: Profile) =>
    overlays.open({
      kind: "confirm",
      question: `Remove the profile ${profile.name}?`,
      detail: `Its address, suppliers, secrets, drafts and watch list are wiped from this machine; the journal stays. Nothing changes at ${profile.baseUrl}.`,
      yes: "Yes, remove it",
      onYes: () => {
        removeProfile(profile.name).then(
          (left) => {
            setGeneration((count) => count + 1);
            if (left.length === 0) notices.show(`Removed ${profile.name}.`, "ok");
            else notices.show(`Removed ${profile.name}, but: ${left.join("; ")}`, "waiting");
          },
          (error: unknown) =>
            notices.show(error instanceof Error ? error.message : String(error), "bad"),
        );
      },
    });
  useKeys({
    ...cursor.actions,
    ...(current
      ? {
          open: { run: () => open(current), label: "switch to it" },
          edit: {
            run: () => navigation.push({ kind: "connect", edit: current.name }),
            disabled: builtIn,
          },
          remove: { run: () => remove(current), disabled: builtIn },
        }
      : {}),
    add: { run: () => navigation.push({ kind: "connect", edit: null }) },
  });
  const columns = profileColumns(room.columns);
  return (
    <Body>
      <DataTable
        columns={columns}
        rows={rows
          .slice(cursor.top, cursor.top + page)
          .map((row) => ({ id: row.profile.name, row, marked: row.open }))}
        cursor={current?.name ?? null}
        width={room.columns}
        first={cursor.top}
      />
      <Box marginTop={1}>
        <Text tone="muted">{`Kept in ${settings.file}`}</Text>
      </Box>
    </Body>
  );
}

/** Where the secret of a profile comes from, in words that fit the column. */
const sourceWords: Readonly<Record<CredentialFacts["source"], string>> = {
  "environment-token": "environment",
  "environment-key": "environment",
  helper: "helper",
  "saved-key": "key kept",
  "cached-token": "token kept",
  none: "none",
};

function profileColumns(width: number): readonly Column<ProfileRow>[] {
  const isWide = width >= 90;
  const readOnly = isWide ? ", read-only" : ", ro";
  const secretWidth = "environment".length + readOnly.length;
  const [nameWidth, environmentWidth] = width < 70 ? [12, 10] : [16, 11];
  const fixed = nameWidth + environmentWidth + secretWidth + 8 + 3;
  return [
    { id: "name", title: "Profile", width: nameWidth, text: ({ profile }) => profile.name },
    {
      id: "environment",
      title: "Environment",
      width: environmentWidth,
      text: ({ profile }) => profile.environment,
      tone: ({ profile }) => (profile.environment === "production" ? "bad" : "ok"),
    },
    {
      id: "url",
      title: "Base URL",
      width: Math.max(12, width - fixed),
      text: ({ profile }) => profile.baseUrl ?? "embedded, on this machine",
    },
    {
      id: "secret",
      title: "Secret",
      width: secretWidth,
      text: ({ profile, secret }) => (profile.readOnly ? `${secret}${readOnly}` : secret),
    },
  ];
}
