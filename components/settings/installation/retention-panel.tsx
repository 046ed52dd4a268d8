"use client";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { useNow, useTimeZone } from "#components/ui/clock-context.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { formErrors } from "#components/words/form-errors.ts";
import { formatDay } from "#components/words/format.ts";
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

const w = words.settings.installation.retention;
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
    notifyDone(w.saved);
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
    <Panel title={w.title} description={w.hint(stored.delivered_days)}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {isWaiting ? <Notice tone="warn">{w.starts(day)}</Notice> : null}
        <div className="grid gap-4 desk:grid-cols-2">
          {keptKinds.map((kind) => {
            const days = daysOf(kind, texts[kind]);
            return (
              <Field
                key={kind}
                label={w.kinds[kind]}
                error={days === null ? w.wrong(MIN_KEPT_DAYS[kind], MAX_KEPT_DAYS) : undefined}
                hint={<span role="status">{hintOf(kind, days, preview)}</span>}
              >
                <Input
                  inputMode="numeric"
                  placeholder={w.ever}
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
            {words.common.save}
          </Button>
        </div>
      </form>
      {asked === null ? null : (
        <AlertDialog
          open
          onOpenChange={(open) => !open && setAsked(null)}
          title={w.askTitle(posts, lines)}
          description={
            <>
              <p>{w.askHint}</p>
              <ul className="mt-2 list-disc ps-5">
                {keptKinds
                  .filter((kind) => asked[kind] > 0)
                  .map((kind) => (
                    <li key={kind}>{w.askParts(w.kinds[kind], asked[kind])}</li>
                  ))}
              </ul>
            </>
          }
          confirm={w.askConfirm(posts, lines)}
          pending={save.pending}
          onConfirm={() => void save.run()}
        />
      )}
    </Panel>
  );
}

function retentionError(failure: ApiFailure | undefined): string | undefined {
  const errors = formErrors("retention", failure);
  return keptKinds.map((kind) => errors.at(`${kind}_days`)).find(Boolean) ?? errors.form;
}

function hintOf(kind: KeptKind, days: number | "ever" | null, preview: Preview): string {
  if (days === "ever") return w.keptForEver;
  if (preview.counts === null) return w.counting;
  const count = preview.counts[kind];
  return kind === "history" ? w.wouldDelete(0, count) : w.wouldDelete(count, 0);
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
