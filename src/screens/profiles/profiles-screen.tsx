import { useMemo, useState } from "react";
import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import { footPart } from "../../components/list-screen/list-foot.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { errorLine } from "../../errors/error-words.ts";
import { useApp, useSessionState } from "../../hooks/app.tsx";
import { removeProfile, switchProfile } from "../../session/leave-profile.ts";
import { profileIn } from "../../session/sessions.ts";
import type { CredentialFacts } from "../../settings/credentials.ts";
import { type ListedProfile, profileFields } from "../../settings/profile-fields.ts";
import type { Profile } from "../../settings/schemas.ts";
import { sandboxProfile } from "../../settings/settings.ts";

const idOf = ({ profile }: ProfileRow) => profile.name;

interface ProfileRow extends ListedProfile {
  readonly secret: string;
}

export function ProfilesScreen() {
  const app = useApp();
  const { settings, secrets, notices, overlays, navigation } = app;
  const state = useSessionState();
  const [version, setVersion] = useState(0);
  const openName = profileIn(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version counts changes made on this screen
  const rows = useMemo<readonly ProfileRow[]>(
    () =>
      [...settings.profiles(), sandboxProfile].map((profile) => ({
        profile,
        inUse: profile.name === openName,
        secret:
          profile.baseUrl === null
            ? "built in"
            : sourceWords[settings.credentialFacts(profile, secrets).source],
      })),
    [settings, secrets, openName, version],
  );
  const list = useRowList({ name: "profiles", rows, idOf, columns, startId: openName });
  const current = list.current?.profile ?? null;
  const builtIn =
    current?.baseUrl === null ? "The sandbox is built in and cannot be changed." : null;
  const remove = (profile: Profile) =>
    overlays.confirm({
      question: `Remove the profile ${profile.name}?`,
      detail: `Its address, suppliers, secrets, drafts, note templates and watch list are deleted from this machine; the journal is not. Nothing changes at ${profile.baseUrl}.`,
      yes: "Yes, remove it",
      onYes: () => {
        removeProfile(app, profile.name).then(
          (problems) => {
            setVersion((count) => count + 1);
            if (problems.length > 0)
              notices.show(`Removed ${profile.name}, but: ${problems.join("; ")}`, "waiting");
          },
          (error: unknown) =>
            notices.show(errorLine(error, { doing: `removing ${profile.name}` }), "bad"),
        );
      },
    });
  return (
    <ListScreen
      list={list}
      empty={["There is no profile."]}
      noun={["profile", "profiles"]}
      file={{ stem: "profiles", fields: Object.values(profileFields) }}
      status={[footPart(1, `saved in ${settings.file}`, "muted")]}
      enter={({ profile }) => ({ run: () => switchProfile(app, profile), label: "switch to it" })}
      actions={{
        ...(current
          ? {
              edit: {
                run: () => navigation.push({ kind: "connect", edit: current.name }),
                disabled: builtIn,
              },
              remove: { run: () => remove(current), disabled: builtIn },
            }
          : {}),
        add: () => navigation.push({ kind: "connect", edit: null }),
        refresh: () => setVersion((count) => count + 1),
      }}
    />
  );
}

ProfilesScreen.help = {
  name: "Profiles",
  about: [
    "A profile is one service with one set of credentials. Opening another profile discards every row of the previous one.",
    "Production is red, shows PROD, and is read-only until you type its name. That lasts 15 minutes.",
  ],
  words: [],
} as const;

const sourceWords: Readonly<Record<CredentialFacts["source"], string>> = {
  "environment-token": "environment",
  "environment-key": "environment",
  helper: "helper",
  "saved-key": "saved key",
  "cached-token": "saved token",
  none: "none",
};

const columns: readonly Column<ProfileRow>[] = [
  fieldColumn(profileFields.name, "name", "Profile", 11, { maxWidth: 16 }),
  column("use", "In use", 6, ({ inUse }) => (inUse ? "yes" : ""), { drop: 1 }),
  fieldColumn(profileFields.environment, "environment", "Environment", 11, {
    tone: ({ profile }) => (profile.environment === "production" ? "bad" : "plain"),
  }),
  fieldColumn(profileFields.baseUrl, "url", "Base URL", 24, {
    text: ({ profile }, width) =>
      profile.baseUrl ?? (width < 24 ? "embedded" : "embedded, on this machine"),
    minWidth: 12,
    maxWidth: 200,
  }),
  column("secret", "Secret", 22, secretText, { minWidth: 15 }),
];

function secretText({ profile, secret }: ProfileRow, width: number): string {
  if (!profile.readOnly) return secret;
  return `${secret}${width < 22 ? ", ro" : ", read-only"}`;
}
