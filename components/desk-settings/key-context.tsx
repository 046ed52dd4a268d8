"use client";
import { createContext, useContext } from "react";
import type { KeyMap } from "#lib/desk/keys.ts";

/** Null if single keys are off. */
const KeyContext = createContext<KeyMap | null>(null);

export const DeskKeyMap = KeyContext.Provider;

export function useDeskKeyMap(): KeyMap | null {
  return useContext(KeyContext);
}
