"use client";
import dynamic from "next/dynamic";
import { patiently } from "#lib/client/patiently.ts";
import { Deck, type DeckProps } from "./deck.tsx";
import type { PostBrowserProps } from "./post-browser.tsx";

// The deck is what one comes for: its first load carries neither the grid nor the table.
const PostBrowser = dynamic(() =>
  patiently(() => import("./post-browser.tsx")).then((module) => module.PostBrowser),
);

/** The desk in one of its three views. */
export function ReviewScreen(
  props: ({ view: "deck" } & DeckProps) | ({ view: "grid" | "list" } & Omit<PostBrowserProps, "place">),
) {
  return props.view === "deck" ? <Deck {...props} /> : <PostBrowser place="review" {...props} />;
}
