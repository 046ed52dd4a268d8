"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { hasSingleKeys } from "#components/shell/single-keys.ts";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { onActionUndone } from "#lib/client/actions.ts";
import { isCovered, isTyping, readPress, deskKeys, type DeskKeys } from "#lib/desk/keys.ts";
import { setHistoryOpen, undoLast, useHistoryOpen } from "./undo-store.ts";

const HistorySheet = lazyWithRetry(
  () => import("./history-sheet.tsx").then((module) => module.HistorySheet),
  LoadingNotice,
);

/** Undo by key and the history, on every page. Without single keys, Ctrl-Z works. */
export function ActionsHost() {
  const { single_keys } = useMember();
  const open = useHistoryOpen();
  const router = useRouter();
  // Pages that the server rendered.
  useEffect(() => onActionUndone(() => router.refresh()), [router]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isCovered()) return;
      const keys = hasSingleKeys(single_keys) ? deskKeys : null;
      const pressed = readPress(event, keys);
      const isUndo = pressed !== null && "action" in pressed && pressed.action === "undo";
      if (!isUndo && !isHistoryKey(event, keys)) return;
      // A page with the same key does not act twice.
      event.preventDefault();
      if (isUndo) undoLast();
      else setHistoryOpen(true);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [single_keys]);
  return open ? <HistorySheet onClose={() => setHistoryOpen(false)} /> : null;
}

/** Shift with the key of undo. */
function isHistoryKey(event: KeyboardEvent, keys: DeskKeys | null): boolean {
  if (keys === null || !event.shiftKey) return false;
  const { key, code, ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented } = event;
  const plain = {
    key,
    code,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey: false,
    repeat,
    isComposing,
    defaultPrevented,
  };
  const pressed = ctrlKey || metaKey ? null : readPress(plain, keys);
  return pressed !== null && "action" in pressed && pressed.action === "undo";
}
