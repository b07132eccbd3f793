import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { Menu } from "../../components/menu.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { useApp } from "../../hooks/app.tsx";
import type { Place } from "../../session/places.ts";
import { resolvedSandbox } from "../../settings/resolve.ts";

export function FirstRunScreen() {
  const { settings, version, navigation, sessions, tour } = useApp();
  const openSandbox = (places: readonly Place[]) => {
    void sessions.open(resolvedSandbox());
    navigation.reset(places);
  };
  return (
    <Body>
      <Text tone="title">{`supplyline ${version}`}</Text>
      <Paragraph>
        {"Monitor, troubleshoot and correct the migration of customer accounts and supply points."}
      </Paragraph>
      <Box marginTop={1} flexDirection="column">
        <Menu
          items={[
            {
              value: "sandbox",
              label: "Sandbox",
              hint: "embedded, nothing leaves this machine",
            },
            {
              value: "connect",
              label: "Connect to a service",
              hint: "needs its URL and an API key",
            },
            {
              value: "tour",
              label: "Tour of the sandbox",
              hint: "three minutes; pause it at any step",
            },
          ]}
          onChoose={(choice) => {
            if (choice === "sandbox") openSandbox([{ kind: "suppliers" }]);
            else if (choice === "tour") openSandbox(tour.begin());
            else navigation.push({ kind: "connect", edit: null });
          }}
        />
      </Box>
      <Box marginTop={1} flexDirection="column">
        <Paragraph tone="muted">{`Profiles are saved in ${settings.file}. The sandbox's journal ends with it; its watch list, cohorts and recent places stay.`}</Paragraph>
      </Box>
    </Body>
  );
}

FirstRunScreen.help = {
  name: "First start",
  about: [
    "Choose where to work. The sandbox is a complete service inside this program: imports progress, writes take effect, and nothing leaves this machine.",
    "The tour shows the real screens on it in about three minutes. You can pause it at any step.",
  ],
  words: [],
} as const;
