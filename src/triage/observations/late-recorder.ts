import type { ListRows, LoadRecorder, Observations, Recorded } from "./observations.ts";

const nothing = { kind: "off", seen: null, storedAt: null } as const;

/**
 * A recorder for a load that begins before the observations are open. Rows that come meanwhile wait
 * for it; their reader need not. Null where nothing is recorded. A failure to open them is reported at the end, and never before.
 */
export function lateRecorder(
  opening: Promise<Pick<Observations, "begin"> | null>,
  supplier: string,
  startedAt: number,
): LoadRecorder {
  let waiting: ListRows[] | null = [];
  let recorder: LoadRecorder | null = null;
  const begun = opening.then((observations) => {
    if (waiting === null || observations === null) {
      waiting = null;
      return null;
    }
    recorder = observations.begin(supplier, startedAt);
    for (const batch of waiting) recorder.take(batch);
    waiting = null;
    return recorder;
  });
  const isOpen = begun.then(
    () => {},
    () => {
      waiting = null;
    },
  );
  return {
    take(batch) {
      if (recorder !== null) return recorder.take(batch);
      waiting?.push(batch);
      return waiting === null ? null : isOpen;
    },
    async finish(): Promise<Recorded> {
      try {
        return (await (await begun)?.finish()) ?? { ...nothing, why: null };
      } catch (error) {
        return { ...nothing, why: error instanceof Error ? error.message : String(error) };
      }
    },
    discard() {
      waiting = null;
      recorder?.discard();
    },
  };
}
