/** The last step of a new connection: saves the profile, and the secret that the user chooses. */
import { Box } from "ink";
import { useState } from "react";
import { Body } from "../../components/body.tsx";
import { Facts } from "../../components/facts.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { openProfile } from "../../session/leave-profile.ts";
import type { Profile } from "../../settings/schemas.ts";
import { formatInstant } from "../../text/dates.ts";
import { clearedFields } from "./connection-form.ts";
import type { PassedTest } from "./connection-test.ts";

type Choice = "key" | "token" | "nothing";

/** Asks which secret to save after a successful test. Nothing is saved until the user chooses. */
export function SaveSecret(props: {
  readonly passed: PassedTest;
  readonly before: Profile | null;
  readonly onBack: () => void;
  readonly onSaved: () => void;
}) {
  const app = useApp();
  const { settings, secrets } = app;
  const [problem, setProblem] = useState<unknown>(null);
  const { passed, before } = props;
  const { profile } = passed;
  const place = settings.credentialFacts(profile, secrets).storedIn;
  useKeys({ back: { run: props.onBack, label: "back to the form" } });
  const save = async (choice: Choice) => {
    try {
      if (before && before.name !== profile.name) settings.remove(before.name);
      if (before && before.name === profile.name)
        settings.update(profile.name, { ...clearedFields(profile), ...profile });
      else settings.add(profile);
      settings.use(profile.name);
      if (choice === "key" && passed.apiKey !== null) {
        settings.saveApiKey(profile.name, passed.apiKey);
      }
      if (choice === "token") {
        const token = await passed.credentials.token();
        if (token) settings.saveToken(profile.name, token.token);
      }
    } catch (error) {
      setProblem(error);
      return;
    }
    const credentials =
      choice === "nothing" ? passed.credentials : settings.credentials(profile, secrets);
    props.onSaved();
    openProfile(app, { profile, origin: "current", credentials }, before?.name);
  };
  const items: MenuItem<Choice>[] = [
    ...(passed.apiKey === null
      ? []
      : [
          {
            value: "key" as const,
            label: "Save the API key",
            hint: "used to obtain new tokens",
          },
        ]),
    { value: "token", label: "Save only the token", hint: "works until it expires" },
    { value: "nothing", label: "Save no secret", hint: "this session only; asked again next time" },
  ];
  const { facts } = passed;
  return (
    <Body>
      <Text bold>The connection works: the service gave a token.</Text>
      <Box marginTop={1}>
        <Facts
          facts={[
            { label: "Profile", value: profile.name },
            { label: "Base URL", value: profile.baseUrl ?? "" },
            { label: "Environment", value: profile.environment },
            {
              label: "Token",
              value:
                facts.expiresAt === null
                  ? "expiry not stated; used until it is rejected"
                  : `expires ${formatInstant(facts.expiresAt)}`,
            },
          ]}
        />
      </Box>
      <Box marginTop={1} flexDirection="column">
        <Paragraph>{`The profile is saved in ${settings.file}.`}</Paragraph>
        <Paragraph>{`A secret is saved in ${place}, readable only by you. Choose what to save:`}</Paragraph>
        <Text> </Text>
        <Menu items={items} onChoose={(choice) => void save(choice)} />
      </Box>
      {problem ? (
        <Box marginTop={1}>
          <Problem error={problem} context={{ doing: "saving the profile" }} />
        </Box>
      ) : null}
    </Body>
  );
}
