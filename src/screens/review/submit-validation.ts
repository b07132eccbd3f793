import { useCallback, useEffect, useState } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useSession } from "../../hooks/session.tsx";
import { validateSupplyPoint } from "../../writes/validate.ts";
import { writeServiceOf } from "../../writes/write-service.ts";

/** How the service's validation of a supply point went (INTERFACE 4.5). */
export type ValidationState =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly stop: AbortController }
  | { readonly kind: "passed"; readonly raw: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** Stands for nothing under way. */
const idle = { abort: () => {} };

/** Has the service validate a body; nothing is created and nothing journalled. */
export function useSubmitValidation(body: Uint8Array): {
  readonly state: ValidationState;
  validate(onFailed: (error: unknown) => void): void;
} {
  const { clock } = useConsole();
  const session = useSession();
  const [seen, setSeen] = useState<{ body: Uint8Array; state: ValidationState } | null>(null);
  // Another body has not been validated, whatever the result for this one.
  const state: ValidationState = seen?.body === body ? seen.state : { kind: "none" };
  const stop = state.kind === "asking" ? state.stop : idle;
  useCancellable(
    state.kind === "asking",
    useCallback(() => stop.abort(), [stop]),
  );
  // The screen is closed: no one waits for the answer.
  useEffect(() => () => stop.abort(), [stop]);
  return {
    state,
    validate(onFailed) {
      if (state.kind === "asking") return;
      const asking = new AbortController();
      setSeen({ body, state: { kind: "asking", stop: asking } });
      const service = writeServiceOf(session.service);
      validateSupplyPoint({ service, clock, random: Math.random }, body, {
        signal: asking.signal,
      }).then(
        ({ body: raw }) => {
          session.report(null);
          setSeen({ body, state: { kind: "passed", raw } });
        },
        (error: unknown) => {
          session.report(error);
          setSeen({ body, state: { kind: "failed", error } });
          onFailed(error);
        },
      );
    },
  };
}
