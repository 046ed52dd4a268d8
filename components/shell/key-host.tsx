"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { isCovered, isTyping, nameOf } from "#lib/client/desk/keys.ts";
import { useMember } from "./member-context.tsx";
import { placesFor } from "./navigation.ts";
import { hasSingleKeys } from "./single-keys.ts";

const KeyHelp = lazyWithRetry(() => import("./key-help.tsx").then((module) => module.KeyHelp), LoadingNotice);

/** Maximum time between G and the letter. */
const GO_WITHIN_MS = 1500;

let isOpen = false;
const listeners = new Set<() => void>();

export function openKeyHelp(open = true): void {
  isOpen = open;
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keys of every page: `G` and a letter, and `?`. */
export function KeyHost() {
  const { role, single_keys } = useMember();
  const open = useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
  const router = useRouter();
  const [letters] = useState(() => new Map<string, string>());
  useEffect(() => {
    letters.clear();
    for (const { letter, href } of placesFor(role)) letters.set(letter, href);
  }, [letters, role]);
  useEffect(() => {
    let armedUntil = 0;
    const isPlain = (event: KeyboardEvent) =>
      !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !event.isComposing;
    const isFree = (event: KeyboardEvent) =>
      hasSingleKeys(single_keys) && isPlain(event) && !isTyping(event.target) && !isCovered();
    // Before the keys of the page: after G, R is no rejection.
    const onSecond = (event: KeyboardEvent) => {
      if (event.timeStamp > armedUntil || !isFree(event)) return;
      const key = nameOf(event);
      if (key.length > 1) return;
      armedUntil = 0;
      event.preventDefault();
      event.stopImmediatePropagation();
      const href = letters.get(key);
      if (href !== undefined) router.push(href);
    };
    const onFirst = (event: KeyboardEvent) => {
      const key = nameOf(event);
      if ((key !== "g" && key !== "?") || !isFree(event)) return;
      // A page that has its own meaning for the key has prevented it by then.
      setTimeout(() => {
        if (event.defaultPrevented) return;
        if (key === "g") armedUntil = event.timeStamp + GO_WITHIN_MS;
        else openKeyHelp();
      });
    };
    window.addEventListener("keydown", onSecond, true);
    window.addEventListener("keydown", onFirst);
    return () => {
      window.removeEventListener("keydown", onSecond, true);
      window.removeEventListener("keydown", onFirst);
    };
  }, [letters, router, single_keys]);
  return open ? <KeyHelp letters={hasSingleKeys(single_keys)} onClose={() => openKeyHelp(false)} /> : null;
}
