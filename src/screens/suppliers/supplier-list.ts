/** The list of suppliers of a profile, which the user adds and removes. */
import { isDeepStrictEqual } from "node:util";
import { useEffect } from "react";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { checkTypedSuppliers, typedSupplierCodes } from "../../settings/profile-checks.ts";

/** The suppliers of this profile, and functions that change the list. */
interface SupplierList {
  readonly codes: readonly string[];
  /** Asks for the codes of suppliers to add. */
  add(): void;
  /** Asks for confirmation, and removes the supplier. */
  remove(code: string): void;
}

/**
 * Returns the suppliers of this profile. The service has no list of suppliers, so the user adds
 * them by their codes.
 */
export function useSupplierList(): SupplierList {
  const { settings, notices, overlays } = useApp();
  const session = useSession();
  const { name } = session.profile;
  const codes = useStore(session.suppliers);
  const setCodes = session.suppliers.set;
  useEffect(() => {
    // A command might have changed the stored list.
    const stored = settings.find(name)?.suppliers;
    if (stored !== undefined && !isDeepStrictEqual(stored, session.suppliers.get()))
      session.suppliers.set(stored);
  }, [settings, session, name]);
  const remember = (change: () => void, words: string) => {
    try {
      change();
    } catch {
      notices.show(`${words} for this session; it could not be saved.`, "waiting");
    }
  };
  const add = () =>
    overlays.prompt({
      title: "Add an import supplier",
      label: "Code",
      hint: "The code from the platform operator; separate several with commas or spaces.",
      onSubmit: (typed) => {
        const given = typedSupplierCodes(typed);
        const added = given.filter((code) => !codes.includes(code));
        const problem = checkTypedSuppliers(given);
        if (problem !== null) return `Code: ${problem}`;
        if (given.length === 0) return "Type at least one supplier code.";
        if (added.length === 0) return `Already on the list: ${given.join(", ")}.`;
        setCodes([...codes, ...added]);
        const words = `Added ${added.join(", ")}`;
        notices.show(`${words}.`, "ok");
        remember(() => {
          for (const code of added) settings.addSupplier(name, code);
        }, words);
        return null;
      },
    });
  const remove = (code: string) =>
    overlays.confirm({
      question: `Remove ${code} from this list?`,
      detail: "Only this list changes. Nothing changes at the service.",
      yes: "Yes, remove it",
      onYes: () => {
        setCodes(codes.filter((other) => other !== code));
        remember(() => settings.removeSupplier(name, code), `Removed ${code}`);
      },
    });
  return { codes, add, remove };
}
