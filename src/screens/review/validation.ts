/** Sends a supply point to the service's validation, which creates nothing (INTERFACE 4.5). */
import { useCallback, useEffect, useMemo, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import type { Sentence } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorLine, errorWords } from "../../errors/error-words.ts";
import { atPlace } from "../../forms/payload-places.ts";
import { useHere } from "../../hooks/app.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import type { Action, Actions } from "../../keys/scopes.ts";
import { type Plan, refusalsOf } from "../../session/plan.ts";
import { plural } from "../../text/numbers.ts";
import { validateSupplyPoint } from "../../writes/validate.ts";
import { errorContextOf } from "./review-facts.ts";

export interface Validation {
  readonly findings: readonly Sentence[];
  readonly requiredAction: { readonly action: Action; readonly words: string | null } | null;
  readonly ready: string | null;
  readonly keys: Actions;
}

/** The state of the service's validation of a supply point (INTERFACE 4.5). */
type ValidationState =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly controller: AbortController }
  | { readonly kind: "passed"; readonly raw: string }
  | { readonly kind: "failed"; readonly error: unknown };

const none: ValidationState = { kind: "none" };

const idle = { abort: () => {} };

/**
 * Returns the validation of a draft. The key sends the body to the service, which creates nothing.
 * The journal does not record the request. The refusals of the service are saved in the draft.
 */
export function useValidation(draft: string, plan: Plan): Validation {
  const { app, session } = useHere();
  const { clock, formDrafts, key, navigation, notices, overlays } = app;
  const { prepared } = plan;
  const { body } = prepared;
  const [latest, setLatest] = useState<{ body: Uint8Array; state: ValidationState } | null>(null);
  // A result for another body does not apply.
  const state: ValidationState = latest?.body === body ? latest.state : none;
  const controller = state.kind === "asking" ? state.controller : idle;
  const isAsking = state.kind === "asking";
  useCancellable(
    isAsking,
    useCallback(() => controller.abort(), [controller]),
  );
  // If the screen closes, no result is needed.
  useEffect(() => () => controller.abort(), [controller]);
  const findings = useMemo(
    () => validationWords(state, plan, errorContextOf(prepared, session)),
    [state, plan, prepared, session],
  );
  const saveRefusals = (error: unknown) => {
    const saved = formDrafts.find(draft);
    if (saved === null || !isServiceError(error, "rejected")) return;
    try {
      formDrafts.save({ ...saved, refusals: refusalsOf(plan, error) });
    } catch (problem) {
      notices.show(errorLine(problem, { doing: "saving the draft" }), "bad");
    }
  };
  const run = () => {
    const asking = new AbortController();
    const finish = (error: unknown, next: ValidationState) => {
      session.report(error);
      setLatest({ body, state: next });
    };
    setLatest({ body, state: { kind: "asking", controller: asking } });
    const { service } = session;
    validateSupplyPoint({ service, clock, random: Math.random }, body, {
      signal: asking.signal,
    }).then(
      ({ body: raw }) => finish(null, { kind: "passed", raw }),
      (error: unknown) => {
        finish(error, { kind: "failed", error });
        saveRefusals(error);
      },
    );
  };
  const disabled = isAsking ? `The service is validating it; ${key("cancel")} cancels.` : null;
  const keys = { verify: { run, disabled, label: "validate" } };
  if (state.kind === "passed") {
    const { raw } = state;
    return {
      findings,
      requiredAction: null,
      ready: `Validated; nothing is created yet. ${key("raw")} shows the response.`,
      keys: { ...keys, raw: () => overlays.open({ kind: "raw", title: "validation", raw }) },
    };
  }
  const action = { run, disabled, label: "validate first" };
  if (state.kind === "failed" && isServiceError(state.error, "rejected")) {
    const words = `${key("open")} goes to the first error in the form.`;
    const open = { run: navigation.back, label: "to the form" };
    return { findings, requiredAction: { action, words }, ready: null, keys: { open, ...keys } };
  }
  const words = isAsking ? "The service is validating it…" : null;
  return { findings, requiredAction: { action, words }, ready: null, keys };
}

function validationWords(
  state: ValidationState,
  plan: Plan,
  context: ErrorContext,
): readonly Sentence[] {
  if (state.kind !== "failed") return [];
  const { error } = state;
  if (isServiceError(error, "rejected")) {
    const refusals = refusalsOf(plan, error);
    const errors = plural(refusals.length, "error");
    return [
      {
        words: `The service's validation rejected it (400): ${errors}.`,
        look: { tone: "bad", bold: true },
      },
      ...refusals.map(
        (refusal): Sentence => ({
          words: atPlace(plan.form, refusal),
          look: { tone: "bad" },
          indent: 2,
        }),
      ),
    ];
  }
  const { sentence, why } = errorWords(error, { ...context, doing: "validating" });
  return [{ words: sentence, look: { tone: "bad", bold: true } }, ...(why ? [{ words: why }] : [])];
}
