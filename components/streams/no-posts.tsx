"use client";
import { Waves } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import { intakeState, type Intake } from "./intake-state.ts";
import { useFetchAll } from "./use-fetch-all.ts";

const w = words.streams.noPosts;
const REFRESH_MS = 15_000;

export interface NoPostsProps {
  /** Said while streams are fetched as planned. */
  title: string;
  icon?: ReactNode;
  /** Looks for posts again. */
  onCheck: () => void;
}

/** An empty list of posts, with the reason and a next step that this person may take. */
export function NoPosts({ title, icon, onCheck }: NoPostsProps) {
  const mayManage = useCan("admin");
  const { data } = useApi<{ items: Intake[] }>("/streams?limit=1000", { refreshEvery: REFRESH_MS });
  const fetchAll = useFetchAll();
  const state = data === undefined ? null : intakeState(data.items);
  if (state !== null && state.name !== "running") {
    const text = w[state.name];
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
            <Button onClick={onCheck}>{w.check}</Button>
          )
        }
      >
        {text.hint} {mayManage ? null : w.ask[state.name]}
      </EmptyState>
    );
  }
  const fetchNow = () => {
    void fetchAll.run().then(onCheck);
  };
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        mayManage ? (
          <Button variant="primary" pending={fetchAll.pending} onClick={fetchNow}>
            {w.fetchNow}
          </Button>
        ) : (
          <Button onClick={onCheck}>{w.check}</Button>
        )
      }
    >
      {state === null ? null : state.at === undefined ? (
        w.byHand
      ) : (
        <>
          {w.nextFetch} <RelativeTime isAhead at={state.at} />.
        </>
      )}
    </EmptyState>
  );
}
