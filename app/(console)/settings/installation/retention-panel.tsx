"use client";
import { plural } from "#components/format.ts";
import { ActionField, ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { kinds } from "#components/words.ts";
import { keptKinds, MAX_KEPT_DAYS, MIN_KEPT_DAYS, type Retention } from "#lib/collect/retention-schema.ts";
import { saveRetention } from "../actions.ts";

const errors = {
  form: "Change something first.",
  ...Object.fromEntries(
    keptKinds.map((kind) => [
      `${kind}_days`,
      `A whole number from ${MIN_KEPT_DAYS[kind]} to ${MAX_KEPT_DAYS}, or empty`,
    ]),
  ),
};

/** Asks before it saves days that delete something. */
export function RetentionPanel({ retention }: { retention: Retention }) {
  return (
    <Panel
      title="How long posts and history are kept"
      description={`In days, applied once a day. Deleted posts are not fetched again, and all-time figures keep them. Delivered posts are kept for ${retention.delivered_days} days (RETENTION_DAYS).`}
    >
      <ActionForm action={saveRetention} errors={errors} className="flex flex-col items-start gap-4">
        {(asked) => (
          <>
            <FormNotice />
            <div className="grid w-full gap-4 desk:grid-cols-4">
              {keptKinds.map((kind) => (
                <ActionField
                  key={kind}
                  name={`${kind}_days`}
                  label={kinds[kind]}
                  hint={willDelete(kind, retention.would_delete[kind])}
                >
                  <Input
                    name={`${kind}_days`}
                    inputMode="numeric"
                    placeholder="For ever"
                    // Without scripts the page is drawn anew.
                    defaultValue={(asked?.days ?? retention)[`${kind}_days`] ?? ""}
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
                  .map((kind) => amount(kind, asked.would_delete[kind]))
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

type Kind = (typeof keptKinds)[number];

function amount(kind: Kind, count: number): string {
  if (kind === "history") return plural(count, "history line", "history lines");
  return plural(count, `${kind} post`, `${kind} posts`);
}

function willDelete(kind: Kind, count: number): string | undefined {
  return count === 0 ? undefined : `The next cleanup deletes ${amount(kind, count)}.`;
}
