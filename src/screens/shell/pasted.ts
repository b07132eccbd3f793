import { runSliced } from "../../accounts/slices.ts";
import { withoutZeroWidth } from "../../forms/odd-characters.ts";
import type { App } from "../../session/app.ts";
import type { Session } from "../../session/open-session.ts";
import type { Choice } from "../../session/overlays.ts";
import { isAddress, parsePlace, pastedPlace, withoutColon } from "../../session/place-words.ts";
import { type AccountTab, supplierOf } from "../../session/places.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { subjectOf, watchAll } from "../../session/watch-subjects.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import { learnNumbers } from "../../triage/find/known-numbers.ts";
import { NumberShapes } from "../../triage/find/number-shapes.ts";
import { numbersIn, unwrapped } from "../../triage/find/pasted-numbers.ts";
import { tableAccounts } from "../../triage/find/searched-accounts.ts";
import type { WatchSubject } from "../../watch/timeline.ts";

const maxNumberLength = 200;
const maxPlaces = 1_000;
const maxNamed = 3;

/**
 * Handles text that is pasted outside a field. A single word opens the palette, which searches it at
 * every supplier. The numbers of any other text are searched together. In a list of accounts, the user
 * can also mark those that it lists, and on a comparison, compare the text. Lines that name what no
 * search finds (supply points, accounts of a supplier outside the profile) are watched or opened.
 */
export function handlePasted(app: App, text: string): void {
  const { navigation, overlays, notices, sessions } = app;
  const state = sessions.state.get();
  const pasted = text.trim().replace(/\r\n?/gu, "\n");
  if (pasted === "") return;
  const place = navigation.here();
  const word = singleWord(pasted);
  if (word !== null) {
    // The number is searched at all suppliers, because it might not belong to the open supplier.
    overlays.open({ kind: "palette", text: word });
    return;
  }
  if (state.kind !== "open" || place === undefined) {
    notices.explain("Open a profile first, then paste the text again.");
    return;
  }
  const { session } = state;
  const named = supplierOf(place) === null ? placesIn(pasted) : null;
  if (named !== null && !named.every((subject) => canBeFound(session, subject))) {
    const words = `${plural(named.length, "line")} pasted`;
    overlays.choose(words, [
      watchChoice(app, session, named),
      openChoice(app, pasted),
      findChoice(app, pasted),
    ]);
  } else if (place.kind === "accounts") {
    const { supplier, tab } = place;
    overlays.choose("Text pasted", [
      {
        label: "Mark its numbers in this list",
        hint: `then ${app.key("compose-marked")} composes for them, ${app.key("watch")} watches, ${app.key("copy-row")} copies`,
        run: () => void markNumbers(app, session, { supplier, tab, pasted }),
      },
      findChoice(app, pasted),
    ]);
  } else if (place.kind === "reconcile") {
    const { supplier } = place;
    overlays.choose("Text pasted", [
      {
        label: "Compare these",
        hint: `the pasted lines, with the accounts of ${supplier}`,
        run: () => startReconcile(session, supplier, { kind: "pasted", text: pasted }, app),
      },
      findChoice(app, pasted),
    ]);
  } else navigation.push(pastedPlace(pasted));
}

/**
 * Returns a text of one word as the user would type it into the palette, or null for another text. A
 * place such as `sp ACME/SP-1` counts as one word.
 */
function singleWord(pasted: string): string | null {
  if (pasted.length > maxNumberLength || /[\r\n]/u.test(pasted)) return null;
  const typed = withoutColon(withoutZeroWidth(pasted));
  if (/^sp\s/u.test(typed) && parsePlace(typed) !== null) return typed;
  if (isAddress(typed)) return null;
  const word = unwrapped(typed);
  if (word === "" || /[\s,;|=&?"'`]/u.test(word)) return null;
  // What is around a place or a word can be a part of it.
  return /^["'`\u2018-\u201f([{<*•]|["'`\u2018-\u201f)\]}>*.,;:]$/u.test(typed) ? word : typed;
}

function placesIn(pasted: string): readonly WatchSubject[] | null {
  const lines = [...new Set(pasted.split(/[\r\n]+/u).map(withoutColon))].filter(
    (line) => line !== "",
  );
  if (lines.length < 2 || lines.length > maxPlaces) return null;
  const subjects = lines.flatMap((line) => subjectOf(parsePlace(line)) ?? []);
  return subjects.length === lines.length ? subjects : null;
}

function canBeFound({ suppliers }: Session, { kind, supplier }: WatchSubject): boolean {
  return kind === "account" && suppliers.get().includes(supplier);
}

function watchChoice(app: App, session: Session, subjects: readonly WatchSubject[]): Choice {
  return {
    label: "Watch them all",
    hint: "each at the supplier that its line names",
    run: () => watchAll({ app, session }, subjects),
  };
}

function findChoice({ navigation }: App, pasted: string): Choice {
  return {
    label: "Find them",
    hint: "each number of the text, at every supplier",
    run: () => navigation.push(pastedPlace(pasted)),
  };
}

function openChoice({ navigation }: App, pasted: string): Choice {
  const first = withoutColon(pasted.split(/[\r\n]/u)[0] ?? "");
  return {
    label: "Open the first one",
    hint: first,
    run: () => {
      const to = parsePlace(first);
      if (to) navigation.push(to);
    },
  };
}

async function markNumbers(
  { notices, inFlight }: App,
  session: Session,
  { supplier, tab, pasted }: { supplier: string; tab: AccountTab; pasted: string },
): Promise<void> {
  const list = session.list(supplier, tab);
  const stop = new AbortController();
  const remove = inFlight.add(() => stop.abort());
  try {
    const source = tableAccounts(list.viewRows().table, { at: 0, isWhole: true });
    const shapes = new NumberShapes();
    await runSliced(learnNumbers(source, shapes), stop.signal);
    const has = (number: string) => source.find(number) !== null;
    const numbers = await runSliced(
      numbersIn(pasted, { has, shapes, suppliers: [supplier] }),
      stop.signal,
    );
    const absent = numbers.filter((number) => !has(number));
    list.marks.markListed(numbers);
    const marked = `Marked ${plural(numbers.length - absent.length, "account")}`;
    const named = absent.slice(0, maxNamed).map(safe).join(", ");
    const more = absent.length > maxNamed ? ` and ${count(absent.length - maxNamed)} more` : "";
    if (absent.length === 0) notices.show(`${marked}.`, numbers.length === 0 ? "waiting" : "ok");
    else notices.show(`${marked}; not on this list: ${named}${more}.`, "waiting");
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    remove();
  }
}
