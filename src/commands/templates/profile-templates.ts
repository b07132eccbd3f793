/** Opens the note templates of the settings folder, for `templates` commands and `notes create`. */

import { type NoteTemplates, openNoteTemplates } from "../../settings/note-templates.ts";
import type { Invocation } from "../invocation.ts";

export function templatesOf({ folders }: Invocation): NoteTemplates {
  return openNoteTemplates(folders.configDir);
}
