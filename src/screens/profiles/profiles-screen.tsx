import { dirname } from "node:path";
import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import { Body } from "../../components/body.tsx";
import { type Column, column } from "../../components/column.ts";
import { DataTable } from "../../components/data-table.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useSessionState } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRowCursor } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import { leaveProfile } from "../../session/leave-profile.ts";
import type { SessionState } from "../../session/sessions.ts";
import type { CredentialFacts } from "../../settings/credentials.ts";
import type { Profile } from "../../settings/profile.ts";
import { wipeProfileData } from "../../settings/profile-data.ts";
import { resolvedSandbox } from "../../settings/resolve.ts";
import { sandboxProfile } from "../../settings/settings.ts";

const idOf = ({ profile }: ProfileRow) => profile.name;

interface ProfileRow {
  readonly profile: Profile;
  readonly open: boolean;
  readonly secret: string;
}

/** Every profile there is: switch, add, edit, remove. Switching drops every row of the other one. */
export function ProfilesScreen() {
  const app = useApp();
  const { settings, secrets, notices, overlays, navigation, sessions } = app;
  const state = useSessionState();
  const removeProfile = useRemoveProfile();
  const room = useRoom();
  const [generation, setGeneration] = useState(0);
  const openName = nameIn(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the generation counts our own changes
  const rows = useMemo<readonly ProfileRow[]>(
    () =>
      [...settings.profiles(), sandboxProfile].map((profile) => ({
        profile,
        open: profile.name === openName,
        secret:
          profile.baseUrl === null
            ? "built in"
            : sourceWords[settings.credentialFacts(profile, secrets).source],
      })),
    [settings, secrets, openName, generation],
  );
  const page = Math.max(1, room.rows - 3);
  const cursor = useRowCursor(rows, idOf, page);
  const current = rows[cursor.position]?.profile ?? null;
  const builtIn =
    current?.baseUrl === null ? "The sandbox is built in and cannot be changed." : null;
  const open = (profile: Profile) =>
    leaveProfile(app, `open ${profile.name}`, () => switchTo(profile));
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
    overlays.confirm({
      question: `Remove the profile ${profile.name}?`,
      detail: `Its address, suppliers, secrets, drafts, note templates and watch list are deleted from this machine; the journal is not. Nothing changes at ${profile.baseUrl}.`,
      yes: "Yes, remove it",
      onYes: () => {
        removeProfile(profile.name).then(
          (left) => {
            setGeneration((count) => count + 1);
            if (left.length === 0) notices.show(`Removed ${profile.name}.`, "ok");
            else notices.show(`Removed ${profile.name}, but: ${left.join("; ")}`, "waiting");
          },
          (error: unknown) => notices.show(errorMessage(error), "bad"),
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
    add: () => navigation.push({ kind: "connect", edit: null }),
  });
  const columns = profileColumns(room.columns);
  return (
    <Body>
      <DataTable
        columns={columns}
        rows={cursor.visible.map((one) => ({ ...one, marked: one.row.open }))}
        cursor={current?.name ?? null}
        first={cursor.top}
      />
      <Box marginTop={1}>
        <Text tone="muted">{`Saved in ${settings.file}`}</Text>
      </Box>
    </Body>
  );
}

/** Where the secret of a profile comes from, in words that fit the column. */
const sourceWords: Readonly<Record<CredentialFacts["source"], string>> = {
  "environment-token": "environment",
  "environment-key": "environment",
  helper: "helper",
  "saved-key": "saved key",
  "cached-token": "saved token",
  none: "none",
};

/** Narrower tables say only that the sandbox is embedded. */
const roomForWhere = 72;

function profileColumns(width: number): readonly Column<ProfileRow>[] {
  const isWide = width >= 90;
  const readOnly = isWide ? ", read-only" : ", ro";
  const secretWidth = "environment".length + readOnly.length;
  const [nameWidth, environmentWidth] = width < 70 ? [11, 11] : [16, 11];
  const fixed = nameWidth + environmentWidth + secretWidth + 8 + 3;
  return [
    column("name", "Profile", nameWidth, ({ profile }) => profile.name),
    column("environment", "Environment", environmentWidth, ({ profile }) => profile.environment, {
      tone: ({ profile }) => (profile.environment === "production" ? "bad" : "ok"),
    }),
    column(
      "url",
      "Base URL",
      Math.max(12, width - fixed),
      ({ profile }) =>
        profile.baseUrl ?? (width < roomForWhere ? "embedded" : "embedded, on this machine"),
    ),
    column("secret", "Secret", secretWidth, ({ profile, secret }) =>
      profile.readOnly ? `${secret}${readOnly}` : secret,
    ),
  ];
}

/**
 * Removes a stored profile with everything that is kept for it alone, leaving it first where it is
 * the open one. Resolves with what could not be wiped, in words. Rejects with SettingsError.
 */
function useRemoveProfile(): (name: string) => Promise<readonly string[]> {
  const { settings, stateDir, sessions, history } = useApp();
  return useCallback(
    async (name) => {
      settings.remove(name);
      // A session that is still open would keep what it has seen, and its token.
      if (nameIn(sessions.state.get()) === name) await sessions.close();
      settings.forget(name);
      history.forgetPlaces(name);
      return wipeProfileData({ stateDir, configDir: dirname(settings.file) }, name).problems.map(
        errorMessage,
      );
    },
    [settings, stateDir, sessions, history],
  );
}

function nameIn(state: SessionState): string | null {
  if (state.kind === "none") return null;
  return state.kind === "open" ? state.session.profile.name : state.profile;
}
