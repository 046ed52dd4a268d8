import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { isDialogOpen, isTyping, keyName } from "#lib/client/desk/keys.ts";
import { sharedState, useStore } from "#lib/client/use-store.ts";
import { useMember } from "./member-context.tsx";
import { placesFor } from "./navigation.ts";

const KeyHelp = lazyWithRetry(() => import("./key-help.tsx").then((module) => module.KeyHelp), LoadingNotice);

/** Maximum time between G and the letter. */
const GO_WITHIN_MS = 1500;

const help = sharedState(false);

export const openKeyHelp = () => help.setState(true);

export interface KeySection {
  title: string;
  /** Pairs of an action and its key. */
  rows: readonly (readonly [action: string, sign: string])[];
}

const pageKeys = new Set<() => readonly KeySection[]>();

/** Adds the keys of a page to the key help. `sections` is called when the help opens. */
export function usePageKeys(sections: () => readonly KeySection[]): void {
  const latest = useRef(sections);
  useEffect(() => {
    latest.current = sections;
  });
  useEffect(() => {
    const get = () => latest.current();
    pageKeys.add(get);
    return () => {
      pageKeys.delete(get);
    };
  }, []);
}

/** Keys of every page: `G` and a letter, and `?`. */
export function KeyHost() {
  const { role, single_keys } = useMember();
  const open = useStore(help, false);
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
      single_keys && isPlain(event) && !isTyping(event.target) && !isDialogOpen();
    // In the capture phase, before the keys of the page: R after G does not reject.
    const onSecond = (event: KeyboardEvent) => {
      if (event.timeStamp > armedUntil || !isFree(event)) return;
      const key = keyName(event);
      if (key.length > 1) return;
      armedUntil = 0;
      event.preventDefault();
      event.stopImmediatePropagation();
      const href = letters.get(key);
      if (href !== undefined) router.push(href);
    };
    const onFirst = (event: KeyboardEvent) => {
      const key = keyName(event);
      if ((key !== "g" && key !== "?") || !isFree(event)) return;
      // After the page's own listeners, which may use the key.
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
  return open ? (
    <KeyHelp
      letters={single_keys}
      sections={[...pageKeys].flatMap((get) => get())}
      onClose={() => help.setState(false)}
    />
  ) : null;
}
