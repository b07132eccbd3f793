/** Handles text that is pasted outside a field: one account number, or several. */
import type { App } from "../../session/app.ts";
import type { Session } from "../../session/open-session.ts";
import type { Choice } from "../../session/overlays.ts";
import { type AccountTab, parsePlace, supplierOf, withoutColon } from "../../session/places.ts";
import { subjectOf, watchAll } from "../../session/watch-subjects.ts";
import { plural } from "../../text/numbers.ts";
import type { WatchSubject } from "../../watch/timeline.ts";

/** The maximum length of a number, and the maximum number of lines. Other text is ignored. */
const maxNumberLength = 200;
const maxNumbers = 100_000;

/**
 * Handles text that is pasted outside a field. One number opens the palette. For several numbers,
 * the user chooses to mark, watch or open them. Nothing happens until the user presses Enter.
 */
export function handlePasted(app: App, text: string): void {
  const { navigation, overlays, notices, key, sessions } = app;
  const state = sessions.state.get();
  const numbers = numbersIn(text);
  const [first] = numbers;
  const place = navigation.here();
  const supplier = place ? supplierOf(place) : null;
  if (first === undefined) return;
  if (numbers.some((number) => number.length > maxNumberLength) || numbers.length > maxNumbers) {
    notices.explain("The pasted text is not an account number; it was ignored.");
    return;
  }
  if (numbers.length === 1) {
    // The number is searched at all suppliers, because it might not belong to the open supplier.
    overlays.open({ kind: "palette", text: first });
    return;
  }
  const lines = `${plural(numbers.length, "line")} pasted`;
  // If no supplier is open, each line can name its supplier.
  const named = supplier === null ? numbers.map((number) => subjectOf(parsePlace(number))) : [];
  if (state.kind === "open" && named.length > 0 && named.every((one) => one !== null)) {
    overlays.choose(lines, [
      watchChoice(named, "each at the supplier that its line names", state.session),
      openChoice(first),
    ]);
  } else if (supplier === null || place === undefined || state.kind !== "open") {
    notices.explain(`${lines}: open their supplier first, then paste them there.`);
  } else {
    const tab = place.kind === "accounts" ? place.tab : null;
    overlays.choose(lines, severalChoices({ numbers, supplier, session: state.session, tab }));
  }

  function severalChoices(options: {
    readonly numbers: readonly string[];
    readonly supplier: string;
    readonly session: Session;
    readonly tab: AccountTab | null;
  }): readonly Choice[] {
    const { numbers, supplier, session, tab } = options;
    const [first = ""] = numbers;
    const mark: readonly Choice[] =
      tab === null
        ? []
        : [
            {
              label: "Mark them in this list",
              hint: `then ${key("compose-marked")} composes for them, ${key("watch")} watches, ${key("copy-row")} copies`,
              run: () => {
                const absent = session.list(supplier, tab).marks.markListed(numbers);
                const marked = plural(numbers.length - absent, "account");
                if (absent === 0) notices.show(`Marked ${marked}.`, "ok");
                else {
                  const missing = plural(absent, "other number");
                  notices.show(`Marked ${marked}; not on this list: ${missing}.`, "waiting");
                }
              },
            },
          ];
    return [
      ...mark,
      watchChoice(
        numbers.map((number) => ({ kind: "account", supplier, number }) as const),
        `as accounts of ${supplier}`,
        session,
      ),
      openChoice(withSupplier(first, supplier)),
    ];
  }

  function watchChoice(subjects: readonly WatchSubject[], hint: string, session: Session): Choice {
    const run = () => watchAll({ app, session }, subjects);
    return { label: "Watch them all", hint, run };
  }

  function openChoice(typed: string): Choice {
    const run = () => {
      const to = parsePlace(typed);
      if (to) navigation.push(to);
    };
    return { label: "Open the first one", hint: typed, run };
  }
}

/** Returns the different lines of a text that are not empty. */
function numbersIn(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/u).map(withoutColon);
  return [...new Set(lines.filter((line) => line !== ""))];
}

/**
 * Returns a number with its supplier, as the user would type it into the palette. A number that
 * already names its supplier is returned unchanged.
 */
function withSupplier(number: string, supplier: string | null): string {
  return supplier === null || number.includes("/") ? number : `${supplier}/${number}`;
}
