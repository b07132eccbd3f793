/** Defines the keys that move, open and go back, and the keys of every list. */
import { inGroup } from "./binding.ts";

const move = inGroup("Move");
const list = inGroup("List");
const go = inGroup("Go");

export const listBindings = {
  up: move(["up", "k"], "up", "One line up"),
  down: move(["down", "j"], "down", "One line down"),
  preview: move(["l", "right"], "preview", "Move to the preview next to the list, to scroll it", {
    footer: 39,
    worksOn: "a list with its preview",
  }),
  list: move(["h", "left"], "list", "From the preview back to the list", {
    footer: 12,
    worksOn: "a preview",
  }),
  "page-up": move(["page-up", "ctrl-b"], "page up", "One page up"),
  "page-down": move(["page-down", "ctrl-f"], "page down", "One page down"),
  "half-page-up": move(
    ["ctrl-u"],
    "half page up",
    "Half a page up; in a text field this key edits the text",
  ),
  "half-page-down": move(
    ["ctrl-d"],
    "half page down",
    "Half a page down; in a text field this key edits the text",
  ),
  top: move(["g", "home"], "top", "To the first line"),
  bottom: move(["G", "end"], "bottom", "To the last line"),
  open: go(["enter"], "open", "Open the item under the cursor", { footer: 10 }),
  back: go(["esc"], "back", "Back, or close an overlay; typed text is saved", { footer: 11 }),
  "last-place": go(["-"], "last place", "Toggle the last two places", {
    palette: true,
  }),
  "next-tab": move(["tab"], "next tab", "Next tab or field", {
    footer: 20,
    worksOn: "tabs and fields",
  }),
  "previous-tab": move(["shift-tab"], "previous tab", "Previous tab or field", {
    worksOn: "tabs and fields",
  }),
  filter: list(["/"], "filter", "Filter: text, !not, col:text, ~fuzzy; all words must match", {
    footer: 21,
    palette: true,
    worksOn: "a list",
  }),
  "earlier-filter": list(
    ["ctrl-p"],
    "earlier filter",
    "While a filter is typed: an earlier filter",
    { worksOn: "a filter while it is typed" },
  ),
  "later-filter": list(["ctrl-n"], "later filter", "While a filter is typed: a later filter", {
    worksOn: "a filter while it is typed",
  }),
  filters: list(["ctrl-s"], "filters", "Filters with a name: take one, or name the current one", {
    palette: true,
    worksOn: "a list",
  }),
  "sort-previous": list(["<"], "sort ←", "Sort by the column to the left", {
    worksOn: "a list",
  }),
  "sort-next": list([">"], "sort", "Sort by the column to the right", {
    footer: 40,
    palette: true,
    worksOn: "a list",
  }),
  reverse: list(["R"], "reverse", "Reverse the sort order", {
    footer: 41,
    palette: true,
    worksOn: "a list",
  }),
  mark: list(["space"], "mark", "Mark or unmark this row and move down", {
    footer: 42,
    worksOn: "a list",
  }),
  "mark-down": list(["shift-down"], "mark down", "Mark this row and the next one, and move there", {
    worksOn: "a list",
  }),
  "mark-up": list(["shift-up"], "mark up", "Mark this row and the one above, and move there", {
    worksOn: "a list",
  }),
  "mark-all": list(["+"], "mark all", "Mark or unmark all that match", {
    footer: 43,
    palette: true,
    marksOrder: 4,
    worksOn: "a list",
  }),
};
