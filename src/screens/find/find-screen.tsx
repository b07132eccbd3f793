import { useMemo } from "react";
import { readPaths } from "../../api/url.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { type FindView, useFind } from "../../hooks/find.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Session } from "../../session/open-session.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Denial } from "../../triage/find/find.ts";
import {
  absentWords,
  canBeAsked,
  conclusionOf,
  errorsOf,
  type FoundNumber,
  supplierNames,
} from "../../triage/find/found.ts";
import { useHitKeys } from "./find-keys.ts";
import { type FindRow, failureLines, progressWords, rowsOf } from "./find-rows.ts";
import { useAsking, useFoundList } from "./found-list.ts";

const noRows: readonly FindRow[] = [];
const asTheyAre = <Columns,>(columns: Columns) => columns;

/**
 * Searches all suppliers of the profile for a number or a part of one. A key also asks the service
 * (INTERFACE 4.8).
 */
export function FindScreen(props: { readonly text: string; readonly denied?: Denial | undefined }) {
  const { text, denied } = props;
  const { navigation, key, clipboard } = useApp();
  const here = useHere();
  const session = useSession();
  const { asking, ask, again } = useAsking();
  const view = useFind(text, { ...asking, denied });
  const { found } = view;
  const rows = useMemo(() => (found === null ? noRows : rowsOf(found)), [found]);
  const { list, verdictOn, below, file } = useFoundList(`find ${text}`, rows, asTheyAre);
  const { current } = list;
  const hit = current?.kind === "hit" ? current.hit : null;
  const disabled =
    hit === null ? (current === null ? "There is no row here." : noHitWords(key)) : null;
  const place = hit && ({ kind: "account", supplier: hit.supplier, account: hit.number } as const);
  const hitKeys = useHitKeys(here, list, verdictOn);
  return (
    <ListScreen
      list={list}
      state={stateOf(view, session)}
      empty={[
        "This profile has no supplier to search.",
        "Add suppliers by their codes on Suppliers.",
      ]}
      noun={["row", "rows"]}
      below={below}
      file={file}
      above={{ rows: 2, shown: <Summary view={view} text={text} /> }}
      valuesOf={(row) =>
        row.kind === "hit"
          ? { import_supplier: row.hit.supplier, external_account_number: row.hit.number }
          : row.kind === "none"
            ? { import_supplier: row.place.supplier }
            : {}
      }
      enter={() => ({ run: () => place && navigation.push(place), disabled })}
      actions={{
        ...hitKeys,
        copy: {
          run: () => hit && clipboard(hit.number, hit.number),
          disabled,
        },
        review: {
          label: "ask the service",
          run: ask,
          disabled: found?.places.length === 0 ? "There is no supplier to ask." : null,
        },
        refresh: { label: "search again", run: again },
        "as-command": () =>
          showAsCommand(
            here,
            { kind: "find", numbers: [text], isAsking: asking.isAsking },
            readPaths.accountStatus(hit?.supplier ?? found?.places[0]?.supplier ?? "", text),
          ),
      }}
    />
  );
}

FindScreen.help = {
  name: "Find",
  about: [
    "A number, or a part of one, at every supplier of this profile: in the lists in memory, then in the stored lists. Each row says where it is from and how old that is.",
    "An account can be on no list. For a whole number the service can be asked at each supplier that does not list it, which takes one request each.",
    "A number is not found only when every supplier was asked.",
  ],
  words: ["account", "account-state"],
} as const;

function noHitWords(key: KeyWords): string {
  return `This supplier is not known to have it; ${key("review")} asks the service.`;
}

function stateOf({ found }: FindView, session: Session): ListState {
  if (found === null) return { kind: "reading", words: "Searching…" };
  const failed = found.places.flatMap((place) => {
    const [error] = errorsOf(place);
    return error === undefined ? [] : [{ supplier: place.supplier, error }];
  });
  return { kind: "partial", lines: failureLines(failed, errorPlace(session)) };
}

function Summary({ view, text }: { readonly view: FindView; readonly text: string }) {
  const { key } = useApp();
  const { found, progress } = view;
  if (found === null) return <Waiting words={`Searching ${text}…`} />;
  // The empty list already reports that there is no supplier.
  if (found.places.length === 0) return null;
  const conclusion = conclusionOf(found, "status");
  return (
    <>
      <Paragraph bold most={1}>
        {conclusion.kind === "found"
          ? `${text} is at ${supplierNames(conclusion.hits)}.`
          : (containingWords(found) ?? absentWords(found, "status"))}
      </Paragraph>
      <Paragraph most={1}>
        {progress !== null ? progressWords(progress) : nextWords(found, key("review"))}
      </Paragraph>
    </>
  );
}

function nextWords(found: FoundNumber, ask: string): string {
  const notAsked = found.places.filter(
    (place) => place.hit?.source !== "list" && canBeAsked(place),
  );
  return notAsked.length === 0
    ? askedWords(found)
    : `${ask} asks ${supplierNames(notAsked)} for exactly this number.`;
}

function containingWords({ places, wanted }: FoundNumber): string | null {
  const all = places.reduce((sum, { containingCount }) => sum + containingCount, 0);
  if (all === 0) return null;
  const shown = places.reduce((sum, { containing }) => sum + containing.length, 0);
  const first = shown < all ? `, of which the first ${count(shown)} are shown` : "";
  const verb = all === 1 ? "contains" : "contain";
  return `${plural(all, "number")} ${verb} ${wanted}${first}.`;
}

function askedWords({ places }: FoundNumber): string {
  const asked = places.filter(({ answer }) => answer !== null);
  if (asked.length === 0) return "";
  const notFoundCount = asked.filter(({ answer }) => answer?.kind === "not-found").length;
  const rest = asked.flatMap(({ supplier, answer }) =>
    answer?.kind === "answered"
      ? [`${answer.status.status} at ${supplier}`]
      : answer?.kind === "failed"
        ? [`no answer from ${supplier}`]
        : [],
  );
  const parts = [...(notFoundCount === 0 ? [] : [`404 at ${count(notFoundCount)}`]), ...rest];
  return `Asked at ${plural(asked.length, "supplier")}: ${parts.join(", ")}.`;
}
