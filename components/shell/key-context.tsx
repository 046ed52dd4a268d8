import { createContext, useContext } from "react";
import type { DeskKeys } from "#lib/client/desk/keys.ts";

/** Null if single keys are off. */
const KeyContext = createContext<DeskKeys | null>(null);

export const DeskKeyMap = KeyContext.Provider;

export function useDeskKeyMap(): DeskKeys | null {
  return useContext(KeyContext);
}
