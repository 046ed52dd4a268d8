"use client";
import { lazy } from "react";
import { retryImport } from "#lib/client/retry-import.ts";
import type { PostsScreenProps } from "./posts-screen.tsx";

const PostsScreen = lazy(() =>
  retryImport(() => import("./posts-screen.tsx")).then((module) => ({ default: module.PostsScreen })),
);

/** Keeps the grid's code out of the first load of the deck. With next/dynamic the server would not wait for it. */
export function LazyGrid(props: Omit<PostsScreenProps, "place">) {
  return <PostsScreen place="review" {...props} />;
}
