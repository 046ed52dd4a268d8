"use client";
import { lazy } from "react";
import { retryImport } from "#lib/client/retry-import.ts";
import type { PostsScreenProps } from "./posts-screen.tsx";

const PostsScreen = lazy(() =>
  retryImport(() => import("./posts-screen.tsx")).then((module) => ({ default: module.PostsScreen })),
);

/** Keeps the grid out of the deck's first load. next/dynamic would not wait for its code on the server. */
export function LazyGrid(props: Omit<PostsScreenProps, "place">) {
  return <PostsScreen place="review" {...props} />;
}
