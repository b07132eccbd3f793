import { Text } from "ink";
import { useEffect } from "react";
import { AppProvider, SessionProvider } from "../../src/hooks/app.tsx";
import { useJournalRead } from "../../src/hooks/journal.ts";
import type { Session } from "../../src/session/open-session.ts";
import { createStore } from "../../src/session/store.ts";
import { appOf } from "../helpers/app.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openScreen } from "../helpers/screen.tsx";

const read = () => "entries";

test("a screen is not drawn again for each look that finds no journal", async () => {
  const clock = fakeClock("2026-01-15T09:00:00Z");
  let looks = 0;
  let draws = 0;
  const session = {
    existingWrites: async () => {
      looks++;
      return null;
    },
    tasks: { entries: { all: createStore([]) } },
  } as unknown as Session;
  function Entries() {
    const { view } = useJournalRead(read);
    useEffect(() => {
      draws++;
    });
    return <Text>{`journal: ${view.kind}`}</Text>;
  }
  await using screen = openScreen(
    <AppProvider app={appOf({ clock })}>
      <SessionProvider session={session}>
        <Entries />
      </SessionProvider>
    </AppProvider>,
  );
  await screen.waitFor("journal: none");
  await clock.untilSleeping();
  const [looked, drawn] = [looks, draws];
  for (let second = 0; second < 10; second++) {
    await clock.advance(1_000);
    await clock.untilSleeping();
  }
  expect(looks).toBe(looked + 10);
  expect(draws).toBe(drawn);
});
