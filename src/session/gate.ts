/** Asks the user, in dialogs of the console, to confirm a send before anything is sent. */
import { profileWords } from "../settings/sandbox-profile.ts";
import {
  type Amounts,
  passGate as passQuestions,
  type Question,
  questionsOf,
  type ToSend,
} from "../writes/gate.ts";
import type { Finding, Override } from "../writes/journal/override.ts";
import type { Here } from "./app.ts";
import type { Session } from "./open-session.ts";

interface SendWords extends Amounts {
  /** The question's beginning: contents and target, such as `Send 3 notes for EXT-1 of ACME`. */
  readonly doing: string;
  readonly yes: string;
}

export interface ConsoleSend extends ToSend, SendWords {
  readonly detail: string | null;
  /**
   * The question for a reason, or null if no reason is needed. The reason passes the findings in
   * `passes`. `hint` is the text below the field. `without` describes the rest, which is sent if the reason is left empty. `without` is null if
   * the reason is required.
   */
  readonly reason: {
    readonly passes: readonly Finding[];
    readonly hint: string;
    readonly without: SendWords | null;
  } | null;
}

/**
 * Formats the profile of a session for a question: `on acme (PRODUCTION, api.acme.example)`. The
 * environment is in capitals if it is production. It is left out if the profile has the same name.
 */
export function onProfile({ profile }: Pick<Session, "profile">): string {
  return `on ${profileWords(profile).replace("(production", "(PRODUCTION")}`;
}

/**
 * Asks each question of the gate in a dialog. Calls `onPassed` after the last answer, with the
 * override of the duplicate guard, or null if there is none. A notice reports why nothing is sent.
 */
export function passGate(
  { app, session }: Here,
  send: ConsoleSend,
  onPassed: (override: Override | null) => void,
): void {
  const { overlays, notices, lock } = app;
  const { environment } = session.profile;
  const gate = passQuestions(send, environment, lock.refusal);
  /** The send that the questions describe: all of it, or the rest after an empty reason. */
  let shownSend: SendWords = send;
  let openQuestion: Question | null = null;
  const handleStep = (step: ReturnType<typeof gate.next>) => {
    if (!step.done) {
      openQuestion = step.value;
      ask(step.value);
    } else if (step.value.kind === "sends") onPassed(step.value.override);
    else notices.show(`${step.value.why} Nothing was sent.`, "bad");
  };
  /** Checks an answer. Returns the error message to show, or null if the dialog closes. */
  const answer = (question: Question, typed: string): string | null => {
    if (openQuestion !== question) return null;
    const step = gate.next(typed);
    const { kind, wanted } = question;
    if (!step.done && step.value === question)
      return kind === "reason"
        ? "Type a reason. Nothing was sent."
        : `That is not ${wanted}; nothing was sent.`;
    openQuestion = null;
    if (kind === "reason" && typed === "") shownSend = send.reason?.without ?? send;
    handleStep(step);
    return null;
  };
  const ask = (question: Question) => {
    const { kind, wanted } = question;
    const title = `${shownSend.doing}, ${onProfile(session)}`;
    if (kind === "yes") {
      const onYes = () => void answer(question, wanted);
      overlays.confirm({ question: `${title}?`, detail: send.detail, yes: shownSend.yes, onYes });
      return;
    }
    const isLast = questionsOf(send, environment).at(-1)?.kind === kind;
    const effect = !isLast ? "continue" : shownSend.rows === 1 ? "send it" : "send them";
    const hint = kind === "reason" ? send.reason?.hint : `Type ${wanted} to ${effect}.`;
    overlays.prompt({
      confirms: true,
      title,
      label: labelOf(kind, send),
      hint: [send.detail, hint].filter(Boolean).join(" "),
      onSubmit: (typed) => answer(question, typed),
    });
  };
  handleStep(gate.next());
}

function labelOf(kind: Exclude<Question["kind"], "yes">, { operation }: ToSend): string {
  switch (kind) {
    case "target":
      return operation === "supply-points create" ? "Identifier" : "Account number";
    case "rows":
      return "Number of rows";
    case "sum":
      return "Sum";
    case "reason":
      return "Reason";
  }
}
