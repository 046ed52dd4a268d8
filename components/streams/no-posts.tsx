"use client";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useApi } from "#lib/client/use-api.ts";
import { useFetchAll } from "./fetch.tsx";
import { isFailing, nextFetchOf, type Intake } from "./stream-name.ts";

const REFRESH_MS = 15_000;

export interface NoPostsProps {
  title: string;
  icon?: ReactNode;
  /** Looks for posts again. Default: refreshes the page. */
  onCheck?: () => void;
}

/** An empty list of posts, with the time of the next fetch and an action that the member may take. */
export function NoPosts({ title, icon, onCheck }: NoPostsProps) {
  const router = useRouter();
  const check = onCheck ?? (() => router.refresh());
  const mayManage = useCan("admin");
  const path = "/streams?active=true&limit=1000";
  const streams = useApi<{ items: Intake[] }>(path, { refreshEvery: REFRESH_MS }).data?.items;
  const fetchAll = useFetchAll();
  const isDry = streams?.every(isFailing) === true;
  const next = nextFetchOf(streams ?? []);
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        !mayManage ? (
          <Button onClick={check}>Look again</Button>
        ) : isDry ? (
          <ButtonLink href="/streams" variant="primary">
            Open streams
          </ButtonLink>
        ) : (
          <Button
            variant="primary"
            pending={fetchAll.pending}
            onClick={() => void fetchAll.run().then(check)}
          >
            Fetch now
          </Button>
        )
      }
    >
      {isDry ? (
        "No posts come in: no stream is active and can be fetched."
      ) : next === undefined ? null : (
        <>
          Next fetch <RelativeTime isAhead at={next} />.
        </>
      )}
    </EmptyState>
  );
}
