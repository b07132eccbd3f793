/** The help overlay: the keys of the screen, its words, filters, and all keys with a search. */
import { Box } from "ink";
import { useState } from "react";
import { useApp, useCustomKeys } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { type Available, availableActions } from "../../keys/scopes.ts";
import type { App, CustomKey } from "../../session/app.ts";
import { KeyLevel } from "../../session/key-registry.ts";
import { showInPager } from "../../session/pager.ts";
import { Line, Text } from "../text.tsx";
import { TextField } from "../text-field.tsx";
import { OverlayFrame } from "./frame.tsx";
import type { KeyFacts } from "./help-keys.ts";
import {
  filterLines,
  type HelpPage,
  type HelpTopic,
  helpLines,
  helpPages,
  type KeyPageFacts,
  keyPageLines,
} from "./help-lines.ts";

interface HelpProps {
  readonly topic: HelpTopic;
  readonly rows: number;
  readonly here: readonly Available[];
  readonly filterWords?: readonly string[] | undefined;
  readonly onClose: () => void;
}

const titles: Readonly<Record<HelpPage, string>> = {
  keys: "Keys on",
  words: "Words on",
  filters: "Words of a filter, from",
  "all keys": "All keys, from",
};

export function HelpOverlay(props: HelpProps) {
  const [page, setPage] = useState<HelpPage>(props.filterWords ? "filters" : "keys");
  const [search, setSearch] = useState<string | null>(null);
  // While a filter is typed, the actions do not include the key that starts it.
  const hasFilter = props.filterWords !== undefined || props.here.some(({ id }) => id === "filter");
  return (
    <OverlayFrame rows={props.rows} title={`${titles[page]} ${props.topic.name}`}>
      <HelpBody
        key={page}
        {...props}
        page={page}
        pages={helpPages(hasFilter)}
        search={search}
        onSearch={setSearch}
        onPage={(next, searching = false) => {
          setPage(next);
          setSearch(searching ? "" : null);
        }}
      />
    </OverlayFrame>
  );
}

function keyPageFacts({ keys, custom }: App, facts: KeyFacts): KeyPageFacts {
  return { ...facts, keys, commandIssues: custom?.issues ?? [] };
}

/** Returns the number of lines of the first page: the keys of the screen, or filter words. */
export function firstPageLines(
  app: App,
  filterWords: readonly string[] | undefined,
  columns: number,
): number {
  if (filterWords !== undefined) return filterLines(columns, filterWords).length;
  const { keys, customKeys } = app;
  const here = availableActions(keys.scopes(KeyLevel.overlay), keys.keymap);
  const commands = customKeys.get();
  return keyPageLines(keyPageFacts(app, { here, commands, columns, linear: false })).length;
}

/** Returns the actions of the screen behind the help, which close it. */
function listedActions(here: readonly Available[], onClose: () => void): Actions {
  return Object.fromEntries(
    here.map(({ id, action }) => {
      const { run, override } = action;
      const closing = (then: () => void) => () => {
        onClose();
        then();
      };
      const runs = { run: closing(run), ...(override ? { override: closing(override) } : {}) };
      return [id, { ...action, ...runs, isHidden: true }];
    }),
  );
}

function runCommand(commands: readonly CustomKey[], name: string, onClose: () => void): boolean {
  const command = commands.find(({ key, disabled }) => key === name && disabled === null);
  if (command === undefined) return false;
  onClose();
  command.run();
  return true;
}

interface PageProps extends HelpProps {
  readonly page: HelpPage;
  readonly pages: readonly HelpPage[];
  readonly onPage: (page: HelpPage, searching?: boolean) => void;
  readonly search: string | null;
  readonly onSearch: (search: string | null) => void;
}

function HelpBody(props: PageProps) {
  const { page, pages, onPage, search, onSearch, onClose } = props;
  const app = useApp();
  const room = useRoom();
  const linear = useLinear();
  const commands = useCustomKeys();
  const { here } = props;
  const facts = {
    ...keyPageFacts(app, { here, commands, columns: room.columns, linear }),
    topic: props.topic,
    filterWords: props.filterWords,
  };
  const lines = helpLines(page, facts, search ?? "");
  const free = room.rows - (search === null ? 0 : 1);
  // The last row shows the number of further lines, if there are any.
  const height = Math.max(1, lines.length > free ? free - 1 : free);
  const scroll = useScroll(lines.length, height);
  const pageAt = (step: number) => {
    const at = pages.indexOf(page) + step + pages.length;
    return pages[at % pages.length] ?? "keys";
  };
  const allPages = () =>
    pages.flatMap((one) =>
      helpLines(one, facts).map((pieces) => pieces.map(({ text }) => text).join("")),
    );
  useKeys(
    {
      ...listedActions(here, onClose),
      ...scroll.actions,
      back: { run: onClose, label: "close" },
      help: { run: onClose, label: "close" },
      "next-tab": { run: () => onPage(pageAt(1)), label: pageAt(1) },
      "previous-tab": () => onPage(pageAt(-1)),
      filter: {
        label: "search",
        run: () => (page === "all keys" ? onSearch(search ?? "") : onPage("all keys", true)),
      },
      pager: () => void showInPager(app, allPages()),
    },
    { modal: true, onKey: (name) => runCommand(commands, name, onClose) },
  );
  useKeys(
    {
      ...scroll.actions,
      open: { run: () => onSearch(search?.trim() === "" ? null : search), label: "keep search" },
      back: { run: () => onSearch(null), label: "clear search" },
    },
    { typing: true, active: search !== null, modal: true },
  );
  const below = lines.length - scroll.top - height;
  return (
    <Box flexDirection="column">
      {search === null ? null : (
        <Box>
          <Text tone="accent">/ </Text>
          <TextField focus value={search} onChange={onSearch} />
        </Box>
      )}
      {lines.slice(scroll.top, scroll.top + height).map((pieces, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} pieces={pieces} />
      ))}
      {below > 0 ? <Line pieces={[{ text: `${below} more below`, tone: "muted" }]} /> : null}
    </Box>
  );
}
