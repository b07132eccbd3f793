/** Stores the filters to which the user has given names, for each kind of list. */
import { type NamedText, type NamedTexts, openNamedTexts } from "./named-texts.ts";

/** Opens the filters in `filters.json` of the settings folder. Their owner is a kind of list. */
export function openNamedFilters(configDir: string): NamedTexts {
  return openNamedTexts(configDir, {
    file: "filters",
    noun: "filter",
    removes: () => "remove it first, or choose another name",
    adds: "name a filter in the console, with :filters",
  });
}

export const accountFilters = "accounts";

export const filterSign = "@";

export function withNamedFilters(text: string, filters: readonly NamedText[]): string {
  if (!text.includes(filterSign)) return text;
  return text
    .split(/(\s+)/u)
    .map((word) => filters.find(({ name }) => word === `${filterSign}${name}`)?.text ?? word)
    .join("");
}
