/** Binds the key that goes to the next thing that needs someone, on every screen. */
import { useApp, useOpenSession } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { calmWords, useOpenWork } from "../../hooks/open-work.ts";
import { KeyLevel } from "../../session/key-registry.ts";
import { nextNeed, openNextNeed } from "../../session/open-places.ts";
import { amountWords, needSum } from "../../triage/open/needs.ts";

const footerOrder = 47;

/** Draws nothing. It is a component, so that a change of the open work does not draw the screen. */
export function NextNeed() {
  const { navigation, notices } = useApp();
  const session = useOpenSession();
  const work = useOpenWork(session);
  const sum = needSum(work.needs);
  const go = () => {
    const places = navigation.stops.get().map(({ place }) => place);
    const next = nextNeed(work.needs, places);
    if (next === null) {
      notices.explain(calmWords(work));
      return;
    }
    openNextNeed(navigation, next);
    notices.show(next.words);
  };
  const isCalm = work.needs.length === 0;
  useKeys(
    session === null
      ? {}
      : {
          "next-need": {
            run: go,
            ...(isCalm ? {} : { label: `next (${amountWords(sum)})`, footer: footerOrder }),
          },
        },
    { level: KeyLevel.root },
  );
  return null;
}
