"use client";
import { Waves } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useApi } from "#lib/client/use-api.ts";
import { intakeState, type Intake } from "./intake-state.ts";
import { useFetchAll } from "./fetch.tsx";

const noPosts = {
  none: {
    title: "No streams yet",
    hint: "Posts come from streams: a hashtag and the server to read it from.",
    action: "Add stream",
    ask: "Ask an admin to add one.",
  },
  paused: {
    title: "All streams are paused",
    hint: "No posts come in until one is resumed.",
    action: "Open streams",
    ask: "Ask an admin to resume one.",
  },
  failing: {
    title: "No stream can be fetched",
    hint: "No posts come in until that is fixed.",
    action: "Show the reason",
    ask: "Ask an admin to look at it.",
  },
} as const;

const REFRESH_MS = 15_000;

export interface NoPostsProps {
  /** Said while streams are fetched as planned. */
  title: string;
  icon?: ReactNode;
  /** Looks for posts again; default: loads the page again. */
  onCheck?: () => void;
}

/** An empty list of posts, with the reason and a next step that this person may take. */
export function NoPosts({ title, icon, onCheck }: NoPostsProps) {
  const router = useRouter();
  const check = onCheck ?? (() => router.refresh());
  const mayManage = useCan("admin");
  const { data } = useApi<{ items: Intake[] }>("/streams?limit=1000", { refreshEvery: REFRESH_MS });
  const fetchAll = useFetchAll();
  const state = data === undefined ? null : intakeState(data.items);
  if (state !== null && state.name !== "running") {
    const text = noPosts[state.name];
    return (
      <EmptyState
        icon={<Waves aria-hidden />}
        title={text.title}
        action={
          mayManage ? (
            <ButtonLink href={state.href} variant="primary">
              {text.action}
            </ButtonLink>
          ) : (
            <Button onClick={check}>Look again</Button>
          )
        }
      >
        {text.hint} {mayManage ? null : text.ask}
      </EmptyState>
    );
  }
  const fetchNow = () => {
    void fetchAll.run().then(check);
  };
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        mayManage ? (
          <Button variant="primary" pending={fetchAll.pending} onClick={fetchNow}>
            Fetch now
          </Button>
        ) : (
          <Button onClick={check}>Look again</Button>
        )
      }
    >
      {state === null ? null : state.at === undefined ? (
        "The streams are fetched on demand only."
      ) : (
        <>
          Next fetch <RelativeTime isAhead at={state.at} />.
        </>
      )}
    </EmptyState>
  );
}
