import { Box } from "ink";
import { useMemo, useState } from "react";
import {
  useApp,
  useCustomKeys,
  useOpenSession,
  usePlace,
  useSessionState,
} from "../../hooks/app.tsx";
import { useCohorts } from "../../hooks/cohort.ts";
import { useFind } from "../../hooks/find.ts";
import { useRecentlyUsed, useRecentPlaces } from "../../hooks/history.tsx";
import { useHitVerdicts } from "../../hooks/hit-verdicts.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useOpenWork } from "../../hooks/open-work.ts";
import { useStuck } from "../../hooks/verdict.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import type { FoundAction } from "../../keys/scopes.ts";
import type { App } from "../../session/app.ts";
import { switchProfile } from "../../session/leave-profile.ts";
import { tabOf } from "../../session/open-places.ts";
import { isSamePlace, placeText } from "../../session/place-words.ts";
import type { Place } from "../../session/places.ts";
import { profileIn } from "../../session/sessions.ts";
import type { Profile } from "../../settings/schemas.ts";
import { sandboxProfile } from "../../settings/settings.ts";
import { formatInstant } from "../../text/dates.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { padOrTruncate, widest, widthOf, wrap } from "../../text/width.ts";
import { type Tone, useTheme } from "../../theme.tsx";
import type { Hit } from "../../triage/find/found.ts";
import { checkedOrSourceWords } from "../../triage/find/hit-verdict.ts";
import type { Verdict } from "../../triage/verdict.ts";
import { stateText, verdictCells } from "../../triage/verdict-words.ts";
import { completed } from "../completion.ts";
import { Paragraph } from "../paragraph.tsx";
import { Line, type Piece, SignedLine, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { completions, offeredHits, paletteOffer, searchedText } from "./palette-entries.ts";

interface PaletteProps {
  readonly initial: string;
  readonly actions: readonly FoundAction[];
  readonly suppliers: readonly string[];
  readonly onClose: () => void;
}

const labelShare = 0.4;

function isOtherView(here: Place, place: Place): boolean {
  const isFiltered = "filter" in place && place.filter !== undefined;
  return isFiltered || tabOf(here) !== tabOf(place);
}

function useOffered(app: App, suppliers: readonly string[]) {
  const { settings, overlays, navigation } = app;
  const session = useOpenSession();
  const openName = profileIn(useSessionState());
  const [profiles] = useState(() => storedProfiles(app));
  return {
    needs: useOpenWork(session).needs,
    stuck: useStuck(session, suppliers),
    profiles: profiles.map((profile) => ({
      name: profile.name,
      environment: profile.environment,
      isOpen: profile.name === openName,
      open: () => {
        if (profile.name !== openName) switchProfile(app, settings.find(profile.name) ?? profile);
      },
    })),
    askNumber: () =>
      overlays.prompt({
        title: "Find a number at every supplier",
        label: "Number",
        hint: "An account number, or a part of it.",
        onSubmit: (text) => {
          if (text === "") return "Type or paste it first.";
          navigation.push({ kind: "find", text });
          return null;
        },
      }),
  };
}

/** Returns the profiles of this machine. If they cannot be read, the Profiles screen reports why. */
function storedProfiles({ settings }: App): readonly Profile[] {
  try {
    return [...settings.profiles(), sandboxProfile];
  } catch {
    return [];
  }
}

/** Runs any action and opens any place: `:accounts`, `:ACME`, `:ACME/EXT-1`, `:sp ACME/ID`. */
export function PaletteBody(props: PaletteProps) {
  const room = useRoom();
  const { cursor } = useTheme();
  const app = useApp();
  const { navigation, history } = app;
  const [typed, setTyped] = useState({ text: props.initial, stem: props.initial });
  // The chosen entry is stored by its id, because a search can add entries before the chosen one.
  const [chosen, setChosen] = useState<string | null>(null);
  const { keymap } = app.keys;
  const here = usePlace();
  const recent = useRecentPlaces().filter((text) => !here || text !== placeText(here));
  const actions = useRecentlyUsed("action");
  const cohorts = useCohorts();
  const { found } = useFind(searchedText(typed.text));
  const now = useServiceNow(10_000);
  const session = useOpenSession();
  const hits = useMemo(() => (found === null ? [] : offeredHits(found)), [found]);
  const verdictOn = useHitVerdicts(session, hits, now);
  const known = {
    actions: props.actions,
    commands: useCustomKeys(),
    suppliers: props.suppliers,
    cohorts,
    recent,
    recentlyUsed: actions,
    keymap,
    here: here ?? null,
    go: (place: Place) => {
      if (!here || !isSamePlace(here, place)) navigation.push(place);
      else if (isOtherView(here, place)) navigation.replace(place);
    },
    choose: app.overlays.choose,
    found,
    hitWords: (hit: Hit) => hitWords(hit, verdictOn(hit), now),
    ...useOffered(app, props.suppliers),
  };
  const { entries, noMatch } = paletteOffer(typed.text, known);
  // Enter does not run a suggestion until the user chooses it with the arrow keys.
  const first = noMatch === null ? 0 : -1;
  const chosenIndex = entries.findIndex(({ id }) => id === chosen);
  const position = Math.min(chosenIndex < 0 ? first : chosenIndex, entries.length - 1);
  const choose = (next: number) => setChosen(entries[next]?.id ?? null);
  const complete = (step: 1 | -1) => {
    const next = completed(completions(known), typed, step);
    if (next === null) return;
    setTyped(next);
    setChosen(null);
  };
  const linear = useLinear();
  // A linear console shows only the entry that Enter runs. The arrow keys show the others.
  const above = 1 + (noMatch === null ? 0 : wrap(noMatch, room.columns).length);
  const page = linear ? 0 : Math.max(1, room.rows - above);
  const top = Math.max(0, position - page + 1);
  const labelWidth = Math.min(
    widest(entries.map(({ label }) => label)),
    Math.floor(room.columns * labelShare),
  );
  const keyWidth = widest(entries.map(({ key = "" }) => key));
  const remarkWidth = Math.max(10, room.columns - labelWidth - keyWidth - 4);
  const words = typed.text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const entry = entries[position];
  const reason = entry === undefined ? noMatch : entry.disabled;
  const isCut = entry !== undefined && !linear && widthOf(reason ?? "") > remarkWidth;
  useKeys(
    {
      back: { run: props.onClose, label: "close" },
      up: () => choose(Math.max(0, position - 1)),
      "next-tab": { run: () => complete(1), label: "complete" },
      "previous-tab": () => complete(-1),
      down: () => choose(Math.min(entries.length - 1, position + 1)),
      open: {
        label: "go",
        disabled: reason,
        isReasonShown: !isCut,
        run: () => {
          props.onClose();
          if (entry?.action) history.addAction(entry.action);
          entry?.run();
        },
      },
    },
    { modal: true },
  );
  return (
    <Box flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text tone="accent">: </Text>
        </Box>
        <TextField
          focus
          value={typed.text}
          placeholder="ACME, ACME/EXT-1, sp ACME/ID, accounts, or an action"
          onChange={(next) => {
            setTyped({ text: next, stem: next });
            setChosen(null);
          }}
        />
      </Box>
      {noMatch === null ? null : <Paragraph>{noMatch}</Paragraph>}
      {entries.slice(top, top + page).map((one, index) => {
        const selected = top + index === position;
        const tone = one.disabled ? "muted" : "plain";
        const remark = padOrTruncate(one.disabled ?? one.remark, remarkWidth);
        return (
          <Line
            key={one.id}
            selected={selected}
            pieces={[
              { text: selected ? cursor : " ", tone: "accent" },
              ...matchedPieces(padOrTruncate(one.label, labelWidth), words, tone),
              { text: ` ${padOrTruncate(one.key ?? "", keyWidth)}  `, tone: "accent" },
              ...matchedPieces(remark, words, tone),
            ]}
          />
        );
      })}
      {linear && entry ? (
        <SignedLine sign={linearSigns.current}>
          {`${position + 1} of ${entries.length}: ${entry.label}, ${entry.key ? `${entry.key}, ` : ""}${entry.disabled ?? entry.remark}`}
        </SignedLine>
      ) : null}
      {entries.length === 0 ? (
        <Paragraph tone="muted">
          {
            "supplier CODE opens any supplier, CODE/NUMBER an account, sp CODE/IDENTIFIER a supply point."
          }
        </Paragraph>
      ) : null}
    </Box>
  );
}

function matchedPieces(text: string, words: readonly string[], tone: Tone): readonly Piece[] {
  const lower = text.toLowerCase();
  const [first] = words
    .map((word) => ({ at: lower.indexOf(word), length: word.length }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  if (first === undefined) return [{ text, tone }];
  const end = first.at + first.length;
  return [
    { text: text.slice(0, first.at), tone },
    { text: text.slice(first.at, end), tone, bold: true },
    { text: text.slice(end), tone },
  ];
}

function hitWords(hit: Hit, verdict: Verdict, now: number): string {
  const cells = verdictCells(verdict, now);
  const time = (ms: number) => formatInstant(ms, { seconds: false });
  const from = checkedOrSourceWords(hit, verdict, now, time);
  return `${stateText(cells)}${cells.since === "" ? "" : ` ${cells.since}`}, ${from}`;
}
