"use client";
import { kinds } from "#components/words.ts";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { useNow, useTimeZone } from "#components/ui/clock-context.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formErrors } from "#components/ui/form-errors.ts";
import { formatDay } from "#components/format.ts";
import { asFailure, type ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import {
  keptKinds,
  MAX_KEPT_DAYS,
  MIN_KEPT_DAYS,
  type KeptKind,
  type Retention,
} from "#lib/collect/retention-schema.ts";

/** Posts and history lines. */
function amount(posts: number, lines: number): string {
  const parts = [
    ...(posts > 0 || lines === 0 ? [posts === 1 ? "1 post" : `${posts} posts`] : []),
    ...(lines > 0 ? [lines === 1 ? "1 history line" : `${lines} history lines`] : []),
  ];
  return parts.join(" and ");
}

const fieldErrors = {
  form: "Change something first.",
  rejected_days: "Enter a whole number of days from 1 to 36,500, or leave it empty to keep the posts.",
  unreviewed_days: "Enter a whole number of days from 1 to 36,500, or leave it empty to keep the posts.",
  failed_days: "Enter a whole number of days from 1 to 36,500, or leave it empty to keep the posts.",
  history_days: "Enter a whole number of days from 92 to 36,500, or leave it empty to keep the history.",
  preview: "The count is too old. Open this again.",
} as const;

/** Time without typing before a request. */
const PAUSE_MS = 300;

type Texts = Record<KeptKind, string>;

/** An empty field means for ever. Null if it is not a number of days. */
function daysOf(kind: KeptKind, text: string): number | "ever" | null {
  if (text.trim() === "") return "ever";
  const days = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return days >= MIN_KEPT_DAYS[kind] && days <= MAX_KEPT_DAYS ? days : null;
}

function changeOf(texts: Texts) {
  const days = keptKinds.map((kind) => [kind, daysOf(kind, texts[kind])] as const);
  if (days.some(([, value]) => value === null)) return null;
  return Object.fromEntries(days.map(([kind, value]) => [`${kind}_days`, value === "ever" ? null : value]));
}

export function RetentionPanel({ retention: rendered }: { retention: Retention }) {
  const [stored, setStored] = useState(rendered);
  const textsOf = (from: Retention) =>
    Object.fromEntries(keptKinds.map((kind) => [kind, String(from[`${kind}_days`] ?? "")])) as Texts;
  const [texts, setTexts] = useState(() => textsOf(rendered));
  const starts = Date.parse(stored.starts_at);
  const isWaiting = starts > useNow();
  const day = formatDay(starts, useTimeZone());
  const body = JSON.stringify(changeOf(texts));
  const preview = usePreview(body, stored);
  const changed = keptKinds.some((kind) => texts[kind].trim() !== textsOf(stored)[kind]);
  const done = (after: Retention) => {
    setStored(after);
    setTexts(textsOf(after));
    notifyDone("Saved. The next daily cleanup applies it.");
  };
  const change = JSON.parse(body) as object | null;
  const save = useMutation<void, Retention>(
    () => apiFetch("/retention", { method: "PUT", body: change as object }),
    { onDone: done },
  );
  const [asked, setAsked] = useState<Retention["would_delete"] | null>(null);
  const lines = asked?.history ?? 0;
  const posts = keptKinds.reduce((sum, kind) => sum + (asked?.[kind] ?? 0), 0) - lines;
  // Nothing to ask when nothing would be deleted.
  const submit = () => {
    const { counts } = preview;
    if (counts === null) return;
    if (keptKinds.some((kind) => counts[kind] > 0)) setAsked(counts);
    else void save.run();
  };
  return (
    <Panel
      title="How long posts and history are kept"
      description={`In days, applied once a day. Deleted posts are not fetched again, and all-time figures keep them. Delivered posts are kept for ${stored.delivered_days} days (RETENTION_DAYS).`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {isWaiting ? (
          <Notice tone="warn">
            The upgrade changed how long posts are kept. Nothing is deleted by these days before {day}.
          </Notice>
        ) : null}
        <div className="grid gap-4 desk:grid-cols-2">
          {keptKinds.map((kind) => {
            const days = daysOf(kind, texts[kind]);
            return (
              <Field
                key={kind}
                label={kinds[kind]}
                error={
                  days === null
                    ? `A whole number from ${MIN_KEPT_DAYS[kind]} to ${MAX_KEPT_DAYS}, or empty`
                    : undefined
                }
                hint={<span role="status">{hintOf(kind, days, preview)}</span>}
              >
                <Input
                  inputMode="numeric"
                  placeholder="For ever"
                  value={texts[kind]}
                  onChange={(event) => setTexts({ ...texts, [kind]: event.target.value })}
                />
              </Field>
            );
          })}
        </div>
        {save.failure || preview.failure ? (
          <p role="alert" className="text-13 text-reject">
            {retentionError(save.failure ?? preview.failure)}
          </p>
        ) : null}
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={!changed || body === "null"}
            pending={save.pending || preview.counts === null}
          >
            Save
          </Button>
        </div>
      </form>
      {asked === null ? null : (
        <AlertDialog
          open
          onOpenChange={(open) => !open && setAsked(null)}
          title={`Delete ${amount(posts, lines)}`}
          description={
            <>
              <p>The next daily cleanup deletes them, posts with their pictures.</p>
              <ul className="mt-2 list-disc ps-5">
                {keptKinds
                  .filter((kind) => asked[kind] > 0)
                  .map((kind) => (
                    <li key={kind}>
                      {kinds[kind]}: {asked[kind]}
                    </li>
                  ))}
              </ul>
            </>
          }
          confirm={`Save and delete ${amount(posts, lines)}`}
          pending={save.pending}
          onConfirm={() => void save.run()}
        />
      )}
    </Panel>
  );
}

function retentionError(failure: ApiFailure | undefined): string | undefined {
  const errors = formErrors(fieldErrors, failure);
  return keptKinds.map((kind) => errors.at(`${kind}_days`)).find(Boolean) ?? errors.form;
}

function hintOf(kind: KeptKind, days: number | "ever" | null, preview: Preview): string {
  if (days === "ever") return "Kept for ever. Deletes nothing.";
  if (preview.counts === null) return "Counting…";
  const count = preview.counts[kind];
  return kind === "history"
    ? `Would delete ${amount(0, count)} now.`
    : `Would delete ${amount(count, 0)} now.`;
}

interface Preview {
  /** Null while they are counted. */
  counts: Retention["would_delete"] | null;
  failure: ApiFailure | undefined;
}

/** Figures of the typed days, before they are stored. */
function usePreview(body: string, stored: Retention): Preview {
  const [known, setKnown] = useState<Preview & { of: string }>({
    of: body,
    counts: stored.would_delete,
    failure: undefined,
  });
  useEffect(() => {
    if (body === "null") return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      apiFetch<Retention>("/retention?dry_run=true", {
        method: "PUT",
        body: JSON.parse(body) as object,
      }).then(
        (answer) => {
          if (isCurrent) setKnown({ of: body, counts: answer.would_delete, failure: undefined });
        },
        (thrown: unknown) => {
          if (isCurrent) setKnown({ of: body, counts: null, failure: asFailure(thrown) });
        },
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [body, stored]);
  return known.of === body ? known : { counts: null, failure: undefined };
}
