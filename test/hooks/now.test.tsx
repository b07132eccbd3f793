import { Text } from "ink";
import { AppProvider } from "../../src/hooks/app.tsx";
import { useNow } from "../../src/hooks/now.ts";
import { appOf } from "../helpers/app.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openScreen } from "../helpers/screen.tsx";

function Seconds() {
  return <Text>{`second ${new Date(useNow()).getUTCSeconds()}.`}</Text>;
}

test.each([
  ["every second", { reducedMotion: false, accessible: false }, ["second 1.", "second 2."]],
  [
    "seldom with reduced motion",
    { reducedMotion: true, accessible: false },
    ["second 0.", "second 10."],
  ],
  [
    "seldom where it is read aloud",
    { reducedMotion: false, accessible: true },
    ["second 0.", "second 10."],
  ],
] as const)("an age moves on %s", async (_, { reducedMotion, accessible }, [early, late]) => {
  const clock = fakeClock("2026-01-15T09:00:00Z");
  await using screen = openScreen(
    <AppProvider app={appOf({ clock, reducedMotion })}>
      <Seconds />
    </AppProvider>,
    { accessible },
  );
  await screen.waitFor("second 0.");
  await clock.untilSleeping();
  await clock.advance(1_000);
  await screen.waitFor(early);
  await clock.advance(late === "second 2." ? 1_000 : 9_000);
  await screen.waitFor(late);
});
