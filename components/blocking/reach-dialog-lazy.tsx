"use client";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";

/** Loaded with the first question. */
export const LazyReachDialog = lazyWithRetry(
  () => import("./reach-dialog.tsx").then((module) => module.ReachDialog),
  LoadingNotice,
);
