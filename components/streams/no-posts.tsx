"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, type ReactNode } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useFetchAll } from "./fetch.tsx";
import { isFailing, nextFetchOf, type Intake } from "./stream-name.ts";

const REFRESH_MS = 15_000;
const path = "/streams?active=true&limit=1000";

export interface NoPostsProps {
  title: string;
  icon?: ReactNode;
  /** Looks for posts again; default: loads the page again. */
  onCheck?: () => void;
}

/** An empty list of posts, with the next fetch, or that there is none, and a step that this person may take. */
export function NoPosts({ title, icon, onCheck }: NoPostsProps) {
  const router = useRouter();
  const check = onCheck ?? (() => router.refresh());
  const mayManage = useCan("admin");
  const [streams, setStreams] = useState<readonly Intake[]>();
  useEffect(() => {
    const load = () =>
      void apiFetch<{ items: Intake[] }>(path).then(
        ({ items }) => setStreams(items),
        // The next time may succeed.
        () => undefined,
      );
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
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
