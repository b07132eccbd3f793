/** Sends a supply point to the service's validation, which creates nothing (INTERFACE 4.5). */
import { useCallback, useEffect, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import type { Sentence } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { atPlace } from "../../forms/places.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { type Plan, refusalsOf } from "../../session/plan.ts";
import { plural } from "../../text/numbers.ts";
import { validateSupplyPoint } from "../../writes/validate.ts";

/** The state of the service's validation of a supply point (INTERFACE 4.5). */
type ValidationState =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly stop: AbortController }
  | { readonly kind: "passed"; readonly raw: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** Replaces the abort controller while no validation is in progress. */
const idle = { abort: () => {} };

/** Sends a body to the service's validation. Nothing is created or recorded in the journal. */
export function useSubmitValidation(body: Uint8Array): {
  readonly state: ValidationState;
  validate(onFailed: (error: unknown) => void): void;
} {
  const { clock } = useApp();
  const session = useSession();
  const [seen, setSeen] = useState<{ body: Uint8Array; state: ValidationState } | null>(null);
  // A result for another body does not apply.
  const state: ValidationState = seen?.body === body ? seen.state : { kind: "none" };
  const stop = state.kind === "asking" ? state.stop : idle;
  useCancellable(
    state.kind === "asking",
    useCallback(() => stop.abort(), [stop]),
  );
  // If the screen closes, no result is needed.
  useEffect(() => () => stop.abort(), [stop]);
  return {
    state,
    validate(onFailed) {
      if (state.kind === "asking") return;
      const asking = new AbortController();
      setSeen({ body, state: { kind: "asking", stop: asking } });
      const { service } = session;
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

/** Returns the findings of the service's validation in full. */
export function validationWords(
  state: ValidationState,
  plan: Plan,
  context: ErrorContext,
): readonly Sentence[] {
  if (state.kind !== "failed") return [];
  const { error } = state;
  if (isServiceError(error, "rejected")) {
    const refusals = refusalsOf(plan, error);
    const found = plural(refusals.length, "error");
    return [
      {
        words: `The service's validation rejected it (400): ${found}.`,
        look: { tone: "bad", bold: true },
      },
      ...refusals.map(
        (one): Sentence => ({ words: atPlace(plan.form, one), look: { tone: "bad" }, indent: 2 }),
      ),
    ];
  }
  const { sentence, why } = errorWords(error, { ...context, doing: "validating" });
  return [{ words: sentence, look: { tone: "bad", bold: true } }, ...(why ? [{ words: why }] : [])];
}

/**
 * Returns the state of the validation in one line, with the next key, or null if the footer shows
 * it.
 */
export function validationLine(state: ValidationState, key: KeyWords): string | null {
  switch (state.kind) {
    case "none":
      return null;
    case "asking":
      return "The service is validating it…";
    case "passed":
      return `Validated; nothing is created yet. ${key("raw")} shows the response.`;
    case "failed":
      return isServiceError(state.error, "rejected")
        ? `${key("open")} goes to the first error in the form.`
        : null;
  }
}
