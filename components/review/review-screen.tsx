"use client";
import { lazy } from "react";
import { patiently } from "#lib/client/patiently.ts";
import { Deck, type DeckProps } from "./deck.tsx";
import type { PostBrowserProps } from "#components/browse/post-browser.tsx";

// The deck is what one comes for: its first load carries neither the grid nor the table. Not later(): the server
// renders them, and waits for their code.
const PostBrowser = lazy(() =>
  patiently(() => import("#components/browse/post-browser.tsx")).then((module) => ({
    default: module.PostBrowser,
  })),
);

/** The desk in one of its three views. */
export function ReviewScreen(
  props: ({ view: "deck" } & DeckProps) | ({ view: "grid" | "list" } & Omit<PostBrowserProps, "place">),
) {
  return props.view === "deck" ? <Deck {...props} /> : <PostBrowser place="review" {...props} />;
}
