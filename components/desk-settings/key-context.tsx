"use client";
import { createContext, useContext } from "react";
import type { KeyMap } from "#lib/desk/keys.ts";

/** The reviewer's keys, for the signs on buttons; null while single keys are switched off. */
const KeyContext = createContext<KeyMap | null>(null);

export const DeskKeyMap = KeyContext.Provider;

export function useDeskKeyMap(): KeyMap | null {
  return useContext(KeyContext);
}
