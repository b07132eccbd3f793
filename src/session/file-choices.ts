/** The choices to check an input file again, with another kind of rows or other options. */
import { leavesOf, rowShapeOf } from "../bulk/input/row-shape.ts";
import { type FormKind, formKinds } from "../forms/forms.ts";
import { kindName } from "../writes/kinds/kinds.ts";
import type { App } from "./app.ts";
import type { Choice } from "./overlays.ts";
import type { FileCheckRequest } from "./tasks.ts";

/** Returns the choices of the kind of rows and the check's options. Each checks the file again. */
export function fileChoices(
  { overlays }: Pick<App, "overlays">,
  request: FileCheckRequest,
  kind: FormKind,
  check: (request: FileCheckRequest) => void,
): readonly Choice[] {
  const { options } = request;
  const { shape, form, itemsField } = rowShapeOf(kind);
  const checkWith = (change: Partial<FileCheckRequest["options"]>) =>
    check({ ...request, kind, options: { ...options, ...change } });
  const canAllowMissing = leavesOf(shape).some(({ needed }) => needed === "unless-allowed");
  const kinds = formKinds
    .filter((other) => other !== kind)
    .map((other) => ({
      label: kindName(other),
      hint: "",
      run: () => check({ ...request, kind: other, options: { ...options, query: {} } }),
    }));
  return [
    {
      label: "Another kind of rows",
      hint: `now ${kindName(kind)}`,
      run: () => overlays.choose("Which kind of rows are these?", kinds),
    },
    ...(canAllowMissing
      ? [
          {
            label: `Fields that the interface does not call required: ${options.allowMissing ? "expect them" : "allow them to be missing"}`,
            hint: options.allowMissing ? "now allowed to be missing" : "now expected",
            run: () => checkWith({ allowMissing: !options.allowMissing }),
          },
        ]
      : []),
    ...(itemsField === null
      ? []
      : [
          {
            label: `Neighboring rows of one account in one request: ${options.group === "account" ? "no" : "yes"}`,
            hint: options.group === "account" ? "now yes" : "now no",
            run: () => checkWith({ group: options.group === "account" ? "none" : "account" }),
          },
        ]),
    ...(form?.query ?? []).map(({ name, label }): Choice => {
      const isOff = options.query[name] === "false";
      const { [name]: _, ...others } = options.query;
      return {
        label: `${label}: ${isOff ? "yes" : "no"}`,
        hint: isOff ? "now no" : "now yes",
        run: () => checkWith({ query: isOff ? others : { ...others, [name]: "false" } }),
      };
    }),
  ];
}
