/** Gives names to the filters of a list, and takes and removes them. */
import { dirname } from "node:path";
import { errorLine } from "../../errors/error-words.ts";
import type { App } from "../../session/app.ts";
import type { Choice } from "../../session/overlays.ts";
import { openNamedFilters } from "../../settings/named-filters.ts";
import type { NamedText } from "../../settings/named-texts.ts";

interface FilteredList {
  readonly list: string;
  readonly text: string;
  readonly take: (text: string) => void;
}

/** Returns the named filters of a kind of list, or none with a notice about the reason. */
export function readNamedFilters(
  { settings, notices }: Pick<App, "settings" | "notices">,
  list: string,
): readonly NamedText[] {
  try {
    return openNamedFilters(dirname(settings.file)).of(list);
  } catch (error) {
    notices.show(errorLine(error, { doing: "reading the named filters" }), "bad");
    return [];
  }
}

export function chooseNamedFilter(app: App, filtered: FilteredList): void {
  const { notices, overlays, key } = app;
  const { list, text, take } = filtered;
  const known = readNamedFilters(app, list);
  const isNew = text.trim() !== "" && known.every((filter) => filter.text !== text.trim());
  if (known.length === 0 && !isNew) {
    notices.explain(`No filter has a name here. ${key("filter")} types a filter, then name it.`);
    return;
  }
  const naming: Choice = {
    label: "Name this filter",
    hint: text.trim(),
    run: () => nameFilter(app, filtered),
  };
  const removing: Choice = {
    label: "Remove a name",
    hint: "the list stays as it is",
    run: () => removeNames(app, list, known),
  };
  overlays.choose("Named filters", [
    ...known.map((filter) => ({
      label: filter.name,
      hint: filter.text,
      run: () => take(filter.text),
    })),
    ...(isNew ? [naming] : []),
    ...(known.length === 0 ? [] : [removing]),
  ]);
}

function nameFilter({ settings, overlays, notices }: App, { list, text }: FilteredList): void {
  overlays.prompt({
    title: `Name the filter ${text.trim()}`,
    label: "Name",
    hint: "Letters, digits, dots, dashes and underscores.",
    onSubmit: (name) => {
      try {
        openNamedFilters(dirname(settings.file)).add(list, { name, text: text.trim() });
      } catch (error) {
        return errorLine(error, { doing: "naming the filter" });
      }
      notices.show(`The filter is stored as ${name}.`);
      return null;
    },
  });
}

function removeNames(app: App, list: string, known: readonly NamedText[]): void {
  const { settings, overlays, notices } = app;
  overlays.choose(
    "Remove the name of a filter",
    known.map(({ name, text }) => ({
      label: name,
      hint: text,
      run() {
        try {
          openNamedFilters(dirname(settings.file)).remove(list, name);
          notices.show(`The name ${name} is removed.`);
        } catch (error) {
          notices.show(errorLine(error, { doing: "removing the name" }), "bad");
        }
      },
    })),
  );
}
