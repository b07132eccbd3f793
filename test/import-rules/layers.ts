/** The parts of the house, named after their folder (or file) under `src`. */
export type Layer =
  | "cli"
  | "commands"
  | "screens"
  | "components"
  | "hooks"
  | "session"
  | "keys"
  | "forms"
  | "accounts"
  | "watch"
  | "writes"
  | "bulk"
  | "settings"
  | "theme"
  | "text"
  | "api"
  | "json"
  | "sandbox";

const peers: readonly Layer[] = [
  "keys",
  "forms",
  "accounts",
  "watch",
  "writes",
  "bulk",
  "settings",
];

/** What a layer may import besides itself. */
export const mayImport: Readonly<Record<Layer, readonly Layer[]>> = {
  cli: [
    "commands",
    "screens",
    "components",
    "hooks",
    "session",
    ...peers,
    "theme",
    "text",
    "api",
    "json",
    "sandbox",
  ],
  // Headless: nothing here leads to React.
  commands: [...peers, "text", "api", "json", "sandbox"],
  screens: ["components", "hooks", "session", ...peers, "theme", "text", "api", "json"],
  // Components are given what they show; they know no service.
  components: ["hooks", "session", ...peers, "theme", "text", "json"],
  hooks: ["session", ...peers, "theme", "text", "api", "json"],
  // The model of the interactive program, without React.
  session: [...peers, "theme", "text", "api", "json"],
  keys: [],
  forms: ["theme", "text", "api", "json"],
  accounts: ["text", "api", "json"],
  watch: ["text", "api", "json"],
  writes: ["theme", "text", "api", "json"],
  // Rows are checked as forms and leave as writes.
  bulk: ["forms", "writes", "text", "api", "json"],
  settings: ["text", "api", "json"],
  theme: ["text"],
  text: ["api", "json"],
  api: ["json"],
  // The leaf.
  json: [],
  sandbox: [],
};

/** The layer of a file, by its path from the project's folder; null outside the house. */
export function layerOf(path: string): Layer | null {
  const name = /^src\/([^/.]+)(?:\/|\.tsx?$)/.exec(path)?.[1];
  return name !== undefined && Object.hasOwn(mayImport, name) ? (name as Layer) : null;
}
