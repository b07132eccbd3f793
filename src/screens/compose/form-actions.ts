/** The keys that work on a whole form: review, next problem, command and discard. */
import { errorMark } from "../../components/form/drawn-line.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { Form } from "../../forms/fields.ts";
import { placeWords } from "../../forms/places.ts";
import type { Issue } from "../../forms/rules.ts";
import { withExactDates } from "../../forms/values-json.ts";
import { useHere, useNoticeWhile } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { Composition } from "../../session/composition.ts";
import { savedValuesOf } from "../../session/draft-form.ts";
import type { Place } from "../../session/places.ts";
import { planOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import type { InputTime } from "../../text/loose-dates.ts";
import { plural } from "../../text/numbers.ts";

/** Returns the actions of the keys that work on every line of a form. */
export function useFormActions(options: {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
  readonly typedAt: InputTime;
  readonly issues: readonly Issue[];
  /** The paths of the files that editors left for the draft. */
  readonly editorFiles: readonly string[];
  readonly reviewPlace: Place;
  /** True if one command line has the same effect as the form. */
  readonly hasCommand: boolean;
  /** Moves the cursor to the line of a place, and expands the parents of the line. */
  readonly goTo: (path: Path) => void;
  /** Returns the next place with a problem or a warning, or null if there is none. */
  readonly nextPlace: () => Path | null;
}) {
  const { form, draft, composition, typedAt, issues, reviewPlace, hasCommand, goTo } = options;
  const here = useHere();
  const { overlays, notices, key, navigation } = here.app;
  const sayWrong = useNoticeWhile(issues.length > 0);
  const problems = `${plural(issues.length, "problem")} to correct first, marked ${errorMark}`;

  const toReview = () => {
    const { typed, allowMissing } = composition.state.get();
    // Relative dates become exact here, so that a draft sent later has the reviewed dates.
    composition.apply({ type: "replace", values: withExactDates(form, typed.values, typedAt) });
    if (allowMissing) composition.allowMissing();
    if (composition.ready()) navigation.push(reviewPlace);
  };
  const askToAllow = () =>
    overlays.confirm({
      question: `Review it without ${plural(issues.length, "field")} that supplyline expects?`,
      detail: `${issues.map(({ path }) => placeWords(form, path)).join(", ")}. The interface does not say whether ${issues.length === 1 ? "it" : "they"} can be left out.`,
      yes: "Review it without",
      onYes: () => {
        composition.allowMissing();
        toReview();
      },
    });
  const discard = () => {
    try {
      composition.discard();
    } catch (error) {
      notices.show(errorLine(error, { doing: "discarding the draft" }), "bad");
      return;
    }
    notices.show("The draft is discarded.");
    navigation.back();
  };
  return {
    review() {
      composition.try();
      const [first] = issues;
      if (first === undefined) {
        toReview();
        return;
      }
      goTo(first.path);
      if (issues.every(({ about }) => about === "missing")) askToAllow();
      else sayWrong(problems, "bad");
    },
    "next-problem"() {
      composition.try();
      const path = options.nextPlace();
      if (path === null) notices.show("No problem and no warning in this form.", "ok");
      else goTo(path);
    },
    "as-command"() {
      if (!hasCommand) {
        notices.explain("Review it first: the command has one row for each account.");
        return;
      }
      const { typed, allowMissing } = composition.state.get();
      const { allowMissing: _, ...rest } = draft;
      const now = {
        ...rest,
        ...(allowMissing ? { allowMissing } : {}),
        ...savedValuesOf(form, typed),
      };
      const planned = planOf(now, typedAt);
      if (planned.kind === "plan") {
        showWriteAsCommand(here, planned.plan);
        return;
      }
      composition.try();
      sayWrong(problems, "bad");
    },
    discard: () =>
      overlays.confirm({
        question: "Discard this draft?",
        detail: `Everything you filled in is lost${options.editorFiles.length === 0 ? "" : ", with the file of the editor"}. ${key("back")} alone leaves the form and saves the draft.`,
        yes: "Discard it",
        onYes: discard,
      }),
  };
}
