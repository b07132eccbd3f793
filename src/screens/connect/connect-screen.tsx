import { isDeepStrictEqual } from "node:util";
import { Box } from "ink";
import { useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import { Body } from "../../components/body.tsx";
import { type Field, FieldList } from "../../components/field-list.tsx";
import { errorMark } from "../../components/form/form-layout.ts";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { checkCaFile } from "../../settings/ca-file.ts";
import { type Environment, plainWords, profileSettings } from "../../settings/schemas.ts";
import { capital } from "../../text/connection-words.ts";
import { useConnectionDraft } from "./connection-draft.ts";
import {
  type ConnectionForm,
  type ConnectionProblems,
  emptyConnectionForm,
  formOf,
  knownKey,
  mainKeys,
  moreKeys,
  problemsOf,
  profileOf,
  type SettingKey,
} from "./connection-form.ts";
import { useConnectionTest } from "./connection-test.ts";
import { SaveSecret } from "./save-secret.tsx";

/**
 * Adds a profile for a service, or edits a profile. The typed values are tested at the service
 * first. After that the screen asks which secret to save.
 */
export function ConnectScreen(props: { readonly edit: string | null }) {
  const { settings, secrets, notices, overlays, key, navigation } = useApp();
  const before = props.edit === null ? null : settings.find(props.edit);
  const initial = before ? formOf(before) : emptyConnectionForm;
  const draft = useConnectionDraft(props.edit, initial);
  const form = draft.value;
  const [checked, setChecked] = useState(false);
  // Showing or hiding settings does not change the profile.
  const isChanged = !isDeepStrictEqual({ ...form, more: initial.more }, initial);
  const discard = () => {
    draft.drop();
    notices.show("The draft is discarded.");
    navigation.back();
  };
  // On other screens, text pasted outside a field is searched as an account number. Here the text
  // might be an API key, which must not become part of a request address.
  useKeys(
    {
      discard: {
        run: () =>
          overlays.confirm({
            question: "Discard this draft?",
            detail: `What you changed here is lost. ${key("back")} alone leaves the form and loses nothing.`,
            yes: "Discard it",
            onYes: discard,
          }),
        disabled: isChanged ? null : "Nothing was changed here.",
      },
    },
    {
      onPaste: () => notices.explain("Nothing was pasted: go to a field first, then paste."),
    },
  );
  const test = useConnectionTest();
  const otherNames = settings
    .profiles()
    .map((profile) => profile.name)
    .filter((name) => name !== before?.name);
  // The file is checked when the button is pressed and not while the path is typed, because a
  // network folder can be slow.
  const [unusableFile, setUnusableFile] = useState<string | null>(null);
  const [known] = useState(() =>
    before === null ? null : knownKey(() => settings.credentialFacts(before, secrets)),
  );
  const formProblems = problemsOf(form, otherNames, known?.hasKey ?? false, before?.team);
  const problems = { ...formProblems, caFile: formProblems.caFile ?? unusableFile };
  const hasProblem = Object.values(problems).some((problem) => problem !== null);
  const change = (patch: Partial<ConnectionForm>) => {
    draft.set({ ...form, ...patch });
    setUnusableFile(null);
    test.forget();
  };
  if (test.state.kind === "passed") {
    return (
      <SaveSecret passed={test.state} before={before} onBack={test.forget} onSaved={draft.drop} />
    );
  }
  const typedField = (id: keyof ConnectionProblems, label: string, hint: string) => ({
    id,
    label,
    hint,
    value: form[id],
    problem: checked ? problems[id] : null,
    onChange: (value: string) => change({ [id]: value }),
  });
  const fieldOf = (key: SettingKey): Field => {
    const { name, meaning, example, byDefault = "", choices } = profileSettings[key];
    const field = typedField(key, labels[key] ?? capital(name), plainWords(meaning));
    if (choices === undefined) {
      const placeholder = example === undefined ? plainWords(byDefault) : `such as ${example}`;
      return { kind: "text", ...field, placeholder };
    }
    const byAddress = key === "environment" && form.environment === "";
    return {
      kind: "choice",
      ...field,
      choices,
      ...(byAddress ? { value: environmentOf(form), note: byAddressWords(form) } : {}),
    };
  };
  const fields: readonly Field[] = [
    ...mainKeys.map(fieldOf),
    {
      kind: "secret",
      ...typedField(
        "apiKey",
        "API key",
        "Type or paste it. After the test you choose what is saved, and where.",
      ),
      ...(known === null ? {} : { placeholder: known.words }),
    },
    ...(before === null
      ? [
          {
            kind: "text" as const,
            ...typedField(
              "suppliers",
              "Suppliers",
              "The codes of your import suppliers; you can add them later, too.",
            ),
            placeholder: "optional, such as ACME NORTH",
          },
        ]
      : []),
    {
      kind: "button",
      id: "more",
      label: form.more ? "Fewer settings" : "More settings",
      hint: "Team database, proxy, CA file, how a token is obtained, brand; the defaults fit most services.",
      onPress: () => change({ more: !form.more }),
    },
    ...(form.more ? moreKeys.map(fieldOf) : []),
    {
      kind: "button",
      id: "test",
      label: test.state.kind === "testing" ? "Testing…" : "Test the connection",
      disabled: test.state.kind === "testing" ? "The test is running." : null,
      onPress: () => {
        setChecked(true);
        // The rarely needed settings are shown if one of them has a problem.
        if (!form.more && moreKeys.some((key) => problems[key] !== null)) change({ more: true });
        const file = form.caFile === "" || hasProblem ? null : checkCaFile(form.caFile);
        setUnusableFile(file);
        if (!hasProblem && file === null)
          test.run(profileOf(form, before), form.apiKey === "" ? null : form.apiKey);
      },
    },
  ];
  return (
    <Body>
      {isChanged && draft.from !== null ? (
        <Paragraph>{`${resumedWords[draft.from]} ${key("discard")} discards the draft.`}</Paragraph>
      ) : null}
      <FieldList fields={fields} />
      <Box marginTop={1} flexDirection="column">
        {checked && hasProblem ? (
          <Text tone="bad">{`Nothing was sent: see the fields marked ${errorMark}`}</Text>
        ) : null}
        {test.state.kind === "testing" ? (
          <Waiting
            words={`Asking ${form.baseUrl} for a token…`}
            more={`${key("cancel")} cancels.`}
          />
        ) : null}
        {test.state.kind === "failed" ? (
          <Problem
            error={test.state.error}
            context={{ doing: "testing the connection", baseUrl: form.baseUrl }}
            {...(isServiceError(test.state.error, "credentials")
              ? { remedy: "Check the API key and the base URL, then test again." }
              : {})}
          />
        ) : null}
      </Box>
    </Body>
  );
}

ConnectScreen.help = {
  name: "Connect",
  about: [
    "Enter the service's address and an API key, and test the connection. The screen shows where the key will be stored before it is written.",
  ],
  words: [],
} as const;

/** The labels of settings whose name alone is not clear in a form. */
const labels: Readonly<Partial<Record<SettingKey, string>>> = {
  name: "Profile",
  team: "Team database",
};

const resumedWords = {
  left: "Not saved yet: this is as you left it.",
  "hung-up": "Restored as you typed it before the terminal hung up. The API key was not saved.",
} as const;

/**
 * Returns the note beside an environment that the user did not choose, because it depends on the
 * address.
 */
function byAddressWords(form: ConnectionForm): string {
  return environmentOf(form) === "test" ? "loopback: test, until you choose" : "until you choose";
}

function environmentOf(form: ConnectionForm): Environment {
  try {
    return profileOf({ ...form, name: form.name || "new", environment: "" }, null).environment;
  } catch {
    return "production";
  }
}
