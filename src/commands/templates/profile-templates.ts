/** Opens the note templates of the settings folder, for `templates` commands and `notes create`. */

import { type NoteTemplates, openNoteTemplates } from "../../settings/note-templates.ts";
import { places } from "../../settings/places.ts";
import type { Invocation } from "../invocation.ts";

export function templatesOf({ io }: Invocation): NoteTemplates {
  return openNoteTemplates(places(io.env, io.home).configDir);
}
