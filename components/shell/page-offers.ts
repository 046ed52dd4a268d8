"use client";
import type { LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";

export interface KeySection {
  title: string;
  /** Action and its key. */
  rows: readonly (readonly [action: string, sign: string])[];
}

export interface PageAction {
  id: string;
  name: string;
  icon: LucideIcon;
  run: () => void;
}

/** Keys and actions of a page, for the list of keys and the palette. */
export interface PageOffer {
  keys?: readonly KeySection[];
  /** Actions on the object that the page shows, or on its focused post. */
  about?: { name: string; actions: readonly PageAction[] } | null;
}

const offers = new Set<() => PageOffer>();

/** `offer` is called when the palette or the list of keys opens, so it may read the focus. */
export function usePageOffer(offer: () => PageOffer): void {
  const latest = useRef(offer);
  useEffect(() => {
    latest.current = offer;
  });
  useEffect(() => {
    const get = () => latest.current();
    offers.add(get);
    return () => {
      offers.delete(get);
    };
  }, []);
}

export function readPageOffers(): PageOffer[] {
  return [...offers].map((get) => get());
}
