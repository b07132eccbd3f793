import { errorMessage } from "../api/errors.ts";
import { recordsObservations } from "../settings/observing.ts";
import type { Observations, Recorded } from "../triage/observations/observations.ts";
import type { ClockJudge } from "../triage/observations/open-observations.ts";
import type { ObservationsPlace } from "../triage/observations/open-place.ts";
import { recordedWords } from "../triage/observations/recorded-words.ts";
import { createStore, type Store } from "./store.ts";
import type { Surroundings } from "./surroundings.ts";

/** Opens the observations of a service at the first use. */
export function lazyObservations(options: {
  readonly place: ObservationsPlace;
  readonly origin: string;
  readonly judge: ClockJudge;
  /** What `--profile` has to say for a command about this service. */
  readonly profile: string | null;
  readonly surroundings: Pick<Surroundings, "clock" | "env" | "settings">;
}) {
  const { place, origin, judge, profile, surroundings } = options;
  const notice = createStore<string | null>(null);
  const report = reporting(notice, profile);
  let opened: Promise<Observations> | null = null;
  let isClosed = false;
  return {
    /** The newest of what an operator must know about them; each thing is reported once. */
    notice,
    /** Rejects when they cannot be opened; the next call tries again. */
    open() {
      if (isClosed) return Promise.reject(new Error("the session is closed"));
      opened ??= import("../triage/observations/open-place.ts").then(async ({ openPlace }) => {
        const { clock, env, settings } = surroundings;
        let recording = false;
        try {
          recording = recordsObservations(env, () => settings.preferences());
        } catch (error) {
          // Preferences that cannot be read may say no.
          report("", { kind: "off", why: errorMessage(error), seen: null, storedAt: null });
        }
        const stored = await openPlace(place, { origin, clock, judge, recording });
        return reported(stored, report);
      });
      opened.catch(() => {
        opened = null;
      });
      return opened;
    },
    async close() {
      isClosed = true;
      await opened?.then((store) => store.close()).catch(() => {});
    },
  };
}

type Report = (supplier: string, recorded: Recorded) => void;

/** Puts what must be known of a load into a store, unless the last load of the supplier was the same. */
function reporting(notice: Store<string | null>, profile: string | null): Report {
  let isOff = false;
  const heldBack = new Set<string>();
  return (supplier, recorded) => {
    const isKnown = recorded.kind === "held-back" ? heldBack.has(supplier) : isOff;
    if (recorded.kind === "held-back") heldBack.add(supplier);
    else heldBack.delete(supplier);
    isOff = recorded.kind === "off";
    const words = recordedWords(supplier, recorded, profile)?.short ?? null;
    if (words !== null && !isKnown) notice.set(words);
  };
}

/** The same observations, whose every load is reported. */
function reported(observations: Observations, report: Report): Observations {
  return {
    ...observations,
    begin(supplier, startedAt) {
      const recorder = observations.begin(supplier, startedAt);
      return {
        take: (batch) => recorder.take(batch),
        discard: () => recorder.discard(),
        async finish() {
          const recorded = await recorder.finish();
          report(supplier, recorded);
          return recorded;
        },
      };
    },
  };
}
