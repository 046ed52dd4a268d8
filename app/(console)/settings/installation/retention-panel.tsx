"use client";
import { plural } from "#components/format.ts";
import { ActionField, ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { keptKindLabels } from "#components/words.ts";
import { keptKinds, MAX_KEPT_DAYS, MIN_KEPT_DAYS, type KeptDays } from "#lib/collect/retention-schema.ts";
import { saveRetention } from "../actions.ts";

const errors = Object.fromEntries(
  keptKinds.map((kind) => [
    `${kind}_days`,
    `A whole number from ${MIN_KEPT_DAYS[kind]} to ${MAX_KEPT_DAYS}, or empty`,
  ]),
);

/** Asks for confirmation if the next cleanup would delete something. */
export function RetentionPanel({ days, deliveredDays }: { days: KeptDays; deliveredDays: number }) {
  return (
    <Panel
      title="How long posts and history are kept"
      description={`In days, applied once a day. Deleted posts are not fetched again, and all-time figures keep them. Delivered posts are kept for ${deliveredDays} days (RETENTION_DAYS).`}
    >
      <ActionForm action={saveRetention} errors={errors} className="flex flex-col items-start gap-4">
        {(asked) => (
          <>
            <FormNotice />
            <div className="grid w-full gap-4 desk:grid-cols-4">
              {keptKinds.map((kind) => (
                <ActionField key={kind} name={`${kind}_days`} label={keptKindLabels[kind]}>
                  <Input
                    name={`${kind}_days`}
                    inputMode="numeric"
                    placeholder="For ever"
                    // Without scripts the page is rendered again.
                    defaultValue={(asked?.days ?? days)[`${kind}_days`] ?? ""}
                  />
                </ActionField>
              ))}
            </div>
            {asked === undefined ? (
              <SubmitButton variant="primary">Save</SubmitButton>
            ) : (
              <Notice
                tone="warn"
                action={
                  <SubmitButton
                    name="confirmed"
                    value={JSON.stringify(asked.days)}
                    size="sm"
                    variant="reject"
                    autoFocus
                  >
                    Save and delete them
                  </SubmitButton>
                }
              >
                The next daily cleanup deletes{" "}
                {keptKinds
                  .filter((kind) => asked.would_delete[kind] > 0)
                  .map((kind) => {
                    const what = kind === "history" ? "history line" : `${kind} post`;
                    return plural(asked.would_delete[kind], what, `${what}s`);
                  })
                  .join(", ")}
                .
              </Notice>
            )}
          </>
        )}
      </ActionForm>
    </Panel>
  );
}
