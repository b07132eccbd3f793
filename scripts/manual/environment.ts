interface Variable {
  readonly name: string;
  readonly meaning: string;
  /** The value that applies without it, or empty. */
  readonly byDefault: string;
}

/** The variables that the program reads, in groups. */
export const environment: readonly {
  readonly title: string;
  readonly variables: readonly Variable[];
}[] = [
  {
    title: "Profile and folders",
    variables: [
      {
        name: "SUPPLYLINE_PROFILE",
        meaning: "The profile to use. --profile overrides it.",
        byDefault: "the profile chosen with `profiles use`",
      },
      {
        name: "SUPPLYLINE_CONFIG_DIR",
        meaning: "The folder of profiles, preferences, keys and credentials.",
        byDefault: "`$XDG_CONFIG_HOME/supplyline`, or `~/.config/supplyline`",
      },
      {
        name: "SUPPLYLINE_STATE_DIR",
        meaning: "The folder of the journal, observations, drafts, watch list and history.",
        byDefault: "`$XDG_STATE_HOME/supplyline`, or `~/.local/state/supplyline`",
      },
      {
        name: "SUPPLYLINE_OBSERVE",
        meaning: "With 0, lists are not recorded as observations; with 1, they are.",
        byDefault: "the preference `recordObservations`",
      },
      {
        name: "SUPPLYLINE_LOG",
        meaning: "A file to log to. --log overrides it. Only you can read the file.",
        byDefault: "no log",
      },
      {
        name: "SUPPLYLINE_LOG_BODIES",
        meaning: "With 1, the log includes the bodies of requests and responses: personal data.",
        byDefault: "no bodies",
      },
      {
        name: "SUPPLYLINE_DEBUG",
        meaning: "With 1, an internal error also prints its stack trace.",
        byDefault: "no stack trace",
      },
    ],
  },
  {
    title: "A profile for one command",
    variables: [
      {
        name: "SUPPLYLINE_BASE_URL",
        meaning: "Defines a profile for this command; nothing is written to disk.",
        byDefault: "",
      },
      {
        name: "SUPPLYLINE_API_KEY",
        meaning: "Its API key. supplyline removes it from the environment once it is read.",
        byDefault: "",
      },
      {
        name: "SUPPLYLINE_TOKEN",
        meaning: "A token, instead of the API key. Removed from the environment, too.",
        byDefault: "",
      },
      {
        name: "SUPPLYLINE_ENVIRONMENT",
        meaning: "Its label: sandbox, test or production.",
        byDefault: "`test` on loopback, `production` anywhere else",
      },
      {
        name: "SUPPLYLINE_GRAPHQL_URL",
        meaning: "Where its tokens are obtained.",
        byDefault: "`{base_url}/v1/graphql/`",
      },
      {
        name: "SUPPLYLINE_BRAND",
        meaning: "The brand word in its field names.",
        byDefault: "`service`",
      },
      {
        name: "SUPPLYLINE_AUTH_FORM",
        meaning: "Its Authorization form: token, bare or auto.",
        byDefault: "`auto`",
      },
      {
        name: "SUPPLYLINE_COMPRESSION",
        meaning: "Whether lists and statuses are asked for with gzip: auto, on or off.",
        byDefault: "`auto`",
      },
    ],
  },
  {
    title: "A team",
    variables: [
      {
        name: "SUPPLYLINE_TEAM",
        meaning:
          "The database of the team's ledger, for a profile that SUPPLYLINE_BASE_URL defines. Never with a password.",
        byDefault: "no team",
      },
      {
        name: "SUPPLYLINE_PERSON",
        meaning: "Your name beside your entries. The team sees it, and nothing relies on it.",
        byDefault: "the name of the system's user",
      },
      {
        name: "SUPPLYLINE_MACHINE",
        meaning: "The name of this machine beside its entries.",
        byDefault: "the host name",
      },
      {
        name: "PGPASSWORD",
        meaning: "The password of the database. With a team, it is removed from the environment.",
        byDefault: "",
      },
      {
        name: "PGPASSFILE",
        meaning: "A file of passwords that only you can read, one per line.",
        byDefault: "`~/.pgpass`",
      },
    ],
  },
  {
    title: "Network",
    variables: [
      {
        name: "HTTPS_PROXY",
        meaning: "The proxy for https addresses. The profile's proxy overrides it.",
        byDefault: "no proxy",
      },
      { name: "NO_PROXY", meaning: "Hosts that are reached without a proxy.", byDefault: "" },
      {
        name: "NODE_EXTRA_CA_CERTS",
        meaning: "A PEM file with more certificate authorities.",
        byDefault: "",
      },
    ],
  },
  {
    title: "Terminal and programs",
    variables: [
      { name: "NO_COLOR", meaning: "Turns colors off.", byDefault: "" },
      {
        name: "COLORFGBG",
        meaning: "The terminal's background, if the terminal does not report it.",
        byDefault: "dark",
      },
      {
        name: "INK_SCREEN_READER",
        meaning: "With true, the same as --accessible: a linear screen without animation.",
        byDefault: "",
      },
      {
        name: "TERM",
        meaning: "With dumb or no value: a linear screen, in ASCII, without control sequences.",
        byDefault: "",
      },
      {
        name: "LC_ALL, LC_CTYPE, LANG",
        meaning: "A locale that is not UTF-8 has the same effect as --ascii.",
        byDefault: "",
      },
      {
        name: "TZ",
        meaning: "The time zone of the console and of dates that you type.",
        byDefault: "the zone of the machine",
      },
      { name: "VISUAL, EDITOR", meaning: "The editor for Ctrl-O.", byDefault: "`vi`" },
      { name: "PAGER", meaning: "The pager for long texts.", byDefault: "`less`" },
    ],
  },
];
