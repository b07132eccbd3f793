import { useMemo, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import { Body } from "../../components/body.tsx";
import { Text } from "../../components/text.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useUnlessLocked, useWriteLock } from "../../hooks/lock.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useProfileStands } from "../../hooks/profile-check.ts";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { useWriteAsCommand } from "../../hooks/write-as-command.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { numberOf, type Plan, urlOf } from "../../session/write-plan.ts";
import { capital } from "../../text/describe-error.ts";
import type { Confirmation } from "../../writes/confirmation.ts";
import type { GuardFinding } from "../../writes/guard.ts";
import { journalWords, useJournalReady } from "./journal-ready.ts";
import { canSplit, preparedOf, requestsOf, settledDraft } from "./one-by-one.ts";
import { refusalsOf } from "./refusals.ts";
import { reviewLines } from "./review-lines.ts";
import { Scrolling } from "./scrolling.tsx";
import { askedOf, useSendGate } from "./send-gate.ts";
import { optionsAction, queryChoices, splitChoice } from "./send-options.ts";
import { useSubmit } from "./submit.ts";
import { useSubmitValidation } from "./submit-validation.ts";
import { Title, titleRows } from "./title.tsx";
import { validationLines, validationWords } from "./validation-lines.ts";
import { contextOf, titleWords } from "./words.ts";

/** Until the journal is open; nothing is sent before. */
const unasked: GuardFinding = { kind: "clear" };

/** What will be sent, before it is. */
export function ReviewView(props: {
  readonly draft: string;
  readonly plan: Plan;
  readonly choose: (option: string, on: boolean) => void;
  readonly split: boolean;
  readonly chooseSplit: (split: boolean) => void;
  readonly onSend: () => void;
}) {
  const { draft, plan, choose, split, chooseSplit, onSend } = props;
  const { prepared } = plan;
  const session = useSession();
  const { formDrafts, clock } = useConsole();
  const navigation = useNavigation();
  const overlays = useOverlays();
  const room = useRoom();
  const lock = useWriteLock();
  const unlessLocked = useUnlessLocked();
  const stands = useProfileStands();
  const key = useKeyWords();
  const [rules, setRules] = useState(false);
  const parts = useMemo(() => preparedOf(plan, split), [plan, split]);
  const journal = useJournalReady(parts);
  const submit = useSubmit();
  const asCommand = useWriteAsCommand();
  const finding = journal.kind === "ready" ? journal.finding : unasked;
  const gate = useSendGate(plan, finding);
  const { state: validation, validate } = useSubmitValidation(plan.request.body);
  const isSupplyPoint = prepared.operation === "supply-points create";
  const mustValidate = isSupplyPoint && validation.kind !== "passed";
  const runValidation = () =>
    validate((error) => {
      const kept = formDrafts.find(draft);
      if (!kept || !isServiceError(error, "rejected")) return;
      const refusals = refusalsOf(plan, error);
      formDrafts.save({ ...kept, refusals, updatedAt: clock.now() });
    });
  const send = () => {
    if (!stands()) return;
    gate((again) =>
      unlessLocked(() => {
        onSend();
        submit({
          draft,
          requests: requestsOf(plan, split),
          again,
          settle: (kept, results) => settledDraft(plan, split, kept, results),
        });
      }),
    );
  };
  const refused = validation.kind === "failed" && isServiceError(validation.error, "rejected");
  const why = lock ?? journalWords(journal);
  const choices = [
    ...queryChoices(plan.form, prepared.query, choose),
    ...(canSplit(plan) ? [splitChoice(split, chooseSplit)] : []),
  ];
  useKeys({
    ...optionsAction(overlays, choices),
    back: { run: navigation.back, label: "to the form" },
    ...(refused ? { open: { run: navigation.back, label: "to the form" } } : {}),
    send: mustValidate
      ? { run: runValidation, disabled: busyWords(validation.kind), label: "validate first" }
      : { run: send, disabled: why, label: isSupplyPoint ? "create" : "send" },
    ...(isSupplyPoint
      ? { verify: { run: runValidation, disabled: busyWords(validation.kind), label: "validate" } }
      : {}),
    ...(validation.kind === "passed"
      ? {
          raw: {
            run: () => overlays.open({ kind: "raw", title: "validation", raw: validation.raw }),
          },
        }
      : {}),
    "as-command": { run: () => asCommand(plan, split) },
    "failure-rules": { run: () => setRules(!rules), label: rules ? "fold rules" : "failure rules" },
  });
  const context = useMemo(() => contextOf(prepared, session), [prepared, session]);
  const lines = useMemo(
    () =>
      reviewLines(
        {
          plan,
          key,
          url: urlOf(session.baseUrl, prepared.path, prepared.query),
          finding,
          split: canSplit(plan) ? split : null,
          parts,
          validated: validationLines(validation, plan, context, room.columns),
          rules,
        },
        room.columns,
      ),
    [plan, split, parts, session.baseUrl, prepared, finding, validation, context, room, key, rules],
  );
  const title = `${capital(titleWords(prepared))}. Nothing has been sent.`;
  return (
    <Body>
      <Title>{title}</Title>
      <Scrolling lines={lines} taken={1 + titleRows(title, room.columns)} />
      <Text tone={why ? "waiting" : "accent"}>
        {why && !mustValidate
          ? why
          : sendWords(plan, validationWords(validation, key), askedOf(plan, finding, session), key)}
      </Text>
    </Body>
  );
}

function sendWords(plan: Plan, validation: string, asked: Confirmation, key: KeyWords): string {
  if (plan.prepared.operation === "supply-points create") return validation;
  return asked.kind === "typed"
    ? `${key("send")} sends it after you type ${numberOf(plan)}; ${key("back")} goes back to the form.`
    : `${key("send")} sends it; ${key("back")} goes back to the form.`;
}

function busyWords(kind: string): string | null {
  return kind === "asking" ? "The service is validating it; Ctrl-C cancels." : null;
}
