"use client";
import { lazy } from "react";
import type { PostBrowserProps } from "#components/browse/post-browser.tsx";
import { retryImport } from "#lib/client/retry-import.ts";
import { Deck, type DeckProps } from "./deck.tsx";

// Keeps grid and table out of the deck's first load. next/dynamic would not wait for their code on the
// server.
const PostBrowser = lazy(() =>
  retryImport(() => import("#components/browse/post-browser.tsx")).then((module) => ({
    default: module.PostBrowser,
  })),
);

export function ReviewScreen(
  props: ({ view: "deck" } & DeckProps) | ({ view: "grid" } & Omit<PostBrowserProps, "place">),
) {
  return props.view === "deck" ? <Deck {...props} /> : <PostBrowser place="review" {...props} />;
}
