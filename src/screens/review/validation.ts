/** Sends a supply point to the service's validation, which creates nothing (INTERFACE 4.5). */
import { useCallback, useEffect, useMemo, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import type { Sentence } from "../../components/document.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import { errorWords } from "../../errors/error-words.ts";
import { atPlace } from "../../forms/places.ts";
import { useHere } from "../../hooks/app.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import type { Action, Actions } from "../../keys/scopes.ts";
import { type Plan, refusalsOf } from "../../session/plan.ts";
import { plural } from "../../text/numbers.ts";
import { validateSupplyPoint } from "../../writes/validate.ts";
import { contextOf } from "./review-facts.ts";

/** The part of a review that the validation adds. */
export interface Validation {
  /** The findings of the service in full. */
  readonly findings: readonly Sentence[];
  /** The validation as the action before the send, or null if it has passed. */
  readonly first: { readonly action: Action; readonly words: string | null } | null;
  /** The passed validation in one line, or null if it has not passed. */
  readonly ready: string | null;
  readonly keys: Actions;
}

/** The state of the service's validation of a supply point (INTERFACE 4.5). */
type ValidationState =
  | { readonly kind: "none" }
  | { readonly kind: "asking"; readonly stop: AbortController }
  | { readonly kind: "passed"; readonly raw: string }
  | { readonly kind: "failed"; readonly error: unknown };

const none: ValidationState = { kind: "none" };

/** Replaces the abort controller while no validation is in progress. */
const idle = { abort: () => {} };

/**
 * Returns the validation of a draft. Its key sends the body to the service; nothing is created or
 * recorded in the journal. The refusals of the service are saved in the draft.
 */
export function useValidation(draft: string, plan: Plan): Validation {
  const { app, session } = useHere();
  const { clock, formDrafts, key, navigation, overlays } = app;
  const { prepared } = plan;
  const { body } = prepared;
  const [seen, setSeen] = useState<{ body: Uint8Array; state: ValidationState } | null>(null);
  // A result for another body does not apply.
  const state: ValidationState = seen?.body === body ? seen.state : none;
  const stop = state.kind === "asking" ? state.stop : idle;
  const isAsking = state.kind === "asking";
  useCancellable(
    isAsking,
    useCallback(() => stop.abort(), [stop]),
  );
  // If the screen closes, no result is needed.
  useEffect(() => () => stop.abort(), [stop]);
  const findings = useMemo(
    () => validationWords(state, plan, contextOf(prepared, session)),
    [state, plan, prepared, session],
  );
  const saveRefusals = (error: unknown) => {
    const saved = formDrafts.find(draft);
    if (saved === null || !isServiceError(error, "rejected")) return;
    formDrafts.save({ ...saved, refusals: refusalsOf(plan, error) });
  };
  const run = () => {
    const asking = new AbortController();
    const end = (error: unknown, next: ValidationState) => {
      session.report(error);
      setSeen({ body, state: next });
    };
    setSeen({ body, state: { kind: "asking", stop: asking } });
    const { service } = session;
    validateSupplyPoint({ service, clock, random: Math.random }, body, {
      signal: asking.signal,
    }).then(
      ({ body: raw }) => end(null, { kind: "passed", raw }),
      (error: unknown) => {
        end(error, { kind: "failed", error });
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
      first: null,
      ready: `Validated; nothing is created yet. ${key("raw")} shows the response.`,
      keys: { ...keys, raw: () => overlays.open({ kind: "raw", title: "validation", raw }) },
    };
  }
  const action = { run, disabled, label: "validate first" };
  if (state.kind === "failed" && isServiceError(state.error, "rejected")) {
    const words = `${key("open")} goes to the first error in the form.`;
    const open = { run: navigation.back, label: "to the form" };
    return { findings, first: { action, words }, ready: null, keys: { open, ...keys } };
  }
  const words = isAsking ? "The service is validating it…" : null;
  return { findings, first: { action, words }, ready: null, keys };
}

/** Returns the findings of the service in full. */
function validationWords(
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
